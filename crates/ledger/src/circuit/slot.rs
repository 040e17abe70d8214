//! One slot: a signed transaction of any kind, or padding.
//!
//! ```text
//!  kind      other account found      other account left             debit         credit
//!  transfer  to                       balance + credit               amount + fee  amount
//!  mint      to                       balance + credit               amount        amount     from is the issuer
//!  create    to, absent               key, balance 0 + credit        amount + fee  amount     the second word is key.x
//!  burn      from                     the same                       amount + fee  0          to is from
//!  padding   the padding account      the same                       0             0
//! ```
//! The class lane alone says whether an account exists, so that neither a new account nor an old one needs a comparison: a create takes a tuple out that is
//! absent and puts one in that is not, and every other access has 0 (1, of padding) there on both sides.

use curve::bn254::Fr;
use curve::{AdditiveGroup, Field, PrimeField};
use snark::gadgets::boolean::{boolean, enforce_boolean, enforce_nonzero, number};
use snark::gadgets::memory::{Factors, Memory};
use snark::gadgets::points::Point;
use snark::r1cs::{Builder, LinearCombination};
use snark::schnorr::{Key, verify_gadget};

use super::trace::{Found, Selectors, Slot};
use super::{ABSENT, Lane, PADDING};
use crate::token::Kind;

type Lc = LinearCombination<Fr>;

/// What all slots share.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) domain: &'a Lc,
    pub(super) fee: &'a Lc,
    pub(super) issuer: &'a Lc,
    pub(super) time_bits: usize,
}

impl Selectors<Lc> {
    /// Five constraints: four booleans, and that what they leave is one.
    fn allocate(builder: &mut Builder<Fr>, chosen: Selectors<bool>) -> Self {
        let Selectors { padding, create, mint, burn } = chosen;
        let [padding, create, mint, burn] =
            [padding, create, mint, burn].map(|bit| boolean(builder, "slot: selector", || bit));
        let selectors = Self { padding, create, mint, burn };
        enforce_boolean(builder, "slot: one kind", &selectors.transfer());
        selectors
    }

    fn active(&self) -> Lc {
        &Lc::one() - &self.padding
    }

    fn transfer(&self) -> Lc {
        &(&(&self.active() - &self.create) - &self.mint) - &self.burn
    }

    /// The number in the signed word, 0 of padding.
    fn kind(&self) -> Lc {
        let transfer = self.transfer();
        let kinds = [
            (Kind::Create, &self.create),
            (Kind::Mint, &self.mint),
            (Kind::Transfer, &transfer),
            (Kind::Burn, &self.burn),
        ];
        Lc::weighted_sum(kinds.into_iter().map(|(kind, selector)| (Fr::from(kind as u64), selector)))
    }
}

/// The cells of an account, without its balance.
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

    /// The lanes but the class: five constraints. Returns the sum of those of the key, and the sum of all.
    fn lanes(&self, builder: &mut Builder<Fr>, memory: &Memory<Fr>, balance: &Lc) -> (Lc, Lc) {
        let mut sum = |lanes: &[(Lane, &Lc)]| {
            let mut sum = Lc::zero();
            for &(lane, x) in lanes {
                sum += &memory.lane(builder, lane as usize, x);
            }
            sum
        };
        let key = sum(&[(Lane::KeyX, &self.key.x), (Lane::KeyY, &self.key.y)]);
        let others =
            sum(&[(Lane::Number, &self.number), (Lane::Balance, balance), (Lane::Nonce, &self.nonce)]);
        let all = &key + &others;
        (key, all)
    }
}

/// What moves, as cells and combinations of them.
struct Amounts {
    amount: Lc,
    debit: Lc,
    /// The sender's balance after it has paid.
    left: Lc,
    /// The other account's balance before the credit.
    received: Lc,
    credit: Lc,
}

impl Amounts {
    /// 131 constraints: amount and remaining balance are numbers of 64 bits, no active slot moves 0, and fee and credit depend on the kind.
    fn allocate(builder: &mut Builder<Fr>, fee: &Lc, selectors: &Selectors<Lc>, slot: &Slot) -> Self {
        let (amount, _) = number(builder, "slot: amount", 64, || slot.amount);
        enforce_nonzero(builder, "slot: amount is not 0", &(&amount + &selectors.padding));
        let pays = &selectors.active() - &selectors.mint;
        let debit = &amount + &builder.multiply("slot: fee", fee, &pays);
        let (left, _) = number(builder, "slot: balance", 64, || slot.sender.balance - debit.value());
        let received = builder.committed(|| slot.other.balance);
        let credit = &amount - &builder.multiply("slot: burnt", &selectors.burn, &amount);
        Self { amount, debit, left, received, credit }
    }
}

/// The constraints of slot `i` but for the memory's products. Returns its committed cells, and the factors of its two accesses.
///
/// Balances stay below 2⁶⁴ because all accounts of a claim together hold less, and nothing is issued: a mint is a transfer of what the issuer holds. So the
/// balance of the account that receives needs no range.
pub(super) fn synthesize(
    builder: &mut Builder<Fr>,
    rules: Rules<'_>,
    memory: &Memory<Fr>,
    (i, slot): (u64, &Slot),
) -> (Vec<Lc>, [Factors<Fr>; 2]) {
    let selectors = Selectors::allocate(builder, slot.selectors);
    let accounts =
        [Cells::allocate(builder, slot.from, &slot.sender), Cells::allocate(builder, slot.to, &slot.other)];
    let amounts = Amounts::allocate(builder, rules.fee, &selectors, slot);
    let [sender, other] = &accounts;
    let word = builder.witness(|| slot.word);
    enforce_kind(builder, rules, &selectors, [sender, other], &word);
    let last_nonce = Lc::constant(Fr::from(u32::MAX));
    enforce_nonzero(builder, "slot: nonces used up", &(&sender.nonce - &last_nonce));

    let padding = memory.lane(builder, Lane::Class as usize, &(&selectors.padding * Fr::from(PADDING)));
    let [before, after] =
        sender_lanes(builder, memory, sender, &selectors, &amounts).map(|lanes| &lanes + &padding);
    let time = (2 * i + 1, rules.time_bits);
    let (sent, of_sender) = memory.exchange(builder, [&before, &after], time, || Fr::from(slot.sender.time));
    let [before, after] =
        other_lanes(builder, memory, other, &selectors, &amounts).map(|lanes| &lanes + &padding);
    let time = (2 * i + 2, rules.time_bits);
    let (credited, of_other) =
        memory.exchange(builder, [&before, &after], time, || Fr::from(slot.other.time));

    let kind = selectors.kind();
    let numbers = [&sender.number, &other.number, &amounts.amount, &sender.nonce];
    let first = packed(
        [(&kind, 0)].into_iter().chain([8, 40, 72, 136].into_iter().zip(numbers).map(|(bits, x)| (x, bits))),
    );
    let key = Key { domain: rules.domain, point: &sender.key };
    verify_gadget(builder, key, &[first, word], || slot.signature);

    // Every factor of the memory is a function of the committed cells. All these numbers are below the bounds that keep them apart here.
    let Selectors { padding, create, mint, burn } = &selectors;
    let end = 128 + 2 * rules.time_bits;
    let times = [(&sent, 128), (&credited, 128 + rules.time_bits)];
    let flags = [(padding, end), (create, end + 1), (mint, end + 2), (burn, end + 3)];
    let numbers = [(&amounts.amount, 0), (&amounts.left, 64)];
    let numbers = packed(numbers.into_iter().chain(times).chain(flags));
    let committed = builder.committed(|| numbers.value());
    builder.enforce_equal("slot: committed numbers", &numbers, &committed);
    let accounts =
        accounts.into_iter().flat_map(|cells| [cells.number, cells.nonce, cells.key.x, cells.key.y]);
    (accounts.chain([amounts.received, committed]).collect(), [of_sender, of_other])
}

/// The values of the cells that slot `i` commits to, in the order of [`synthesize`]: these do not depend on challenges, and a digest of them is needed
/// before the circuit can be assigned.
pub(super) fn committed((i, slot): (u64, &Slot), fee: u64, time_bits: usize) -> [Fr; 10] {
    let Slot { from, to, amount, sender, other, .. } = slot;
    let Selectors { padding, create, mint, burn } = slot.selectors;
    let fee = Fr::from(if padding || mint { 0 } else { fee });
    let amount = low_bits(*amount, 64);
    let left = low_bits(sender.balance - amount - fee, 64);
    let gap = |last: u64, found: u64| low_bits(Fr::from(last) - Fr::from(found), time_bits);
    let (end, times) = (128 + 2 * time_bits, [gap(2 * i, sender.time), gap(2 * i + 1, other.time)]);
    let mut word = amount;
    for (number, bits) in [(left, 64), (times[0], 128), (times[1], 128 + time_bits)] {
        word += number * shift(bits);
    }
    for (flag, bits) in [padding, create, mint, burn].into_iter().zip(end..) {
        word += Fr::from(flag) * shift(bits);
    }
    let ([x, y], [u, v]) = ([sender.key.0, sender.key.1], [other.key.0, other.key.1]);
    [*from, sender.nonce, x, y, *to, other.nonce, u, v, other.balance, word]
}

/// What the booleans of a number of so many bits stand for: in a true statement, the number.
fn low_bits(x: Fr, bits: usize) -> Fr {
    let mask = if bits < 64 { (1 << bits) - 1 } else { u64::MAX };
    let [low, ..] = x.into_bigint().0;
    Fr::from(low & mask)
}

/// 2 to the power of so many bits.
fn shift(bits: usize) -> Fr {
    Fr::ONE.double().pow([bits as u64])
}

/// The lanes of the signer's account before and after, but that of padding: it pays the debit, and has used a nonce. Seven constraints.
fn sender_lanes(
    builder: &mut Builder<Fr>,
    memory: &Memory<Fr>,
    sender: &Cells,
    selectors: &Selectors<Lc>,
    amounts: &Amounts,
) -> [Lc; 2] {
    let (_, before) = sender.lanes(builder, memory, &(&amounts.left + &amounts.debit));
    let mut after = &before - &memory.lane(builder, Lane::Balance as usize, &amounts.debit);
    after += &memory.lane(builder, Lane::Nonce as usize, &selectors.active());
    [before, after]
}

/// The lanes of the other account before and after, but that of padding: it gets the credit, and where it is created it had no key, and the class of
/// absent accounts. Seven constraints.
fn other_lanes(
    builder: &mut Builder<Fr>,
    memory: &Memory<Fr>,
    other: &Cells,
    selectors: &Selectors<Lc>,
    amounts: &Amounts,
) -> [Lc; 2] {
    let (key, lanes) = other.lanes(builder, memory, &amounts.received);
    let absent = memory.lane(builder, Lane::Class as usize, &Lc::constant(Fr::from(ABSENT)));
    let created = builder.multiply("slot: created", &selectors.create, &(&key - &absent));
    let after = &lanes + &memory.lane(builder, Lane::Balance as usize, &amounts.credit);
    [&lanes - &created, after]
}

/// What holds for one kind alone and is neither an amount nor an access: three constraints.
fn enforce_kind(
    builder: &mut Builder<Fr>,
    rules: Rules<'_>,
    selectors: &Selectors<Lc>,
    [sender, other]: [&Cells; 2],
    word: &Lc,
) {
    let mut if_then_zero = |label, selector: &Lc, x: Lc| builder.enforce(label, selector, &x, &Lc::zero());
    if_then_zero("slot: mint by the issuer", &selectors.mint, &sender.number - rules.issuer);
    if_then_zero("slot: burn of one's own", &selectors.burn, &sender.number - &other.number);
    if_then_zero("slot: key that was signed", &selectors.create, word - &other.key.x);
}

/// The sum of numbers, each shifted by some bits.
fn packed<'a>(numbers: impl Iterator<Item = (&'a Lc, usize)>) -> Lc {
    Lc::weighted_sum(numbers.map(|(x, bits)| (shift(bits), x)))
}
