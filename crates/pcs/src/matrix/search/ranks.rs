//! Parameters for machines that hold some columns each: more columns leave the coordinator less to do alone, and make proofs longer.
//! (notes: cluster-columns)

use super::find::within_budget;
use super::target::MAX_LOG_TRIED;
use super::{Cost, EXACT, Model, Profile, SearchTarget};
use crate::matrix::{Inner, InnerKind, Params};
use field::parallel;

/// How many times the least time a layout with a shorter proof may take.
const SLACK: f64 = 1.2;
/// The weights of a row in the values of forms, in entries of a sumcheck. Measured, as the next two.
const WEIGHTS: f64 = 2.0;
/// Digests of parts that are joined to a leaf and its nodes, in leaves.
const JOINED: f64 = 3.0;
/// A byte of a rank's sum that the coordinator reads, adds and hashes, in hashed bytes.
const SUMMED: f64 = 3.0;

/// How a commitment divides among machines that hold some columns each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Division {
    /// log2 of the columns.
    pub log_columns: u32,
    /// The inner argument.
    pub inner: InnerKind,
}

/// Cost of a layout for ranks.
struct Divided {
    division: Division,
    /// Nanoseconds on the critical path.
    critical: f64,
    bytes: f64,
}

/// The columns and the inner argument that are best for `2^log_ranks` ranks, among those of the targets: of the layouts that take at most a fifth more than the least
/// time on the critical path the one with the shortest proof. None if nothing proves the bits with a column for each rank.
pub(crate) fn for_ranks(targets: &[SearchTarget], log_ranks: u32) -> Option<Division> {
    let columns = |target: &SearchTarget| log_ranks..=target.log_size.min(MAX_LOG_TRIED);
    let fixed = targets.iter().flat_map(|target| {
        columns(target).map(|columns| SearchTarget { log_columns: Some(columns), ..target.clone() })
    });
    let fixed: Vec<SearchTarget> = fixed.collect();
    let found = parallel::map(fixed.iter(), |target| Divided::of(target, log_ranks));
    let found: Vec<Divided> = found.into_iter().flatten().collect();
    let least = found.iter().map(|divided| divided.critical).min_by(f64::total_cmp)?;
    let near = found.iter().filter(|divided| divided.critical <= SLACK * least);
    near.min_by(|a, b| a.bytes.total_cmp(&b.bytes)).map(|divided| divided.division)
}

impl Divided {
    /// The result of the search for a target whose columns are fixed.
    fn of(target: &SearchTarget, log_ranks: u32) -> Option<Self> {
        let (params, cost) = within_budget(target)?;
        let division = Division { log_columns: params.level.log_columns, inner: target.inner };
        Some(Self { division, critical: critical(target, &params, cost, log_ranks), bytes: cost.bytes })
    }
}

/// Nanoseconds on the critical path of `2^log_ranks` ranks: each encodes its columns and combines them, and joins the digests of its leaves; the coordinator
/// does the rest, and reads what the others send.
fn critical(target: &SearchTarget, params: &Params, cost: Cost, log_ranks: u32) -> f64 {
    let model = Model::new(target.job(Profile::Fast, params.regime, EXACT));
    let (level, ranks) = (params.level, f64::from(log_ranks).exp2());
    let log_rows = params.log_size - level.log_columns;
    let opened = model.openings(model.width(level), level, log_rows);
    let divides = model.commitment(level, log_rows).time - opened.time;
    let first = match &params.inner {
        Inner::Chain(steps) => steps.first().copied().unwrap_or(0),
        Inner::Recursion(_) | Inner::TwoChains => 0,
    };
    let [rows, leaves] = [log_rows, log_rows + level.log_inv_rate - first].map(|n| f64::from(n).exp2());
    let prices = &model.job.prices;
    let [byte, leaf, _] = prices.hash;
    let sums = ranks * rows * model.job.bytes as f64 * SUMMED * byte;
    let on_each = rows * WEIGHTS * prices.entry + leaves * JOINED * leaf;
    divides / ranks + cost.time - divides + on_each + sums
}
