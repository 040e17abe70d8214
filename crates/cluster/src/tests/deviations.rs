//! Every kind of wrong message is blamed on the rank that sent it, or repaired.

use super::*;
use crate::Deviation;
use crate::commit::slice_hash;
use std::sync::Mutex;

/// The rank that deviates, among four.
const DEVIANT: usize = 2;

/// Bytes of the rank of a complaint, and of a digest.
const COMPLAINT: usize = 8;
const DIGEST: usize = 32;

fn flip(bytes: &mut [u8], at: usize) {
    bytes[at] ^= 1;
}

/// The deviation that the coordinator names.
fn blamed(change: &Change<'_>) -> Deviation {
    blamed_in(&pip(), change)
}

fn blamed_in(scheme: &Pip, change: &Change<'_>) -> Deviation {
    match job(scheme, DEVIANT, change, 20_000).0 {
        Err(Error::Deviation { rank: DEVIANT, deviation }) => deviation,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no deviation was seen"),
    }
}

/// Who differed in a job whose commitment and proof are right nevertheless.
fn repaired(change: &Change<'_>, step: u64) -> Vec<[usize; 2]> {
    let scheme = pip();
    let honest = job(&scheme, DEVIANT, &|_, _, _| {}, step).0.expect("honest ranks");
    let outcome = job(&scheme, DEVIANT, change, step).0.expect("a proof");
    assert!(honest.commitment == outcome.commitment && honest.proof == outcome.proof);
    assert!(honest.disputes.is_empty());
    outcome.disputes
}

#[test]
fn digests_that_differ_from_the_stated_ones_are_replaced_by_these() {
    let one = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 1 {
            flip(bytes, 40);
        }
    };
    assert_eq!(repaired(&one, 20_000), [[DEVIANT, 1]]);
    let to_all = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS {
            flip(bytes, to);
        }
    };
    assert_eq!(repaired(&to_all, 20_000), [[DEVIANT, 0], [DEVIANT, 1], [DEVIANT, 3]]);
    let cut = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 3 {
            bytes.pop();
        }
    };
    assert_eq!(repaired(&cut, 20_000), [[DEVIANT, 3]]);
    let nothing = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 1 {
            bytes.clear();
        }
    };
    assert_eq!(repaired(&nothing, 2_000), [[DEVIANT, 1]]);
}

#[test]
fn digests_that_differ_from_the_stated_ones_twice_are_blamed() {
    let change = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        if step == step::DIGESTS && to == 1 || step == step::RELAY {
            flip(bytes, 40);
        }
    };
    assert_eq!(blamed(&change), Deviation::Statement);
}

/// A receiver that states to have had other digests is given them once more.
#[test]
fn a_receiver_that_does_not_take_its_digests_is_blamed() {
    let received = COMPLAINT + DIGEST * 5;
    let once = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT {
            flip(bytes, received);
        }
    };
    assert_eq!(repaired(&once, 20_000), [[0, DEVIANT]]);
    let twice = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT || step == step::RELAY {
            flip(bytes, received);
        }
    };
    assert_eq!(blamed(&twice), Deviation::Tree);
    let complaint = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT {
            bytes[0] = 4;
        }
    };
    assert_eq!(repaired(&complaint, 20_000), [[3, DEVIANT]]);
    let of_nobody = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::STATEMENT {
            bytes[0] = 5;
        }
    };
    assert_eq!(blamed(&of_nobody), Deviation::Answer);
    let other_hashes = |step: usize, _: usize, bytes: &mut Vec<u8>| match step {
        step::STATEMENT => flip(bytes, received),
        step::RELAY => flip(bytes, COMPLAINT + DIGEST),
        _ => {}
    };
    assert_eq!(blamed(&other_hashes), Deviation::Statement);
}

/// Digests of other rows, stated as they were sent.
fn consistent(step: usize, to: usize, bytes: &mut [u8], sent: &Mutex<Vec<(usize, Vec<u8>)>>) {
    let mut sent = sent.lock().expect("no panic");
    if step == step::DIGESTS {
        // Every digest, since few positions are looked at.
        bytes.chunks_exact_mut(DIGEST).for_each(|digest| flip(digest, 0));
        sent.push((to, bytes.to_vec()));
    }
    if step == step::STATEMENT {
        for (to, slice) in &*sent {
            let place = COMPLAINT + DIGEST * (1 + to);
            bytes[place..place + DIGEST].copy_from_slice(&slice_hash(Hash::Blake3, slice));
        }
    }
}

#[test]
fn digests_of_other_rows_are_blamed() {
    let sent = Mutex::new(Vec::new());
    let forgetful = |step: usize, to: usize, bytes: &mut Vec<u8>| consistent(step, to, bytes, &sent);
    assert_eq!(blamed(&forgetful), Deviation::Statement);
    let sent = Mutex::new(Vec::new());
    let steadfast = |step: usize, to: usize, bytes: &mut Vec<u8>| {
        consistent(step, to, bytes, &sent);
        // Its own slice never left it.
        if step >= step::SLICES && step != step::SLICES + DEVIANT {
            bytes.chunks_exact_mut(DIGEST).for_each(|digest| flip(digest, 0));
        }
    };
    assert_eq!(blamed(&steadfast), Deviation::Digests);
}

/// One changed byte of one message, where only one check tells whose it is.
#[test]
fn one_wrong_message_is_blamed() {
    let at = |wrong: usize, place: fn(usize) -> usize| {
        let change = move |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong {
                let place = place(bytes.len());
                flip(bytes, place);
            }
        };
        blamed(&change)
    };
    // The root in its statement; rows and the nodes behind them; values and sums.
    assert_eq!(at(step::STATEMENT, |_| COMPLAINT), Deviation::Tree);
    assert_eq!(at(step::ROWS, |_| 0), Deviation::Digests);
    assert_eq!(at(step::ROWS, |length| length - 40), Deviation::Siblings);
    assert_eq!(at(step::COLUMNS, |_| 16), Deviation::Columns);
    assert_eq!(at(step::VALUES, |_| 0), Deviation::Values);
}

/// Outside unique decoding the first values are those of the commitment's own form.
#[test]
fn wrong_values_of_the_commitment_are_blamed_at_its_opening() {
    let scheme = scheme(&Params { max_forms: 1, ..params(Fields::Goldilocks2, JOHNSON, recursion()) });
    let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::VALUES {
            flip(bytes, 0);
        }
    };
    assert_eq!(blamed_in(&scheme, &change), Deviation::Values);
}

#[test]
fn bytes_that_are_no_elements_are_blamed() {
    for wrong in [step::VALUES, step::COLUMNS, step::ROWS] {
        let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
            if step == wrong {
                bytes[..8].fill(255);
            }
        };
        assert_eq!(blamed(&change), Deviation::Encoding, "{wrong}");
    }
}

#[test]
fn messages_of_another_length_are_blamed() {
    for wrong in [step::HELLO, step::STATEMENT, step::VALUES, step::COLUMNS, step::ROWS] {
        for longer in [true, false] {
            let change = |step: usize, _: usize, bytes: &mut Vec<u8>| {
                if step == wrong {
                    bytes.resize(if longer { bytes.len() + 1 } else { bytes.len() - 1 }, 0);
                }
            };
            let (result, _) = job(&pip(), DEVIANT, &change, 20_000);
            let error = result.err().expect("a length");
            assert!(
                matches!(error, Error::Comm(CommError::Length { rank: DEVIANT, .. })),
                "{wrong}: {error}"
            );
        }
    }
}
