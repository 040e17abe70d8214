//! Collisions of the hash beside the errors of the protocol.

use super::*;
use crate::hash::Hash;

/// Collisions are a line of their own beside the errors of the protocol, and their sum is a third.
#[test]
fn collisions_stand_beside_the_union() {
    let mut report = Report::new(Regime::UniqueDecoding, 254.0);
    let collisions = report.collision_bits();
    // 3(T² + 1)/2^256 at T = 2^127.2 is 1.
    assert!(near(2.0 * collisions + 3f64.log2(), 256.0));
    report.push(term(collisions, 0));
    assert!(near(report.combined_bits(), collisions - 1.0));
    report.terms = vec![term(200.0, 0), term(90.0, 60)];
    let union = 150.0 - (1.0 + (-50f64).exp2()).log2();
    assert!(near(report.proven_bits(), union) && report.combined_bits() < collisions);
    assert!(Policy::at_least(128).check(&report).is_ok());
    let message = Policy::at_least(129).check(&report).unwrap_err().to_string();
    assert!(
        message.contains("129") && message.contains("128") && message.contains("collisions"),
        "{message}"
    );
    let json = report.to_json();
    assert!(json.contains("\"proven_bits\":150.000,"), "{json}");
    assert!(json.contains("\"collision_bits\":127.207,\"combined_bits\":127.207,"), "{json}");
    assert!(report.to_string().contains("collisions of the hash:           127.20"), "{report}");
}

/// The level that a policy may ask for follows the width of the digests, and no policy reads more into a narrow hash.
#[test]
fn wide_digests_carry_higher_levels() {
    let mut report = Report::new(Regime::UniqueDecoding, 320.0);
    report.push(term(290.0, 0));
    for hash in Hash::ALL {
        let report = report.clone().hashed_by(hash);
        let level = 4 * hash.bytes() as u32;
        assert_eq!(report.max_level(), level);
        assert!(near(2.0 * report.collision_bits() + 3f64.log2(), f64::from(2 * level)), "{hash:?}");
        assert!(near(report.combined_bits(), report.collision_bits()), "{hash:?}");
        assert_eq!(Policy::at_least(level).check(&report).unwrap().digest_bits, 2 * level);
        let message = Policy::at_least(level + 1).check(&report).unwrap_err().to_string();
        let words =
            format!("no parameters prove more than the {level} of the level that a {}-bit hash", 2 * level);
        assert!(message.contains(&words), "{message}");
    }
    let shown = report.hashed_by(Hash::Sha3_384).to_string();
    assert!(shown.contains("collisions of the hash:           191.20"), "{shown}");
}
