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

/// Parameters of a file are attacker's bytes: numbers in and out of all ranges, some at a time, for every scheme over matrices, are validated without a panic.
#[test]
fn numbers_out_of_all_ranges_are_refused_without_a_panic() {
    const NUMBERS: [u32; 16] =
        [0, 1, 2, 4, 5, 8, 16, 31, 32, 33, 63, 64, 256, 1 << 16, u32::MAX - 1, u32::MAX];
    let mut state = 1u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n
    };
    let (mut valid, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let fields = [Fields::Gf192, Fields::Gf128, Fields::Gf320, Fields::Goldilocks2][below(4)];
        let mut p = small(fields, below(2) as u32, Regime::UniqueDecoding);
        (p.log_size, p.log_leaf_fibres) = (below(12) as u32, below(4) as u32 / 3);
        p.inner = Inner::Chain((0..below(4)).map(|_| below(5) as u32).collect());
        for _ in 0..below(4) {
            let number = NUMBERS[below(NUMBERS.len())];
            match (below(13), &mut p.inner) {
                (0, _) => p.log_size = number,
                (1, _) => p.polynomials = number,
                (2, _) => p.max_forms = number,
                (3, _) => p.hidden_openings = number,
                (4, _) => p.log_parts = number,
                (5, _) => p.log_leaf_fibres = number,
                (6, _) => p.level.log_columns = number,
                (7, _) => p.level.log_inv_rate = number,
                (8, _) => p.level.queries = number,
                (9, _) => p.level.grinding = number,
                (10, inner) => *inner = Inner::Recursion(vec![p.level]),
                (11, Inner::Chain(steps)) => steps.push(number),
                (_, Inner::Chain(steps)) => steps.insert(0, number),
                (_, Inner::Recursion(levels)) => levels.push(RoundParams { queries: number, ..p.level }),
                (_, Inner::TwoChains) => {}
            }
        }
        let read = Params::decode(p.scheme(), &p.encode()).unwrap_or(p);
        match read.validate(&ANY) {
            Ok(_) => valid += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(valid > 500 && refused > 5_000, "{valid} valid, {refused} refused");
}

/// Leaves of several fibres are those of binary fields, and count as what they are in the work of a verifier.
#[test]
fn leaves_of_several_fibres_are_bounded() {
    let prime = Params {
        log_leaf_fibres: 1,
        entries: Entries::Whole,
        ..small(Fields::Goldilocks2, 0, Regime::UniqueDecoding)
    };
    let error = prime.validate(&ANY).unwrap_err().to_string();
    assert!(error.contains("over binary fields only"), "{error}");
    let of = |polynomials: u32, log_leaf_fibres: u32| {
        let inner = Inner::Chain(vec![0, 1]);
        let mut params =
            Params { polynomials, log_leaf_fibres, inner, ..small(Fields::Gf192, 0, Regime::UniqueDecoding) };
        params.level.queries = 1 << 12;
        params
    };
    assert_eq!(of(1, 3).opened_rows(), 8 << 12);
    // Rows of 3 * 600, 3 * 682 and 3 * 700 elements, of which 2^26 may be opened; the second's word adds leaves of sixteen elements of three, two would fit.
    assert!(of(600, 3).validate(&ANY).is_ok());
    for polynomials in [682, 700] {
        assert!(of(polynomials, 0).validate(&ANY).is_ok());
        let error = of(polynomials, 3).validate(&ANY).unwrap_err().to_string();
        assert!(error.contains("more than 2^26 elements"), "{error}");
    }
}
