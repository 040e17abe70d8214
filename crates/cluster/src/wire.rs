//! Messages as bytes: numbers, elements and questions. What a rank reads from another is checked, and never a reason to panic.

use crate::error::{Error, Reason};
use crate::meter::Phase;
use crate::party::Party;
use field::{Field, parallel};
use iop::poly::TensorForm;

/// The canonical bytes of elements, zeros behind them up to a length in elements: blocks of all ranks are equally long.
pub(crate) fn padded<F: Field>(elements: &[F], length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length * F::BYTES];
    F::write_slice(elements, &mut bytes[..elements.len() * F::BYTES]);
    bytes
}

/// The first so many elements of a block; none if one is not canonical, or anything but zeros is behind them.
pub(crate) fn elements<F: Field>(block: &[u8], count: usize) -> Option<Vec<F>> {
    let (elements, padding) = block.split_at_checked(count * F::BYTES)?;
    padding.iter().all(|&byte| byte == 0).then_some(())?;
    let mut out = Vec::with_capacity(count);
    for bytes in elements.chunks_exact(F::BYTES) {
        out.push(F::from_bytes(bytes)?);
    }
    Some(out)
}

/// True if the first so many elements of a block are canonical, and zeros are behind them.
pub(crate) fn are_elements<F: Field>(block: &[u8], count: usize) -> bool {
    let Some((elements, padding)) = block.split_at_checked(count * F::BYTES) else { return false };
    let elements = elements.chunks_exact(F::BYTES);
    elements.fold(true, |all, bytes| all & F::from_bytes(bytes).is_some()) && padding.iter().all(|&b| b == 0)
}

/// Elements that one task adds.
const ADDED_AT_ONCE: usize = 1 << 12;

/// Adds the elements of a block, one to each sum, on all threads; false if one is not canonical, or there are others than the sums take.
pub(crate) fn add_elements<F: Field>(sums: &mut [F], block: &[u8]) -> bool {
    if block.len() != sums.len() * F::BYTES {
        return false;
    }
    let tasks = sums.chunks_mut(ADDED_AT_ONCE).zip(block.chunks(ADDED_AT_ONCE * F::BYTES));
    let added = parallel::map(tasks, |(sums, block)| {
        let mut canonical = true;
        for (sum, bytes) in sums.iter_mut().zip(block.chunks_exact(F::BYTES)) {
            let element = F::from_bytes(bytes);
            canonical &= element.is_some();
            *sum += element.unwrap_or(F::ZERO);
        }
        canonical
    });
    added.into_iter().all(|canonical| canonical)
}

/// A question of the coordinator to all ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question<E> {
    /// The values of a form on the columns.
    Values(TensorForm<E>),
    /// A combination of the columns, by weights that follow.
    Columns,
    /// Rows of the codeword at positions of leaves, with the nodes beside their paths.
    Rows(Vec<usize>),
    /// The digests for the owner of some positions once more.
    Slices(usize),
    /// One rank's digests for another once more, by way of the coordinator.
    Relay { sender: usize, receiver: usize },
    /// The job's costs, and the end of it.
    Finish,
    /// The end of the job without a proof: a rank that the coordinator names, and why.
    Stop { culprit: Option<usize>, reason: Reason },
    /// The commitment: the coordinator has its columns.
    Commit,
    /// The combinations of the rows, by the weights of a form, where each bit of an element of a column is set.
    Bits(TensorForm<E>),
    /// A weighted sum of the columns' entries, by weights that follow.
    Weigh,
    /// The challenge for the lowest variable of a weighted sum.
    Bind(E),
}

/// In the order of their codes.
const REASONS: [Reason; 4] = [Reason::Dropped, Reason::Comm, Reason::Deviation, Reason::Other];

/// The kind of the question that ends a job.
pub(crate) const STOP: usize = 6;

/// Bytes of a question's kind and length.
const HEADER: usize = 16;

fn number(bytes: &[u8]) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(bytes.try_into().ok()?)).ok()
}

fn numbers(values: &[usize]) -> Vec<u8> {
    values.iter().flat_map(|&value| (value as u64).to_le_bytes()).collect()
}

/// A form by its factors.
fn form<E: Field>(payload: &[u8]) -> Option<TensorForm<E>> {
    let factors: Vec<E> = elements(payload, payload.len() / E::BYTES)?;
    let (pairs, rest) = factors.as_chunks::<2>();
    let whole = rest.is_empty() && payload.len().is_multiple_of(E::BYTES);
    whole.then(|| TensorForm::new(pairs.to_vec()))
}

impl<E: Field> Question<E> {
    /// The phase that it belongs to.
    fn phase(kind: usize) -> Phase {
        match kind {
            0 => Phase::Values,
            1 => Phase::Columns,
            2 => Phase::Rows,
            5..=7 => Phase::Coordinator,
            8..=10 => Phase::Values,
            _ => Phase::Blame,
        }
    }

    pub fn kind(&self) -> usize {
        match self {
            Self::Values(_) => 0,
            Self::Columns => 1,
            Self::Rows(_) => 2,
            Self::Slices(_) => 3,
            Self::Relay { .. } => 4,
            Self::Finish => 5,
            Self::Stop { .. } => STOP,
            Self::Commit => 7,
            Self::Bits(_) => 8,
            Self::Weigh => 9,
            Self::Bind(_) => 10,
        }
    }

    pub fn payload(&self) -> Vec<u8> {
        match self {
            Self::Values(form) | Self::Bits(form) => {
                padded(form.factors().as_flattened(), 2 * form.variables())
            }
            Self::Rows(positions) => numbers(positions),
            Self::Slices(owner) => numbers(&[*owner]),
            Self::Relay { sender, receiver } => numbers(&[*sender, *receiver]),
            Self::Stop { culprit, reason } => {
                numbers(&[culprit.map_or(0, |rank| rank + 1), *reason as usize])
            }
            Self::Bind(challenge) => padded(&[*challenge], 1),
            Self::Columns | Self::Finish | Self::Commit | Self::Weigh => Vec::new(),
        }
    }

    pub fn parse(kind: usize, payload: &[u8]) -> Option<Self> {
        let numbers = || payload.chunks(8).map(number).collect::<Option<Vec<usize>>>();
        Some(match kind {
            0 => Self::Values(form(payload)?),
            1 if payload.is_empty() => Self::Columns,
            2 => Self::Rows(numbers()?),
            3 => match numbers()?[..] {
                [owner] => Self::Slices(owner),
                _ => return None,
            },
            4 => match numbers()?[..] {
                [sender, receiver] => Self::Relay { sender, receiver },
                _ => return None,
            },
            5 if payload.is_empty() => Self::Finish,
            STOP => match numbers()?[..] {
                [culprit, reason] => {
                    Self::Stop { culprit: culprit.checked_sub(1), reason: *REASONS.get(reason)? }
                }
                _ => return None,
            },
            7 if payload.is_empty() => Self::Commit,
            8 => Self::Bits(form(payload)?),
            9 if payload.is_empty() => Self::Weigh,
            10 if payload.len() == E::BYTES => match elements(payload, 1)?[..] {
                [challenge] => Self::Bind(challenge),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Asks all ranks.
    pub fn ask(&self, party: &mut Party<'_>) -> Result<(), Error> {
        let (kind, mut payload) = (self.kind(), self.payload());
        let phase = Self::phase(kind);
        // A rank that is gone is no reason to leave the others with half a question.
        let asked = party.broadcast_question(phase, &mut numbers(&[kind, payload.len()]));
        asked.and(if payload.is_empty() { Ok(()) } else { party.broadcast(phase, &mut payload) })
    }

    /// Waits for the coordinator's next question, of so many bytes at most.
    pub fn receive(party: &mut Party<'_>, longest: usize) -> Result<Self, Error> {
        let mut header = [0; HEADER];
        // The phase is known only then; what a question costs is the coordinator's line of the table.
        party.broadcast_question(Phase::Coordinator, &mut header)?;
        let (kind, length) = header.split_at(HEADER / 2);
        let (kind, length) = number(kind).zip(number(length)).ok_or(Error::Question("a header"))?;
        if length > longest {
            return Err(Error::Question("longer than any question about these parameters"));
        }
        let mut payload = vec![0; length];
        if length > 0 {
            party.broadcast(Self::phase(kind), &mut payload)?;
        }
        Self::parse(kind, &payload).ok_or(Error::Question("of no kind"))
    }
}
