//! Parameters of a stranger: what a commitment file is read with can be computed with.

use iop::hash::Hash;
use iop::security::{Policy, Regime};
use pcs::deepfold;
use pcs::fields::Fields;
use pcs::ligerito::Entries;
use pcs::matrix::{Inner, Params, RoundParams};
use tenfold::file::CommitmentError;
use tenfold::statement::{BytesDescription, ColumnDescription, Description};
use tenfold::{AnyParams, CommitmentFile};

const LEVEL: RoundParams =
    RoundParams { log_columns: 2, log_inv_rate: 1, queries: 9, grinding: 0, fold_grinding: 0 };

/// A number among parameters, and the largest that is in range.
type Number = (u32, fn(&mut Params, u32));

fn inner_level(params: &mut Params) -> &mut RoundParams {
    match &mut params.inner {
        Inner::Recursion(levels) => &mut levels[0],
        _ => &mut params.level,
    }
}

const NUMBERS: [Number; 17] = [
    (40, |p, n| p.log_size = n),
    (1 << 16, |p, n| p.polynomials = n),
    (1 << 12, |p, n| p.max_forms = n),
    (16, |p, n| p.hidden_openings = n),
    (4, |p, n| p.log_parts = n),
    (4, |p, n| p.log_leaf_fibres = n),
    (24, |p, n| p.level.log_columns = n),
    (16, |p, n| p.level.log_inv_rate = n),
    (1 << 12, |p, n| p.level.queries = n),
    (32, |p, n| p.level.grinding = n),
    (32, |p, n| p.level.fold_grinding = n),
    (26, |p, n| inner_level(p).log_columns = n),
    (16, |p, n| inner_level(p).log_inv_rate = n),
    (1 << 12, |p, n| inner_level(p).queries = n),
    (32, |p, n| inner_level(p).fold_grinding = n),
    (8, |p, n| {
        if let Inner::Chain(steps) = &mut p.inner {
            steps[1] = n;
        }
    }),
    // The rounds of the inner argument: no more than a byte counts.
    (32, |p, n| match &mut p.inner {
        Inner::Chain(steps) => steps.resize(n.min(255) as usize, 1),
        Inner::Recursion(levels) => levels.resize(n.min(255) as usize, LEVEL),
        Inner::TwoChains => {}
    }),
];

fn matrices() -> Vec<Params> {
    let chain = || Inner::Chain(vec![1, 2]);
    let recursion = || Inner::Recursion(vec![LEVEL]);
    let packed = Entries::Bytes;
    let kinds = [
        (Fields::KoalaBear4, Entries::Whole, recursion()),
        (Fields::Goldilocks2, Entries::Whole, chain()),
        (Fields::Bn254, Entries::Whole, Inner::TwoChains),
        (Fields::Gf128, packed, recursion()),
        (Fields::Gf192, packed, chain()),
        (Fields::Gf320, Entries::Whole, chain()),
    ];
    let params = kinds.into_iter().map(|(fields, entries, inner)| Params {
        fields,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        entries,
        log_size: 12,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: LEVEL,
        inner,
    });
    params.collect()
}

/// The commitment file of parameters, as it is read.
fn read(params: AnyParams) -> Result<CommitmentFile, CommitmentError> {
    let name = "x".to_owned();
    let description = if params.of_bytes().is_some() {
        Description::Bytes(BytesDescription { name, length: 1, source: [0; 32] })
    } else {
        Description::Column(ColumnDescription { name, rows: 1, scale: 0, bytes: None, source: [0; 32] })
    };
    CommitmentFile::from_bytes(&CommitmentFile { params, description, commitment: vec![1; 32] }.to_bytes())
}

/// Calls all that computes with parameters, for a file that is read.
fn is_computed_with(params: impl Into<AnyParams>) -> bool {
    let Ok(CommitmentFile { params, description, .. }) = read(params.into()) else { return false };
    let any = Policy::at_least(0);
    assert!(params.check().is_ok() && params.validate(&any).is_ok());
    let summary = params.summary();
    // Lengths beyond 64 bits stop at the largest number.
    let sizes = [1, summary.max_forms as usize, usize::MAX].map(|forms| params.size(forms));
    assert!(sizes.iter().all(|size| size.fixed() <= size.most() && size.expected().is_finite()));
    assert!(params.report().proven_bits() >= 0.0 && !params.outline().is_empty());
    for need in [params.prover_memory(false), params.prover_memory(true), params.lean_memory()] {
        assert!((1..1 << 63).contains(&need));
    }
    assert!(params.weighted_memory().is_none_or(|need| need >= params.prover_memory(false)));
    assert!(params.capacity().is_none_or(|bytes| bytes > 0) && description.rows(&params) > 0);
    params.build(&any).is_ok()
}

/// One number at a time: at zero, at its limit, one beyond it, and at the most that its encoding holds.
#[test]
fn parameters_out_of_range_are_not_read() {
    for honest in matrices() {
        assert!(is_computed_with(honest.clone()), "{honest:?}");
        for (at, (limit, set)) in NUMBERS.into_iter().enumerate() {
            let with = |n: u32| {
                let mut params = honest.clone();
                set(&mut params, n);
                params
            };
            for n in [0, 1, limit] {
                let _ = is_computed_with(with(n));
            }
            for n in [limit + 1, 255, 256, u32::MAX].into_iter().filter(|&n| n > limit) {
                let params = with(n);
                let refused = params == honest || read(params.into()).is_err();
                assert!(refused, "number {at} at {n} of {honest:?}");
            }
        }
        for multiplicity in [1, 2, 3, 1 << 16, u32::MAX] {
            let regime = Regime::Johnson { multiplicity };
            let computed = is_computed_with(Params { regime, ..honest.clone() });
            assert!(multiplicity > 2 || !computed, "{multiplicity}");
        }
    }
}

#[test]
fn numbers_of_deepfold_out_of_range_are_not_read() {
    let target = deepfold::Target::new(Fields::Goldilocks2, [12, 2, 3], 80.0);
    let honest = deepfold::Params::for_target(&target).unwrap();
    type Number = (u32, fn(&mut deepfold::Params, u32));
    let numbers: [Number; 7] = [
        (40, |p, n| p.log_size = n),
        (24, |p, n| p.log_columns = n),
        (16, |p, n| p.log_inv_rate = n),
        (1 << 12, |p, n| p.queries = n),
        (32, |p, n| p.grinding = n),
        (16, |p, n| p.log_final = n),
        (1 << 8, |p, n| p.own.max_forms = n),
    ];
    assert!(is_computed_with(AnyParams::DeepFold(honest.clone())));
    for (at, (limit, set)) in numbers.into_iter().enumerate() {
        let with = |n: u32| {
            let mut params = honest.clone();
            set(&mut params, n);
            AnyParams::DeepFold(params)
        };
        for n in [0, 1, limit] {
            let _ = is_computed_with(with(n));
        }
        for n in [limit + 1, u32::MAX] {
            assert!(matches!(read(with(n)), Err(CommitmentError::Range(_))), "number {at} at {n}");
        }
    }
}
