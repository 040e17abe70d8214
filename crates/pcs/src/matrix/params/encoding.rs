//! The canonical encoding of parameters. (notes: formats-params)

use super::{Inner, Params};
use crate::codec::{Reader, Writer};
use crate::fields::{Family, Fields};
use crate::file::SchemeId;
use crate::matrix::RoundParams;
use crate::matrix::round_params::{regime_number, regime_of};
use crate::ring_switching::Entries;
use alloc::vec::Vec;
use core::num::NonZeroU8;
use iop::hash::{Digest, Hash};

/// Marks the number of the fields where the parts of a leaf follow.
const PARTS: u8 = 0x80;
/// Marks it where the fibres of a leaf follow.
const LEAF_FIBRES: u8 = 0x40;

/// A count in one byte. A larger one, of parameters that no one has validated, must not become a small one.
fn byte(count: impl TryInto<u8>) -> u8 {
    count.try_into().unwrap_or(u8::MAX)
}

impl Params {
    /// The canonical encoding. What [`Params::validate`] refuses over a family of fields has none there: packed entries over prime
    /// fields, two chains over binary ones. The scheme says which of the other inner arguments it is over binary fields. Counts that no
    /// byte holds are refused too, and written as 255, which is refused as well.
    pub fn encode(&self) -> Vec<u8> {
        let Self {
            fields,
            hash,
            regime,
            entries,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            log_parts,
            log_leaf_fibres,
            level,
            inner,
        } = self;
        let family = fields.family();
        let mut w = Writer::new();
        // Parameters with leaves of one part and one fibre have the encoding that they had before there were others.
        let leaves = [(*log_parts, PARTS), (*log_leaf_fibres, LEAF_FIBRES)];
        let others = || leaves.iter().filter(|(count, _)| *count > 0);
        w.u8(others().fold(fields.id(), |id, (_, mark)| id | mark));
        others().for_each(|(count, _)| w.u8(byte(*count)));
        if family == Family::Binary {
            w.u8(entries.id());
        }
        w.u8(hash.id());
        w.u32(regime_number(*regime));
        [*log_size, *polynomials, *max_forms, *hidden_openings].iter().for_each(|&x| w.u32(x));
        level.write(&mut w);
        match inner {
            Inner::Recursion(levels) => {
                if family == Family::Prime {
                    w.u8(0);
                }
                w.u8(byte(levels.len()));
                levels.iter().for_each(|level| level.write(&mut w));
            }
            Inner::Chain(steps) => {
                if family == Family::Prime {
                    w.u8(1);
                }
                w.u8(byte(steps.len()));
                steps.iter().for_each(|&k| w.u32(k));
            }
            Inner::TwoChains => w.u8(2),
        }
        w.finish()
    }

    /// Reads the encoding of a scheme's parameters; `None` unless it is exactly what [`Params::encode`] writes. Not yet validated.
    pub fn decode(scheme: SchemeId, bytes: &[u8]) -> Option<Self> {
        let family = match scheme {
            SchemeId::Pip => Family::Prime,
            SchemeId::Ligerito | SchemeId::Air => Family::Binary,
            _ => return None,
        };
        let mut r = Reader::new(bytes);
        let fields = r.u8()?;
        let mut leaves = |mark: u8| {
            let count = if fields & mark == 0 { 0 } else { NonZeroU8::new(r.u8()?)?.get() };
            Some(u32::from(count))
        };
        let (log_parts, log_leaf_fibres) = (leaves(PARTS)?, leaves(LEAF_FIBRES)?);
        let fields = Fields::from_id(family, fields & !(PARTS | LEAF_FIBRES))?;
        let entries = match family {
            Family::Prime => Entries::Whole,
            Family::Binary => Entries::from_id(r.u8()?)?,
        };
        let hash = Hash::from_id(r.u8()?)?;
        let regime = regime_of(r.u32()?);
        let (log_size, polynomials, max_forms, hidden_openings) = (r.u32()?, r.u32()?, r.u32()?, r.u32()?);
        let level = RoundParams::read(&mut r)?;
        let inner = match family {
            Family::Prime => r.u8()?,
            Family::Binary => u8::from(scheme == SchemeId::Air),
        };
        let inner = match inner {
            0 => {
                let count = usize::from(r.u8()?);
                Inner::Recursion((0..count).map(|_| RoundParams::read(&mut r)).collect::<Option<_>>()?)
            }
            1 => {
                let count = usize::from(r.u8()?);
                Inner::Chain((0..count).map(|_| r.u32()).collect::<Option<_>>()?)
            }
            2 => Inner::TwoChains,
            _ => return None,
        };
        r.finish()?;
        Some(Self {
            fields,
            hash,
            regime,
            entries,
            log_size,
            polynomials,
            max_forms,
            hidden_openings,
            log_parts,
            log_leaf_fibres,
            level,
            inner,
        })
    }

    /// The digest that every transcript starts from.
    pub fn digest(&self) -> Digest {
        self.hash.digest(&format!("tenfold {} params v1", self.scheme().name()), &[&self.encode()])
    }
}
