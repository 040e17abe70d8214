use super::Invalid;
use super::bls12_381::encode;
use ark_ec::AdditiveGroup;
use ark_ec::CurveGroup;
pub use ark_ed_on_bls12_381_bandersnatch::{
    BandersnatchConfig as Config, EdwardsAffine as Point, EdwardsProjective as Projective, Fq, Fr,
};
use ark_serialize::CanonicalDeserialize;
pub fn encode_point(p: &Point) -> [u8; 32] {
    encode(p, true)
}
pub fn decode_point(bytes: &[u8; 32]) -> Result<Point, Invalid> {
    let p = Point::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("no point of the subgroup"))?;
    if encode_point(&p) == *bytes { Ok(p) } else { Err(Invalid("not the encoding of its value")) }
}
pub fn encode_fr(x: &Fr) -> [u8; 32] {
    encode(x, true)
}
pub fn decode_fr(bytes: &[u8; 32]) -> Result<Fr, Invalid> {
    Fr::deserialize_compressed(&bytes[..]).map_err(|_| Invalid("a scalar that is not reduced"))
}
pub fn doublings(h: &Point, count: usize) -> Vec<Point> {
    let all: Vec<_> =
        core::iter::successors(Some(Projective::from(*h)), |p| Some(p.double())).take(count).collect();
    Projective::normalize_batch(&all)
}
