//! What the coordinator asks. Lengths come from the parameters.

use pcs::field::Field;
use pcs::kzg::multilinear::{Params, Scalar};

use crate::error::{Error, Reason};
use crate::meter::Phase;
use crate::party::Party;
use crate::wire::{elements, padded};

/// A question to all ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Question {
    /// The combination of their fragments of a polynomial, by a weight for each fragment of the polynomial.
    Combine { polynomial: usize, weights: Vec<Scalar> },
    /// Their parts of the commitments to the quotients at a point; the parts of the table follow.
    Quotients(Vec<Scalar>),
    /// The job's costs, and the end of it.
    Finish,
    /// The end of the job without a proof: a rank that the coordinator names, and why.
    Stop { culprit: Option<usize>, reason: Reason },
}

/// In the order of their codes.
const REASONS: [Reason; 4] = [Reason::Dropped, Reason::Comm, Reason::Deviation, Reason::Other];

/// Bytes of the kind and of two numbers.
const HEADER: usize = 24;

impl Question {
    fn header(&self) -> [u64; 3] {
        match self {
            Self::Combine { polynomial, .. } => [0, *polynomial as u64, 0],
            Self::Quotients(_) => [1, 0, 0],
            Self::Finish => [2, 0, 0],
            Self::Stop { culprit, reason } => [3, culprit.map_or(0, |rank| rank as u64 + 1), *reason as u64],
        }
    }

    fn elements(&self) -> &[Scalar] {
        match self {
            Self::Combine { weights: elements, .. } | Self::Quotients(elements) => elements,
            Self::Finish | Self::Stop { .. } => &[],
        }
    }

    fn phase(&self) -> Phase {
        match self {
            Self::Combine { .. } => Phase::Columns,
            Self::Quotients(_) => Phase::Rows,
            Self::Finish | Self::Stop { .. } => Phase::Coordinator,
        }
    }

    /// The question of a header, without its elements, and how many these are.
    fn parse(header: [u64; 3], params: &Params) -> Option<(Self, usize)> {
        let number = |n: u64| usize::try_from(n).ok();
        Some(match header {
            [0, polynomial, 0] => {
                let polynomial = number(polynomial).filter(|p| *p < params.polynomials())?;
                (Self::Combine { polynomial, weights: Vec::new() }, params.fragments())
            }
            [1, 0, 0] => (Self::Quotients(Vec::new()), params.key.variables()),
            [2, 0, 0] => (Self::Finish, 0),
            [3, culprit, reason] => {
                let reason = *REASONS.get(number(reason)?)?;
                (Self::Stop { culprit: number(culprit)?.checked_sub(1), reason }, 0)
            }
            _ => return None,
        })
    }

    /// Asks all ranks.
    pub fn ask(&self, party: &mut Party<'_>) -> Result<(), Error> {
        let mut header = self.header().map(u64::to_le_bytes);
        // A rank that is gone is no reason to leave the others with half a question.
        let asked = party.broadcast_question(self.phase(), header.as_flattened_mut());
        let mut elements = padded(self.elements(), self.elements().len());
        asked.and(if elements.is_empty() { Ok(()) } else { party.broadcast(self.phase(), &mut elements) })
    }

    /// Waits for the coordinator's next question.
    pub fn receive(party: &mut Party<'_>, params: &Params) -> Result<Self, Error> {
        let mut header = [0; HEADER];
        party.broadcast_question(Phase::Coordinator, &mut header)?;
        let (question, count) = Self::parse_header(&header, params).ok_or(Error::Question("of no kind"))?;
        let mut bytes = vec![0; count * Scalar::BYTES];
        if count > 0 {
            party.broadcast(question.phase(), &mut bytes)?;
        }
        question.with(&bytes, count).ok_or(Error::Question("elements that are not canonical"))
    }

    fn parse_header(header: &[u8; HEADER], params: &Params) -> Option<(Self, usize)> {
        let mut numbers = [0; 3];
        numbers.iter_mut().zip(header.as_chunks().0).for_each(|(n, bytes)| *n = u64::from_le_bytes(*bytes));
        Self::parse(numbers, params)
    }

    /// The question with its elements; none if these are not canonical, or of another number.
    fn with(mut self, bytes: &[u8], count: usize) -> Option<Self> {
        let read = elements(bytes, count).filter(|_| bytes.len() == count * Scalar::BYTES)?;
        if let Self::Combine { weights: place, .. } | Self::Quotients(place) = &mut self {
            *place = read;
        }
        Some(self)
    }

    /// The question of a header and elements that were broadcast; none if no rank answers it.
    pub fn from_messages(header: &[u8], elements: &[u8], params: &Params) -> Option<Self> {
        let (question, count) = Self::parse_header(header.try_into().ok()?, params)?;
        question.with(elements, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kzg::tests::scheme;

    #[test]
    fn questions_have_one_header() {
        let scheme = scheme();
        let params = scheme.params();
        let stop = |culprit| Question::Stop { culprit, reason: Reason::Other };
        let combine = |polynomial| Question::Combine { polynomial, weights: vec![] };
        for question in
            [combine(0), combine(1), Question::Quotients(vec![]), Question::Finish, stop(None), stop(Some(3))]
        {
            let (read, count) = Question::parse(question.header(), params).expect("a question");
            let expected = match read {
                Question::Combine { .. } => params.fragments(),
                Question::Quotients(_) => params.key.variables(),
                _ => 0,
            };
            assert_eq!((read, count), (question, expected));
        }
        for header in [
            [0, 2, 0],
            [0, 0, 1],
            [0, u64::MAX, 0],
            [1, 1, 0],
            [2, 0, 1],
            [3, 0, 4],
            [3, 0, u64::MAX],
            [4, 0, 0],
        ] {
            assert_eq!(Question::parse(header, params), None, "{header:?}");
        }
    }
}
