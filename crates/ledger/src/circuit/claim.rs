//! What a verifier computes from the cells of a batch: the public inputs.

use curve::bn254::{Fr, shifted_sum};
use curve::grumpkin::Point;
use curve::{AffineRepr, Field};
use snark::groth16::Word;

use super::{ABSENT, GAMMA_SQUARINGS, LANES, MAX_SLOTS, PADDING};
use crate::Invalid;
use crate::signature::PublicKey;
use crate::statement::{Change, Statement};
use crate::token::{Account, Index, Token};

/// A statement, and when each of its cells was last accessed: any numbers that the proof fits.
#[derive(Clone, Copy, Debug)]
pub struct Claim<'a> {
    /// The cells, of accounts that exist after, and before unless they are new.
    pub statement: &'a Statement<Token>,
    /// The fee of the chain.
    pub fee: u64,
    /// The account that mints.
    pub issuer: Index,
    /// The time of the last access to each cell, in their order.
    pub times: &'a [u32],
    /// That of the last access to the padding account; 0 without padding.
    pub padding_time: u32,
    /// What else the proof is bound to: zeros, or what a contract asks for ([`crate::evm`]).
    pub context: [u8; 32],
}

/// The public inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Public {
    /// The chain's.
    pub domain: Fr,
    /// The chain's.
    pub fee: u64,
    /// The chain's.
    pub issuer: Index,
    /// `α`, of which `γ` is a power.
    pub challenge: Fr,
    /// The product over the cells after, divided by that over the cells before.
    pub quotient: Fr,
    /// The digest of the committed cells, if there is one.
    pub digest: Option<Fr>,
}

impl Public {
    /// The public inputs in their order.
    #[must_use]
    pub fn elements(&self) -> Vec<Fr> {
        let first = [self.domain, self.rules(), self.challenge, self.quotient];
        first.into_iter().chain(self.digest).collect()
    }

    /// `issuer + 2³² fee`.
    #[must_use]
    pub fn rules(&self) -> Fr {
        rules(self.fee, self.issuer)
    }
}

/// `γ`, so high a power of `α` that products of factors are polynomials of both which differ as those of `α` alone do.
fn gamma(alpha: Fr) -> Fr {
    (0..GAMMA_SQUARINGS).fold(alpha, |power, _| power.square())
}

/// `issuer + 2³² fee`.
pub(super) fn rules(fee: u64, issuer: Index) -> Fr {
    Fr::from(u128::from(issuer.0) | u128::from(fee) << 32)
}

impl Claim<'_> {
    /// The public inputs, with the challenge from the claim and `binding`: the digest of committed cells and zero, or the coordinates of the commitment to them.
    ///
    /// Whoever has a store checks that the values before are those in it, which is part of soundness: that there was no account where the claim has none, too. The
    /// key of a new account is a [`PublicKey`](crate::signature::PublicKey), hence a point of the curve that is not the identity and is determined by the first coordinate, which
    /// is signed; the circuit relies on all three and checks none. Time: a hash of some 160 bytes and some six products for each cell.
    ///
    /// # Errors
    /// If there is no cell, cells are not in strictly increasing order, one is not changed, an account is closed or changes its key, the accounts together hold `2^64` or more
    /// before, or there is not one time for each cell; if there are more cells than the largest batch touches.
    pub fn public(&self, binding: &[Word; 2]) -> Result<Public, Invalid> {
        let cells = &self.statement.cells;
        if cells.len() > 2 * MAX_SLOTS {
            return Err(Invalid("more touched cells than a batch has"));
        }
        if cells.len() != self.times.len() {
            return Err(Invalid("not one time for each touched cell"));
        }
        if !cells.is_sorted_by(|a, b| a.key < b.key) {
            return Err(Invalid("the touched cells are not in strictly increasing order"));
        }
        // Without a change no nonce rises: the same proof would hold again after its batch, and renew a lease for ever.
        if cells.is_empty() || cells.iter().any(|change| change.before == change.after) {
            return Err(Invalid("a batch without a change, or a touched account that stays as it is"));
        }
        let challenge = self.challenge(binding);
        let factors = Factors::new(challenge);
        let mut held = 0u64;
        let mut ends = [0, self.padding_time].map(|time| factors.padding(time));
        for (change, &time) in cells.iter().zip(self.times) {
            let (before, after) = accounts(change)?;
            let sum = held.checked_add(before.map_or(0, |account| account.balance));
            held = sum.ok_or(Invalid("the touched accounts together hold 2^64 or more"))?;
            let number = change.key;
            let key = factors.key(&after.key);
            ends[0] *=
                before.map_or_else(|| factors.absent(number), |account| factors.of(number, account, &key, 0));
            ends[1] *= factors.of(number, after, &key, time);
        }
        let domain = self.statement.domain.element();
        let [before, after] = ends;
        let inverse = before.inverse().ok_or(Invalid("a challenge that is a root of the cells' product"))?;
        let quotient = after * inverse;
        Ok(Public { domain, fee: self.fee, issuer: self.issuer, challenge, quotient, digest: None })
    }
}

/// The account before, if there was one, and after.
fn accounts(change: &Change<Token>) -> Result<(Option<&Account>, &Account), Invalid> {
    let after = change.after.as_ref().ok_or(Invalid("an account is closed, which no transaction does"))?;
    match &change.before {
        Some(before) if before.key != after.key => Err(Invalid("an account changes its key")),
        before => Ok((before.as_ref(), after)),
    }
}

/// The factors of cells: `gamma + time + sum alpha^(i+1) lane_i` ([`snark::gadgets::memory`]), over number, balance, nonce, both coordinates of the key, and class.
///
/// All lanes but the key's have at most 64 bits, and a cell's key is the same before and after: so a cell costs four products of elements and seven of a word.
struct Factors {
    /// Times `2^64`: what [`shifted_sum`] divides by.
    gamma: Fr,
    /// The powers of number, balance, nonce and time, which is 1, times `2^64`.
    small: [Fr; 4],
    /// Those of the key, times `2^64`.
    key: [Fr; 2],
    /// That of the class, times `2^64`.
    class: Fr,
}

impl Factors {
    fn new(alpha: Fr) -> Self {
        let shift = Fr::from(1_u128 << 64);
        let mut power = shift;
        let [number, balance, nonce, x, y, class] = [(); LANES].map(|()| {
            power *= alpha;
            power
        });
        let gamma = gamma(alpha) * shift;
        Self { gamma, small: [number, balance, nonce, shift], key: [x, y], class }
    }

    /// `gamma` and the lanes of the key, times `2^64`.
    fn key(&self, key: &PublicKey) -> Fr {
        self.gamma + Fr::sum_of_products(&self.key, &[key.x(), key.y()])
    }

    /// An account whose key is given by [`Self::key`]; its class is 0.
    fn of(&self, number: Index, account: &Account, key: &Fr, time: u32) -> Fr {
        shifted_sum(key, &self.small, [number.0.into(), account.balance, account.nonce.into(), time.into()])
    }

    /// A number without an account: its class is one that no account has.
    fn absent(&self, number: Index) -> Fr {
        let [of_number, ..] = self.small;
        shifted_sum(&self.gamma, &[of_number, self.class], [number.0.into(), ABSENT])
    }

    /// The padding account: number 0, nothing in it, the generator as its key, and a class that no other account has.
    fn padding(&self, time: u32) -> Fr {
        let base = Point::generator();
        let [.., of_time] = self.small;
        let key = self.gamma + Fr::sum_of_products(&self.key, &[base.x, base.y]);
        shifted_sum(&key, &[of_time, self.class], [time.into(), PADDING])
    }
}

#[cfg(test)]
mod tests {
    use snark::gadgets::memory::factor;

    use super::*;
    use crate::signature::Secret;

    /// Of the circuit's memory, at the ends of every number.
    #[test]
    fn factors_are_those_of_the_memory() {
        let alpha = Fr::from(0x1234_5678_9abc_def0_u64).square().square().square();
        let challenges = [alpha, gamma(alpha)];
        let factors = Factors::new(alpha);
        let key = Secret::from_seed(&[7; 32]).public();
        for (number, balance, nonce, time) in
            [(0, 0, 0, 0), (1, 2, 3, 4), (u32::MAX, u64::MAX, u32::MAX, u32::MAX)]
        {
            let account = Account { key, balance, nonce };
            let (x, y) = (key.x(), key.y());
            let lanes = [number.into(), balance.into(), nonce.into(), x, y, Fr::from(0_u64)];
            let found = factors.of(Index(number), &account, &factors.key(&key), time);
            assert_eq!(found, factor(challenges, &lanes, time.into()));
            let zero = Fr::from(0_u64);
            let absent = [number.into(), zero, zero, zero, zero, ABSENT.into()];
            assert_eq!(factors.absent(Index(number)), factor(challenges, &absent, zero));
            let base = Point::generator();
            let padding = [zero, zero, zero, base.x, base.y, PADDING.into()];
            assert_eq!(factors.padding(time), factor(challenges, &padding, time.into()));
        }
    }
}
