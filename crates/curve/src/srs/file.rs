//! arkworks' `URS`, uncompressed: a 64-bit little-endian count and so many points of the first group, then the same of the second.

use field::parallel;

use super::Srs;
use crate::Invalid;
use crate::bls12_381::{self, Fq, G1, G2};
use ark_ff::{BigInt, PrimeField};
use ark_serialize::CanonicalDeserialize;

const LENGTH: Invalid = Invalid("a setup of another length than it says");

/// The points of a file. Those of a file that is known by its digest are taken as they are.
pub(super) fn read(bytes: &[u8], check: bool) -> Result<Srs, Invalid> {
    let (powers, [first, second]) = parts(bytes)?;
    let known = |_| Invalid("no point of the curve");
    let g1 = |bytes: &[u8; 96]| -> Result<G1, Invalid> {
        if check {
            bls12_381::decode_g1_uncompressed(bytes)
        } else if let Some(point) = plain(bytes) {
            Ok(point)
        } else {
            G1::deserialize_uncompressed_unchecked(&bytes[..]).map_err(known)
        }
    };
    let g2 = |bytes: &[u8; 192]| -> Result<G2, Invalid> {
        if check {
            bls12_381::decode_g2_uncompressed(bytes)
        } else {
            G2::deserialize_uncompressed_unchecked(&bytes[..]).map_err(known)
        }
    };
    let powers = if check {
        parallel::map(powers.iter(), g1).into_iter().collect::<Result<_, _>>()?
    } else {
        powers.iter().map(g1).collect::<Result<_, _>>()?
    };
    Ok(Srs { powers, g2: [g2(first)?, g2(second)?], digest: *blake3::hash(bytes).as_bytes() })
}

/// A file of the first two powers of this one.
pub(super) fn start(bytes: &[u8]) -> Result<Vec<u8>, Invalid> {
    let (powers, g2) = parts(bytes)?;
    let two = &2_u64.to_le_bytes()[..];
    Ok([two, powers[..2].as_flattened(), two, g2.as_flattened()].concat())
}

/// The encodings of the powers, at least two, and of the two points of the second group.
type Parts<'a> = (&'a [[u8; 96]], &'a [[u8; 192]; 2]);

fn parts(bytes: &[u8]) -> Result<Parts<'_>, Invalid> {
    let (powers, rest) = points::<96>(bytes)?;
    let (g2, rest) = points::<192>(rest)?;
    let (Ok(g2), true) = (g2.try_into(), rest.is_empty()) else {
        return Err(LENGTH);
    };
    if powers.len() < 2 {
        return Err(Invalid("a setup of less than two powers"));
    }
    Ok((powers, g2))
}

/// The point of two reduced numbers without flags, in half of the time that arkworks takes.
pub(super) fn plain(bytes: &[u8; 96]) -> Option<G1> {
    let number = |bytes: &[u8]| {
        let mut words = [0; 6];
        for (word, bytes) in words.iter_mut().rev().zip(bytes.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        Fq::from_bigint(BigInt(words))
    };
    let (x, y) = bytes.split_at(48);
    Some(G1::new_unchecked(number(x)?, number(y)?))
}

/// A count and so many pieces of `N` bytes, and what is behind them.
fn points<const N: usize>(bytes: &[u8]) -> Result<(&[[u8; N]], &[u8]), Invalid> {
    let (count, rest) = bytes.split_first_chunk::<8>().ok_or(LENGTH)?;
    let pieces = rest.as_chunks::<N>().0;
    let count = usize::try_from(u64::from_le_bytes(*count)).map_err(|_| LENGTH)?;
    let pieces = pieces.get(..count).ok_or(LENGTH)?;
    Ok((pieces, &rest[count * N..]))
}

pub(super) fn write(srs: &Srs) -> Vec<u8> {
    let mut bytes = (srs.powers.len() as u64).to_le_bytes().to_vec();
    srs.powers.iter().for_each(|p| bytes.extend(bls12_381::encode_g1_uncompressed(p)));
    bytes.extend(2_u64.to_le_bytes());
    srs.g2.iter().for_each(|p| bytes.extend(bls12_381::encode_g2_uncompressed(p)));
    bytes
}
