//! Claims that an opening proves, and the linear forms that they are.

use crate::any::{AnyScheme, Form};
use crate::dataset::Dataset;
use crate::error::Error;
use crate::statement::{Description, MAX_VALUES, Sums};
use alloc::vec::Vec;
use core::ops::Range;

/// A claim about committed data: the prover says of what, the proof says which value. Of a table it is about each of the columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim<'a> {
    /// The value of a row, or of an entry of bytes, counted from 0.
    Row(u64),
    /// The sum of all rows.
    Sum,
    /// The sum of the rows of a range, of which there is one at least.
    Range(Range<u64>),
    /// The mean of all rows, and their sum; beside [`Claim::Weighted`] the mean by its weights.
    Mean,
    /// The multilinear extension of the data and their padding at a point with small coordinates, the variable of the lowest index
    /// bit first. Modulo a prime `p` the coordinate `-1` is `p - 1`. Such coordinates are no random challenge of a proof system: a test at a random
    /// point of `n` variables errs with probability `n / p`, some 2^-26 over 31 bits, whatever bits the proof has. [`AnyProver::open`](crate::any::AnyProver::open)
    /// takes forms at points of the challenge field.
    Point(Vec<i128>),
    /// The univariate polynomial whose coefficients are the data and their padding, the constant one first, at a small point.
    /// (notes: air-univariate)
    Evaluation(i128),
    /// The sum of all rows, each times its weight; of bytes the inner product with as many others. The verifier is given the weights.
    Weighted(&'a Dataset),
    /// The sum over all rows of the products of two columns, by their names; of the squares of one if both are one. Such a proof makes no other claim.
    /// (notes: linear-forms-product)
    ///
    /// ```
    /// use tenfold::{Claim, Claimed, Dataset, Options, Policy};
    ///
    /// let prices = Dataset::from_decimals(["12.50", "3", "0.125"])?.named("price");
    /// let amounts = Dataset::from_u64s(vec![7, 1, 12]).named("amount");
    /// let table = Dataset::from_columns([prices, amounts])?;
    /// let (commitment, mut witness) = tenfold::commit(&table, &Options::proven_bits(100))?;
    /// let proof = witness.open(&[Claim::Product("price", "amount")])?.to_bytes();
    /// let verdict = tenfold::verify(&proof, &Policy::at_least(100).about(&commitment))?;
    /// let revenue = verdict.value_of(&Claimed::Product("price".into(), "amount".into()))?;
    /// assert_eq!(revenue.exact(), "92.000");
    /// # Ok::<(), tenfold::Error>(())
    /// ```
    Product(&'a str, &'a str),
}

impl<'a> Claim<'a> {
    fn product(&self) -> Option<[&'a str; 2]> {
        if let Self::Product(a, b) = self { Some([*a, *b]) } else { None }
    }

    fn range(&self) -> Option<&Range<u64>> {
        if let Self::Range(rows) = self { Some(rows) } else { None }
    }
}

/// The claims of an opening, checked against the data.
pub(crate) enum Checked<'a> {
    /// Linear forms, with the sum of all rows among them or without, and how sums are claimed.
    Forms { forms: Vec<Form>, summed: bool, sums: Sums },
    /// A weighted sum, and whether it is claimed as a mean.
    Weighted { weights: &'a Dataset, mean: bool },
    /// An inner product, by the places of its columns.
    Product([u32; 2]),
}

/// Checks claims about data with so many rows before anything is computed.
pub(crate) fn check<'a>(
    claims: &[Claim<'a>],
    (description, rows): (&Description, u64),
    scheme: &AnyScheme,
) -> Result<Checked<'a>, Error> {
    let mean = claims.contains(&Claim::Mean);
    let summed = mean || claims.contains(&Claim::Sum);
    if let Some(columns) = claims.iter().find_map(Claim::product) {
        return product(columns, claims, (description, scheme)).map(Checked::Product);
    }
    let ranges: Vec<_> = claims.iter().filter_map(Claim::range).cloned().collect();
    if let (Description::Bytes(_), true) = (description, summed || !ranges.is_empty()) {
        return Err(Error::OfNumbers(if mean { "mean" } else { "sum" }));
    }
    let weights = claims.iter().find_map(|claim| match claim {
        Claim::Weighted(weights) => Some(*weights),
        _ => None,
    });
    if let Some(weights) = weights {
        let others = claims.iter().filter(|claim| !matches!(claim, Claim::Mean)).count();
        if others > 1 {
            return Err(Error::WeightsAlone);
        }
        check_weights(weights, description, scheme)?;
        return Ok(Checked::Weighted { weights, mean });
    }
    let forms = forms(claims, rows, scheme)?;
    let summary = scheme.summary();
    if summary.hidden_openings > 0 {
        // One form for each value: the blocks of a sum would show the sums of parts. (notes: zk-open)
        if forms.len() != 1 {
            let of_blocks = summed && !rows.is_power_of_two();
            return Err(match &ranges[..] {
                [range] if claims.len() == 1 => Error::HiddenRange(range.clone()),
                _ if of_blocks => Error::HiddenSum(rows),
                _ => Error::OneHidden(forms.len()),
            });
        }
    } else if forms.len() > summary.max_forms as usize {
        return Err(Error::TooManyClaims { given: forms.len(), most: summary.max_forms });
    }
    let most = MAX_VALUES / description.polynomials().max(1);
    if description.polynomials() > 1 && forms.len() > most as usize {
        return Err(Error::TooManyClaims { given: forms.len(), most });
    }
    Ok(Checked::Forms { forms, summed, sums: Sums { mean, ranges } })
}

/// The places of the columns of an inner product, which is claimed alone.
fn product(
    columns: [&str; 2],
    claims: &[Claim<'_>],
    (description, scheme): (&Description, &AnyScheme),
) -> Result<[u32; 2], Error> {
    if claims.len() > 1 {
        return Err(Error::ProductAlone);
    }
    if scheme.summary().hidden_openings > 0 {
        return Err(Error::HiddenProduct);
    }
    let place = |name: &str| description.place(name).ok_or_else(|| Error::NoColumn(name.into()));
    let [a, b] = columns.map(place);
    let places = match description {
        Description::Bytes(_) => return Err(Error::OfNumbers("inner product of columns")),
        Description::Column(_) | Description::Table(_) => [a?, b?],
    };
    let needed = scheme.summary().log_size.saturating_add(1);
    if scheme.summary().max_forms < needed { Err(Error::ProductForms(needed)) } else { Ok(places) }
}

fn check_weights(weights: &Dataset, description: &Description, scheme: &AnyScheme) -> Result<(), Error> {
    if scheme.summary().hidden_openings > 0 {
        return Err(Error::HiddenWeights);
    }
    let entries = match (description, weights) {
        (Description::Column(column), Dataset::Column(_)) => column.rows,
        (Description::Table(table), Dataset::Column(_)) => table.rows(),
        (Description::Bytes(bytes), Dataset::Bytes(_)) => bytes.length,
        (Description::Column(_) | Description::Table(_), _) => {
            return Err(Error::WeightsKind("a column are numbers"));
        }
        (Description::Bytes(_), _) => return Err(Error::WeightsKind("bytes are bytes")),
    };
    if weights.rows() != entries {
        return Err(Error::weights_count(weights, weights.rows(), entries));
    }
    match weights {
        Dataset::Column(weights) => weights.describe().check(),
        Dataset::Table(_) | Dataset::Bytes(_) => Ok(()),
    }
}

fn check_coordinates(coordinates: &[i128], scheme: &AnyScheme) -> Result<(), Error> {
    let reduced = coordinates.iter().find(|&&x| !scheme.is_coordinate(x));
    reduced.map_or(Ok(()), |&x| Err(Error::NotElement(x)))
}

/// The linear forms that claims about `rows` entries of data are; a weighted sum and an inner product are none.
///
/// # Errors
/// If a row is none of the data, a point has other coordinates or some that are no elements, or there is no claim.
pub fn forms(claims: &[Claim<'_>], rows: u64, scheme: &AnyScheme) -> Result<Vec<Form>, Error> {
    let variables = scheme.summary().variables;
    let (mut forms, mut summed) = (Vec::new(), false);
    for claim in claims {
        match claim {
            Claim::Row(row) if *row >= rows => return Err(Error::NoRow { row: *row, rows }),
            Claim::Row(row) => forms.push(Form::Entry(*row)),
            // The form over everything would count the padding too, and nothing proves that padding is zero.
            Claim::Sum | Claim::Mean if !summed => {
                forms.extend(Form::first(rows, variables));
                summed = true;
            }
            // Behind all others.
            Claim::Range(_) | Claim::Sum | Claim::Mean | Claim::Weighted(_) | Claim::Product(..) => {}
            Claim::Point(point) if point.len() != variables => {
                return Err(Error::Point { given: point.len(), variables });
            }
            Claim::Point(point) => {
                check_coordinates(point, scheme)?;
                forms.push(scheme.point(point));
            }
            Claim::Evaluation(point) => {
                check_coordinates(&[*point], scheme)?;
                forms.push(scheme.powers(*point));
            }
        }
    }
    for range in claims.iter().filter_map(Claim::range) {
        if range.is_empty() {
            return Err(Error::NoRange(range.clone()));
        }
        if range.end > rows {
            return Err(Error::NoRow { row: range.end.saturating_sub(1), rows });
        }
        forms.extend(Form::range(range));
    }
    if forms.is_empty() { Err(Error::NoClaim) } else { Ok(forms) }
}
