//! Weighted sums of a column: `open --weights`.

use super::blob::source::within_memory;
use super::committed::Committed;
use super::open::witness_of;
use super::scheme::{self, base_of, refused};
use super::weights::Given;
use super::{held, weights, witness};
use crate::args::{Common, OpenArgs};
use crate::data::{Base, Column};
use crate::exit::Failure;
use crate::progress::Progress;
use tenfold::statement::ColumnContext;

/// `open --weights`: the file's bytes.
pub fn open(
    committed: &Committed,
    (column, given): (Option<&Column>, &Given),
    (args, common): (&OpenArgs, &Common),
    progress: &mut Progress,
) -> Result<Vec<u8>, Failure> {
    let Given::Numbers(weights) = given else {
        return Err(Failure::usage("the weights of a column are numbers", "give a file of numbers"));
    };
    let what = &args.what;
    if what.sum || !what.row.is_empty() || what.point.is_some() {
        let message = "a weighted sum is a proof of its own";
        return Err(Failure::usage(message, "prove rows, points and the sum without --weights"));
    }
    if committed.params.hidden_openings > 0 {
        let message = "a weighted sum would reveal sums over a hiding commitment";
        return Err(Failure::usage(message, "prove weighted sums of a commitment without hiding"));
    }
    let policy = args.policy.policy();
    let scheme = scheme::validated(&committed.params, &policy)?;
    let of_column = column.map_or(witness::memory(committed.params.log_size, true), held);
    let need = of_column + held(weights) + committed.params.weighted_memory();
    within_memory(need, common, "raise `--max-memory`")?;
    let base = base_of(committed.params.fields);
    weights::check(weights, committed.subject.rows, base)?;
    if let Some(column) = column {
        check_sums(column, weights, base, what.mean)?;
    }
    let kept = args.witness.as_deref();
    progress.phase(if kept.is_some() { "reading the witness" } else { "committing again" });
    let mut prover = scheme.prover();
    let mut witness = witness_of(&mut prover, committed, (column, kept), None)?;
    if let Some(path) = kept {
        let column = witness::column((&prover, &witness), committed, path)?;
        check_sums(&column, weights, base, what.mean)?;
    }
    progress.phase("proving");
    let context = ColumnContext {
        column: committed.subject.clone(),
        weights_scale: Some(weights.scale),
        mean: what.mean,
    };
    let elements = given.with(|weights| prover.weights(weights));
    let elements = elements.map_err(|e| Failure::usage(e.to_string(), "give one weight per row"))?;
    let file = prover.open_weighted(&mut witness, elements, &context.encode(), &policy).map_err(refused)?;
    Ok(file.encode())
}

/// Refuses a weighted sum that would wrap around the field, and a mean by weights that add up to nothing.
pub(super) fn check_sums(column: &Column, weights: &Column, base: Base, mean: bool) -> Result<(), Failure> {
    let mut products = column.values.iter().zip(weights.values.iter()).map(|(x, w)| x.checked_mul(w));
    let sum = products.try_fold(0i128, |sum, product| sum.checked_add(product?));
    if !sum.is_some_and(|sum| base.holds(sum)) {
        let message =
            format!("the weighted sum of {} does not fit {}: it would wrap around", column.name, base.name());
        let hint = "commit again with a larger --field, or use smaller weights with fewer decimals";
        return Err(Failure::usage(message, hint));
    }
    match weights.values.sum() {
        None if mean => Err(Failure::usage(
            "the sum of the weights is too large for a mean",
            "use smaller weights with fewer decimals",
        )),
        Some(0) if mean => Err(Failure::usage(
            "the weights add up to zero: there is no weighted mean",
            "leave --mean out to prove the weighted sum",
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::verify::describe_with;
    use crate::data::{Format, Options};
    use crate::exit::Exit;
    use iop::security::Policy;
    use pcs::fields::Fields;
    use pcs::pip::search::{Profile, SearchTarget, find};
    use tenfold::AnyScheme;
    use tenfold::statement::ColumnDescription;
    use tenfold::verify::Limits;

    fn column(numbers: &str) -> Column {
        crate::data::read(numbers.as_bytes(), Format::Json, &Options::default()).unwrap()
    }

    /// What the verifier with `weights` says to a prover who has used `used`, and says that they have `scale` decimals,
    /// that there are `rows` rows and a mean.
    fn said(weights: &str, used: &str, scale: u32, rows: u64) -> Result<Vec<String>, Exit> {
        let params = find(&SearchTarget::new(Fields::Goldilocks3, 2, 100, Profile::Fast)).unwrap();
        let policy = Policy::at_least(100);
        let scheme = AnyScheme::from_pip(params, &policy).unwrap();
        let mut prover = scheme.prover();
        let entries = prover.integers(&mut [1, 2, 3, 1000].into_iter()).unwrap();
        let mut witness = prover.commit(entries);
        let subject = ColumnDescription { name: "x".into(), rows, scale: 0, bytes: None, source: [0; 32] };
        let context = ColumnContext { column: subject, weights_scale: Some(scale), mean: true };
        let elements = Given::Numbers(column(used)).with(|weights| prover.weights(weights)).unwrap();
        let file = prover.open_weighted(&mut witness, elements, &context.encode(), &policy).unwrap().encode();
        let limits = Limits { policy, max_memory: u64::MAX };
        let verified = describe_with(&file, &limits, Some(&Given::Numbers(column(weights))));
        verified.map(|verified| verified.claims).map_err(|failure| failure.exit)
    }

    #[test]
    fn weights_are_read_as_they_are_used() {
        let claims = said("[1, -2, 4]", "[1, -2, 4]", 0, 3).unwrap();
        let sum = "the sum of all 3 rows of x weighted by column is 9 modulo the goldilocks prime 18446744069414584321: the exact sum if that lies in [-9223372034707292160, 9223372034707292160]; then the weighted mean is 3.000";
        let mean = "the mean of all 3 rows of x weighted by column is 3.000 if that sum is the exact one";
        assert_eq!(claims, [sum, mean]);
        let claims = said("[0.25, 0.25, 1]", "[0.25, 0.25, 1]", 2, 3).unwrap();
        assert!(
            claims[0].contains("is 3.75 modulo") && claims[1].contains("is 5/2 = 2.500 if"),
            "{claims:?}"
        );
    }

    #[test]
    fn liar_about_the_weights() {
        assert_eq!(said("[1, -2, 4]", "[1, -2, 5]", 0, 3), Err(Exit::Invalid));
        assert_eq!(said("[1, -2, 4]", "[1, -2, 4, 0]", 0, 3), Err(Exit::Invalid));
    }

    /// The same integers with a point elsewhere are other weights.
    #[test]
    fn liar_about_the_decimals_of_the_weights() {
        assert_eq!(said("[0.1, 0.2, 0.3]", "[0.1, 0.2, 0.3]", 0, 3), Err(Exit::Invalid));
    }

    #[test]
    fn liar_who_states_a_mean_of_weights_that_add_up_to_zero() {
        assert_eq!(said("[1, -2, 1]", "[1, -2, 1]", 0, 3), Err(Exit::Invalid));
    }

    /// More rows than places, or other rows than weights: the sum would not be over the rows it speaks of.
    #[test]
    fn liar_about_the_number_of_rows() {
        assert_eq!(said("[1, 2, 3, 4, 5]", "[1, 2, 3, 4]", 0, 5), Err(Exit::Invalid));
        assert_eq!(said("[1, 2, 3]", "[1, 2, 3]", 0, 0), Err(Exit::Invalid));
        assert_eq!(said("[1, 2, 3]", "[1, 2, 3]", 0, 4), Err(Exit::Usage));
    }

    /// A weight outside the field would stand for another one.
    #[test]
    fn weights_outside_the_field_are_no_weights() {
        assert_eq!(said("[18446744069414584322, 2, 3]", "[1, 2, 3]", 0, 3), Err(Exit::Usage));
        assert!(said("[1, 2, 3]", "[1, 2, 3]", 0, 3).is_ok());
    }
}
