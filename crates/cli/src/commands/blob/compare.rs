//! What `tenfold compare` measures of Ligerito: the same bytes or the same numbers, at the same proven bits.

use super::params::choose;
use super::unit::{Unit, element};
use crate::args::{
    Bits, EntriesChoice, FieldChoice, HashChoice, InnerChoice, OverChoice, Profile, SchemeArgs, SchemeChoice,
};
use crate::commands::compare::{Label, point, refused, run_case};
use crate::commands::contender;
use crate::data::{Column, Layout};
use crate::exit::Failure;
use crate::page::ComparisonRow;
use crate::progress::Progress;
use field::{Alphabet, ExtensionOf};
use iop::security::Policy;
use pcs::ligerito::{Params, Scheme};
use pcs::with_binary_fields;

/// The named profiles, with what is not their own field.
const NAMED: [(&str, Profile, Option<OverChoice>); 5] = [
    ("fast", Profile::Fast, None),
    ("balanced", Profile::Balanced, None),
    ("small", Profile::Small, None),
    ("secure128", Profile::Secure128, None),
    ("secure128", Profile::Secure128, Some(OverChoice::Gf256)),
];

/// Bytes, and the parameters to measure with the names of their profiles.
pub struct Packed {
    bytes: Vec<u8>,
    /// Empty if the rows are no words, or nothing proves the bits.
    pub cases: Vec<(&'static str, Params)>,
}

impl Packed {
    /// The cases for a column: the bytes of a file, or numbers as words in two's complement.
    #[must_use]
    pub fn of(column: &Column, bits: Bits, hash: HashChoice) -> Self {
        let Some((packed, entries)) = pack(column) else {
            return Self { bytes: Vec::new(), cases: Vec::new() };
        };
        let args = |profile, over| SchemeArgs {
            scheme: SchemeChoice::Ligerito,
            entries: Some(entries),
            field: FieldChoice::Auto,
            bits: Some(bits),
            profile: Some(profile),
            over,
            hash,
            inner: InnerChoice::Recursion,
        };
        // Those that prove other bits are refused.
        let found =
            |(name, profile, over)| Some((name, choose(packed.len() as u64, &args(profile, over)).ok()?));
        let cases = NAMED.into_iter().filter_map(found).collect();
        Self { bytes: packed, cases }
    }

    /// Measures them.
    pub fn measure(&self, bits: u32, progress: &Progress) -> Result<Vec<ComparisonRow>, Failure> {
        let rows = self.cases.iter().map(|(profile, params)| {
            progress.step(&format!("ligerito over {}", params.fields.name()));
            with_binary_fields!(params.fields, B, E => self.case::<B, E>(profile, params, bits))
        });
        rows.collect()
    }

    fn case<B: Alphabet, E: ExtensionOf<B>>(
        &self,
        profile: &str,
        params: &Params,
        bits: u32,
    ) -> Result<ComparisonRow, Failure> {
        let scheme = Scheme::<B, E>::new(params.clone(), &Policy { min_bits: bits }).map_err(refused)?;
        let entries = || {
            let mut padded = self.bytes.clone();
            padded.resize(B::BYTES << params.log_size, 0);
            let entry = |bytes| B::from_bytes(bytes).expect("any bytes are an entry");
            padded.chunks_exact(B::BYTES).map(entry).collect::<Vec<B>>()
        };
        let (data, challenges) = (Unit::of(params).field(), params.fields.name());
        let label = Label {
            scheme: "ligerito",
            field: format!("{data} / {challenges}"),
            profile: profile.into(),
            hash: params.hash,
        };
        let variables = params.variables() as u64;
        run_case(label, contender::Ligerito::new(&scheme), entries, |run| point(variables, run, element::<E>))
    }
}

/// The bytes to commit to, and what an entry is: the smallest word that holds every number. Numbers that no word of 64 bits
/// with a sign holds are left out.
fn pack(column: &Column) -> Option<(Vec<u8>, EntriesChoice)> {
    let bytes =
        |width: usize| column.values.iter().flat_map(move |x| x.to_le_bytes().into_iter().take(width));
    if let Layout::Bytes { length, width } = column.layout {
        return Some((bytes(width).take(length as usize).collect(), EntriesChoice::Bytes));
    }
    let (low, high) = column.values.range()?;
    let holds = |bits: u32| low >= -(1 << (bits - 1)) && high < 1 << (bits - 1);
    if holds(32) {
        Some((bytes(4).collect(), EntriesChoice::Words32))
    } else if holds(64) {
        Some((bytes(8).collect(), EntriesChoice::Words64))
    } else {
        None
    }
}
