//! Integers in prime fields.

use field::{Bn254, Field, Goldilocks, KoalaBear, Mersenne61x2};
use iop::security::Policy;
use pcs::fields::Fields;
use pcs::pip::search::{Profile, SearchTarget, find};
use tenfold::AnyScheme;
use tenfold::any::Weights;
use tenfold::dataset::Base;

/// What a prover makes of integers of the range stands for these integers.
#[test]
fn every_integer_of_the_range_comes_back() {
    let fields = [Fields::KoalaBear5, Fields::Mersenne61x2, Fields::Goldilocks2, Fields::Bn254];
    for (base, fields) in Base::ALL.into_iter().zip(fields) {
        let params = find(&SearchTarget::new(fields, 4, 60, Profile::Fast)).unwrap();
        let scheme = AnyScheme::from_matrix(params, &Policy::at_least(0)).unwrap();
        assert_eq!(Base::from_data(scheme.summary().fields[0]), Some(base));
        let limit = base.limit();
        let integers = [0, 1, -1, 255, -256, 1 << 20, limit, -limit, limit - 1, limit / 3];
        let mut prover = scheme.prover();
        let entries = prover.integers(&mut integers.into_iter()).unwrap();
        let witness = prover.commit_as(entries, tenfold::any::Mode::Lean);
        let mut read = Vec::new();
        prover.each_entry(&witness, &mut |bytes| read.push(base.decode(bytes)));
        let padded = integers.into_iter().chain([0; 6]).map(Some).collect::<Vec<_>>();
        assert_eq!(read, padded, "{}", base.name());
        let width = base.raw_width() as u32;
        assert!(base.holds((1i128 << (8 * width)) - 1), "raw bytes always fit");
        assert!(prover.integers(&mut (0..17)).is_err(), "more than there are places");
        for beyond in [limit.checked_add(1), (-limit).checked_sub(1)].into_iter().flatten() {
            assert!(prover.integers(&mut [1, beyond].into_iter()).is_err(), "{}: {beyond}", base.name());
            let get = |i: usize| [1, beyond][i];
            let weights = Weights::Integers { count: 2, get: &get, scale: 0 };
            assert!(prover.weights(weights).is_err(), "{}: {beyond}", base.name());
        }
    }
}

#[test]
fn primes_are_those_of_the_fields() {
    fn minus_one<F: Field>(base: Base) {
        let mut bytes = vec![0; F::BYTES];
        (-F::ONE).write(&mut bytes);
        bytes.resize(32, 0);
        let half = |r: std::ops::Range<usize>| u128::from_le_bytes(bytes[r].try_into().unwrap());
        assert_eq!((half(16..32), half(0..16) + 1), base.prime(), "{}", base.name());
    }
    minus_one::<KoalaBear>(Base::KoalaBear);
    minus_one::<Goldilocks>(Base::Goldilocks);
    minus_one::<Mersenne61x2>(Base::Mersenne61);
    minus_one::<Bn254>(Base::Bn254);
}

#[test]
fn text_is_a_signed_decimal() {
    let bytes = (0xffff_ffff_0000_0001u64 - 1250).to_le_bytes();
    assert_eq!(Base::Goldilocks.text(&bytes, 2), "-12.50");
    assert_eq!(Base::Goldilocks.decode(&[0xff; 8]), None, "not canonical");
    assert_eq!(Base::Mersenne61.decode(&[0, 0, 0, 0, 0, 0, 0, 0, 1]), None, "not in the base field");
}

#[test]
fn fields_have_the_names_of_their_types() {
    let names = [KoalaBear::NAME, Mersenne61x2::NAME, Goldilocks::NAME, Bn254::NAME];
    assert_eq!(names.map(Base::from_data), Base::ALL.map(Some));
    assert_eq!(
        [KoalaBear::BYTES, Mersenne61x2::BYTES, Goldilocks::BYTES, Bn254::BYTES],
        Base::ALL.map(Base::bytes)
    );
    assert_eq!(Base::from_data(field::Tower64::NAME), None);
}
