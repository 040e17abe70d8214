//! Answers that the coordinator does not keep, and what it asks again when a proof does not hold: combinations of columns, of which it adds up each
//! rank's and keeps a hash. And sums over bits, which are checked against these. (notes: cluster-blame)

use crate::blame::{Answer, Evidence, columns_answer};
use crate::check::{bits_fit, packed_values};
use crate::commit::Agreed;
use crate::error::{Deviation, Error};
use crate::identity::DIGEST;
use crate::ownership::Ownership;
use crate::party::{COORDINATOR, Party};
use crate::session::{Charge, block_digest};
use crate::wire::{Question, add_elements, elements, padded};
use crate::worker::{self, bit_bytes};
use crate::{meter::Phase, share::Share};
use field::{ExtensionOf, FoldableCode};
use iop::poly::TensorForm;
use pcs::ring_switching::Entries;

/// Sums over bits of all ranks' columns.
struct Bits<E> {
    form: TensorForm<E>,
    /// By rank.
    sums: Vec<Vec<u8>>,
    /// The number of answers of other kinds before.
    before: usize,
}

/// The hashes of answers that are not kept.
pub(crate) struct Recall<E> {
    /// Hashes of the combinations of columns, of all ranks but the coordinator, in the order of these among all answers.
    combinations: Vec<Vec<[u8; DIGEST]>>,
    bits: Vec<Bits<E>>,
}

/// The values of a form on one rank's entries, and its answer that has them.
pub(crate) struct EntryValues<E> {
    pub values: Vec<E>,
    pub answer: (Phase, Vec<u8>),
}

/// Sums over bits as a rank sent them.
fn bits_answer<B: FoldableCode, E: ExtensionOf<B>>(ownership: &Ownership, bits: &[u8]) -> (Phase, Vec<u8>) {
    let mut block = bits.to_vec();
    block.resize(bit_bytes::<B, E>(ownership.most_columns()), 0);
    (Phase::Values, block)
}

/// Asks for a combination of the columns, and gives the coordinator its own.
fn ask<B: FoldableCode, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    share: &Share<B>,
    weights: &[E],
) -> Result<Vec<E>, Error> {
    let (ownership, asked) = (share.ownership, Question::<E>::Columns.ask(party));
    let most = ownership.most_columns();
    let block = |rank| padded(&weights[ownership.columns(rank)], most);
    let blocks: Vec<u8> = (0..party.size()).flat_map(block).collect();
    // Who has heard the question waits for the weights, even if another rank is gone.
    asked.and(worker::columns::<B, E>(party, share, &blocks))
}

impl<E> Recall<E> {
    pub fn new() -> Self {
        Self { combinations: Vec::new(), bits: Vec::new() }
    }

    /// Drops all recorded combinations and sums over bits.
    pub fn forget(&mut self) {
        self.combinations.clear();
        self.bits.clear();
    }

    /// The combination of all ranks' columns. Each rank's is added as it comes.
    pub fn columns<B: FoldableCode>(
        &mut self,
        party: &mut Party<'_>,
        share: &Share<B>,
        weights: &[E],
    ) -> Result<Vec<E>, Error>
    where
        E: ExtensionOf<B>,
    {
        let mut total = ask(party, share, weights)?;
        let length = total.len() * E::BYTES;
        let hashes = party.gather_each(Phase::Columns, length, |rank, block| {
            let refused = Error::Deviation { rank, deviation: Deviation::Encoding };
            if add_elements(&mut total, block) { Ok(()) } else { Err(refused) }
        })?;
        self.combinations.push(hashes);
        Ok(total)
    }

    /// Sums over bits, column by column.
    pub fn bits<B: FoldableCode>(
        &mut self,
        party: &mut Party<'_>,
        share: &Share<B>,
        (form, before): (&TensorForm<E>, usize),
    ) -> Result<Vec<u8>, Error>
    where
        E: ExtensionOf<B>,
    {
        Question::Bits(form.clone()).ask(party)?;
        let blocks = worker::bits(party, share, form)?;
        let ownership = &share.ownership;
        let each = blocks.len() / ownership.ranks();
        let own = |(rank, block): (usize, &[u8])| {
            let length = bit_bytes::<B, E>(ownership.columns(rank).len());
            let sums: Option<Vec<E>> = elements(block, length / E::BYTES);
            sums.ok_or(Error::Deviation { rank, deviation: Deviation::Encoding })?;
            Ok(block[..length].to_vec())
        };
        let sums: Vec<Vec<u8>> =
            blocks.chunks_exact(each).enumerate().map(own).collect::<Result<_, Error>>()?;
        let all = sums.concat();
        self.bits.push(Bits { form: form.clone(), sums, before });
        Ok(all)
    }

    /// The values of packed entries, by the first form whose sums over bits were asked for, and the answers that have them, by rank.
    pub fn entry_values<B: FoldableCode>(
        &self,
        ownership: &Ownership,
        entries: Entries,
    ) -> Option<Vec<EntryValues<E>>>
    where
        E: ExtensionOf<B>,
    {
        let of_rank = |sums: &Vec<u8>| {
            let values = packed_values::<B, E>(entries, sums)?;
            Some(EntryValues { values, answer: bits_answer::<B, E>(ownership, sums) })
        };
        self.bits.first()?.sums.iter().map(of_rank).collect()
    }

    /// Asks for all combinations again: each rank has to give what it gave.
    pub fn recall<B: FoldableCode>(
        &self,
        party: &mut Party<'_>,
        agreed: &Agreed<B>,
        evidence: &mut Evidence<E>,
    ) -> Result<(), Error>
    where
        E: ExtensionOf<B>,
    {
        let share = &agreed.part.share;
        let mut combinations = self.combinations.iter();
        for answer in &mut evidence.answers {
            let Answer::Columns { weights, sums } = answer else { continue };
            let hashes = combinations.next().expect("a hash for each combination");
            let own = ask(party, share, weights)?;
            let blocks = party.gather(Phase::Columns, &padded(&own, own.len()))?;
            *sums = Vec::new();
            for (rank, block) in blocks.chunks_exact(own.len() * E::BYTES).enumerate() {
                let refused = |deviation| Error::Deviation { rank, deviation };
                let stated = rank.checked_sub(COORDINATOR + 1).map(|other| hashes[other]);
                if stated.is_some_and(|stated| stated != block_digest(block)) {
                    return Err(refused(Deviation::Statement));
                }
                sums.push(elements(block, own.len()).ok_or(refused(Deviation::Encoding))?);
            }
        }
        Ok(())
    }

    /// Checks sums over bits against the combinations of the columns whose weights were drawn after them; keeps a report of what the rank has signed.
    pub fn check_bits<B: FoldableCode>(
        &self,
        party: &Party<'_>,
        (ownership, entries): (&Ownership, Entries),
        evidence: &Evidence<E>,
    ) -> Result<(), Error>
    where
        E: ExtensionOf<B>,
    {
        for Bits { form, sums: bits, before } in &self.bits {
            for later in &evidence.answers[*before..] {
                let Answer::Columns { weights, sums } = later else { continue };
                for (rank, (bits, sums)) in bits.iter().zip(sums).enumerate() {
                    let own = &weights[ownership.columns(rank)];
                    if !bits_fit::<B, E>(entries, (own, sums), form, bits) {
                        let deviation = Deviation::Values;
                        let answers =
                            vec![bits_answer::<B, E>(ownership, bits), columns_answer(ownership, sums)];
                        party.session.report(Charge::new(rank, deviation, answers));
                        return Err(Error::Deviation { rank, deviation });
                    }
                }
            }
        }
        Ok(())
    }
}
