//! Files of bytes in `tenfold compare`: the same bytes, at the same proven bits.

use super::params::choose;
use super::unit::element;
use crate::args::{
    Bits, FieldChoice, HashChoice, InnerChoice, OverChoice, Profile, SchemeArgs, SchemeChoice,
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
const NAMED: [(&str, Profile, Option<OverChoice>); 4] = [
    ("fast", Profile::Fast, None),
    ("small", Profile::Small, None),
    ("secure128", Profile::Secure128, None),
    ("secure128", Profile::Secure128, Some(OverChoice::Gf256)),
];

/// The bytes of a file, and the parameters to measure with the names of their profiles.
pub struct Files {
    bytes: Vec<u8>,
    /// Empty if a column is none of bytes, or nothing proves the bits.
    pub cases: Vec<(&'static str, Params)>,
}

impl Files {
    /// The cases for a column.
    #[must_use]
    pub fn of(column: &Column, bits: Bits, hash: HashChoice) -> Self {
        let Layout::Bytes { length, width } = column.layout else {
            return Self { bytes: Vec::new(), cases: Vec::new() };
        };
        let packed = column.values.iter().flat_map(|x| x.to_le_bytes().into_iter().take(width));
        let bytes = packed.take(length as usize).collect();
        let args = |profile, over| SchemeArgs {
            scheme: SchemeChoice::Ligerito,
            entries: None,
            field: FieldChoice::Auto,
            bits: Some(bits),
            profile: Some(profile),
            over,
            hash,
            inner: InnerChoice::Recursion,
        };
        // Those that prove other bits are refused.
        let found = NAMED
            .into_iter()
            .filter_map(|(name, profile, over)| Some((name, choose(length, &args(profile, over)).ok()?)));
        Self { bytes, cases: found.collect() }
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
        let (base, challenges) = (params.fields.base_name(), params.fields.name());
        let label = Label {
            scheme: "ligerito",
            field: format!("{base} / {challenges}"),
            profile: profile.into(),
            hash: params.hash,
        };
        let variables = params.variables() as u64;
        run_case(label, contender::Ligerito::new(&scheme), entries, |run| point(variables, run, element::<E>))
    }
}
