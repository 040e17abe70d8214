//! The container is exact.

use super::*;
use field::Goldilocks2;
use proptest::prelude::*;

fn file() -> File<'static> {
    File {
        kind: Kind::Opening,
        scheme: SchemeId::Pip,
        params: vec![1, 2, 3],
        params_digest: [4; 32],
        statement: [5; 32],
        body: vec![6; 10].into(),
    }
}

fn opening() -> Opening<'static, Goldilocks2> {
    let forms = vec![TensorForm::index(3, 4), TensorForm::sum(4)];
    let values = vec![vec![Goldilocks2::ONE], vec![Goldilocks2::from_u64(9)]];
    let claims = Claims { forms, values, context: b"label".to_vec() };
    Opening { commitment: vec![7; 32], claims, proof: vec![8; 100].into() }
}

#[test]
fn round_trip_and_every_truncation() {
    let bytes = file().encode();
    assert_eq!(File::decode(&bytes), Ok(file()));
    (0..bytes.len()).for_each(|n| assert!(File::decode(&bytes[..n]).is_err()));
    let body = opening().encode();
    assert_eq!(Opening::decode(&body), Ok(opening()));
    (0..body.len()).for_each(|n| assert!(Opening::<Goldilocks2>::decode(&body[..n]).is_err()));
}

#[test]
fn every_kind_of_every_scheme_is_read() {
    for kind in [Kind::Commitment, Kind::Opening, Kind::Weighted, Kind::Product, Kind::Members, Kind::Key] {
        for scheme in [SchemeId::Pip, SchemeId::DeepFold, SchemeId::Ligerito, SchemeId::Ring, SchemeId::Air] {
            let written = File { kind, scheme, ..file() };
            assert_eq!(File::decode(&written.encode()), Ok(written));
        }
    }
}

#[test]
fn each_fault_has_its_error() {
    let edit = |f: fn(&mut Vec<u8>)| {
        let mut bytes = file().encode();
        f(&mut bytes);
        File::decode(&bytes).unwrap_err()
    };
    assert_eq!(edit(|b| b[0] = b'X'), FileError::Magic);
    assert_eq!(edit(|b| b[4] = 2), FileError::Version(2));
    assert_eq!(edit(|b| b[6] = 9), FileError::Unknown("kind"));
    assert_eq!(edit(|b| b[7] = 9), FileError::Unknown("scheme"));
    assert_eq!(edit(|b| b.push(0)), FileError::Trailing);
    assert_eq!(edit(|b| b[8..16].copy_from_slice(&(1u64 << 60).to_le_bytes())), FileError::Short);
}

#[test]
fn counts_beyond_the_bytes_are_refused_before_allocation() {
    for at in [0, 4, 8] {
        let mut bytes = opening().claims.encode();
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Claims::<Goldilocks2>::decode(&bytes).is_err());
        bytes[at..at + 4].copy_from_slice(&0u32.to_le_bytes());
        assert!(Claims::<Goldilocks2>::decode(&bytes).is_err());
    }
}

/// Counts of nothing say nothing of the other counts, so they would have many encodings.
#[test]
fn lists_of_nothing_are_refused() {
    for (forms, polynomials) in [(0u32, 1u32), (0, 7), (1, 0), (0, 0)] {
        let mut w = Writer::new();
        [forms, 0, polynomials].iter().for_each(|&n| w.u32(n));
        (0..forms * polynomials).for_each(|_| w.bytes(&[0; Goldilocks2::BYTES]));
        w.sized(b"");
        let refused = Err(FileError::Malformed("list of claims"));
        assert_eq!(Claims::<Goldilocks2>::decode(&w.finish()), refused, "{forms} {polynomials}");
    }
}

proptest! {
    #[test]
    fn what_is_read_has_one_encoding(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(file) = File::decode(&bytes) {
            prop_assert_eq!(file.encode(), bytes.clone());
        }
        if let Ok(claims) = Claims::<Goldilocks2>::decode(&bytes) {
            prop_assert_eq!(claims.encode(), bytes);
        }
    }
}
