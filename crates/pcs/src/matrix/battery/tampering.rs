//! Statements and proofs that were changed after the fact; one test for each known fault of published code.

use super::*;
use crate::fields::Family;

/// A valid proof of a value at a point.
struct Case<P: Preset> {
    scheme: SchemeOf<P>,
    commitment: CommitmentOf<P>,
    claims: ClaimsOf<P>,
    proof: Vec<u8>,
}

impl<P: Preset> Case<P> {
    fn new(regime: Regime, hidden: u32) -> Self {
        Self::of(small(P::FIELDS, hidden, regime))
    }

    fn of(params: Params) -> Self {
        let scheme = SchemeOf::<P>::new(params, &ANY).unwrap();
        let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(10))]);
        scheme.verify(&commitment, &claims, &proof).unwrap();
        Self { scheme, commitment, claims, proof }
    }

    fn verdict(&self, proof: &[u8]) -> Result<(), Invalid> {
        self.scheme.verify(&self.commitment, &self.claims, proof)
    }

    fn rejects(&self, commitment: &CommitmentOf<P>, claims: &ClaimsOf<P>) {
        assert!(self.scheme.verify(commitment, claims, &self.proof).is_err());
    }

    fn parts(&self) -> Vec<(Call, usize)> {
        parts(self.scheme.script(&self.commitment, &self.claims, &self.proof).unwrap())
    }

    /// Where the parts with a label start.
    fn places(&self, label: &str) -> Vec<usize> {
        self.parts().into_iter().filter(|(call, _)| call.label == label).map(|(_, at)| at).collect()
    }
}

pub(super) fn every_flipped_byte_is_rejected<P: Preset>() {
    for (regime, hidden, log_parts) in
        [(Regime::UniqueDecoding, 0, 0), (JOHNSON, 0, 2), (Regime::UniqueDecoding, 1, 4)]
    {
        let case = Case::<P>::of(Params { log_parts, ..small(P::FIELDS, hidden, regime) });
        for at in 0..case.proof.len() {
            let mut changed = case.proof.clone();
            changed[at] ^= 1 << (at % 8);
            assert!(case.verdict(&changed).is_err(), "byte {at}");
        }
    }
}

pub(super) fn every_truncation_and_extension_is_rejected<P: Preset>() {
    let case = Case::<P>::new(JOHNSON, 0);
    for length in 0..case.proof.len() {
        assert!(case.verdict(&case.proof[..length]).is_err(), "first {length} bytes");
    }
    for extra in [1, 7, 32, 4096] {
        let mut longer = case.proof.clone();
        longer.resize(case.proof.len() + extra, 0);
        assert!(case.verdict(&longer).is_err(), "{extra} further bytes");
    }
}

/// Weights for every column are laid out before rows are read: a proof must have the bytes of a row of each matrix first.
pub(super) fn a_proof_shorter_than_its_rows_is_refused_at_once<P: Preset>() {
    let case = Case::<P>::new(JOHNSON, 0);
    let stages = &case.scheme.layout().stages;
    let least = stages.iter().map(|stage| stage.shape.width).sum::<usize>() * P::Base::BYTES;
    let short = Err(Invalid("the proof is too short for its parameters"));
    for length in [0, 1, least - 1] {
        assert_eq!(case.verdict(&case.proof[..length]), short, "{length} bytes");
    }
    assert_ne!(case.verdict(&case.proof[..least]), short);
}

/// A row of every level, not of the first alone: a published verifier discarded what the rows add up to.
pub(super) fn a_changed_row_of_any_level_is_rejected<P: Preset>() {
    let case = Case::<P>::new(Regime::UniqueDecoding, 0);
    let rows = case.places("rows");
    assert_eq!(rows.len(), 3, "one batch of rows a level");
    for at in rows {
        let mut changed = case.proof.clone();
        changed[at] ^= 1;
        assert!(case.verdict(&changed).is_err());
    }
}

/// Adding one to `g(0)` of every round in turn: an older verifier never constrained it.
pub(super) fn a_shifted_round_polynomial_is_rejected<P: Preset>() {
    let case = Case::<P>::new(Regime::UniqueDecoding, 0);
    let rounds = case.places("sumcheck round");
    assert_eq!(rounds.len(), 8, "one round for each bound variable");
    for at in rounds {
        for element in [0, 1] {
            let at = at + P::Challenge::BYTES * element;
            let place = at..at + P::Challenge::BYTES;
            let honest = P::Challenge::from_bytes(&case.proof[place.clone()]).unwrap();
            let mut changed = case.proof.clone();
            changed[place].copy_from_slice(&iop::poly::to_bytes(&[honest + P::Challenge::ONE]));
            assert!(case.verdict(&changed).is_err());
        }
    }
}

/// Every message enters the transcript, which changes every challenge behind it.
pub(super) fn every_message_of_every_inner_argument_counts<P: Preset>() {
    for (regime, hidden) in [(JOHNSON, 0), (Regime::UniqueDecoding, 1)] {
        let base = small(P::FIELDS, hidden, regime);
        for inner in [base.inner.clone(), Inner::Recursion(vec![])].into_iter().chain(P::chains()) {
            messages_count::<P::Family, P::Base, P::Challenge>(&Params { inner, ..base.clone() });
        }
    }
    let sent: Vec<&str> = Case::<P>::new(JOHNSON, 0).parts().iter().map(|(call, _)| call.label).collect();
    for label in ["root", "out-of-domain value", "sumcheck round", "final message"] {
        assert!(sent.contains(&label), "{label}");
    }
}

pub(super) fn another_statement_is_rejected<P: Preset>() {
    let case = Case::<P>::new(JOHNSON, 0);
    let change = |edit: fn(&mut ClaimsOf<P>)| {
        let mut other = case.claims.clone();
        edit(&mut other);
        case.rejects(&case.commitment, &other);
    };
    change(|claims| claims.values[0][0] += P::Challenge::ONE);
    change(|claims| claims.forms = vec![TensorForm::index(3, 10)]);
    change(|claims| claims.context.push(0));
    let mut other = case.commitment.clone();
    other.root[0] ^= 1;
    case.rejects(&other, &case.claims);
    let mut other = case.commitment.clone();
    other.out_of_domain[0] += P::Challenge::ONE;
    case.rejects(&other, &case.claims);
}

pub(super) fn claims_of_the_wrong_shape_are_rejected<P: Preset>() {
    let case = Case::<P>::new(JOHNSON, 0);
    let (claims, one) = (&case.claims, P::Challenge::ONE);
    let reject = |claims: ClaimsOf<P>| case.rejects(&case.commitment, &claims);
    // A proof of proximity alone, without a claim, proves nothing here.
    reject(Claims { forms: vec![], values: vec![], context: vec![] });
    reject(Claims { values: vec![], ..claims.clone() });
    reject(Claims { values: vec![vec![]], ..claims.clone() });
    reject(Claims { values: vec![vec![one; 2]], ..claims.clone() });
    reject(Claims { forms: vec![TensorForm::point(&point(9))], ..claims.clone() });
    reject(Claims { forms: vec![TensorForm::point(&point(11))], ..claims.clone() });
    let (forms, values) = (vec![claims.forms[0].clone(); 9], vec![claims.values[0].clone(); 9]);
    reject(Claims { forms, values, ..claims.clone() });
    let bare = Commitment { out_of_domain: vec![], ..case.commitment.clone() };
    case.rejects(&bare, claims);
}

pub(super) fn a_proof_under_other_parameters_is_rejected<P: Preset>() {
    let case = Case::<P>::new(Regime::UniqueDecoding, 0);
    let change = |edit: fn(&mut Params)| {
        let mut params = case.scheme.params().clone();
        edit(&mut params);
        let other = SchemeOf::<P>::new(params, &ANY).unwrap();
        assert!(other.verify(&case.commitment, &case.claims, &case.proof).is_err());
    };
    change(|p| p.hash = Hash::Sha256);
    change(|p| p.max_forms += 1);
    change(|p| p.log_parts = 1);
    change(|p| p.level.queries -= 1);
    change(|p| p.level.grinding = 0);
    change(|p| p.level.log_inv_rate += 1);
    change(|p| p.regime = JOHNSON);
    change(|p| levels(p).clear());
    change(|p| levels(p).swap(0, 1));
}

/// The same data under another cut of their leaves is another commitment; its proof is as long. What a leaf is made of is what its root holds: equally long
/// parts of the first row, each in the other's place, are another leaf.
pub(super) fn parts_have_their_places<P: Preset>() {
    let params = |log_parts| Params { log_parts, ..small(P::FIELDS, 0, Regime::UniqueDecoding) };
    let cases: Vec<Case<P>> = (0..=4).map(|log_parts| Case::of(params(log_parts))).collect();
    for (log_parts, case) in cases.iter().enumerate() {
        assert_eq!(case.scheme.params().size(1), cases[0].scheme.params().size(1));
        assert!(cases[..log_parts].iter().all(|other| other.commitment.root != case.commitment.root));
        for other in cases[..log_parts].iter() {
            other.rejects(&case.commitment, &case.claims);
            case.rejects(&other.commitment, &other.claims);
        }
        let (row, part) = (case.places("rows")[0], (16 >> log_parts) * P::Base::BYTES);
        let mut swapped = case.proof.clone();
        swapped[row..row + 2 * part].rotate_left(part);
        assert_eq!(case.verdict(&swapped), Err(TREE), "{log_parts}");
    }
}

pub(super) fn malformed_commitments_are_rejected<P: Preset>() {
    let Case { scheme, commitment, .. } = Case::<P>::new(JOHNSON, 0);
    let bytes = commitment.to_bytes();
    for length in 0..bytes.len() {
        assert!(scheme.read_commitment(&bytes[..length]).is_err());
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(scheme.read_commitment(&longer).is_err());
    if P::FIELDS.family() == Family::Prime {
        let mut aliased = bytes;
        aliased[32..40].fill(0xff);
        assert!(scheme.read_commitment(&aliased).is_err(), "2^64 - 1 is not a canonical element");
    }
}
