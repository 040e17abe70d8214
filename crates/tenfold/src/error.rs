//! Errors of the facade: what was expected, what was found, and what to do.

use crate::dataset::decimal;
use crate::dataset::{Dataset, MAX_WIDTH, OutOfField};
use crate::file::CommitmentError;
use crate::text::{count, hex};
use crate::verify::Refused;
use alloc::string::String;
use core::ops::Range;
use iop::error::ParamError;

/// Why data are not committed to, a claim is not proven, or a proof is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is no number.
    #[error("row {row} is no decimal number that can be kept: {why}")]
    Decimal {
        /// The row.
        row: u64,
        /// The rule that it breaks.
        why: decimal::Refused,
    },
    /// There is nothing to commit to.
    #[error("there are no data: commit to one row or byte at least")]
    Empty,
    /// The name is longer than verifiers read.
    #[error(
        "the description of the data is longer than 1 MiB: give them shorter names, or commit to fewer columns"
    )]
    LongName,
    /// The text of an expected claim names one column with a value, or another without.
    #[error(
        "the expected claim may be about the column {name} or about {other}: name columns without `=`, or compare the value that is printed"
    )]
    TwoReadings {
        /// The column before the `=`.
        name: String,
        /// A column whose name goes on with it.
        other: String,
    },
    /// The description and the ranges whose sums are claimed are longer together than verifiers read.
    #[error(
        "the description of the data and the ranges of the sums are longer than 1 MiB together: claim fewer sums of rows in one proof"
    )]
    LongContext,
    /// The numbers have more digits after the point than verifiers read.
    #[error(
        "the numbers have {given} digits after the point, and at most {} are kept: round them",
        decimal::MAX_SCALE
    )]
    Scale {
        /// The digits.
        given: u32,
    },
    /// Columns are no table, or a table is asked for what single columns have.
    #[error("these columns make no table: {0}")]
    Table(String),
    /// Bytes are packed into numbers with digits after the point.
    #[error("bytes are packed into integers, and these have {given} digits after the point: state none")]
    PackedDecimals {
        /// The digits.
        given: u32,
    },
    /// Bytes are packed into numbers of a width that verifiers do not read.
    #[error(
        "bytes are packed into numbers of 1 to {} bytes, not of {given}: take one of these widths",
        MAX_WIDTH
    )]
    Width {
        /// The bytes of a number.
        given: u32,
    },
    /// Bytes are packed into another number of rows than there are.
    #[error(
        "{length} bytes, {width} in each row, are not {rows} rows: state the bytes that the rows are packed from"
    )]
    Packed {
        /// The bytes.
        length: u64,
        /// The bytes of a number.
        width: u32,
        /// The rows.
        rows: u64,
    },
    /// The rows or their sum are larger than what is proven over any field.
    #[error(
        "the rows or their sum do not fit 127 bits, the most of a number that is proven: \
         express the column in larger units, such as thousands"
    )]
    NoField,
    /// The field asked for does not hold a row.
    #[error(transparent)]
    OutOfField(#[from] OutOfField),
    /// The option is for other data.
    #[error("the option `{option}` is not for {data}: leave it out")]
    Option {
        /// The option.
        option: &'static str,
        /// The data in words.
        data: &'static str,
    },
    /// No proven bits are asked for.
    #[error("0 proven bits are no security: ask for 100, 128 or more")]
    NoBits,
    /// Bytes are to be committed to by a scheme of numbers, or of none of them.
    #[error("bytes are committed to by Ligerito or Air-FRI, not by {0}")]
    SchemeOfBytes(&'static str),
    /// A profile proves other bits than are asked for.
    #[error("the profile `{name}` proves {bits} bits: ask for these, or take another profile")]
    ProfileBits {
        /// The profile.
        name: &'static str,
        /// Its proven bits.
        bits: u32,
    },
    /// A profile has other challenge fields than the one asked for.
    #[error("the profile `{name}` is not over {field}: leave one of them out")]
    ProfileField {
        /// The profile.
        name: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A profile is for another decoding regime than the one asked for.
    #[error("the profile `{0}` is beyond unique decoding: leave one of them out, or take the profile `fast`")]
    ProfileRegime(&'static str),
    /// A profile is asked for of Air-FRI, which has none.
    #[error(
        "the profile `{0}` is a name of the scheme `ligerito`, and `air` has none: leave one of them out"
    )]
    ProfileOfAir(&'static str),
    /// The cheapest matrix has fewer columns than a leaf is to have parts.
    #[error("leaves of {parts} parts take as many columns, and the matrix for these data has {columns}")]
    Parts {
        /// The parts asked for.
        parts: u64,
        /// The columns of the matrix.
        columns: u64,
    },
    /// More columns are asked for than a matrix for these data has.
    #[error("{given} columns are asked for, and {entries} entries stand in at most {most}: ask for fewer")]
    Columns {
        /// The columns asked for.
        given: u64,
        /// The entries of the data with their padding.
        entries: u64,
        /// The most columns.
        most: u64,
    },
    /// No parameters prove what is asked for.
    #[error("no parameters prove the bits asked for: {}", .0.reason())]
    Search(ParamError),
    /// Layouts are asked for of another inner argument than the one that is searched.
    #[error(
        "the search compares layouts of the recursion, the inner argument that is smallest and fastest, and `air` is a chain, as the best for ranks may be"
    )]
    RecursionAlone,
    /// The parameters are out of range, or prove fewer bits than are asked for.
    #[error("the parameters are refused: {}", .0.reason())]
    Params(ParamError),
    /// The parameters are for data of another length or kind.
    #[error("the parameters are not for these data: {0}")]
    OtherParams(String),
    /// More memory would be taken than may be.
    #[error("this needs about {need} bytes of memory, more than the limit of {limit}")]
    Memory {
        /// The bytes.
        need: u64,
        /// The limit.
        limit: u64,
    },
    /// The data are not those that were committed to.
    #[error("the data do not match the commitment: give those that were committed to")]
    OtherData,
    /// A GPU made a commitment that is not that of the data.
    #[error("the GPU made a wrong commitment: commit again on the CPU, and do not trust this GPU")]
    WrongDevice,
    /// A row that the data have not.
    #[error("there is no row {row}: rows are numbered from 0 to {}", rows.saturating_sub(1))]
    NoRow {
        /// The row.
        row: u64,
        /// The rows that there are.
        rows: u64,
    },
    /// A point of another number of coordinates.
    #[error("the point has {given} coordinates, the data have {variables} variables")]
    Point {
        /// Its coordinates.
        given: usize,
        /// Those that there must be.
        variables: usize,
    },
    /// A coordinate that is no integer of 127 bits between the modulus of the field and its negative; over a binary field a negative one.
    #[error("{0} is no element of the field in which points are")]
    NotElement(i128),
    /// There is no claim.
    #[error("nothing to prove: name a claim")]
    NoClaim,
    /// More linear forms than one proof of the parameters holds.
    #[error("the claims take {given} statements, and one proof holds {most}: make several proofs")]
    TooManyClaims {
        /// The forms.
        given: usize,
        /// Those that one proof holds.
        most: u32,
    },
    /// Bytes have no such claims.
    #[error("bytes have no {0}: in characteristic two sums are XORs; commit to numbers")]
    OfNumbers(&'static str),
    /// A hiding commitment opens to one value at a time.
    #[error("a hiding proof states one value, not {0}: make a proof for each")]
    OneHidden(usize),
    /// A hiding proof of such a sum would show the sums of parts too.
    #[error(
        "a hiding proof states one value, and the sum of {} rows would also state the sums of their parts: \
         append rows of 0 up to a power of two", count(*.0)
    )]
    HiddenSum(u64),
    /// The sum of a range that is no block would show the sums of its parts.
    #[error("a hiding proof states one value, and the sum of rows {} to {} would also state the sums of their parts: take a power of two of rows, from a multiple of it on", .0.start, .0.end.saturating_sub(1))]
    HiddenRange(Range<u64>),
    /// A range without rows.
    #[error("there are no rows from {} on and before {}", .0.start, .0.end)]
    NoRange(Range<u64>),
    /// Entries of bytes that are packed, in a commitment that hides.
    #[error(
        "bytes are hidden as words of 64 bits over gf192 or gf320: proofs about packed entries show sums over others"
    )]
    HiddenEntries,
    /// Hiding is asked of a scheme of bytes whose entries are packed.
    #[error(
        "bytes are hidden by the scheme `air` alone, as words of 64 bits: take it, by `Options::scheme`, or a column of numbers"
    )]
    HiddenBytes,
    /// A commitment that hides is asked to do so for more openings than there are masks.
    #[error(
        "a commitment hides for at most {most} openings, not {given}: ask for fewer, and commit again when they are used up"
    )]
    HiddenOpenings {
        /// The openings asked for.
        given: u32,
        /// Those that a commitment is made for at most.
        most: u32,
    },
    /// A weighted sum over a hiding commitment.
    #[error("a weighted sum would reveal sums over a hiding commitment: commit without hiding")]
    HiddenWeights,
    /// All openings of a hiding commitment are used up.
    #[error("all {0} hidden openings are used up: commit again, for as many openings as you need")]
    NoOpening(u32),
    /// A hiding commitment whose secret was given is opened without a place where its openings are counted.
    #[error(
        "the secret of this hiding commitment was given, and two proofs by one of its masks show what it hides: open with `Witness::open_counted`, \
         which stores the count first"
    )]
    Uncounted,
    /// The sum is larger than the field.
    #[error("the sum of {name} does not fit {field}: it would wrap around; take a larger field")]
    SumWraps {
        /// The column, or the products of two.
        name: String,
        /// The field.
        field: &'static str,
    },
    /// The sum is larger than any that is proven, whatever the field.
    #[error("the sum of {name} does not fit 127 bits, the most of a sum that is proven: prove rows")]
    SumTooLarge {
        /// The column, or the products of two.
        name: String,
    },
    /// The weighted sum is larger than any that is proven, whatever the field.
    #[error(
        "the weighted sum of {name} does not fit 127 bits, the most of a sum that is proven: take smaller weights"
    )]
    WeightedSumTooLarge {
        /// The column.
        name: String,
    },
    /// The weighted sum is larger than the field.
    #[error("the weighted sum of {name} does not fit {field}: it would wrap around; take a larger field")]
    WeightedSumWraps {
        /// The column.
        name: String,
        /// The field.
        field: &'static str,
    },
    /// A weighted sum among other claims.
    #[error("a weighted sum is a proof of its own: prove the other claims without it")]
    WeightsAlone,
    /// Claims beside an inner product.
    #[error("an inner product is a proof of its own: prove the other claims without it")]
    ProductAlone,
    /// An inner product of a commitment whose parameters open fewer linear forms at once than it takes, as those of two chains do.
    #[error(
        "an inner product takes {0} linear forms in one opening, more than this commitment has: commit by another inner argument"
    )]
    ProductForms(u32),
    /// An inner product of a hiding commitment.
    #[error(
        "the messages of an inner product show sums of the data, which a hiding commitment must not: commit without hiding"
    )]
    HiddenProduct,
    /// A column that was not committed to.
    #[error("no column `{}` was committed to", .0.escape_debug())]
    NoColumn(String),
    /// Weights of another kind than the data.
    #[error("the weights of {0}")]
    WeightsKind(&'static str),
    /// Another number of weights than rows.
    #[error(
        "there are {given} weights, the column has {rows} rows: give one for each, 0 for rows that do not count"
    )]
    WeightsCount {
        /// The weights.
        given: u64,
        /// The rows.
        rows: u64,
    },
    /// Another number of bytes of weights than the data have.
    #[error("there are {} bytes of weights, the file has {}: give as many, 0 for no weight", count(*given), count(*bytes))]
    WeightsLength {
        /// The weights.
        given: u64,
        /// The bytes.
        bytes: u64,
    },
    /// A weight that the field of the data does not hold.
    #[error("weights: {0}")]
    WeightOutOfField(OutOfField),
    /// The weights have no mean.
    #[error("the weights add up to zero: there is no weighted mean")]
    NoMean,
    /// The sum of the weights is too large for a mean.
    #[error("the sum of the weights is too large for a mean: take smaller weights")]
    WeightsTooLarge,
    /// A proof is refused.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// Bytes are no commitment file.
    #[error(transparent)]
    Commitment(#[from] CommitmentError),
    /// Bytes are not the witness of a commitment.
    #[error("the witness is refused: {0}")]
    Witness(String),
    /// The policy says nothing of the commitment.
    #[error(
        "nothing says which commitment the proof must be about: name it by `about` or `fingerprint`, \
         or accept any with `self_contained`"
    )]
    NothingExpected,
    /// The policy names two commitments.
    #[error("the policy names two different commitments, and no proof is about both: name one")]
    TwoCommitments,
    /// A commitment file where a proof file belongs.
    #[error("this file is a commitment, and no proof: the commitment is named by `Policy::about`")]
    NoProof,
    /// A weighted sum, and the policy has no weights.
    #[error(
        "the proof is of a weighted sum, and its public weights are not in it: give them by `Policy::weights`"
    )]
    NoWeights,
    /// The proof is about another commitment.
    #[error("the proof is about another commitment, whose fingerprint is {}", hex(found))]
    OtherCommitment {
        /// The fingerprint of the commitment that it is about.
        found: [u8; 32],
    },
    /// The proof does not make the claim that is needed.
    #[error("the proof says nothing of {wanted}; what it says first: {first}")]
    NotClaimed {
        /// The quantity.
        wanted: String,
        /// The proof's first claim.
        first: String,
    },
    /// The proof makes the claim of another value.
    #[error("the proof is of another value than {wanted}: {claim}")]
    OtherValue {
        /// The value that is needed.
        wanted: String,
        /// The claim.
        claim: String,
    },
}

impl Error {
    /// Another number of weights than there are rows, or bytes.
    #[must_use]
    pub fn weights_count(weights: &Dataset, given: u64, entries: u64) -> Self {
        match weights {
            Dataset::Column(_) | Dataset::Table(_) => Self::WeightsCount { given, rows: entries },
            Dataset::Bytes(_) => Self::WeightsLength { given, bytes: entries },
        }
    }
}
