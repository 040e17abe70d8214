//! Folding positions agrees with folding messages, and every link is checked.

use super::*;
use crate::code::ReedSolomon;
use crate::error::Invalid;
use crate::hash::Hash;
use crate::poly::TensorForm;
use field::{ExtensionOf, Field, FoldFibres, FoldableCode};
use field::{Gf192, Gf256, Gf320, Goldilocks, Goldilocks2, KoalaBear, KoalaBear5, Tower64, Tower128};

/// Elements without structure, with all their coordinates.
fn message<E: Field>(n: usize) -> Vec<E> {
    let mut x = 1u64;
    let mut byte = || {
        x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (x >> 56) as u8
    };
    (0..n).map(|_| E::from_uniform(&(0..E::UNIFORM_BYTES).map(|_| byte()).collect::<Vec<u8>>())).collect()
}

/// Pairs of as many variables.
fn pairs<E: Field>(variables: usize) -> Vec<[E; 2]> {
    message::<E>(2 * variables + 1)[1..].as_chunks().0.to_vec()
}

/// The message whose even and odd parts weigh `a` and `b` in it, for each pair.
fn folded_message<E: Field>(message: &[E], factors: &[[E; 2]]) -> Vec<E> {
    factors
        .iter()
        .fold(message.to_vec(), |left, &[a, b]| left.chunks(2).map(|p| a * p[0] + b * p[1]).collect())
}

/// The word of a message, as a prover commits to it.
fn word<B: FoldFibres, E: ExtensionOf<B>>(domain: Squared, message: &[E]) -> Vec<E> {
    let coordinates = domain.commit::<B, E>(message, 0, Hash::Blake3).into_blocks().concat();
    let mut word = vec![E::ZERO; coordinates.len() / E::DEGREE];
    E::unflatten(&coordinates, &mut word);
    word
}

/// The word by the definition of the code, position by position.
fn word_by_definition<B: FoldFibres, E: ExtensionOf<B>>(domain: Squared, message: &[E]) -> Vec<E> {
    (0..1 << domain.log_domain()).map(|position| B::evaluate(message, domain.point::<B>(position))).collect()
}

/// The position of a folded code, as folding needs it.
type FoldPointOf<B> = fn(<B as FoldableCode>::Point) -> <B as FoldFibres>::FoldPoint;

/// Messages bound variable by variable, words folded fibre by fibre: the same words at every arity.
fn agrees<B: FoldFibres, E: ExtensionOf<B>>(log_rows: usize, steps: &[usize], point: FoldPointOf<B>) {
    let code = ReedSolomon::new(log_rows, 2);
    let mut domain = Squared { code, squarings: 0 };
    let mut left: Vec<E> = message(1 << log_rows);
    let mut values = word::<B, E>(domain, &left);
    let mut links: Option<Queries<B, E>> = None;
    for &k in steps {
        let factors = pairs(k);
        let all: Vec<usize> = (0..1 << (domain.log_domain() - k)).collect();
        let first = match &links {
            None => points::<B>(&code, &all, k).unwrap(),
            Some(links) => check_consistency::<B, E>(links, &all, &values, k).unwrap(),
        };
        let folded = fold::<B, E>(&all, first, &values, &factors).unwrap();
        left = folded_message(&left, &factors);
        domain = domain.folded(k);
        values = word::<B, E>(domain, &left);
        assert!(values == word_by_definition::<B, E>(domain, &left), "a word of {domain:?}");
        assert_eq!(folded.iter().map(|link| link.value).collect::<Vec<_>>(), values, "{k} variables");
        for link in &folded {
            assert_eq!(link.point, point(domain.point::<B>(link.position)), "{link:?}");
        }
        links = Some(folded);
    }
}

/// Every order of folds from the longest code to the shortest, with every number of variables at once.
fn folds<B: FoldFibres, E: ExtensionOf<B>>(point: FoldPointOf<B>) {
    for steps in [&[1, 1, 1, 1, 1][..], &[2, 3], &[3, 1, 1], &[0, 4, 1], &[2, 0, 2], &[5]] {
        agrees::<B, E>(5, steps, point);
    }
    agrees::<B, E>(0, &[0, 0], point);
    agrees::<B, E>(7, &[6, 1], point);
    agrees::<B, E>(7, &[1, 6], point);
}

#[test]
fn folded_fibres_are_the_word_of_the_folded_message() {
    folds::<Goldilocks, Goldilocks2>(|point| point.inverse().unwrap());
    folds::<KoalaBear, KoalaBear5>(|point| point.inverse().unwrap());
}

#[test]
fn folded_fibres_are_the_word_of_the_folded_message_over_binary_fields() {
    folds::<Tower64, Gf192>(|point| point);
    folds::<Tower64, Gf320>(|point| point);
    folds::<Tower128, Gf256>(|point| point);
}

/// Calls a generic test with fields of both characteristics.
macro_rules! each_field {
    ($case:ident) => {
        $case::<Goldilocks, Goldilocks2>();
        $case::<KoalaBear, KoalaBear5>();
        $case::<Tower64, Gf192>();
        $case::<Tower64, Gf320>();
        $case::<Tower128, Gf256>();
    };
}

/// Some fibres fold as all do, and the first position of a fibre follows from any of it.
fn some_fibres<B: FoldFibres, E: ExtensionOf<B>>() {
    let domain = Squared { code: ReedSolomon::new(5, 1), squarings: 0 };
    let message: Vec<E> = message(1 << 5);
    let values = word::<B, E>(domain, &message);
    for variables in 0..=5 {
        let factors = pairs(variables);
        let expected = word::<B, E>(domain.folded(variables), &folded_message(&message, &factors));
        let leaves: Vec<usize> = (0..1 << (6 - variables)).filter(|leaf| leaf % 3 != 1).collect();
        let first = points::<B>(&domain.code, &leaves, variables).unwrap();
        let opened: Vec<E> = positions(&leaves, variables).iter().map(|&p| values[p]).collect();
        let folded = fold::<B, E>(&leaves, first.clone(), &opened, &factors).unwrap();
        assert!(folded.iter().map(|link| link.position).eq(leaves.iter().copied()));
        assert!(folded.iter().all(|link| link.value == expected[link.position]), "{variables} variables");
        for (&leaf, &first) in leaves.iter().zip(&first) {
            for place in 0..1 << variables {
                let point = B::fold_point(6, (leaf << variables) + place).unwrap();
                assert_eq!(B::first_of_fibre(point, place, variables), first, "place {place}");
            }
        }
        // A fibre or a point too many or too few is no fold.
        let missing = Err(Invalid("a fibre or its point is missing"));
        assert_eq!(fold::<B, E>(&leaves[1..], first.clone(), &opened, &factors), missing);
        assert_eq!(fold::<B, E>(&leaves, first[1..].to_vec(), &opened, &factors), missing);
        assert_eq!(fold::<B, E>(&leaves, first.clone(), &opened[1..], &factors), missing);
        assert_eq!(
            fold::<B, E>(&leaves, first.clone(), &[&opened[..], &[E::ONE]].concat(), &factors),
            missing
        );
        assert_eq!(fold::<B, E>(&leaves, first, &opened, &pairs(variables + 1)), missing);
    }
}

#[test]
fn some_fibres_fold_as_all_do() {
    each_field!(some_fibres);
}

/// A word of one row is the value of the message at a point, whatever the position.
fn by_a_point<B: FoldFibres, E: ExtensionOf<B>>() {
    let code = ReedSolomon::new(3, 1);
    let values = word::<B, E>(Squared { code, squarings: 0 }, &message(8));
    let z: Vec<E> = message(3);
    let first = points::<B>(&code, &[0, 1], 3).unwrap();
    let folded = fold::<B, E>(&[0, 1], first, &values, TensorForm::point(&z).factors()).unwrap();
    let expected = TensorForm::point(&z).apply(&message::<E>(8));
    assert!(folded.iter().all(|link| link.value == expected), "a constant word");
}

#[test]
fn a_fold_by_a_point_is_the_tensor_of_the_point() {
    each_field!(by_a_point);
}

fn links_are_met<B: FoldFibres, E: ExtensionOf<B>>() {
    let code = ReedSolomon::new(4, 1);
    let values = word::<B, E>(Squared { code, squarings: 0 }, &message(16));
    let link = |position: usize| {
        let point = B::fold_point(5, position).unwrap();
        FoldedQuery { position, point, value: values[position] }
    };
    let links = [link(1), link(2), link(3), link(9), link(30)];
    let opened = leaf_indices(&links, 2);
    assert_eq!(opened, [0, 2, 7]);
    let fibres: Vec<E> = opened.iter().flat_map(|&j| values[4 * j..4 * j + 4].to_vec()).collect();
    let check = |links: &[FoldedQuery<B::FoldPoint, E>], opened: &[usize], fibres: &[E]| {
        check_consistency::<B, E>(links, opened, fibres, 2)
    };
    assert_eq!(check(&links, &opened, &fibres), points::<B>(&code, &opened, 2));
    let other = Err(Invalid("a word is not the fold of the one before"));
    for i in 0..links.len() {
        let mut wrong = links;
        wrong[i].value += E::ONE;
        assert_eq!(check(&wrong, &opened, &fibres), other, "link {i}");
    }
    // What is opened is another value at a place that a link names.
    for (i, place) in [(0, 1), (0, 2), (0, 3), (1, 1), (2, 2)] {
        let mut wrong = fibres.clone();
        wrong[4 * i + place] += E::ONE;
        assert_eq!(check(&links, &opened, &wrong), other, "fibre {i}, place {place}");
    }
    let missing = Err(Invalid("a link without an opened fibre"));
    assert_eq!(check(&links, &opened[..2], &fibres[..8]), missing);
    assert_eq!(check(&links, &opened, &fibres[..8]), missing);
    let surplus = Err(Invalid("an opened fibre without a link"));
    assert_eq!(check(&links[..4], &opened, &fibres), surplus);
}

#[test]
fn every_link_must_be_met() {
    each_field!(links_are_met);
}

/// The tree over a word holds its fibres, whatever the number of variables and the hash.
fn fibres_are_leaves<B: FoldFibres, E: ExtensionOf<B>>() {
    let domain = Squared { code: ReedSolomon::new(6, 1), squarings: 1 };
    let message: Vec<E> = message(1 << 5);
    let word = word::<B, E>(domain, &message);
    let coordinates = E::flatten(&word);
    for (variables, hash) in (0..=5).flat_map(|variables| Hash::ALL.map(|hash| (variables, hash))) {
        let tree = domain.tree(variables, E::DEGREE, hash);
        assert_eq!((tree.log_leaves(), tree.width), (6 - variables, E::DEGREE << variables));
        let codeword = domain.commit::<B, E>(&message, variables, hash);
        let leaves = coordinates.chunks_exact(tree.width);
        assert!(
            leaves.enumerate().all(|(leaf, values)| codeword.row(leaf) == values),
            "{variables} variables"
        );
        assert_eq!(codeword.root().len(), hash.bytes());
    }
}

#[test]
fn leaves_of_a_word_are_its_fibres() {
    each_field!(fibres_are_leaves);
}

/// Over prime fields the prover may encode a matrix in one piece: the word of each column.
#[test]
fn a_codeword_in_one_piece_holds_the_words_of_its_columns() {
    let domain = Squared { code: ReedSolomon::new(6, 2), squarings: 2 };
    let message: Vec<Goldilocks2> = message(1 << 4);
    let mut whole = vec![Goldilocks::ZERO; 2 << 6];
    domain.encode(&Goldilocks2::flatten(&message), 2, &mut whole);
    let word = word::<Goldilocks, Goldilocks2>(domain, &message);
    assert_eq!(whole[..], Goldilocks2::flatten(&word)[..]);
}

#[test]
fn fibres_and_their_positions() {
    assert_eq!(positions(&[0, 3], 2), [0, 1, 2, 3, 12, 13, 14, 15]);
    assert_eq!(positions(&[2, 5], 0), [2, 5]);
    assert!(positions(&[], 3).is_empty());
    assert_eq!(fibres([1, 2, 3, 9, 30], 2), [0, 2, 7]);
    assert_eq!(fibres([1, 2, 3], 0), [1, 2, 3]);
}

#[test]
fn fibres_are_selected_from_the_leaves_that_hold_them() {
    assert_eq!(leaves_of_fibres(&[0, 3], 2, 0), positions(&[0, 3], 2));
    assert_eq!(leaves_of_fibres(&[0, 3], 2, 1), [0, 1, 6, 7]);
    assert_eq!(leaves_of_fibres(&[0, 3], 2, 2), [0, 3]);
    assert_eq!(leaves_of_fibres(&[0, 3, 4, 5, 9], 1, 2), [0, 1, 2, 4]);
    let values = |leaves: &[usize], log_leaf: usize| positions(leaves, log_leaf);
    for (fibres, variables, log_leaf) in [
        (&[0, 3, 4, 5, 9][..], 1, 2),
        (&[0, 3, 4, 5, 9], 0, 3),
        (&[7], 1, 4),
        (&[], 1, 2),
        (&[0, 3], 2, 2),
        (&[1, 2], 2, 0),
    ] {
        let leaves = leaves_of_fibres(fibres, variables, log_leaf);
        let selected = select_fibres(&leaves, log_leaf, values(&leaves, log_leaf), (fibres, variables));
        assert_eq!(selected, Ok(positions(fibres, variables)), "{fibres:?}");
    }
    let missing = Err(Invalid("a fibre without its leaf"));
    assert_eq!(select_fibres(&[0, 2], 2, values(&[0, 2], 2), (&[0, 3], 1)), missing);
    assert_eq!(select_fibres(&[0], 2, values(&[0], 2), (&[0, 9], 1)), missing);
    assert_eq!(select_fibres(&[0, 4], 2, values(&[0], 2), (&[0, 9], 1)), missing);
}
