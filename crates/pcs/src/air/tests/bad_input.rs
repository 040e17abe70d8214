//! Bad input: other counts of coordinates, points that are none of the code's, parameters of another level, digests of another width.

use super::*;
use iop::error::Invalid;

type L3 = Scheme<Tower64, Gf192>;

fn scheme(hash: Hash) -> L3 {
    L3::new(Params { hash, ..small(Fields::Gf192, 0, JOHNSON) }, &ANY).unwrap()
}

/// A commitment is an element for each polynomial, a claim a value for each; one coordinate less or more is another file.
#[test]
fn other_counts_of_coordinates_are_refused() {
    let scheme = scheme(Hash::Sha3_512);
    let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(8))]);
    let bytes = commitment.to_bytes();
    for length in [bytes.len() - 8, bytes.len() - 1, bytes.len() + 8] {
        let mut other = bytes.clone();
        other.resize(length, 0);
        assert!(scheme.read_commitment(&other).is_err(), "{length} bytes");
    }
    let refused = |edit: fn(&mut Claims<Gf192>)| {
        let mut other = claims.clone();
        edit(&mut other);
        assert!(scheme.verify(&commitment, &other, &proof).is_err(), "{other:?}");
    };
    refused(|claims| claims.values[0].push(Gf192::ZERO));
    refused(|claims| claims.values[0].clear());
    refused(|claims| claims.forms[0] = TensorForm::point(&point(7)));
    refused(|claims| claims.forms[0] = TensorForm::point(&point(9)));
    let none = Commitment { out_of_domain: Vec::new(), ..commitment.clone() };
    assert!(scheme.verify(&none, &claims, &proof).is_err(), "no value outside of the domain");
}

#[test]
#[should_panic(expected = "length of a polynomial")]
fn an_element_that_lacks_a_coordinate_is_not_committed_to() {
    let scheme = scheme(Hash::Sha3_512);
    let entries: Vec<Tower64> = entries(scheme.params());
    Prover::new(&scheme).commit_batch(&[&entries[1..]]);
}

/// The points of a code are those of an affine subspace, which parameters name by its dimension alone: sums of three are points again, sums
/// of two are none.
#[test]
fn domains_are_affine_subspaces() {
    let (log_domain, n) = (6, 64);
    let points: Vec<Tower64> = (0..n).map(|i| Tower64::factor(Tower64::point(log_domain, i))).collect();
    for i in 0..n {
        assert!(!points.contains(&(points[i] + points[(i + 5) % n])));
        assert!(points.contains(&(points[i] + points[(7 * i) % n] + points[(i + 31) % n])));
    }
}

/// A proof is one of its parameters alone: of another level with as many bytes it does not hold.
#[test]
fn proofs_of_other_parameters_are_refused() {
    let scheme = scheme(Hash::Sha3_512);
    let (commitment, claims, proof) = opened(&scheme, vec![TensorForm::point(&point(8))]);
    let other = |edit: fn(&mut Params)| {
        let mut params = scheme.params().clone();
        edit(&mut params);
        L3::new(params, &ANY).unwrap().verify(&commitment, &claims, &proof)
    };
    assert_eq!(other(|_| ()), Ok(()));
    assert!(other(|p| p.level.log_inv_rate += 1).is_err());
    assert!(other(|p| p.regime = Regime::Johnson { multiplicity: 9 }).is_err());
    assert!(other(|p| p.inner = Inner::Chain(vec![2, 2, 2])).is_err());
    assert!(other(|p| p.max_forms += 1).is_err(), "equal but for the digest");
    let error = Scheme::<Tower64, field::Gf320>::new(scheme.params().clone(), &ANY).unwrap_err().to_string();
    assert!(error.contains("other fields"), "{error}");
}

#[test]
fn digests_of_another_width_are_refused() {
    let wide = scheme(Hash::Sha3_512);
    let (commitment, claims, proof) = opened(&wide, vec![TensorForm::point(&point(8))]);
    for hash in [Hash::Sha3_384, Hash::Sha3_256, Hash::Blake3] {
        let narrow = scheme(hash);
        assert!(narrow.read_commitment(&commitment.to_bytes()).is_err(), "{hash:?}");
        assert!(narrow.verify(&commitment, &claims, &proof).is_err(), "{hash:?}");
        let (of_narrow, ..) = opened(&narrow, vec![TensorForm::point(&point(8))]);
        let width: Result<_, Invalid> = wide.read_commitment(&of_narrow.to_bytes());
        assert!(width.is_err(), "{hash:?}");
    }
}
