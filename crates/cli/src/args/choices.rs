//! Values that options choose from: the library's own, by their names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use data::Format;
use iop::hash::Hash;
use iop::security::Theorem;
use pcs::file::SchemeId;
use pcs::ligerito::{Fields, Preset};
use pcs::pip::InnerKind;
#[cfg(feature = "ring")]
use ring_proof::file::SuiteId;
use tenfold::dataset::Base;
use tenfold::{DeviceChoice, EntrySize};

/// The name of a value, the value, and its help; without help it is another name, which is not shown.
type Choice<T> = (&'static str, T, &'static str);

/// A field by name, or none for `auto`.
pub type FieldChoice = Option<Base>;

/// Schemes that `commit` has.
pub const SCHEMES: &[Choice<SchemeId>] = &[
    (
        "pip",
        SchemeId::Pip,
        "PIP_FRI: a column of numbers, with sums and hiding; bytes are packed into numbers",
    ),
    ("ligerito", SchemeId::Ligerito, "Ligerito: any file, byte by byte or bit by bit, as it stands"),
    ("air", SchemeId::Air, "Air-FRI: the same by one chain of folds"),
];
/// Schemes that `compare` measures.
pub const COMPARED: &[Choice<SchemeId>] = &[
    ("pip", SchemeId::Pip, "PIP_FRI"),
    ("ligerito", SchemeId::Ligerito, "Ligerito"),
    ("air", SchemeId::Air, "Air-FRI"),
    ("deepfold", SchemeId::DeepFold, "DeepFold, which `commit` has not"),
];
/// What a row of a file of bytes is.
pub const ENTRIES: &[Choice<EntrySize>] = &[
    ("bytes", EntrySize::Bytes, "Bytes"),
    ("bits", EntrySize::Bits, "Bits, the lowest of each byte first"),
    ("words32", EntrySize::Words32, "Little-endian words of 32 bits"),
    ("words64", EntrySize::Words64, "Little-endian words of 64 bits"),
];
/// Devices.
pub const DEVICES: &[Choice<DeviceChoice>] = &[
    ("cpu", DeviceChoice::Cpu, "The threads of this machine"),
    (
        "gpu",
        DeviceChoice::Gpu,
        "An NVIDIA GPU, for bytes committed to without hiding; the CPU takes over where there is none, or it fails",
    ),
    ("auto", DeviceChoice::Auto, "A GPU where there is one, for 2^20 elements and more"),
];
/// Fields of the rows.
pub const FIELDS: &[Choice<FieldChoice>] = &[
    (
        "auto",
        None,
        "The smallest that holds the rows and their sum: koalabear if it does, and for a size without rows",
    ),
    ("koalabear", Some(Base::KoalaBear), "31 bits: smallest and fastest"),
    ("goldilocks", Some(Base::Goldilocks), "64 bits"),
    ("mersenne61", Some(Base::Mersenne61), "61 bits, quadratic extension"),
    ("bn254", Some(Base::Bn254), "254 bits"),
];
/// Levels of proven security.
pub const BITS: &[Choice<u32>] = &[
    ("100", 100, "100 bits"),
    ("128", 128, "128 bits"),
    ("192", 192, "192 bits: binary data, or numbers over a field that is large enough"),
    ("256", 256, "256 bits: binary data"),
];
/// log2 of the parts of a leaf.
pub const PARTS: &[Choice<u32>] = &[("1", 0, ""), ("2", 1, ""), ("4", 2, ""), ("8", 3, ""), ("16", 4, "")];
/// Which cost to spend.
pub const PROFILES: &[Choice<Preset>] = &[
    ("fast", Preset::Fast, "Fast prover, larger proof. Ligerito: 100 bits by unique decoding at rate 1/2"),
    (
        "balanced",
        Preset::Balanced,
        "Ligerito alone: 100 bits up to the Johnson radius at rate 1/2, 0.7 to 0.8 of the bytes of `fast`; 1.2 to 1.6 of its time, measured at 4 and 64 MiB",
    ),
    (
        "small",
        Preset::Small,
        "Small proof, slower prover. Ligerito: 100 bits up to the Johnson radius at rate 1/4, half the bytes of `fast`; 2.0 to 2.3 of its time, measured so",
    ),
    (
        "secure128",
        Preset::Secure128,
        "Ligerito alone: 128 bits up to the Johnson radius at rate 1/4, 1.1 to 1.3 of the bytes of `small`; 1.1 to 1.9 of its time, measured so",
    ),
];
/// Challenge fields of Ligerito and Air-FRI.
pub const OVERS: &[Choice<Fields>] = &[
    ("gf128", Fields::Gf128, "128 bits: proves 100"),
    ("gf192", Fields::Gf192, "192 bits, over words of 64: proves 128"),
    ("gf256", Fields::Gf256, "256 bits: proves 192"),
    ("gf320", Fields::Gf320, "320 bits, over words of 64: proves 256"),
];
/// Inner arguments.
pub const INNERS: &[Choice<InnerKind>] = &[
    ("recursion", InnerKind::Recursion, "Commit again at lower and lower rates: smallest and fastest"),
    ("chain", InnerKind::Chain, "Fold the word down, as BaseFold and DeepFold do"),
    (
        "two-chains",
        InnerKind::TwoChains,
        "The published scheme: a chain for the value and one for proximity; one statement per proof",
    ),
];
/// Hash functions.
pub const HASHES: &[Choice<Hash>] = &[
    ("blake3", Hash::Blake3, "BLAKE3"),
    ("sha256", Hash::Sha256, "SHA-256"),
    ("keccak256", Hash::Keccak256, "Keccak-256"),
    ("sha3-256", Hash::Sha3_256, "SHA3-256"),
    ("sha3-384", Hash::Sha3_384, "SHA3-384, for 192 bits"),
    ("sha3-512", Hash::Sha3_512, "SHA3-512, for 256 bits"),
];
/// Theorems on lines beyond unique decoding.
pub const THEOREMS: &[Choice<Theorem>] = &[
    (
        "bciks20",
        Theorem::Bciks20,
        "BCIKS20, Theorem 5.1: quadratic in the length, voids 128-bit challenge fields; by name only",
    ),
    ("bchks25", Theorem::Bchks25, "BCHKS25, Theorem 4.6 with the multiplicity of Theorem 1.5"),
    (
        "bchks25-4.6",
        Theorem::Bchks25List,
        "BCHKS25, Theorem 4.6 as printed, with twice that multiplicity: about 5 bits a line less; by name only",
    ),
    ("dkt26", Theorem::Dkt26, "DKT26, Theorem 5.12: the newest and strongest"),
];
/// Formats of input files.
pub const FORMATS: &[Choice<Format>] = &[
    ("auto", Format::Auto, "By the first bytes, then by the name; binary data is taken as bytes"),
    ("csv", Format::Csv, "A column of a delimited text file"),
    ("json", Format::Json, "A flat array of numbers"),
    ("jsonl", Format::JsonLines, "A number on each line, or an object with a member that is a number"),
    ("ndjson", Format::JsonLines, ""),
    ("npy", Format::Npy, "A one-dimensional NumPy array"),
    ("parquet", Format::Parquet, "A column of a Parquet file (in builds with the feature `columnar`)"),
    (
        "arrow",
        Format::Arrow,
        "A column of an Arrow IPC or Feather file (in builds with the feature `columnar`)",
    ),
    ("feather", Format::Arrow, ""),
    ("raw", Format::Raw, "Bytes as they stand"),
];
/// Suites of ring signatures.
#[cfg(feature = "ring")]
pub const SUITES: &[Choice<SuiteId>] = &[
    ("v1", SuiteId::V1, "Bandersnatch-SHA512-ELL2-v1, of ark-vrf 0.6"),
    ("v2", SuiteId::V2, "Bandersnatch-SHA512-ELL2-v2: hashes to the curve as RFC 9380 has it"),
    ("shake128", SuiteId::Shake128, "Bandersnatch-SHAKE128-ELL2-v1"),
    ("jam", SuiteId::Jam, "Bandersnatch_SHA-512_ELL2, of ark-vrf 0.1 and JAM's test vectors"),
    (
        "sw",
        SuiteId::BandersnatchSw,
        "Bandersnatch-SW-SHA512-TAI-v1: points in short Weierstrass form, of 33 bytes",
    ),
    ("jubjub", SuiteId::Jubjub, "JubJub-SHA512-TAI-v1: keys on Jubjub"),
];

/// Parses the name of a choice.
pub fn one_of<T: Copy + Send + Sync>(
    choices: &'static [Choice<T>],
) -> impl TypedValueParser<Value = T> + 'static {
    let described = choices.iter().any(|(.., help)| !help.is_empty());
    let values = choices.iter().map(move |&(name, _, help)| match described {
        true => PossibleValue::new(name).help(help).hide(help.is_empty()),
        false => PossibleValue::new(name),
    });
    PossibleValuesParser::new(values).map(|given| {
        let choice = choices.iter().find(|(name, ..)| *name == given);
        choice.expect("one of the possible values").1
    })
}

/// The name of a choice.
pub fn name_of<T: PartialEq>(choices: &[Choice<T>], value: &T) -> &'static str {
    choices.iter().find(|(_, other, _)| other == value).map_or("", |(name, ..)| name)
}
