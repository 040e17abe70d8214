use super::Invalid;
use super::bls12_381::{Engine, G1, G2};
use ark_ec::AffineRepr;
use ark_ec::pairing::Pairing;
#[derive(Clone, Debug)]
pub struct Pair([<Engine as Pairing>::G2Prepared; 2]);
impl Pair {
    pub fn new(q: &G2, s: &G2) -> Result<Self, Invalid> {
        if q.is_zero() || s.is_zero() {
            return Err(Invalid("a pairing with the identity says nothing"));
        }
        Ok(Self([(*q).into(), (*s).into()]))
    }
    pub fn is_one(&self, a: &G1, b: &G1) -> bool {
        use ark_ff::One;
        Engine::multi_pairing([*a, *b], self.0.clone()).0.is_one()
    }
}
