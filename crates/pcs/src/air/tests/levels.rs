//! The named levels and the published parameters: what they prove.

use super::*;
use crate::air::search::find;
use iop::security::Theorems;

#[test]
fn levels_prove_their_bits() {
    for level in Level::ALL {
        for log_size in [8, 12, 16] {
            let params = find(&level.wanted(log_size)).unwrap();
            let report = level.check(&params, Theorems::DEFAULT).unwrap();
            assert!(report.proven_bits() >= f64::from(level.bits()), "{level:?} {log_size}");
            assert_eq!(params.scheme(), SchemeId::Air);
            assert_eq!(Level::from_name(level.name()), Some(level));
        }
    }
    assert_eq!(Level::from_name("l2"), None);
}

#[test]
fn a_level_is_its_field_hash_and_bits() {
    let params = find(&Level::L3.wanted(10)).unwrap();
    let refused = |edit: fn(&mut Params), reason: &str| {
        let mut other = params.clone();
        edit(&mut other);
        let error = Level::L3.check(&other, Theorems::DEFAULT).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} is not about {reason}");
    };
    refused(|p| p.fields = Fields::Gf320, "other fields");
    refused(|p| p.hash = Hash::Sha3_256, "another width");
    refused(|p| p.level.queries /= 2, "below the required 192");
}

/// As many fibres as a permutation absorbs: two of pairs of elements of 24 or 32 bytes, one of longer ones.
#[test]
fn published_leaves_fill_a_permutation() {
    for (level, fold, expected) in [
        (Level::L1, 1, 1),
        (Level::L3, 1, 1),
        (Level::L5, 1, 0),
        (Level::L1, 3, 0),
        (Level::L3, 4, 0),
        (Level::L5, 40, 0),
        // Positions whose bytes no number of 64 bits counts.
        (Level::L3, 59, 0),
        (Level::L1, 61, 0),
        (Level::L1, 64, 0),
    ] {
        assert_eq!(level.published(12, fold).log_leaf_fibres, expected, "{level:?} by 2^{fold}");
    }
}

/// 14 queries at rate 1/32 prove 13 bits in unique decoding, and are refused by default.
#[test]
fn the_published_parameters_prove_little() {
    for level in Level::ALL {
        let params = level.published(12, 1);
        let report = params.report();
        let bits = report.proven_bits();
        assert!((13.0..13.5).contains(&bits), "{bits}");
        assert!(params.validate(&ANY).is_ok());
        let refused = params.validate(&Policy::at_least(128)).unwrap_err().to_string();
        assert!(refused.contains("below the required 128"), "{refused}");
        let johnson = Params { regime: Regime::Johnson { multiplicity: 100 }, ..params };
        let bits = johnson.report().proven_bits();
        assert!((34.0..35.0).contains(&bits), "{bits}");
    }
}

/// Predicted lengths are those of proofs.
#[test]
fn sizes_are_as_predicted() {
    // What is predicted depends on the fields by their lengths alone.
    let found = [Level::L1, Level::L5]
        .map(|level| Params { fields: Fields::Gf192, ..find(&level.wanted(9)).unwrap() });
    for params in found.into_iter().chain([Level::L1.published(9, 1)]) {
        let scheme = Scheme::<Tower64, Gf192>::new(params.clone(), &ANY).unwrap();
        let scripts: Vec<_> = (0..4u64)
            .map(|i| {
                let form = TensorForm::point(&elements::<Gf192>(9, i));
                let (commitment, claims, proof) = opened(&scheme, vec![form]);
                scheme.script(&commitment, &claims, &proof).unwrap()
            })
            .collect();
        params.size(1).check(&scripts, 5.0);
    }
}
