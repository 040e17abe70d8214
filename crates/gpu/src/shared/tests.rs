//! Proofs by a device are the CPU's, byte for byte, whatever fails.

use super::*;
use crate::Fault;
use crate::check::elements;
use field::{Gf128, Gf192, Tower64, Tower128};
use iop::hash::Hash;
use iop::security::{Policy, Regime};
use pcs::air::{self, Level};
use pcs::claims::Claims;
use pcs::fields::Fields;
use pcs::ligerito::{Entries, Inner, Params, Preset, RoundParams, search};
use pcs::matrix::HeldMatrix;

const JOHNSON: Regime = Regime::Johnson { multiplicity: 8 };

/// Parameters that prove little, for many proofs.
fn params(fields: Fields, log_size: u32, log_columns: u32) -> Params {
    let level = RoundParams { log_columns: 2, log_inv_rate: 2, queries: 6, grinding: 0, fold_grinding: 0 };
    Params {
        fields,
        hash: Hash::Blake3,
        regime: JOHNSON,
        entries: Entries::Whole,
        log_size,
        polynomials: 1,
        max_forms: 2,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: RoundParams { log_columns, log_inv_rate: 1, queries: 9, ..level },
        inner: Inner::Recursion(vec![level]),
    }
}

/// Parameters of Air-FRI that prove little: a chain with these folds.
fn chain(fields: Fields, entries: Entries, folds: &[u32]) -> Params {
    let level = RoundParams { log_columns: 0, log_inv_rate: 2, ..params(fields, 9, 0).level };
    Params { entries, level, inner: Inner::Chain(folds.to_vec()), ..params(fields, 9, 0) }
}

fn scheme<B: FoldFibres, E: ExtensionOf<B>>(params: Params) -> Scheme<B, E> {
    Scheme::new(params, &Policy::at_least(0)).expect("parameters in range")
}

fn forms<E: field::Field>(params: &Params) -> Vec<TensorForm<E>> {
    let variables = params.variables();
    let all = [TensorForm::point(&elements::<E>(variables, 5)), TensorForm::index(3, variables)];
    all.into_iter().take(params.max_forms as usize).collect()
}

/// The entries of a scheme's matrix, without structure.
fn entries<B: FoldFibres, E: ExtensionOf<B>>(scheme: &Scheme<B, E>) -> Vec<B> {
    elements(scheme.matrix().code.dimension() * scheme.matrix().width, 4)
}

type Proof<E> = (Claims<E>, Vec<u8>);

/// The CPU's commitment and proof.
fn by_cpu<B: FoldFibres, E: ExtensionOf<B>>(scheme: &Scheme<B, E>, entries: Vec<B>) -> (Vec<u8>, Proof<E>) {
    let mut prover = Prover::new(scheme);
    let mut witness = prover.commit(entries);
    let proof = prover.open(&mut witness, forms(scheme.params()), b"context");
    (witness.commitment().to_bytes(), proof)
}

/// Commitments and proofs of both are the same: by a witness, and by an adopted matrix.
fn alike<B: Entry, E: Challenge<B>>(gpu: &Gpu, params: &Params) {
    let scheme = scheme::<B, E>(params.clone());
    let entries = entries(&scheme);
    let (commitment, expected) = by_cpu(&scheme, entries.clone());

    let prover = Prover::new(&scheme);
    let mut taken = entries.clone();
    let mut witness = commit(gpu, &scheme, &mut taken).expect("a device");
    assert!(taken.is_empty() && witness.is_remote() && witness.message() == entries);
    assert_eq!(witness.commitment().to_bytes(), commitment, "{params:?}");
    assert!(prover.open(&mut witness, forms(params), b"context") == expected, "{params:?}");
    assert_eq!(scheme.verify(witness.commitment(), &expected.0, &expected.1), Ok(()));

    let matrix = SharedMatrix::commit(gpu, scheme.matrix(), &mut entries.clone()).expect("a device");
    let mut kept = prover.adopt(&matrix, None).expect("a device");
    let held = HeldMatrix { matrix: &matrix, entries: &entries, plain: None };
    let proof = prover.open_matrix(held, &mut kept, forms(params), b"context").expect("a device");
    assert!(proof == expected, "{params:?}");
    assert_eq!(gpu.take_failures(), []);
}

/// A witness of the device's gives what restores the CPU's.
fn restores<B: Entry, E: Challenge<B>>(gpu: &Gpu, params: Params) {
    let scheme = scheme::<B, E>(params);
    let entries: Vec<B> = elements(1 << scheme.params().log_size, 4);
    let lean = Prover::new(&scheme).commit_lean(entries.clone());
    let witness = commit(gpu, &scheme, &mut entries.clone()).expect("a device");
    // Codeword and tree are the device's until this process is asked for them.
    assert_eq!(witness.memory(), entries.len() * size_of::<B>());
    assert!(witness.nodes() == lean.nodes() && witness.memory() == lean.memory());
    let restored = Prover::new(&scheme).restore(entries, witness.nodes().to_vec()).unwrap();
    assert_eq!(restored.commitment(), witness.commitment());
}

/// Sizes, regimes, hashes and entries for each pair of fields.
struct Shapes<'a>(&'a Gpu);

impl PairSearch<()> for Shapes<'_> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<()> {
        let fields = Fields::of::<B, E>().expect("a pair that files name");
        for (log_size, log_columns) in [(6, 1), (9, 4), (12, 3)] {
            alike::<B, E>(self.0, &params(fields, log_size, log_columns));
        }
        let (unique, hash) = (Regime::UniqueDecoding, Hash::Sha3_256);
        alike::<B, E>(self.0, &Params { regime: unique, hash, ..params(fields, 10, 4) });
        // Ring switching looks at packed entries.
        for entries in [Entries::Bits, Entries::Bytes, Entries::Words32] {
            alike::<B, E>(self.0, &Params { entries, ..params(fields, 9, 4) });
        }
        restores::<B, E>(self.0, params(fields, 10, 3));
        restores::<B, E>(self.0, params(fields, 5, 3));
        None
    }
}

#[test]
fn proofs_by_a_device_have_the_bytes_of_the_cpu() {
    find_pair(&mut Shapes(&Gpu::emulator().unwrap()));
}

/// Each named profile over a pair of fields.
struct Profiles<'a>(&'a Gpu);

impl PairSearch<()> for Profiles<'_> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<()> {
        let fields = Fields::of::<B, E>().expect("a pair that files name");
        for preset in Preset::ALL.into_iter().filter(|preset| preset.fields().contains(&fields)) {
            let params = search::find(&preset.wanted(fields, 12)).expect("parameters of the profile");
            alike::<B, E>(self.0, &params);
        }
        None
    }
}

#[test]
fn proofs_of_every_profile_have_the_bytes_of_the_cpu() {
    find_pair(&mut Profiles(&Gpu::emulator().unwrap()));
}

/// Chains for each pair of fields: folds by 1 to 32 positions, every hash with kernels, packed entries, several columns.
struct Chains<'a>(&'a Gpu);

impl PairSearch<()> for Chains<'_> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<()> {
        let fields = Fields::of::<B, E>().expect("a pair that files name");
        let of = |entries, folds, hash, regime| Params { hash, regime, ..chain(fields, entries, folds) };
        let unique = Regime::UniqueDecoding;
        alike::<B, E>(self.0, &of(Entries::Extension, &[1, 2, 3], Hash::Sha3_384, unique));
        alike::<B, E>(self.0, &of(Entries::Extension, &[0, 5, 1], Hash::Blake3, JOHNSON));
        alike::<B, E>(self.0, &of(Entries::Bytes, &[3, 1, 1, 1], Hash::Sha3_256, JOHNSON));
        let shared =
            Params { log_leaf_fibres: 1, ..of(Entries::Extension, &[1, 1, 2, 3], Hash::Sha3_256, unique) };
        alike::<B, E>(self.0, &shared);
        let params = of(Entries::Whole, &[4], Hash::Sha3_512, unique);
        let level = RoundParams { log_columns: 2, ..params.level };
        alike::<B, E>(self.0, &Params { level, ..params });
        None
    }
}

#[test]
fn chains_by_a_device_have_the_bytes_of_the_cpu() {
    find_pair(&mut Chains(&Gpu::emulator().unwrap()));
}

/// Each level of Air-FRI over its fields: the published parameters, folded by 2 and by 8, and what the search finds.
struct Levels<'a>(&'a Gpu);

impl PairSearch<()> for Levels<'_> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<()> {
        let fields = Fields::of::<B, E>().expect("a pair that files name");
        for level in Level::ALL.into_iter().filter(|level| level.fields() == fields) {
            let searched = air::search::find(&level.wanted(8)).expect("parameters of the level");
            for params in [level.published(6, 1), level.published(7, 3), searched] {
                alike::<B, E>(self.0, &params);
            }
        }
        None
    }
}

#[test]
fn every_level_of_air_has_the_bytes_of_the_cpu() {
    find_pair(&mut Levels(&Gpu::emulator().unwrap()));
}

/// Commits and proves on a device with a fault, as a caller does that takes the CPU where there is no device; returns true if nothing failed.
fn survives(fault: Fault, scheme: &Scheme<Tower64, Gf192>, expected: &(Vec<u8>, Proof<Gf192>)) -> bool {
    let entries = entries(scheme);
    let Ok(gpu) = Gpu::faulty_emulator(fault) else { return false };
    let (mut prover, mut taken) = (Prover::new(scheme), entries.clone());
    let committed = commit(&gpu, scheme, &mut taken);
    let refused = committed.is_err();
    assert!(if refused { taken == entries } else { taken.is_empty() }, "{fault:?}");
    let mut witness = committed.unwrap_or_else(|_| prover.commit(taken));
    assert_eq!(witness.commitment().to_bytes(), expected.0, "{fault:?}");
    let proof = prover.open(&mut witness, forms(scheme.params()), b"context");
    assert!(proof == expected.1, "{fault:?}");
    let failures = gpu.take_failures();
    assert!(failures.len() <= 1, "after a failure the device is left alone: {failures:?}");
    !refused && failures.is_empty()
}

/// A fault at the call with a number.
type FaultAt = fn(u64) -> Fault;

/// The number of calls of a commitment and an opening, of which a device that fails at one hands over to the CPU.
fn calls(fault: FaultAt, scheme: &Scheme<Tower64, Gf192>, expected: &(Vec<u8>, Proof<Gf192>)) -> u64 {
    (0..1000).find(|&number| survives(fault(number), scheme, expected)).expect("an end of calls")
}

#[test]
fn the_cpu_takes_over_wherever_the_device_fails() {
    // Long enough for rounds on the device, before and after a word.
    let air = chain(Fields::Gf192, Entries::Extension, &[1, 3, 2]);
    // Tables, message, codeword, tree and nodes; then combinations and opened rows; two words, made and opened.
    for (params, least) in [(params(Fields::Gf192, 8, 3), 30), (Params { log_size: 10, ..air }, 70)] {
        let scheme = scheme::<Tower64, Gf192>(params);
        let expected = by_cpu(&scheme, entries(&scheme));
        for fault in [Fault::Lost, Fault::Refused] {
            let calls = calls(fault, &scheme, &expected);
            assert!(calls > least, "{calls} calls");
        }
    }
}

/// What became of commitments and proofs on devices with a fault at each call in turn.
#[derive(Debug, Default)]
struct Found {
    /// Commitments that were refused.
    refused: usize,
    /// Commitments with another root, to a codeword with a wrong bit where nobody looked.
    shown: usize,
    /// Proofs with other bytes that do not hold.
    wrong: usize,
    /// Proofs with other bytes that hold.
    other: usize,
}

fn found(scheme: &Scheme<Tower64, Gf192>, faults: impl Iterator<Item = Fault>) -> Found {
    let expected = by_cpu(scheme, entries(scheme));
    let mut found = Found::default();
    for fault in faults {
        let gpu = Gpu::faulty_emulator(fault).expect("two calls for the tables");
        let mut taken = entries(scheme);
        let Ok(mut witness) = commit(&gpu, scheme, &mut taken) else {
            assert!(taken == entries(scheme), "{fault:?}");
            found.refused += 1;
            continue;
        };
        if witness.commitment().to_bytes() != expected.0 {
            assert!(matches!(fault, Fault::Spoiled(_)), "{fault:?}");
            found.shown += 1;
        }
        let proof = Prover::new(scheme).open(&mut witness, forms(scheme.params()), b"context");
        if proof != expected.1 {
            let holds = scheme.verify(witness.commitment(), &proof.0, &proof.1).is_ok();
            *(if holds { &mut found.other } else { &mut found.wrong }) += 1;
        }
    }
    found
}

/// A device that errs and does not say so: the commitment is refused at once, or verification refuses the proof, or neither has another byte.
/// Of a long commitment a row may be wrong where nobody looked, and of a chain's word a leaf that no query opens: such a proof holds, for whoever verifies it.
#[test]
fn wrong_answers_make_no_proof_that_is_refused_elsewhere() {
    let unique = Params { regime: Regime::UniqueDecoding, ..params(Fields::Gf192, 8, 3) };
    let air = Params { log_size: 10, ..chain(Fields::Gf192, Entries::Extension, &[1, 3, 2]) };
    for params in [params(Fields::Gf192, 8, 3), unique, air] {
        let scheme = scheme::<Tower64, Gf192>(params);
        let expected = by_cpu(&scheme, entries(&scheme));
        let (calls, air) =
            (calls(Fault::Lost, &scheme, &expected), matches!(scheme.params().inner, Inner::Chain(_)));
        let faults: [(FaultAt, [usize; 2]); 4] = [
            // Codeword, leaves and tree; two forms, the columns' combination, rows and siblings.
            (Fault::Silent, [3, 5]),
            (Fault::Half, [0, 0]),
            (Fault::Spoiled, [1, 4]),
            // The message; weights and places.
            (Fault::Flipped, [1, 4]),
        ];
        for (fault, [refused, wrong]) in faults {
            let found = found(&scheme, (2..calls).map(fault));
            assert!(found.refused >= refused && found.wrong >= wrong, "{:?}: {found:?}", fault(0));
            let spoiled = usize::from(air && fault(0) == Fault::Spoiled(0));
            assert!(found.shown <= 2 * spoiled, "{:?}: {found:?}", fault(0));
            assert!(found.other <= 6 * spoiled, "{:?}: {found:?}", fault(0));
        }
    }
}

/// The message as it arrives, a block of the codeword, half of the leaves or of the tree, rows and paths as they are opened: no wrong commitment
/// of this kind is shown.
#[test]
fn a_commitment_with_wrong_rows_is_refused() {
    let scheme = scheme::<Tower64, Gf192>(params(Fields::Gf192, 12, 2));
    let expected = Prover::new(&scheme).commit_lean(elements(1 << 12, 4));
    let (mut rows, mut roots, mut right) = (0, 0, 0);
    let faults: [FaultAt; 3] = [Fault::Half, Fault::Flipped, Fault::Silent];
    for fault in faults.iter().flat_map(|fault| (2..24).map(fault)) {
        let gpu = Gpu::faulty_emulator(fault).expect("two calls for the tables");
        match commit(&gpu, &scheme, &mut elements(1 << 12, 4)) {
            Ok(witness) => {
                assert_eq!(witness.commitment(), expected.commitment(), "{fault:?}");
                right += 1;
            }
            Err(Error::SelfCheck { step: "a row of a commitment" }) => rows += 1,
            Err(error) => {
                assert_eq!(error, Error::SelfCheck { step: "the root of a tree" });
                roots += 1;
            }
        }
    }
    assert!(rows >= 4 && roots >= 4 && right >= 4, "{rows}, {roots} and {right}");
}

/// What has no kernels is refused before anything is done.
#[test]
fn support_is_known_without_a_device() {
    let of = |params: Params| supports(&scheme::<Tower128, Gf128>(params));
    let params = params(Fields::Gf128, 10, 4);
    assert_eq!(of(params.clone()), Ok(()));
    assert_eq!(
        supports(&scheme::<Tower64, Gf192>(Params { fields: Fields::Gf192, ..params.clone() })),
        Ok(())
    );
    assert_eq!(of(Params { hash: Hash::Sha3_512, ..params.clone() }), Ok(()));
    let air = chain(Fields::Gf128, Entries::Extension, &[3, 2]);
    assert_eq!(of(Params { hash: Hash::Sha3_384, ..air }), Ok(()));
    for hash in [Hash::Keccak256, Hash::Sha256] {
        assert!(matches!(of(Params { hash, ..params.clone() }), Err(Error::Shape(_))), "{hash:?}");
    }
    let unique = Params { regime: Regime::UniqueDecoding, ..params };
    assert!(matches!(of(Params { polynomials: 2, ..unique }), Err(Error::Shape(_))));
}

#[test]
fn what_has_no_kernels_is_refused_and_the_entries_are_left() {
    let gpu = Gpu::emulator().unwrap();
    let scheme_of = |params: Params| scheme::<Tower128, Gf128>(params);
    let unique = Params { regime: Regime::UniqueDecoding, ..params(Fields::Gf128, 10, 5) };
    let hash = Params { hash: Hash::Keccak256, ..params(Fields::Gf128, 10, 4) };
    for params in [Params { hidden_openings: 1, ..unique.clone() }, Params { polynomials: 2, ..unique }, hash]
    {
        let scheme = scheme_of(params.clone());
        let mut entries = elements::<Tower128>(1 << 10, 1);
        assert!(matches!(commit(&gpu, &scheme, &mut entries), Err(Error::Shape(_))), "{params:?}");
        assert_eq!(entries.len(), 1 << 10);
    }
}
