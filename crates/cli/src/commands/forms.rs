//! The linear forms that an opening is asked for.

use crate::args::What;
use crate::exit::Failure;
use field::Field;
use iop::poly::Tensor;

/// The linear forms asked for, over `rows` of `2^log_size` entries.
pub fn forms<E: Field>(what: &What, rows: u64, log_size: u32) -> Result<Vec<Tensor<E>>, Failure> {
    forms_at(what, rows, log_size as usize, E::from_u64)
}

/// [`forms`] in so many variables, with points whose coordinates are read in any way.
pub fn forms_at<E: Field>(
    what: &What,
    rows: u64,
    variables: usize,
    coordinate: impl Fn(u64) -> E,
) -> Result<Vec<Tensor<E>>, Failure> {
    let mut forms = Vec::new();
    for &row in &what.row {
        if row >= rows {
            let hint = format!("rows are numbered from 0 to {}", rows.saturating_sub(1));
            return Err(Failure::usage(format!("there is no row {row}"), hint));
        }
        forms.push(Tensor::index(row, variables));
    }
    if what.sum || what.mean {
        forms.extend(blocks(rows, variables));
    }
    if let Some(point) = &what.point {
        if point.len() != variables {
            let message =
                format!("the point has {} coordinates, the data have {variables} variables", point.len());
            return Err(Failure::usage(message, "give one integer per variable, lowest index bit first"));
        }
        let z: Vec<E> = point.iter().map(|&x| coordinate(x)).collect();
        forms.push(Tensor::point(&z));
    }
    if forms.is_empty() {
        return Err(Failure::usage(
            "nothing to prove",
            "name a --row, a --point, --sum, --mean or --weights",
        ));
    }
    Ok(forms)
}

/// Refuses more statements than one proof of the parameters holds.
pub fn at_most(max_forms: u32, forms: usize) -> Result<(), Failure> {
    if forms <= max_forms as usize {
        return Ok(());
    }
    Err(Failure::usage(format!("at most {max_forms} statements per proof"), "make several proofs"))
}

/// Refuses several forms in one hiding opening, which proves one. (notes: zk-open)
pub fn one_for_hiding(what: &What, rows: u64, forms: usize) -> Result<(), Failure> {
    if forms == 1 {
        return Ok(());
    }
    if (what.sum || what.mean) && !rows.is_power_of_two() {
        let message = format!(
            "a hiding proof states one value, and the sum of {rows} rows would also state the sums of their parts"
        );
        let hint = format!(
            "commit to {} rows: append rows of 0, which then count as rows",
            rows.checked_next_power_of_two().unwrap_or(rows)
        );
        return Err(Failure::usage(message, hint));
    }
    let message = format!("a hiding proof states one value, not {forms}");
    Err(Failure::usage(message, "make a proof for each, with -o; each uses up one opening"))
}

/// The sum of the rows, as sums over blocks of `2^k` rows that tile `0..rows`: the form over everything would count
/// the padding too, and nothing proves that padding is zero.
pub fn blocks<E: Field>(rows: u64, variables: usize) -> Vec<Tensor<E>> {
    let mut start = 0u64;
    let mut forms = Vec::new();
    for k in (0..=variables.min(63)).rev() {
        if rows >> k & 1 == 1 {
            let index = Tensor::<E>::index(start, variables);
            let bits = index.factors().iter().enumerate();
            let factors = bits.map(|(v, &bit)| if v < k { [E::ONE, E::ONE] } else { bit }).collect();
            forms.push(Tensor::new(factors));
            start += 1 << k;
        }
    }
    forms
}
