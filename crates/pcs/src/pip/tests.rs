//! Tests of the scheme.
use super::*;
use crate::fields::Fields;
use field::{ExtensionOf, Field, TwoAdic};
use iop::hash::Hash;
use iop::poly::Tensor;
use iop::security::{Policy, Regime};

fn small(fields: Fields, hidden_openings: u32, regime: Regime) -> Params {
    Params {
        fields,
        hash: Hash::Blake3,
        regime,
        log_size: 12,
        polynomials: 1,
        max_forms: 8,
        hidden_openings,
        level: Level { log_columns: 4, log_inv_rate: 2, queries: 20, grinding: 4 },
        inner: Inner::Recursion(vec![
            Level { log_columns: 2, log_inv_rate: 3, queries: 10, grinding: 0 },
            Level { log_columns: 2, log_inv_rate: 4, queries: 8, grinding: 2 },
        ]),
    }
}

fn entries<B: Field>(n: usize) -> Vec<B> {
    (0..n as u64).map(|i| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20)).collect()
}

fn roundtrip<B: TwoAdic, E: ExtensionOf<B>>(params: Params) {
    let scheme = Scheme::<B, E>::new(params.clone(), &Policy { min_bits: 0 }).unwrap();
    let mut prover = Prover::new(&scheme);
    let data: Vec<B> = entries(1 << params.log_size);
    let mut witness = prover.commit(data.clone());
    let forms = vec![Tensor::index(77, params.log_size as usize)];
    let (claims, proof) = prover.open(&mut witness, forms, b"label");
    assert_eq!(claims.values[0][0], E::lift(data[77]));
    scheme.verify(witness.commitment(), &claims, &proof).unwrap();
    println!("{} bytes", proof.len());
}

#[test]
fn opens_an_entry() {
    use field::*;
    roundtrip::<Goldilocks, Goldilocks3>(small(Fields::Goldilocks3, 0, Regime::UniqueDecoding));
    roundtrip::<KoalaBear, KoalaBear5>(small(Fields::KoalaBear5, 0, Regime::Johnson { multiplicity: 8 }));
    roundtrip::<Goldilocks, Goldilocks2>(small(Fields::Goldilocks2, 1, Regime::UniqueDecoding));
}
