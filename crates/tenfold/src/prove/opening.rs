//! Openings of a witness.

use super::{CountError, Counted, Witness};
use crate::any::AnyScheme;
use crate::claim::{Checked, Claim};
use crate::dataset::{Base, Column, Dataset, Total};
use crate::error::Error;
use crate::file::ProofFile;
use crate::longest::is_long;
use crate::statement::{ColumnContext, Description, Sums, TableContext};
use crate::verdict::{self, Verdict};
use crate::verify::Limits;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use pcs::file::File;
use pcs::pip::Secret;

impl Witness {
    /// Proves claims in one proof. Of a hiding commitment this uses up one opening, which is counted in this witness alone; so one whose secret was
    /// given, and may be given to another witness, is opened by [`Witness::open_counted`].
    ///
    /// # Errors
    /// As [`super::open`].
    pub fn open(&mut self, claims: &[Claim<'_>]) -> Result<ProofFile, Error> {
        if self.stored { Err(Error::Uncounted) } else { self.open_next(claims) }
    }

    fn open_next(&mut self, claims: &[Claim<'_>]) -> Result<ProofFile, Error> {
        if self.wrong {
            return Err(Error::WrongDevice);
        }
        let checked = super::check(claims, &self.commitment, &self.scheme)?;
        self.check_sums(&checked)?;
        let mut file = self.prove(&checked)?;
        if self.witness.is_remote() && !self.holds(&file, &checked) {
            if !self.recommit() {
                return Err(Error::WrongDevice);
            }
            self.device.note(&"the GPU made a proof that does not hold");
            file = self.prove(&checked)?;
        }
        Ok(ProofFile { file })
    }

    /// Proves claims in one proof, which is withheld until `store` has stored the secret of a hiding commitment with its new count: two
    /// proofs by one mask show what it hides, so nobody may see a proof whose opening another process could make once more.
    ///
    /// `store` is called once, with the verdict of a verifier who has the proof and the commitment, and not at all for a commitment that
    /// does not hide. It must return `Ok` only if the count will be found after a crash. If it fails the proof is dropped, and its
    /// opening is used up for this witness.
    ///
    /// Of two processes that read one count, each would count up by one and show a proof with the same mask. So `store` must either hold
    /// an exclusive lock on what is stored, taken before the secret of this witness was read from there and held until the new count is
    /// in place, or replace it in one step only if it is still [`Counted::before`] (compare-and-swap), and fail otherwise.
    ///
    /// # Errors
    /// [`CountError::Open`] as [`super::open`], and if the proof does not verify; [`CountError::Store`] if `store` fails.
    pub fn open_counted<E>(
        &mut self,
        claims: &[Claim<'_>],
        store: impl FnOnce(&Counted<'_>, Verdict) -> Result<(), E>,
    ) -> Result<ProofFile, CountError<E>> {
        let before = self.scheme.prover().secret(&self.witness).map(Secret::used);
        let proof = self.open_next(claims)?;
        if let (Some(secret), Some(before)) = (self.scheme.prover().secret(&self.witness), before) {
            // An opening must not be counted for a proof that is worth nothing.
            let bytes = proof.to_bytes();
            let limits = Limits { policy: self.policy, max_memory: u64::MAX };
            let policy = verdict::Policy::from_limits(limits).about(&self.commitment);
            let verdict = verdict::verify(&bytes, &policy)?;
            store(&Counted { secret, before, length: bytes.len() }, verdict).map_err(CountError::Store)?;
        }
        Ok(proof)
    }

    /// Refuses sums that would wrap around the field, an opening that there is none left for, and a weighted sum that takes more memory than there is.
    fn check_sums(&mut self, checked: &Checked<'_>) -> Result<(), Error> {
        match checked {
            Checked::Forms { summed, sums, .. } => {
                if *summed {
                    self.check_sum()?;
                }
                self.check_ranges(&sums.ranges)?;
                if self.left == Some(0) {
                    return Err(Error::NoOpening(self.scheme.summary().hidden_openings));
                }
                Ok(())
            }
            Checked::Product(columns) => self.check_product(*columns),
            Checked::Weighted { weights, mean } => {
                let proof = self.commitment.params.opening_memory(false, true);
                self.room.check(proof.saturating_add(weights.memory()))?;
                match weights {
                    Dataset::Column(weights) => self.check_weighted_sum(weights, *mean),
                    Dataset::Table(_) | Dataset::Bytes(_) => Ok(()),
                }
            }
        }
    }

    /// Proves claims that were checked.
    fn prove(&mut self, checked: &Checked<'_>) -> Result<File<'static>, Error> {
        match checked {
            Checked::Forms { forms, sums, .. } => {
                let context = context(&self.commitment.description, None, sums.clone());
                if is_long(&context) {
                    return Err(Error::LongContext);
                }
                let opened = self.scheme.prover().open(&mut self.witness, forms, &context);
                let file = opened.map_err(Error::Params)?.file;
                self.left = self.left.map(|left| left - 1);
                Ok(file)
            }
            Checked::Product(columns) => {
                let description = &self.commitment.description;
                let context = context(description, None, Sums::default());
                let product = (*columns, description.rows(&self.commitment.params));
                let prover = self.scheme.prover();
                let file = prover.open_product(&mut self.witness, product, &context, &self.policy);
                file.map_err(Error::Params)
            }
            Checked::Weighted { weights, mean } => {
                let scale = if let Dataset::Column(weights) = weights { Some(weights.scale) } else { None };
                let context = context(&self.commitment.description, scale, Sums::of(*mean));
                let prover = self.scheme.prover();
                let elements = weights.with_weights(|weights| prover.weights(weights));
                let elements = elements.map_err(|e| Error::OtherParams(e.to_string()))?;
                let file = prover.open_weighted(&mut self.witness, elements, &context, &self.policy);
                file.map_err(Error::Params)
            }
        }
    }

    /// Returns true if a proof holds that was just made.
    fn holds(&self, file: &File<'_>, checked: &Checked<'_>) -> bool {
        let limits = Limits { policy: self.policy, max_memory: u64::MAX };
        match checked {
            Checked::Forms { .. } => self.scheme.verify(file).is_ok(),
            Checked::Product(_) => self.scheme.verify_product(file, &self.policy).is_ok(),
            Checked::Weighted { weights, .. } => {
                weights.with_weights(|weights| self.scheme.verify_weighted(file, weights, &limits)).is_ok()
            }
        }
    }

    /// Refuses a sum that would wrap around the field.
    fn check_sum(&mut self) -> Result<(), Error> {
        let sums = match self.sums.take() {
            Some(sums) => sums,
            None => self.sums_of(|_| true)?,
        };
        let sums = self.sums.insert(sums);
        sums.iter()
            .enumerate()
            .try_for_each(|(i, sum)| check_sum(*sum, (&self.commitment.description, i), &self.scheme))
    }

    /// Refuses an inner product that would wrap around the field, or takes more memory than there is.
    fn check_product(&self, [a, b]: [u32; 2]) -> Result<(), Error> {
        let of = &self.commitment.description;
        self.room.check(self.commitment.params.product_memory().unwrap_or(u64::MAX))?;
        let [(a, left), (b, right)] =
            [a, b].map(|place| (place as usize, column((of, place as usize), &self.scheme)));
        let ((base, left), (_, right)) = (left?, right?);
        let sum = self.product_of(a, b);
        let name =
            || if a == b { format!("squares of {left}") } else { format!("products of {left} and {right}") };
        check_value(sum, base, name)
    }

    /// The sum of the products of two columns; none if it does not fit 127 bits.
    fn product_of(&self, a: usize, b: usize) -> Option<i128> {
        let (mut factors, mut sum) = (Vec::new(), Some(Total::ZERO));
        self.each_row(&mut |place, _, x| {
            if place == a {
                factors.push(x);
            }
        })
        .ok()?;
        self.each_row(&mut |place, row, x| {
            if place == b {
                let factor = factors.get(row).copied().flatten();
                sum = sum.zip(x).zip(factor).map(|((sum, x), factor)| sum.plus_product(x, factor));
            }
        })
        .ok()?;
        sum.and_then(Total::value)
    }

    /// Refuses sums of ranges that would wrap around the field.
    fn check_ranges(&self, ranges: &[Range<u64>]) -> Result<(), Error> {
        for range in ranges {
            let sums = self.sums_of(|row| range.contains(&(row as u64)))?;
            for (place, sum) in sums.into_iter().enumerate() {
                check_sum(sum, (&self.commitment.description, place), &self.scheme)?;
            }
        }
        Ok(())
    }

    /// The sum of some rows of each column; none where it does not fit 127 bits.
    fn sums_of(&self, counts: impl Fn(usize) -> bool) -> Result<Vec<Option<i128>>, Error> {
        let columns = self.commitment.description.polynomials() as usize;
        let mut sums = vec![Some(Total::ZERO); columns];
        self.each_row(&mut |place, row, x| {
            if counts(row)
                && let Some(sum) = sums.get_mut(place)
            {
                *sum = sum.zip(x).map(|(sum, x)| sum.plus(x));
            }
        })?;
        Ok(sums.into_iter().map(|sum| sum.and_then(Total::value)).collect())
    }

    /// Refuses weighted sums that would wrap around the field, and a mean by weights that add up to nothing.
    fn check_weighted_sum(&self, weights: &Column, mean: bool) -> Result<(), Error> {
        let of = &self.commitment.description;
        super::check_weights(weights, column((of, 0), &self.scheme)?.0, mean)?;
        let mut sums = vec![Some(Total::ZERO); of.polynomials() as usize];
        self.each_row(&mut |place, row, x| {
            let weight = weights.values.row(row).unwrap_or_default();
            if let Some(sum) = sums.get_mut(place) {
                *sum = sum.zip(x).map(|(sum, x)| sum.plus_product(x, weight));
            }
        })?;
        sums.into_iter().enumerate().try_for_each(|(place, sum)| {
            let (base, name) = column((of, place), &self.scheme)?;
            super::check_weighted((sum.and_then(Total::value), name), base)
        })
    }

    /// Calls a function with the place of each column, each of its rows, and the integer there; none where an entry is no integer. One pass, however
    /// many columns there are.
    fn each_row(&self, each: &mut dyn FnMut(usize, usize, Option<i128>)) -> Result<(), Error> {
        let rows = self.commitment.description.rows(&self.commitment.params);
        let (base, _) = column((&self.commitment.description, 0), &self.scheme)?;
        let (log_size, mut entry) = (self.scheme.summary().log_size, 0usize);
        self.scheme.prover().each_entry(&self.witness, &mut |bytes| {
            let (place, row) = (entry >> log_size, entry & ((1 << log_size) - 1));
            if (row as u64) < rows {
                each(place, row, base.decode(bytes));
            }
            entry += 1;
        });
        Ok(())
    }
}

/// The bytes that are bound into a proof.
pub(crate) fn context(of: &Description, weights_scale: Option<u32>, sums: Sums) -> Vec<u8> {
    match of {
        Description::Bytes(bytes) => bytes.encode(),
        Description::Column(column) => ColumnContext { column: column.clone(), weights_scale, sums }.encode(),
        Description::Table(table) => TableContext { table: table.clone(), weights_scale, sums }.encode(),
    }
}

/// Refuses a sum of a column that would wrap around the field; none if it does not fit 127 bits.
pub(crate) fn check_sum(
    sum: Option<i128>,
    of: (&Description, usize),
    scheme: &AnyScheme,
) -> Result<(), Error> {
    let (base, name) = column(of, scheme)?;
    check_value(sum, base, || name.into())
}

/// Refuses a sum of what has this name.
fn check_value(sum: Option<i128>, base: Base, name: impl FnOnce() -> String) -> Result<(), Error> {
    match sum {
        None => Err(Error::SumTooLarge { name: name() }),
        Some(sum) if base.holds(sum) => Ok(()),
        Some(_) => Err(Error::SumWraps { name: name(), field: base.name() }),
    }
}

/// The field and the name of a column, by its place among those of a table.
pub(crate) fn column<'a>(
    (of, place): (&'a Description, usize),
    scheme: &AnyScheme,
) -> Result<(Base, &'a str), Error> {
    let column = match of {
        Description::Column(column) => Some(column),
        Description::Table(table) => table.columns.get(place),
        Description::Bytes(_) => None,
    };
    let base = Base::from_data(scheme.summary().fields[0]);
    column.zip(base).map(|(column, base)| (base, column.name.as_str())).ok_or(Error::OfNumbers("sum"))
}
