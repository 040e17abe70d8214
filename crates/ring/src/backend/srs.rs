use super::Invalid;
use super::bls12_381::{Fr, G1, G1Projective, G2};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup, ScalarMul};
use ark_ff::One;
use ark_serialize::CanonicalDeserialize;
pub struct Srs {
    powers: Vec<G1>,
    g2: [G2; 2],
}
impl Srs {
    pub fn read_unchecked(bytes: &[u8]) -> Self {
        let powers = Vec::<G1>::deserialize_uncompressed_unchecked(&bytes[..8 + 6145 * 96]).unwrap();
        let g2 = Vec::<G2>::deserialize_uncompressed_unchecked(&bytes[8 + 6145 * 96..]).unwrap();
        Self { powers, g2: [g2[0], g2[1]] }
    }
    pub fn insecure_from_tau(tau: Fr, count: usize) -> Self {
        let scalars: Vec<Fr> =
            core::iter::successors(Some(Fr::one()), |power| Some(*power * tau)).take(count).collect();
        let powers = G1Projective::generator().batch_mul(&scalars);
        let g2 = G2::generator();
        Self { powers, g2: [g2, (g2 * tau).into_affine()] }
    }
    pub fn powers(&self, count: usize) -> Option<&[G1]> {
        self.powers.get(..count)
    }
    pub fn g2(&self) -> &[G2; 2] {
        &self.g2
    }
    pub fn lagrange(&self, n: usize) -> Option<Vec<G1>> {
        use ark_ff::{FftField, Field};
        let powers = self.powers(n)?;
        let w = Fr::get_root_of_unity(n as u64)?.inverse()?;
        let mut p: Vec<G1Projective> = powers.iter().map(|p| (*p).into()).collect();
        fft(&mut p, w);
        let inv = Fr::from(n as u64).inverse()?;
        p.iter_mut().for_each(|x| *x *= inv);
        Some(G1Projective::normalize_batch(&p))
    }
    pub fn len(&self) -> usize {
        self.powers.len()
    }
}
fn fft(p: &mut Vec<G1Projective>, w: Fr) {
    let n = p.len();
    if n == 1 {
        return;
    }
    let mut even: Vec<_> = p.iter().step_by(2).copied().collect();
    let mut odd: Vec<_> = p.iter().skip(1).step_by(2).copied().collect();
    fft(&mut even, w * w);
    fft(&mut odd, w * w);
    let mut t = Fr::one();
    for i in 0..n / 2 {
        let o = odd[i] * t;
        p[i] = even[i] + o;
        p[i + n / 2] = even[i] - o;
        t *= w;
    }
}
#[allow(unused)]
fn unused(_: Invalid) {}
