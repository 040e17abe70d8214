//! A matrix that is held in four parts gives the same commitments and proofs.

use super::*;
use crate::fields::Fields;
use crate::matrix::{Inner, Params, Prover, RoundParams, Scheme, Secret, Steps, battery};
use crate::ring_switching::Entries;
use field::{FoldFibres, Gf128, Goldilocks, Goldilocks2, Tower128};
use iop::hash::Hash;
use iop::security::{Policy, Regime};
use std::ops::Range;

/// Four machines hold some columns each, with their codeword; the tree is over their rows, joined.
struct Split<B> {
    parts: Vec<(Range<usize>, PlainMatrix<B>)>,
    joined: CommittedCodeword<B>,
}

/// The columns of a row-major matrix.
fn columns<B: Copy>(matrix: &[B], width: usize, range: &Range<usize>) -> Vec<B> {
    matrix.chunks_exact(width).flat_map(|row| &row[range.clone()]).copied().collect()
}

impl<B: FoldFibres> Split<B> {
    fn new(message: &[B], whole: OracleSpec) -> Self {
        let width = whole.width.div_ceil(4);
        let part = |start| {
            let range = start..whole.width.min(start + width);
            let shape = OracleSpec { width: range.len(), ..whole };
            let message = columns(message, whole.width, &range);
            let oracle = shape.commit(&message, Vec::new());
            (range, PlainMatrix::new(message, oracle, shape))
        };
        let parts: Vec<_> = (0..whole.width).step_by(width).map(part).collect();
        let row = |position| parts.iter().flat_map(move |(_, part)| part.oracle().row(position)).copied();
        let codeword = (0..1 << whole.code.log_domain()).flat_map(row).collect();
        let joined = whole.commit_codeword(codeword);
        Self { parts, joined }
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> CommittedMatrix<E> for Split<B> {
    fn root(&self) -> Digest {
        self.joined.root()
    }

    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        let parts = self.parts.iter().map(|(_, part)| part.combine_rows(form));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        let of_part =
            |(range, part): &(Range<usize>, PlainMatrix<B>)| part.combine_columns(&weights[range.clone()]);
        let parts = self.parts.iter().map(of_part).collect::<Result<Vec<_>, _>>()?;
        let add = |a: Vec<E>, b: Vec<E>| a.into_iter().zip(b).map(|(a, b)| a + b).collect();
        Ok(parts.into_iter().reduce(add).expect("four parts"))
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        self.joined.open_rows(tape, positions);
        Ok(())
    }
}

fn params(fields: Fields, regime: Regime, inner: Inner) -> Params {
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        entries: Entries::Whole,
        log_size: 10,
        polynomials: 1,
        max_forms: 2,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns: 4, log_inv_rate: 2, queries: 12, grinding: 0, fold_grinding: 1 },
        inner,
    }
}

fn same_bytes<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    let scheme = Scheme::<F, B, E>::new(params.clone(), &Policy::at_least(0)).unwrap();
    let n = 1 << params.log_size;
    let all: Vec<B> = battery::entries(n * params.polynomials as usize);
    let polynomials: Vec<&[B]> = all.chunks(n).collect();
    let mut prover = Prover::new(&scheme);
    let secret = || (params.hidden_openings > 0).then(|| Secret::from_seed(&[7; 32], 0));
    let mut plain = match secret() {
        Some(secret) => prover.commit_hiding(&polynomials, secret),
        None => prover.commit_batch(&polynomials),
    };
    let split = Split::new(&plain.entries(), scheme.layout().first.shape);
    let mut kept = prover.adopt(&split, secret()).unwrap();
    assert_eq!(kept.commitment(), plain.commitment());
    let mut forms = vec![TensorForm::point(&battery::point(params.variables()))];
    if params.hidden_openings == 0 && params.max_forms > 1 {
        forms.push(TensorForm::sum(params.variables()));
    }
    let entries = plain.entries().into_owned();
    let held = HeldMatrix { matrix: &split, entries: &entries, plain: None };
    let expected = prover.open(&mut plain, forms.clone(), b"context");
    let (claims, proof) = prover.open_matrix(held, &mut kept, forms.clone(), b"context").unwrap();
    assert!((&claims, &proof) == (&expected.0, &expected.1), "{params:?}");
    if params.log_packed() > 0 {
        // Sums over bits by another division into lanes.
        let elsewhere = HeldMatrix::elsewhere(plain.held.committed());
        let opened = prover.open_matrix(elsewhere, &mut kept, forms, b"context").unwrap();
        assert!(opened == expected, "{params:?}");
    }
    assert_eq!(scheme.verify(kept.commitment(), &claims, &proof), Ok(()));
}

#[test]
fn a_matrix_in_four_parts_gives_the_same_proofs() {
    const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };
    let level = RoundParams { log_columns: 2, log_inv_rate: 3, queries: 6, grinding: 0, fold_grinding: 0 };
    let recursion = || Inner::Recursion(vec![level, level]);
    let pip = |regime, inner| params(Fields::Goldilocks2, regime, inner);
    let unique = Regime::UniqueDecoding;
    for params in [
        Params { polynomials: 3, ..pip(JOHNSON, recursion()) },
        Params { polynomials: 3, hidden_openings: 1, log_parts: 3, ..pip(unique, recursion()) },
        Params { hidden_openings: 1, ..pip(unique, Inner::Chain(vec![1, 2])) },
        Params { max_forms: 1, ..pip(unique, Inner::TwoChains) },
    ] {
        same_bytes::<crate::matrix::Prime, Goldilocks, Goldilocks2>(params);
    }
    for entries in [Entries::Whole, Entries::Bits, Entries::Bytes, Entries::Words64] {
        let ligerito = Params { entries, ..params(Fields::Gf128, JOHNSON, recursion()) };
        same_bytes::<crate::matrix::Binary, Tower128, Gf128>(ligerito);
    }
}

/// A machine that lost a bit of the entries before it committed to them, beside a process that has them right.
struct Corrupted<B> {
    machine: PlainMatrix<B>,
    plain: PlainMatrix<B>,
}

impl<B: FoldFibres, E: ExtensionOf<B>> CommittedMatrix<E> for Corrupted<B> {
    fn root(&self) -> Digest {
        self.machine.root()
    }

    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        self.machine.combine_rows(form)
    }

    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        self.machine.combine_columns(weights)
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        CommittedMatrix::<E>::open_rows(&self.machine, tape, positions)
    }
}

impl<B: FoldFibres, E: ExtensionOf<B>> RemoteMatrix<B, E> for Corrupted<B> {
    fn plain(&self) -> &PlainMatrix<B> {
        &self.plain
    }
}

/// Under unique decoding there is no value outside of the domain, and of entries that are not packed nothing else is computed here: the
/// claimed values alone tell a machine's wrong entries.
#[test]
fn a_machine_with_other_entries_makes_no_proof_that_holds() {
    let level = RoundParams { log_columns: 2, log_inv_rate: 3, queries: 6, grinding: 0, fold_grinding: 0 };
    for regime in [Regime::UniqueDecoding, Regime::Johnson { multiplicity: 8 }] {
        let params = params(Fields::Gf128, regime, Inner::Recursion(vec![level]));
        let scheme = Scheme::<crate::matrix::Binary, Tower128, Gf128>::new(params, &Policy::at_least(0));
        let scheme = scheme.unwrap();
        let shape = scheme.layout().first.shape;
        let entries: Vec<Tower128> = (0..1 << 10).map(|i| Tower128(i + 3)).collect();
        let point = TensorForm::point(&battery::point(10));
        for form in [TensorForm::index(17, 10), point, TensorForm::sum(10)] {
            let held = |lost: u128| {
                let mut message = entries.clone();
                message[17].0 ^= lost;
                let oracle = shape.commit_and_forget(1 << shape.code.log_inv_rate, &message, &mut Vec::new());
                let plain = PlainMatrix::committed_elsewhere(&shape, entries.clone(), oracle.root());
                Box::new(Corrupted { machine: PlainMatrix::new(message, oracle, shape), plain })
            };
            let prover = Prover::new(&scheme);
            let expected = prover.evaluate(&prover.hold(held(0)), core::slice::from_ref(&form));
            for (lost, holds) in [(0, true), (1 << 5, false)] {
                let mut witness = prover.hold(held(lost));
                let (claims, proof) = prover.open(&mut witness, vec![form.clone()], b"context");
                assert_eq!(claims.values, expected);
                let verified = scheme.verify(witness.commitment(), &claims, &proof);
                assert_eq!(verified.is_ok(), holds, "{regime:?} {form:?}");
            }
        }
    }
}

/// A machine that holds the chain too, and makes its words by the challenges alone; `lost` is added to the first entry of the message
/// of each.
struct Folds<B, E> {
    matrix: PlainMatrix<B>,
    lost: E,
}

/// The chain of such a machine, with tables that it binds entry by entry.
struct OwnWords<B, E> {
    shapes: Vec<OracleSpec>,
    message: Vec<E>,
    form: Vec<E>,
    words: Vec<CommittedCodeword<B>>,
    lost: E,
}

impl<B: FoldableCode, E: ExtensionOf<B>> ChainWords<E> for OwnWords<B, E> {
    fn round(&mut self) -> (E, E) {
        let pairs = self.message.chunks_exact(2).zip(self.form.chunks_exact(2));
        pairs.fold((E::ZERO, E::ZERO), |(constant, quadratic), (f, w)| {
            (constant + f[0] * w[0], quadratic + (f[1] - f[0]) * (w[1] - w[0]))
        })
    }

    fn bind(&mut self, r: E) {
        let bound = |pair: &[E]| pair[0] + r * (pair[1] - pair[0]);
        self.message = self.message.chunks_exact(2).map(bound).collect();
        self.form = self.form.chunks_exact(2).map(bound).collect();
    }

    fn commit(&mut self) -> Digest {
        self.message[0] += self.lost;
        let shape = self.shapes[self.words.len()];
        self.words.push(shape.commit(&E::flatten(&self.message), Vec::new()));
        self.words.last().expect("a word").root()
    }

    fn message(&mut self) -> Vec<E> {
        self.message.clone()
    }

    fn open_rows(&mut self, tape: &mut ProverTape, word: usize, positions: &[usize]) {
        self.words[word].open_rows(tape, positions);
    }
}

impl<B: FoldableCode, E: ExtensionOf<B>> CommittedMatrix<E> for Folds<B, E> {
    fn root(&self) -> Digest {
        self.matrix.root()
    }

    fn combine_rows(&self, form: &TensorForm<E>) -> Result<Vec<E>, Unavailable> {
        self.matrix.combine_rows(form)
    }

    fn combine_columns(&self, weights: &[E]) -> Result<Vec<E>, Unavailable> {
        self.matrix.combine_columns(weights)
    }

    fn open_rows(&self, tape: &mut ProverTape, positions: &[usize]) -> Result<(), Unavailable> {
        CommittedMatrix::<E>::open_rows(&self.matrix, tape, positions)
    }

    fn hold_chain<'a>(
        &'a self,
        start: ChainStart<'a, E>,
    ) -> Result<Option<Box<dyn ChainWords<E> + 'a>>, Unavailable> {
        let message = self.combine_columns(&start.columns)?;
        let mut form = vec![E::ZERO; message.len()];
        for (scalar, tensor) in &start.forms {
            form.iter_mut().zip(tensor.expand()).for_each(|(w, x)| *w += *scalar * x);
        }
        let (shapes, lost) = (start.shapes, self.lost);
        Ok(Some(Box::new(OwnWords::<B, E> { shapes, message, form, words: Vec::new(), lost })))
    }
}

#[test]
fn a_chain_that_a_machine_folds_by_the_challenges_gives_the_same_proofs() {
    for folds in [&[1, 2, 3][..], &[0, 4, 1]] {
        let params = params(Fields::Gf128, Regime::UniqueDecoding, Inner::Chain(folds.to_vec()));
        let params = Params { hash: Hash::Sha3_384, ..params };
        let scheme = Scheme::<crate::matrix::Binary, Tower128, Gf128>::new(params, &Policy::at_least(0));
        let scheme = scheme.unwrap();
        let (prover, shape) = (Prover::new(&scheme), scheme.layout().first.shape);
        let entries: Vec<Tower128> = (0..1 << 10).map(|i| Tower128(i + 3).pow(29)).collect();
        let forms = vec![TensorForm::index(17, 10)];
        let mut plain = Prover::new(&scheme).commit(entries.clone());
        let expected = prover.open(&mut plain, forms.clone(), b"context");
        for lost in [Gf128::ZERO, Gf128::ONE] {
            let oracle = shape.commit(&entries, Vec::new());
            let machine = Folds { matrix: PlainMatrix::new(entries.clone(), oracle, shape), lost };
            let mut kept = prover.adopt(&machine, None).unwrap();
            let held = HeldMatrix { matrix: &machine, entries: &entries, plain: None };
            let (claims, proof) = prover.open_matrix(held, &mut kept, forms.clone(), b"context").unwrap();
            assert_eq!(proof == expected.1, lost == Gf128::ZERO, "{folds:?}");
            let verified = scheme.verify(kept.commitment(), &claims, &proof);
            assert_eq!(verified.is_ok(), lost == Gf128::ZERO, "{folds:?}");
        }
    }
}
