use super::*;

#[test]
fn names_are_read_back_and_nothing_else_is_a_tier() {
    for tier in Tier::ALL {
        assert_eq!(Tier::from_name(tier.name()), Some(tier));
    }
    for name in ["", "AVX2", "avx2 ", "native", "avx512f", "sse2"] {
        assert_eq!(Tier::from_name(name), None, "{name:?}");
    }
}

#[test]
fn features_are_one_bit_each_and_none_is_the_mark() {
    let mut all = Features::NONE;
    for &(name, feature) in Features::ALL {
        assert_eq!(feature.0.count_ones(), 1, "{name}");
        assert!(!all.contains(feature), "{name} has a bit of its own");
        all = all | feature;
    }
    assert_eq!(all.0 & KNOWN, 0);
}

/// A tier that is forced lowers the answer to what it allows, and keeps all that it needs.
#[test]
fn a_tier_allows_what_it_needs_and_nothing_of_the_next() {
    for tier in Tier::ALL {
        assert!(tier.allows().contains(tier.needs()), "{tier:?}");
    }
    assert_eq!(Tier::Portable.allows(), Features::NONE);
    for wide in [Features::AVX512F, Features::AVX512VL, Features::AVX512IFMA, Features::AVX512VBMI] {
        assert!(!Tier::Avx2.allows().contains(wide));
    }
    assert!(Tier::Avx512.needs().contains(Tier::Avx2.needs()));
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let old = |tier| tier <= Tier::Avx2;
    assert_eq!(follow(None, old), Ok(None));
    assert_eq!(follow(Some(Some(Tier::Portable)), old), Ok(Some(Tier::Portable)));
    assert_eq!(follow(Some(Some(Tier::Avx2)), old), Ok(Some(Tier::Avx2)));
    assert_eq!(follow(Some(Some(Tier::Avx512)), old), Err(BadTier::Missing(Tier::Avx512)));
    assert_eq!(follow(Some(None), old), Err(BadTier::Unknown));
    for text in [BadTier::Missing(Tier::Avx512).to_string(), BadTier::Unknown.to_string()] {
        assert!(text.starts_with(VARIABLE) && text.contains(": "), "{text}");
    }
}

#[test]
fn what_is_used_is_there() {
    assert!(present().contains(used()));
    assert!(Tier::available().all(Tier::is_there));
    assert_eq!(Tier::available().next(), Some(Tier::best()));
    assert_eq!(Tier::available().last(), Some(Tier::Portable));
    match forced() {
        Ok(Some(tier)) => assert_eq!(Tier::best(), tier),
        _ => assert_eq!(used(), present()),
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn the_detection_is_that_of_the_standard_library() {
    let there = |feature| present().contains(feature);
    assert_eq!(there(Features::AVX2), std::is_x86_feature_detected!("avx2"));
    assert_eq!(there(Features::AVX512F), std::is_x86_feature_detected!("avx512f"));
    assert_eq!(there(Features::PCLMULQDQ), std::is_x86_feature_detected!("pclmulqdq"));
}
