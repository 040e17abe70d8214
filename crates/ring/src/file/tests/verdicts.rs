//! Verdicts on many files, each with its reason.

use super::suites::{ring_of, signed_by};
use super::*;
use crate::file::{Refused, Verdict, Verdicts};

/// A refusal says why in a type, and in the words that were there before.
#[test]
fn a_file_of_several_is_refused_for_its_reason() {
    let ring = ring_of(SuiteId::V1);
    let verifiers = [ring.verifier().unwrap()];
    let yes = signed_by(&ring, 2, b"yes");
    let changed = Signed { message: b"no".to_vec(), ..yes.clone() };
    let foreign = Signed { ring: [0; 32], ..yes.clone() };
    let other = Signed { context: b"another vote".to_vec(), ..yes.clone() };
    let files = [
        Ok(changed),
        Ok(yes),
        Err("no such file".to_string()),
        Ok(signed_by(&ring, 2, b"no")),
        Ok(foreign),
        Ok(other),
        Ok(signed_by(&ring, 3, b"no")),
    ];
    let judge = |distinct, again: &dyn Fn(usize) -> Result<Signed, String>| {
        let mut verdicts = Verdicts::new(&verifiers).unwrap();
        files.iter().for_each(|file| verdicts.push(file.clone(), Some(b"vote")));
        verdicts.finish(again, distinct).unwrap()
    };
    let verdicts = judge(true, &|at| files[at].clone());
    let [Verdict { refused: Some(forged), again: None, .. }, valid, unread, repeated, foreign, other, last] =
        &verdicts[..]
    else {
        panic!("{verdicts:?}")
    };
    assert!(matches!(forged, Refused::Signature(SignatureError::Rejected(_))), "{forged:?}");
    assert!(forged.to_string().starts_with("no member signed this: "));
    assert_eq!([&valid.refused, &last.refused], [&None; 2]);
    assert_eq!(
        unread,
        &Verdict { refused: Some(Refused::Unread("no such file".into())), ..Verdict::default() }
    );
    assert_eq!((&repeated.refused, repeated.again), (&Some(Refused::Repeated), Some(1)));
    assert_eq!(foreign.refused, Some(SignatureError::Ring.into()));
    assert!(matches!(other.refused, Some(Refused::Signature(SignatureError::OtherContext(_)))));
    assert_eq!(Refused::Unread("no such file".into()).to_string(), "no such file");
    assert_eq!(Refused::Repeated.to_string(), "the member signed before");

    // A file that is another one when it is read for the reason.
    let verdicts = judge(false, &|_| files[1].clone());
    assert_eq!(verdicts[0].refused, Some(Refused::Changed));
    assert_eq!(Refused::Changed.to_string(), "no member signed this");
    assert_eq!((&verdicts[3].refused, verdicts[3].again), (&None, Some(1)));
}
