//! One slot: a signed transfer, or padding.

use curve::bn254::Fr;
use curve::{AdditiveGroup, Field, PrimeField};
use snark::gadgets::boolean::{boolean, enforce_nonzero, number};
use snark::gadgets::memory::{Access, Factors, Memory};
use snark::gadgets::points::Point;
use snark::r1cs::{Builder, LinearCombination};
use snark::schnorr::{Key, verify_gadget};

use super::trace::{Found, Slot};
use crate::token::Kind;

type Lc = LinearCombination<Fr>;

/// What all slots share.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) domain: &'a Lc,
    pub(super) fee: &'a Lc,
    pub(super) time_bits: usize,
}

/// The cells of an account as an access finds them, without its balance.
struct Cells {
    number: Lc,
    nonce: Lc,
    key: Point,
}

impl Cells {
    fn allocate(builder: &mut Builder<Fr>, number: Fr, found: &Found) -> Self {
        let mut cell = |value| builder.committed(|| value);
        Self {
            number: cell(number),
            nonce: cell(found.nonce),
            key: Point { x: cell(found.key.0), y: cell(found.key.1) },
        }
    }

    fn lanes(&self, balance: &Lc, padding: &Lc) -> [Lc; super::LANES] {
        let Self { number, nonce, key } = self;
        [number, balance, nonce, &key.x, &key.y, padding].map(Lc::clone)
    }
}

/// The constraints of slot `i` but for the memory's products. Returns its committed cells, and the factors of its two accesses.
///
/// Balances stay below 2⁶⁴ because all accounts of a claim together hold less, and nothing is issued; so that of the recipient needs no range.
pub(super) fn synthesize(
    builder: &mut Builder<Fr>,
    rules: Rules<'_>,
    memory: &Memory<Fr>,
    (i, slot): (u64, &Slot),
) -> (Vec<Lc>, [Factors<Fr>; 2]) {
    let padding = boolean(builder, "transfer: padding", || slot.padding);
    let active = &Lc::one() - &padding;
    let (amount, _) = number(builder, "transfer: amount", 64, || slot.amount);
    enforce_nonzero(builder, "transfer: amount is not 0", &(&amount + &padding));
    let sender = Cells::allocate(builder, slot.from, &slot.sender);
    let recipient = Cells::allocate(builder, slot.to, &slot.recipient);
    let received = builder.committed(|| slot.recipient.balance);

    // The sender pays amount and fee, and has used a nonce, of which the last is never used.
    let debit = &amount + &builder.multiply("transfer: fee", rules.fee, &active);
    let (left, _) = number(builder, "transfer: balance", 64, || slot.sender.balance - debit.value());
    let last_nonce = Lc::constant(Fr::from(u32::MAX));
    enforce_nonzero(builder, "transfer: nonces used up", &(&sender.nonce - &last_nonce));
    let lanes = sender.lanes(&(&left + &debit), &padding);
    let access = Access { lanes: &lanes, changes: &[(1, &-&debit), (2, &active)], time: 2 * i + 1 };
    let (sent, of_sender) = memory.access(builder, access, rules.time_bits, || Fr::from(slot.sender.time));
    let lanes = recipient.lanes(&received, &padding);
    let access = Access { lanes: &lanes, changes: &[(1, &amount)], time: 2 * i + 2 };
    let (credited, of_recipient) =
        memory.access(builder, access, rules.time_bits, || Fr::from(slot.recipient.time));

    let kind = &active * Fr::from(Kind::Transfer as u64);
    let numbers = [&sender.number, &recipient.number, &amount, &sender.nonce];
    let word = packed(
        [(&kind, 0)].into_iter().chain([8, 40, 72, 136].into_iter().zip(numbers).map(|(bits, x)| (x, bits))),
    );
    let memo = builder.witness(|| slot.memo);
    let key = Key { domain: rules.domain, point: &sender.key };
    verify_gadget(builder, key, &[word, memo], || slot.signature);

    // All other numbers are below the bounds that keep them apart here.
    let times = [128, 128 + rules.time_bits, 128 + 2 * rules.time_bits];
    let numbers = [(&amount, 0), (&left, 64), (&sent, times[0]), (&credited, times[1]), (&padding, times[2])];
    let word = packed(numbers.into_iter());
    let committed = builder.committed(|| word.value());
    builder.enforce_equal("transfer: committed numbers", &word, &committed);
    let accounts = [sender, recipient]
        .into_iter()
        .flat_map(|cells| [cells.number, cells.nonce, cells.key.x, cells.key.y]);
    (accounts.chain([received, committed]).collect(), [of_sender, of_recipient])
}

/// The values of the cells that slot `i` commits to, in the order of [`synthesize`]: these do not depend on challenges, and a digest of them is needed
/// before the circuit can be assigned.
pub(super) fn committed((i, slot): (u64, &Slot), fee: u64, time_bits: usize) -> [Fr; 10] {
    let Slot { padding, from, to, amount, sender, recipient, .. } = slot;
    let [padding, fee] = [u64::from(*padding), if *padding { 0 } else { fee }].map(Fr::from);
    let amount = low_bits(*amount, 64);
    let left = low_bits(sender.balance - amount - fee, 64);
    let gap = |last: u64, found: u64| low_bits(Fr::from(last) - Fr::from(found), time_bits);
    let gaps = [gap(2 * i, sender.time), gap(2 * i + 1, recipient.time)];
    let power = |bits: usize| Fr::ONE.double().pow([bits as u64]);
    let times = [128, 128 + time_bits, 128 + 2 * time_bits].map(power);
    let word = amount + left * power(64) + gaps[0] * times[0] + gaps[1] * times[1] + padding * times[2];
    let ([x, y], [u, v]) = ([sender.key.0, sender.key.1], [recipient.key.0, recipient.key.1]);
    [*from, sender.nonce, x, y, *to, recipient.nonce, u, v, recipient.balance, word]
}

/// What the booleans of a number of so many bits stand for: in a true statement, the number.
fn low_bits(x: Fr, bits: usize) -> Fr {
    let mask = if bits < 64 { (1 << bits) - 1 } else { u64::MAX };
    let [low, ..] = x.into_bigint().0;
    Fr::from(low & mask)
}

/// The sum of numbers, each shifted by some bits.
fn packed<'a>(numbers: impl Iterator<Item = (&'a Lc, usize)>) -> Lc {
    Lc::weighted_sum(numbers.map(|(x, bits)| (Fr::ONE.double().pow([bits as u64]), x)))
}
