use super::Invalid;
pub use ark_bls12_381::{
    Bls12_381 as Engine, Fq, Fq2, Fr, G1Affine as G1, G1Projective, G2Affine as G2, G2Projective,
};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
pub fn encode_fr(x: &Fr) -> [u8; 32] {
    encode(x, true)
}
pub fn decode_fr(bytes: &[u8; 32]) -> Result<Fr, Invalid> {
    Fr::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("a scalar that is not reduced"))
}
pub fn encode_g1(p: &G1) -> [u8; 48] {
    encode(p, true)
}
pub fn encode_g2(p: &G2) -> [u8; 96] {
    encode(p, true)
}
pub fn encode_g1_uncompressed(p: &G1) -> [u8; 96] {
    encode(p, false)
}
pub fn encode_g2_uncompressed(p: &G2) -> [u8; 192] {
    encode(p, false)
}
pub fn decode_g1(bytes: &[u8; 48]) -> Result<G1, Invalid> {
    let p = G1::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("no point of the subgroup"))?;
    if encode_g1(&p) == *bytes { Ok(p) } else { Err(Invalid("not the encoding of its value")) }
}
pub fn decode_g2(bytes: &[u8; 96]) -> Result<G2, Invalid> {
    let p = G2::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("no point of the subgroup"))?;
    if encode_g2(&p) == *bytes { Ok(p) } else { Err(Invalid("not the encoding of its value")) }
}
pub(crate) fn encode<const N: usize>(value: &impl CanonicalSerialize, compressed: bool) -> [u8; N] {
    let mut bytes = [0; N];
    if compressed {
        value.serialize_compressed(&mut bytes[..])
    } else {
        value.serialize_uncompressed(&mut bytes[..])
    }
    .expect("a buffer of the right length");
    bytes
}
