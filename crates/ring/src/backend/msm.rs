use super::bls12_381::{Fr, G1, G1Projective};
use ark_ec::VariableBaseMSM;
#[derive(Clone)]
pub struct FixedBase(Vec<G1>);
impl FixedBase {
    pub fn new(points: &[G1]) -> Self {
        Self(points.to_vec())
    }
    pub fn sum(&self, scalars: &[Fr]) -> G1Projective {
        sum(&self.0[..scalars.len()], scalars)
    }
}
pub fn sum(points: &[G1], scalars: &[Fr]) -> G1Projective {
    G1Projective::msm_unchecked(points, scalars)
}
