//! Suites: the constants that signers and verifiers share.

use alloc::vec::Vec;

use sha2::Sha512;
use shake::Shake128;

use curve::AffineRepr;
use curve::bandersnatch::{Bandersnatch, weierstrass};
use curve::embedded::{self, Embedded, Point, decode_on_curve};
use curve::jubjub::Jubjub;

use super::form::Form;
use super::hash::{self, Hash, ToCurve};
use super::{Input, Output, SuiteName};
use crate::{Bases, Invalid};
use field::Once;

/// A suite. Signatures of one are nothing to another.
#[derive(Clone, Debug)]
pub struct Suite<C: Embedded = Bandersnatch> {
    name: SuiteName,
    pub(crate) kind: Kind,
    to_curve: ToCurve<C>,
    pub(crate) form: Form<C>,
    bases: Bases<C>,
}

/// Which hash makes challenges, and in which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sha512,
    Shake128,
    /// RFC 9381's challenge, of the signatures of ark-vrf 0.1.
    Rfc9381,
}

impl<C: Embedded> PartialEq for Suite<C> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<C: Embedded> Eq for Suite<C> {}

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
        SUITE.get(|| build(SuiteName::V1, Kind::Sha512, (hash::elligator_xmd_short, Form::EDWARDS), V1))
    }

    /// `Bandersnatch-SHA512-ELL2-v2`: as RFC 9380 has it.
    #[must_use]
    pub fn v2() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| build(SuiteName::V2, Kind::Sha512, (hash::elligator_xmd, Form::EDWARDS), V2))
    }

    /// `Bandersnatch-SHAKE128-ELL2-v1`.
    #[must_use]
    pub fn shake128() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| {
            build(SuiteName::Shake128, Kind::Shake128, (hash::elligator_xof, Form::EDWARDS), SHAKE128)
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
            let point = |message: &[u8], tag: &[u8]| hash::increment(message, tag, weierstrass::candidate);
            build(SuiteName::BandersnatchSw, Kind::Sha512, (point, Form::WEIERSTRASS), WEIERSTRASS)
        })
    }

    /// `Bandersnatch_SHA-512_ELL2`, of ark-vrf 0.1: the signatures of JAM's test vectors.
    #[must_use]
    pub fn jam() -> &'static Self {
        static SUITE: Once<Suite> = Once::new();
        SUITE.get(|| build(SuiteName::Jam, Kind::Rfc9381, (hash::elligator_xmd_short, Form::EDWARDS), JAM))
    }
}

impl Suite<Jubjub> {
    /// `JubJub-SHA512-TAI-v1`, over Jubjub. The time of [`Self::input`] depends on the message.
    #[must_use]
    pub fn jubjub() -> &'static Self {
        static SUITE: Once<Suite<Jubjub>> = Once::new();
        SUITE.get(|| {
            let point = |message: &[u8], tag: &[u8]| hash::increment(message, tag, embedded::candidate);
            build(SuiteName::Jubjub, Kind::Sha512, (point, Form::EDWARDS), JUBJUB)
        })
    }
}

impl<C: Embedded> Suite<C> {
    /// The name.
    #[must_use]
    pub fn name(&self) -> SuiteName {
        self.name
    }

    /// The bytes of the name: what hashes and transcripts begin with.
    #[must_use]
    pub fn id(&self) -> &'static [u8] {
        self.name.as_str().as_bytes()
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
        const HASH_TO_CURVE: u8 = 0x60;
        let tag = match self.kind {
            Kind::Rfc9381 => [b"ECVRF_Bandersnatch_XMD:SHA-512_ELL2_RO_", self.id()].concat(),
            Kind::Sha512 | Kind::Shake128 => [self.id(), &[HASH_TO_CURVE]].concat(),
        };
        let point = (self.to_curve)(message, &tag);
        if point.is_zero() { Err(Invalid("the input is the identity")) } else { Ok(Input(point)) }
    }

    /// The bytes of a point as this suite writes it.
    pub(crate) fn encode_point(&self, point: &Point<C>) -> Vec<u8> {
        (self.form.encode)(point)
    }

    /// Whether so many pairs can be proven together. RFC 9381's challenge does not say where the pairs end and the nonces begin.
    pub(crate) fn takes(&self, pairs: &[(Input<C>, Output<C>)]) -> bool {
        self.kind != Kind::Rfc9381 || pairs.len() == 1
    }

    /// A hash that has absorbed the name.
    pub(crate) fn hash(&self) -> Hash {
        let mut hash = match self.kind {
            Kind::Shake128 => Hash::Shake128(Shake128::default()),
            Kind::Sha512 | Kind::Rfc9381 => Hash::Sha512(Sha512::default()),
        };
        hash.absorb(self.id());
        hash
    }

    /// 32 bytes that an output stands for.
    pub(crate) fn hash_output(&self, output: &Point<C>) -> [u8; 32] {
        const POINT_TO_HASH: u8 = 0x20;
        let mut hash = self.hash();
        let mut bytes = [0; 32];
        let point = self.encode_point(output);
        match (self.kind, hash.clone()) {
            (Kind::Rfc9381, Hash::Sha512(inner)) => {
                use sha2::Digest;
                let full = inner.chain_update([3]).chain_update(point).chain_update([0]).finalize();
                bytes.copy_from_slice(full.split_at(32).0);
            }
            _ => {
                hash.absorb(&[POINT_TO_HASH]);
                hash.absorb(&point);
                hash.squeeze(&mut bytes);
            }
        }
        bytes
    }
}

fn build<C: Embedded>(
    name: SuiteName,
    kind: Kind,
    (to_curve, form): (ToCurve<C>, Form<C>),
    points: Encoded,
) -> Suite<C> {
    let [blinding, seed, padding] = points.map(|text| {
        let bytes: [u8; 32] =
            core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal"));
        decode_on_curve(&bytes).expect("a point of the curve")
    });
    let bases = Bases::new(name.as_str().as_bytes(), blinding, seed, padding).expect("bases");
    Suite { name, kind, to_curve, form, bases }
}
