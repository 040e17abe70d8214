//! Witnesses and parameters that do not belong to the parts, the prover's passes, and the bytes of proofs.

use crate::fields::Fields;
use crate::matrix::battery::{ANY, JOHNSON, elements, small};
use crate::matrix::committed::{CommittedMatrix, PlainMatrix, RemoteMatrix, Unavailable};
use crate::matrix::{Inner, Params, Prime, Prover, RoundParams, Scheme, Witness};
use crate::pip::search::{Profile, SearchTarget, find, pareto_among};
use field::{Goldilocks, Goldilocks2, Goldilocks3};
use iop::hash::{Digest, Hash};
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use iop::transcript::ProverTape;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

type Joint = super::JointScheme<Prime, Goldilocks, Goldilocks2>;

fn form(seed: u64) -> TensorForm<Goldilocks2> {
    TensorForm::point(&elements::<Goldilocks2>(10, seed))
}

/// A witness of the same shape under other parameters: its out-of-domain point is another, and its proof would not hold.
#[test]
fn witnesses_of_other_parameters_are_refused() {
    let params = Params { polynomials: 2, ..small(Fields::Goldilocks2, 0, JOHNSON) };
    let joint = Joint::new(params.clone(), &[1, 1], &ANY).unwrap();
    let part = Params { polynomials: 1, ..params };
    let level = RoundParams { queries: 13, ..part.level };
    let opens = |of: Params| {
        let scheme = Scheme::<Prime, Goldilocks, Goldilocks2>::new(of, &ANY).unwrap();
        let witnesses = [1, 2].map(|seed| Prover::new(&scheme).commit(elements(1 << 10, seed)));
        let opened = || joint.open(&witnesses.each_ref(), vec![vec![form(3)], vec![form(3)]], b"");
        catch_unwind(AssertUnwindSafe(opened)).is_ok()
    };
    assert!(opens(part.clone()));
    assert!(!opens(Params { level, ..part.clone() }));
    assert!(!opens(Params { max_forms: 9, ..part.clone() }));
    assert!(!opens(Params { regime: Regime::Johnson { multiplicity: 9 }, ..part.clone() }));
    assert!(!opens(Params { regime: Regime::UniqueDecoding, ..part }));
}

/// Each commitment brings its forms to the final message: what one may have, many may not.
#[test]
fn the_work_of_many_commitments_is_bounded() {
    let base = small(Fields::Goldilocks2, 0, Regime::UniqueDecoding);
    let level = RoundParams { log_columns: 0, ..base.level };
    let inner = Inner::Recursion(Vec::new());
    let params = Params { log_size: 13, polynomials: 64, max_forms: 4096, level, inner, ..base };
    assert!(Joint::new(params.clone(), &[64], &ANY).is_ok());
    let refused = Joint::new(params, &[1; 64], &ANY).map(drop).unwrap_err();
    assert!(refused.reason().contains("claims times entries of the final message"), "{refused}");
}

/// A matrix of another machine that counts the combinations of its rows.
struct Counting {
    plain: PlainMatrix<Goldilocks>,
    rows: Arc<AtomicUsize>,
}

impl CommittedMatrix<Goldilocks2> for Counting {
    fn root(&self) -> Digest {
        self.plain.root()
    }

    fn combine_rows(&self, form: &TensorForm<Goldilocks2>) -> Result<Vec<Goldilocks2>, Unavailable> {
        self.rows.fetch_add(1, Ordering::SeqCst);
        self.plain.combine_rows(form)
    }

    fn combine_columns(&self, weights: &[Goldilocks2]) -> Result<Vec<Goldilocks2>, Unavailable> {
        self.plain.combine_columns(weights)
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        CommittedMatrix::<Goldilocks2>::open_rows(&self.plain, tape, positions)
    }
}

impl RemoteMatrix<Goldilocks, Goldilocks2> for Counting {
    fn plain(&self) -> &PlainMatrix<Goldilocks> {
        &self.plain
    }
}

/// Seven commitments opened at one point and one at another: each is asked once for the point that is not its own.
#[test]
fn rows_are_combined_once_for_each_form() {
    let params = Params { polynomials: 8, ..small(Fields::Goldilocks2, 0, Regime::UniqueDecoding) };
    let joint = Joint::new(params, &[1; 8], &ANY).unwrap();
    let counts: Vec<Arc<AtomicUsize>> = (0..8).map(|_| Arc::default()).collect();
    let held = |(seed, rows): (u64, &Arc<AtomicUsize>)| {
        let (part, data) = (joint.part(0), elements::<Goldilocks>(1 << 10, seed));
        let root = Prover::new(part).commit(data.clone()).commitment().root;
        let plain = PlainMatrix::committed_elsewhere(part.matrix(), data, root);
        Prover::new(part).hold(Box::new(Counting { plain, rows: rows.clone() }))
    };
    let witnesses: Vec<Witness<Goldilocks, Goldilocks2>> = (1..).zip(&counts).map(held).collect();
    let forms = (0..8).map(|number| vec![form(if number < 7 { 3 } else { 4 })]).collect();
    let (claims, proof) = joint.open(&witnesses.iter().collect::<Vec<_>>(), forms, b"label");
    let statements: Vec<_> = witnesses.iter().map(Witness::commitment).zip(&claims).collect();
    assert_eq!(joint.verify(&statements, &proof), Ok(()));
    for count in counts {
        // Its own values are those of this process.
        assert_eq!(count.load(Ordering::SeqCst), 1);
    }
}

/// The division is in the digest that all challenges depend on, and a joint scheme of one commitment is no ordinary one.
#[test]
fn divisions_have_digests_of_their_own() {
    let params = Params { polynomials: 4, ..small(Fields::Goldilocks2, 0, JOHNSON) };
    let digest = |parts: &[u32]| Joint::new(params.clone(), parts, &ANY).unwrap().all.layout().digest;
    let all = [
        digest(&[4]),
        digest(&[1, 3]),
        digest(&[3, 1]),
        digest(&[2, 2]),
        digest(&[1, 1, 2]),
        params.digest(),
    ];
    for (i, a) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|b| a != b), "{i}");
    }
}

/// Every byte of a proof: labels, order and encodings are those of the notes.
#[test]
fn proofs_keep_their_bytes() {
    let params = Params { polynomials: 3, ..small(Fields::Goldilocks2, 0, JOHNSON) };
    let joint = Joint::new(params, &[2, 1], &ANY).unwrap();
    let data: Vec<Goldilocks> = elements(3 << 10, 1);
    let data: Vec<&[Goldilocks]> = data.chunks(1 << 10).collect();
    let first = Prover::new(joint.part(0)).commit_batch(&data[..2]);
    let second = Prover::new(joint.part(1)).commit_batch(&data[2..]);
    let (_, proof) = joint.open(&[&first, &second], vec![vec![form(3)], vec![form(4), form(3)]], b"label");
    let digest = Hash::Blake3.digest("proof", &[&proof]);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "5ff22a197b95e04c0f500b20a5dbdfbe468691eb688ed192fc5fb3bf92c9fdd1");
}

/// Paths in every tree are among what a search weighs, and candidates state the length of what is opened.
#[test]
fn sizes_are_those_of_all_trees() {
    let wanted = SearchTarget::new(Fields::Goldilocks3, 14, 100, Profile::Small);
    let wanted = SearchTarget { polynomials: 16, ..wanted };
    let joint = |params| {
        let policy = Policy::at_least(100);
        super::JointScheme::<Prime, Goldilocks, Goldilocks3>::new(params, &[1; 16], &policy).unwrap()
    };
    let many = SearchTarget { commitments: 16, ..wanted.clone() };
    let candidates = pareto_among(&[Fields::Goldilocks3], &many);
    assert!(!candidates.is_empty());
    for candidate in candidates {
        assert_eq!(candidate.size, joint(candidate.params).size());
    }
    let (one, many) = (find(&wanted).unwrap(), find(&many).unwrap());
    let [of_one, of_many] = [one, many].map(|params| joint(params).size().expected());
    assert!(of_many < of_one, "{of_many} {of_one}");
    for target in [
        SearchTarget { commitments: 0, ..wanted.clone() },
        SearchTarget { commitments: 17, ..wanted.clone() },
        SearchTarget { commitments: 2, hidden_openings: 1, ..wanted.clone() },
    ] {
        assert!(find(&target).is_err() && pareto_among(&[Fields::Goldilocks3], &target).is_empty());
    }
}
