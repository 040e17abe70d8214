//! Suites: the constants that signers and verifiers share.

use alloc::vec::Vec;
use core::fmt::{self, Debug, Formatter};

use sha2::Sha512;
use shake::Shake128;

use curve::AffineRepr;
use curve::bandersnatch::Bandersnatch;
use curve::embedded::{Embedded, Point, decode_on_curve};
use curve::jubjub::Jubjub;

use super::hash::Hash;
use super::{Form, HashToCurve, Input, SuiteName};
use crate::{Bases, Invalid};
use field::Once;

/// A suite. Signatures of one are nothing to another: hashes begin with its identifier. There are those with a [`SuiteName`], and a user defines others by
/// [`Suite::define`].
#[derive(Clone, PartialEq, Eq)]
pub struct Suite<C: Embedded = Bandersnatch> {
    /// `None`: a user's.
    name: Option<SuiteName>,
    pub(super) hashes: Hashes<C>,
    pub(super) form: Form<C>,
    /// The label is the suite's identifier.
    bases: Bases<C>,
}

/// What a suite hashes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hashes<C: Embedded> {
    pub(super) kind: Kind,
    pub(super) to_curve: HashToCurve<C>,
}

/// The hash that makes challenges, and the form of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Sha512,
    Shake128,
    /// RFC 9381's challenge, of the signatures of ark-vrf 0.1.
    Rfc9381,
}

/// What a hash is for: the byte behind the suite's identifier. No identifier of a user's has one of these bytes in it, so that no identifier and byte are the
/// beginning of another identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    Tiny = 0x00,
    Thin = 0x01,
    Pedersen = 0x02,
    Output = 0x20,
    Input = 0x60,
    /// This crate's own; ark-vrf has no such proofs.
    Possession = 0xf0,
}

/// Encodings, in Edwards form, of the base of the blinding, the accumulator's seed, and the padding. (notes: ring-constants)
type Encoded = [&'static str; 3];

const V1: Encoded = [
    "eb2d0a8259c7790e5009ab3997670c708c0865ed14ec5f305f4df2b62c71460c",
    "aadbf6cfed0f60816fc46c2831b248f6fee1d9806025c47e17a9e38c6d6bd216",
    "da5ca18e76fbd5467319795e26fd80f0b9cf7fc888d995348b7ff299197a42c4",
];
const V2: Encoded = [
    "7fcd398b0bd452083afedb1a9261745f6b9523de173c9f7b4ab8b7c4ad6fcf28",
    "47ddd81be9dccb3ab8452be825c30e9ef5025602186b530477738fad2ffc6508",
    "4dec8aecb584eb351d9aa750ba366fd86945771ce845b68a3bb314fe96837320",
];
const SHAKE128: Encoded = [
    "827a125c96a8aa07ded07f84312d8f68c6fedd5e7c806ffbfa2fd5cc0a1e253c",
    "ec0eb36ce2e3a187b0f021806973ffe3d7d79e0baf3fd318a850cc72f5e023d3",
    "b0aa03b4241225a8aa58f4d81b0ef79f6997713943202b1b10f594a18b163073",
];
const WEIERSTRASS: Encoded = [
    "89272ca70de7578c5059873df1b36beb6b1ce1915f1e43d0cdd6333e6339c191",
    "37da879105ac15a875506261ef50159a01f0efddcd610c4e573c566c982f7149",
    "3d27d413d644aeab6de20d405ad95dd8bb84a9dbb65c626be46ecedb69b9f4a6",
];
const JUBJUB: Encoded = [
    "0b07c19e12f70a18bffc04ed8ea331ce73683cc435cb48b78bde3ffbfe5bbbcb",
    "076e1a21b2c719d65f5bc1c4e2ae8f08066add9a38391c3acd30f7a52eb502cc",
    "bcb59f067798ff63259d0f66dc6598c786e4024b0ba1e87cd30300fa66a8c335",
];
const JAM: Encoded = [
    "e93da06b869766b158d20b843ec648cc68e0b7ba2f7083acf0f154205d04e23e",
    "6e5574f9077fb76c885c36196a832dbadd64142d305be5487724967acf9595a0",
    "92ca79e61dd90c1573a8693f199bf6e1e86835cc715cdcf93f5ef222560023aa",
];

impl Suite {
    /// `Bandersnatch-SHA512-ELL2-v1`, which the VRF's specification recommends. Its hash to the curve pads with 48 zeros, where RFC 9380
    /// has 128.
    #[must_use]
    pub fn v1() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| {
            let hashes = Hashes { kind: Kind::Sha512, to_curve: HashToCurve::ELLIGATOR2_SHORT };
            built_in(SuiteName::V1, hashes, Form::EDWARDS, V1)
        })
    }

    /// `Bandersnatch-SHA512-ELL2-v2`: as RFC 9380 has it.
    #[must_use]
    pub fn v2() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| {
            let hashes = Hashes { kind: Kind::Sha512, to_curve: HashToCurve::ELLIGATOR2 };
            built_in(SuiteName::V2, hashes, Form::EDWARDS, V2)
        })
    }

    /// `Bandersnatch-SHAKE128-ELL2-v1`.
    #[must_use]
    pub fn shake128() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| {
            let hashes = Hashes { kind: Kind::Shake128, to_curve: HashToCurve::ELLIGATOR2 };
            built_in(SuiteName::Shake128, hashes, Form::EDWARDS, SHAKE128)
        })
    }

    /// `Bandersnatch-SW-SHA512-TAI-v1`: points are written in short Weierstrass form, in 33 bytes, see [`Signature::encode_in`]. The time of
    /// [`Self::input`] depends on the message.
    ///
    /// [`Signature::encode_in`]: super::Signature::encode_in
    #[must_use]
    pub fn bandersnatch_sw() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| {
            let hashes = Hashes { kind: Kind::Sha512, to_curve: HashToCurve::TRY_AND_INCREMENT };
            built_in(SuiteName::BandersnatchSw, hashes, Form::WEIERSTRASS, WEIERSTRASS)
        })
    }

    /// `Bandersnatch_SHA-512_ELL2`, of ark-vrf 0.1: the signatures of JAM's test vectors.
    #[must_use]
    pub fn jam() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| {
            let hashes = Hashes { kind: Kind::Rfc9381, to_curve: HashToCurve::ELLIGATOR2_SHORT };
            built_in(SuiteName::Jam, hashes, Form::EDWARDS, JAM)
        })
    }
}

impl Suite<Jubjub> {
    /// `JubJub-SHA512-TAI-v1`, over Jubjub. The time of [`Self::input`] depends on the message.
    #[must_use]
    pub fn jubjub() -> &'static Self {
        static SUITE: Once<Suite<Jubjub>> = Once::new();
        SUITE.get(|| {
            let hashes = Hashes { kind: Kind::Sha512, to_curve: HashToCurve::TRY_AND_INCREMENT };
            built_in(SuiteName::Jubjub, hashes, Form::EDWARDS, JUBJUB)
        })
    }
}

impl<C: Embedded> Hashes<C> {
    /// A hash that has absorbed nothing.
    fn empty(&self) -> Hash {
        match self.kind {
            Kind::Shake128 => Hash::Shake128(Shake128::default()),
            Kind::Sha512 | Kind::Rfc9381 => Hash::Sha512(Sha512::default()),
        }
    }

    /// The hash of a message to the curve, for the suite with this identifier.
    pub(super) fn point(&self, id: &[u8], form: &Form<C>, message: &[u8]) -> Point<C> {
        let tag = match self.kind {
            Kind::Rfc9381 => [b"ECVRF_Bandersnatch_XMD:SHA-512_ELL2_RO_", id].concat(),
            Kind::Sha512 | Kind::Shake128 => [id, &[Purpose::Input as u8]].concat(),
        };
        self.to_curve.point(&self.empty(), form, message, &tag)
    }
}

impl<C: Embedded> Suite<C> {
    /// A suite of these parts, whose identifier is the label of the bases.
    pub(super) fn from_parts(
        name: Option<SuiteName>,
        hashes: Hashes<C>,
        form: Form<C>,
        bases: Bases<C>,
    ) -> Self {
        Self { name, hashes, form, bases }
    }

    /// The name; `None` for a suite that a user defined.
    #[must_use]
    pub fn name(&self) -> Option<SuiteName> {
        self.name
    }

    /// The bytes of the identifier: what hashes and transcripts begin with.
    #[must_use]
    pub fn id(&self) -> &[u8] {
        self.bases.label()
    }

    /// The points that a ring of this suite is made with.
    #[must_use]
    pub fn bases(&self) -> &Bases<C> {
        &self.bases
    }

    /// The generator of the keys.
    pub fn generator(&self) -> Point<C> {
        Point::<C>::generator()
    }

    /// The input of a message. Nobody knows its logarithm: that is why there is no other way to an [`Input`] of a stranger.
    ///
    /// # Errors
    /// If it is the identity, which no message will be found for.
    pub fn input(&self, message: &[u8]) -> Result<Input<C>, Invalid> {
        let point = self.hashes.point(self.id(), &self.form, message);
        if point.is_zero() { Err(Invalid("the input is the identity")) } else { Ok(Input(point)) }
    }

    /// The bytes of a point as this suite writes it.
    pub(crate) fn encode_point(&self, point: &Point<C>) -> Vec<u8> {
        (self.form.encode)(point)
    }

    /// That a challenge says how many pairs there are, as RFC 9381's does not: where the pairs end and the nonces begin.
    pub(super) fn takes_any_number_of_pairs(&self) -> bool {
        self.hashes.kind != Kind::Rfc9381
    }

    /// A hash that has absorbed the identifier.
    pub(super) fn hash(&self) -> Hash {
        let mut hash = self.hashes.empty();
        hash.absorb(self.id());
        hash
    }

    /// A hash that has absorbed the identifier and what it is for.
    pub(super) fn hash_for(&self, purpose: Purpose) -> Hash {
        let mut hash = self.hash();
        hash.absorb(&[purpose as u8]);
        hash
    }

    /// 32 bytes that an output stands for.
    pub(super) fn hash_output(&self, output: &Point<C>) -> [u8; 32] {
        let mut bytes = [0; 32];
        let point = self.encode_point(output);
        if self.hashes.kind == Kind::Rfc9381 {
            use sha2::Digest;
            let full = Sha512::digest([self.id(), &[3], &point, &[0]].concat());
            bytes.copy_from_slice(full.split_at(32).0);
        } else {
            let mut hash = self.hash_for(Purpose::Output);
            hash.absorb(&point);
            hash.squeeze(&mut bytes);
        }
        bytes
    }
}

impl<C: Embedded> Debug for Suite<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Hashes { kind, to_curve } = &self.hashes;
        let mut suite = f.debug_struct("Suite");
        suite.field("id", &format_args!("{self}")).field("hash", kind).field("to_curve", to_curve);
        suite.field("form", &self.form).field("bases", &self.bases).finish()
    }
}

fn built_in<C: Embedded>(name: SuiteName, hashes: Hashes<C>, form: Form<C>, points: Encoded) -> Suite<C> {
    let [blinding, seed, padding] = points.map(|text| {
        let bytes: [u8; 32] =
            core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal"));
        decode_on_curve(&bytes).expect("a point of the curve")
    });
    let bases = Bases::new(name.as_str().as_bytes(), blinding, seed, padding).expect("bases");
    Suite::from_parts(Some(name), hashes, form, bases)
}
