//! Checks one rank's messages in a weighted sum. (notes: cluster-report)

use super::said::Said;
use super::verify::Case;
use crate::check::{SumMessages, bind_weights, own_weights, packed_values, sum_fits, values_fit};
use crate::identity::DIGEST;
use crate::weighted::{FIRST, ROUND, bound_digest, packed, variables, weights_digest};
use field::{ExtensionOf, FoldFibres};
use iop::error::Invalid;
use iop::poly::{TensorForm, to_bytes};

/// The report is about a weighted sum, and is not verified without its public weights.
pub const WITHOUT_WEIGHTS: Invalid =
    Invalid("the report is about a weighted sum, and needs its public weights");

/// The weighted sum that the report is about has other weights than those that are given, at the accused rank at least.
pub const OTHER_WEIGHTS: Invalid = Invalid("the report is about a sum by other weights");

/// The report is about no weighted sum, and there are weights.
pub const UNWEIGHTED: Invalid = Invalid("the report is about no weighted sum");

/// One rank's messages from its part of a sum to what it has left of its columns.
struct Sum<B, E> {
    /// The digest of its weights.
    weights: [u8; DIGEST],
    first: [B; FIRST],
    /// Of all rounds.
    rounds: Vec<[E; ROUND]>,
    challenges: Vec<E>,
    left: Vec<E>,
}

impl<B: FoldFibres> Case<'_, B> {
    /// True if the messages of a weighted sum contradict each other and the public weights; or, if values of a form are behind them, these.
    pub(super) fn sum<E: ExtensionOf<B>>(&self, said: &[Said<B, E>]) -> Result<bool, Invalid> {
        let of_sum = |said: &&Said<B, E>| matches!(said, Said::Weighed { .. } | Said::Bound { .. });
        let (messages, others) = said.split_at(said.iter().take_while(of_sum).count());
        // Of bytes that are no elements there is another report.
        let Some(sum) = self.messages(messages)? else { return Ok(false) };
        let weights = self.weights.map(|weights| self.own_weights(weights)).transpose()?;
        if weights.as_ref().is_some_and(|weights| weights_digest(&to_bytes(weights)) != sum.weights) {
            return Err(OTHER_WEIGHTS);
        }
        let local = || TensorForm::point(&sum.challenges).expand();
        Ok(match (others, self.entries.log_bits()) {
            ([], _) => {
                let weights = weights.ok_or(WITHOUT_WEIGHTS)?;
                let Sum { first: [value, ..], rounds, challenges, left, .. } = &sum;
                let messages = SumMessages { value: E::lift(*value), rounds, challenges, left };
                !sum_fits(messages, &bind_weights(&weights, challenges))
            }
            ([Said::Values { form, values: Some(values) }], None) => {
                !values_fit(&local(), &sum.left, &form.expand_parallel(), values)
            }
            ([Said::Bits { form, bits: Some(bits) }], Some(_)) => packed_values::<B, E>(self.entries, bits)
                .is_some_and(|values| !values_fit(&local(), &sum.left, &form.expand_parallel(), &values)),
            _ => false,
        })
    }

    /// The accused rank's part of the public weights.
    fn own_weights(&self, weights: &[B]) -> Result<Vec<B>, Invalid> {
        let packed = packed::<B>(self.entries);
        let entries =
            self.ownership.rows().saturating_mul(self.ownership.spec().width).saturating_mul(packed);
        if weights.len() > entries {
            return Err(Invalid("more weights than entries"));
        }
        Ok(own_weights(&self.ownership, (self.rank, packed), weights))
    }

    /// The messages of one sum, each bound to all before it; none if one has no elements.
    fn messages<E: ExtensionOf<B>>(&self, said: &[Said<B, E>]) -> Result<Option<Sum<B, E>>, Invalid> {
        let [Said::Weighed { weights, first }, bound @ ..] = said else {
            return Err(Invalid("messages of a weighted sum without its weights"));
        };
        let variables = variables::<B>(self.ownership.columns(self.rank).len(), self.entries);
        if variables != Some(bound.len()) {
            return Err(Invalid("a weighted sum of another number of rounds"));
        }
        let (mut so_far, mut challenges, mut answers) = (*weights, Vec::new(), Vec::new());
        for said in bound {
            let Said::Bound { sum, challenge, answer } = said else { return Ok(None) };
            if *sum != so_far {
                return Err(Invalid("a challenge of another weighted sum, or in another place"));
            }
            so_far = bound_digest(sum, *challenge);
            challenges.push(*challenge);
            answers.push(answer);
        }
        let (Some(first), Some(Some(left))) = (first, answers.pop()) else { return Ok(None) };
        let mut rounds = vec![[first[1], first[2]].map(E::lift)];
        for answer in answers {
            let Some(answer) = answer else { return Ok(None) };
            let round = answer[..].try_into().map_err(|_| Invalid("a message has another length"))?;
            rounds.push(round);
        }
        if left.len() != self.ownership.rows() {
            return Err(Invalid("a message has another length"));
        }
        Ok(Some(Sum { weights: *weights, first: *first, rounds, challenges, left: left.clone() }))
    }
}
