//! Folding positions agrees with folding messages, and every link is checked.

use super::*;
use crate::code::ReedSolomon;
use crate::error::Invalid;
use crate::poly::TensorForm;
use field::{ExtensionOf, Field, Goldilocks, Goldilocks2, KoalaBear, KoalaBear5, TwoAdic};

fn message<E: Field>(n: u64) -> Vec<E> {
    (0..n).map(|i| E::from_u64(i * i + 3).pow(29)).collect()
}

fn word<B: TwoAdic, E: ExtensionOf<B>>(domain: Squared, message: &[E]) -> Vec<E> {
    let mut word = vec![E::ZERO; message.len() << domain.code.log_inv_rate];
    E::with_flat_mut(&mut word, |word| domain.encode(&E::flatten(message), E::DEGREE, word));
    word
}

/// Messages bound variable by variable, words folded fibre by fibre: the same words at every arity.
fn agrees<B: TwoAdic, E: ExtensionOf<B>>(log_rows: usize, steps: &[usize]) {
    let code = ReedSolomon::new(log_rows, 2);
    let mut domain = Squared { code, squarings: 0 };
    let mut left: Vec<E> = message(1 << log_rows);
    let mut values = word::<B, E>(domain, &left);
    let mut links: Option<Vec<FoldedQuery<B, E>>> = None;
    for &k in steps {
        let factors: Vec<[E; 2]> = message::<E>(2 * k as u64).chunks(2).map(|p| [p[0], p[1]]).collect();
        let all: Vec<usize> = (0..1 << (domain.log_domain() - k)).collect();
        let first = match &links {
            None => inverses::<B>(&code, &all, k).unwrap(),
            Some(links) => check_consistency(links, &all, &values, k).unwrap(),
        };
        let folded = fold(&all, &first, &values, &factors).unwrap();
        for &[a, b] in &factors {
            left = left.chunks(2).map(|p| a * p[0] + b * p[1]).collect();
        }
        domain.squarings += k;
        values = word::<B, E>(domain, &left);
        assert_eq!(folded.iter().map(|link| link.value).collect::<Vec<_>>(), values, "{k} variables");
        links = Some(folded);
    }
}

#[test]
fn folded_fibres_are_the_word_of_the_folded_message() {
    for steps in [&[1, 1, 1, 1, 1][..], &[2, 3], &[3, 1, 1], &[0, 4, 1], &[5]] {
        agrees::<Goldilocks, Goldilocks2>(5, steps);
        agrees::<KoalaBear, KoalaBear5>(5, steps);
    }
}

#[test]
fn a_fold_by_a_point_is_the_tensor_of_the_point() {
    let code = ReedSolomon::new(3, 1);
    let values = word::<Goldilocks, Goldilocks2>(Squared { code, squarings: 0 }, &message(8));
    let z: Vec<Goldilocks2> = message(3);
    let first = inverses::<Goldilocks>(&code, &[0, 1], 3).unwrap();
    let folded = fold(&[0, 1], &first, &values, TensorForm::point(&z).factors()).unwrap();
    let expected = TensorForm::point(&z).apply(&message::<Goldilocks2>(8));
    assert!(folded.iter().all(|link| link.value == expected), "a constant word");
}

#[test]
fn every_link_must_be_met() {
    let code = ReedSolomon::new(4, 1);
    let values = word::<Goldilocks, Goldilocks2>(Squared { code, squarings: 0 }, &message(16));
    let link = |position: usize| {
        let inverse = code.point::<Goldilocks>(position).inverse().unwrap();
        FoldedQuery { position, inverse, value: values[position] }
    };
    let links = [link(1), link(2), link(3), link(9), link(30)];
    let opened = leaf_indices(&links, 2);
    assert_eq!(opened, [0, 2, 7]);
    let fibres: Vec<Goldilocks2> = opened.iter().flat_map(|&j| values[4 * j..4 * j + 4].to_vec()).collect();
    assert_eq!(check_consistency(&links, &opened, &fibres, 2), inverses(&code, &opened, 2));
    for i in 0..links.len() {
        let mut wrong = links;
        wrong[i].value += Goldilocks2::ONE;
        let verdict = check_consistency(&wrong, &opened, &fibres, 2);
        assert_eq!(verdict, Err(Invalid("a word is not the fold of the one before")), "link {i}");
    }
    let missing = check_consistency(&links, &opened[..2], &fibres[..8], 2);
    assert_eq!(missing, Err(Invalid("a link without an opened fibre")));
    let surplus = check_consistency(&links[..4], &opened, &fibres, 2);
    assert_eq!(surplus, Err(Invalid("an opened fibre without a link")));
}

#[test]
fn fibres_and_their_positions() {
    assert_eq!(positions(&[0, 3], 2), [0, 1, 2, 3, 12, 13, 14, 15]);
    assert_eq!(positions(&[2, 5], 0), [2, 5]);
    assert!(positions(&[], 3).is_empty());
    assert_eq!(fibres([1, 2, 3, 9, 30], 2), [0, 2, 7]);
    assert_eq!(fibres([1, 2, 3], 0), [1, 2, 3]);
}
