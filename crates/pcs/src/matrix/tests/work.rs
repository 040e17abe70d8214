//! The most that accepted parameters can make a verifier do, counted tree by tree as it reads them. (notes: formats-params)

use crate::fields::Fields;
use crate::matrix::battery::small;
use crate::matrix::joint::MAX_COMMITMENTS;
use crate::matrix::round_params::{MAX_FINAL_WORK, MAX_FORMS, MAX_OPENED, MAX_QUERIES};
use crate::matrix::{Inner, Params, RoundParams};
use crate::ring_switching::Entries;
use iop::oracle::OracleSpec;
use iop::security::{Policy, Regime};

/// The documented bounds on hashes of paths, and on parts of opened leaves.
const MAX_PATHS: u64 = 1 << 23;
const MAX_PARTS: u64 = 1 << 20;

/// Counts of a verifier, or the largest of several.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Work {
    /// Base elements in opened rows.
    opened: u64,
    /// Nodes above opened leaves.
    paths: u64,
    /// Parts of opened leaves of the committed matrix.
    parts: u64,
    /// Products on the final message.
    products: u64,
}

impl Work {
    /// A tree of which `2^log_run` leaves side by side are opened for each query.
    fn read(&mut self, shape: &OracleSpec, queries: u64, log_run: usize) {
        let log_leaves = shape.log_leaves();
        let leaves = (queries << log_run).min(1 << log_leaves);
        self.opened += leaves * ((shape.width as u64) << shape.log_fibre);
        // Above the root of a run each query has a node, below it each leaf has its own.
        let nodes = |depth: usize| queries << (depth + log_run).saturating_sub(log_leaves);
        self.paths += (0..log_leaves).map(|depth| nodes(depth).min(1 << depth)).sum::<u64>();
    }

    fn most(self, other: Self) -> Self {
        Self {
            opened: self.opened.max(other.opened),
            paths: self.paths.max(other.paths),
            parts: self.parts.max(other.parts),
            products: self.products.max(other.products),
        }
    }
}

/// The work of a proof about so many commitments, of which each has its share of the columns.
fn work(params: &Params, commitments: u64) -> Work {
    let (mut work, layout) = (Work::default(), params.layout());
    let (first, queries) = (&layout.first, layout.first.queries as u64);
    // Each claim and each opened row of a stage weights all entries of the final message, and so does a sample.
    let mut claims = commitments * u64::from(params.max_forms);
    claims += if params.out_of_domain() { commitments } else { 0 };
    let last = match params.chain(first) {
        None => {
            work.read(&first.shape, queries, 0);
            for stage in &layout.stages[1..] {
                work.read(&stage.shape, stage.queries as u64, 0);
                claims += u64::from(params.out_of_domain());
            }
            claims += layout.stages.iter().map(|stage| stage.queries as u64).sum::<u64>();
            layout.stages.last().expect("a stage").shape.code.log_rows
        }
        Some(chain) => {
            work.read(&first.shape, queries, chain.step(0).saturating_sub(first.shape.log_fibre));
            for word in 1..chain.folds() {
                (0..=u8::from(chain.is_double())).for_each(|_| work.read(&chain.tree(word), queries, 0));
            }
            // Each query evaluates the message once.
            claims += queries;
            chain.word(chain.folds()).log_rows()
        }
    };
    work.products = claims << last;
    let run = params.chain(first).map_or(0, |chain| chain.step(0).saturating_sub(first.shape.log_fibre));
    work.parts = (queries << run) << first.shape.log_parts;
    work
}

/// Inner arguments at the ends of their ranges, down to final messages of several lengths.
fn inners(level: RoundParams, log_rows: u32) -> Vec<Inner> {
    let mut all = vec![Inner::TwoChains, Inner::Recursion(Vec::new())];
    let of = |log_columns| RoundParams { log_columns, ..level };
    for bound in [0, 13, 14, 16].into_iter().filter_map(|left| log_rows.checked_sub(left)) {
        for levels in [1, 8, 16].into_iter().filter(|&levels| levels <= bound) {
            // The last one binds what the others leave.
            let last = of(bound + 1 - levels);
            all.push(Inner::Recursion([vec![of(1); levels as usize - 1], vec![last]].concat()));
        }
        for first in [0, 4, 8].into_iter().filter(|&first| first <= bound) {
            for step in [1, 4, 8] {
                let others = vec![step; ((bound - first) / step) as usize];
                all.push(Inner::Chain([vec![first], others].concat()));
            }
        }
    }
    all
}

/// Sizes at which some count reaches its limit: log2 of rows and columns.
fn sizes(fields: Fields) -> impl Iterator<Item = (u32, u32)> {
    let longest = fields.max_log_domain() as u32;
    let few = [(1, 20), (8, 12), (8, 14), (13, 0), (13, 6), (14, 0), (14, 6), (16, 0), (16, 10)];
    let many = [(1, 0), (1, 4), (4, 6), (1, 10)].map(|(less, columns)| (longest - less, columns));
    few.into_iter().chain(many)
}

/// Calls `each` with parameters at the ends of their ranges, whether they are accepted together or not.
fn extremes(fields: Fields, mut each: impl FnMut(Params)) {
    for (log_rows, log_columns) in sizes(fields) {
        let log_inv_rate = (fields.max_log_domain() as u32 - log_rows).min(16);
        let level =
            RoundParams { log_columns, log_inv_rate, queries: MAX_QUERIES, grinding: 0, fold_grinding: 0 };
        for inner in inners(RoundParams { log_inv_rate: 1, ..level }, log_rows) {
            for (hidden_openings, regime, max_forms) in [
                (0, Regime::UniqueDecoding, 1),
                (1, Regime::UniqueDecoding, 1),
                (0, Regime::UniqueDecoding, MAX_FORMS),
                (0, Regime::Johnson { multiplicity: 3 }, MAX_FORMS - 1),
            ] {
                let (base, inner) = (small(fields, hidden_openings, regime), inner.clone());
                let params = Params { log_size: log_rows + log_columns, max_forms, level, inner, ..base };
                // Claims alone, where those of the queries leave them no room.
                each(Params { level: RoundParams { queries: 1, ..level }, ..params.clone() });
                each(Params { log_parts: 4, ..params.clone() });
                each(Params { polynomials: 3, ..params.clone() });
                each(Params { log_leaf_fibres: 2, ..params.clone() });
                each(Params { entries: Entries::Extension, ..params.clone() });
                each(params);
            }
        }
    }
}

/// Whatever is accepted stays within the bounds, and some of it comes near them: they are what keeps a verifier to seconds.
#[test]
fn accepted_parameters_keep_a_verifier_to_the_documented_work() {
    let (mut most, mut accepted) = (Work::default(), 0);
    for fields in Fields::PRIME.into_iter().chain(Fields::BINARY) {
        extremes(fields, |params| {
            if params.check().is_err() {
                return;
            }
            let one = work(&params, 1);
            assert!(one.opened <= MAX_OPENED && one.products <= MAX_FINAL_WORK, "{one:?} {params:?}");
            assert!(one.paths < MAX_PATHS && one.parts <= MAX_PARTS, "{one:?} {params:?}");
            (most, accepted) = (most.most(one), accepted + 1);
        });
    }
    assert!(accepted > 1000, "{accepted} accepted parameters");
    assert_eq!([most.opened, most.products, most.parts], [MAX_OPENED, MAX_FINAL_WORK, MAX_PARTS]);
    assert!(most.paths > MAX_PATHS / 8, "{most:?}");
}

/// Commitments bring claims and samples of their own to the final message.
#[test]
fn many_commitments_keep_a_verifier_to_the_documented_work() {
    let (mut most, commitments) = (Work::default(), MAX_COMMITMENTS as u32);
    extremes(Fields::Goldilocks2, |params| {
        for max_forms in [params.max_forms, 62, 63] {
            let params =
                Params { polynomials: params.polynomials.max(commitments), max_forms, ..params.clone() };
            if params.validate_of(commitments, &Policy::at_least(0)).is_ok() {
                let all = work(&params, commitments.into());
                assert!(all.opened <= MAX_OPENED && all.products <= MAX_FINAL_WORK, "{all:?} {params:?}");
                most = most.most(all);
            }
        }
    });
    assert!(most.opened == MAX_OPENED && most.products > MAX_FINAL_WORK / 2, "{most:?}");
}
