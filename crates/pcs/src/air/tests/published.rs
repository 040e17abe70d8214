//! FRI as the published code verifies it, defect by defect, with the forgery that each one lets through. A verifier without defects, of the
//! same proofs, refuses them all; what our own does with such provers is in `adversaries`.

use field::{ExtensionOf, Field, FoldableCode, Gf192, Tower64};
use iop::hash::{Digest, Hash};
use iop::merkle::{MerkleTree, verify_opening};

type E = Gf192;
const HASH: Hash = Hash::Sha3_256;
/// log2 of the degree bound and of the positions: rate 1/32.
const LOG_SIZE: usize = 8;
const LOG_DOMAIN: usize = LOG_SIZE + 5;
const QUERIES: usize = 14;

/// What the published verifier leaves out.
#[derive(Clone, Copy, Default)]
struct Defects {
    /// Each challenge is the hash of the one before, so that the first root fixes them all.
    chained: bool,
    /// Leaves of all words but the first are not held against their roots.
    unbound_leaves: bool,
    /// The fold of the last pair is not compared with the last word.
    open_end: bool,
    /// The last word may be of any degree.
    any_degree: bool,
    /// The prover says where it is queried.
    chosen_positions: bool,
    /// Leaves of all words but the first are of the first pairs of their word, again and again.
    wrong_leaves: bool,
    /// Folds leave out the point of the domain that a pair stands at.
    no_points: bool,
}

impl Defects {
    fn fold_pair(self, folds: usize, pair: usize, [u, v]: [E; 2], alpha: E) -> E {
        if self.no_points { u + alpha * (u + v) } else { fold_pair(folds, pair, [u, v], alpha) }
    }

    fn fold(self, folds: usize, word: &[E], alpha: E) -> Vec<E> {
        word.chunks(2).enumerate().map(|(i, p)| self.fold_pair(folds, i, [p[0], p[1]], alpha)).collect()
    }

    /// The leaf of a pair is of the pair at this place.
    fn leaf_of(self, folds: usize, pair: usize) -> usize {
        let log_pairs = LOG_DOMAIN - 1 - folds;
        if self.wrong_leaves && folds > 0 { pair % (1 << (log_pairs - LOG_WRONG)) } else { pair }
    }

    fn tree(self, folds: usize, word: &[E]) -> MerkleTree {
        let pair = |i| [word[2 * self.leaf_of(folds, i)], word[2 * self.leaf_of(folds, i) + 1]];
        tree(&(0..word.len() / 2).flat_map(pair).collect::<Vec<_>>())
    }
}

/// log2 of how many times as many pairs there are as leaves are of, where leaves are wrong.
const LOG_WRONG: usize = 4;

/// A pair, and its path behind the pair that the leaf is of.
type OpenedPair = ([E; 2], ([E; 2], Vec<u8>));

struct Proof {
    roots: Vec<Digest>,
    /// The word that is left, in full.
    last: Vec<E>,
    /// Where the prover wants to be queried.
    chosen: Vec<usize>,
    /// For each query, for each word, a pair with its path.
    openings: Vec<Vec<OpenedPair>>,
}

fn bytes(values: &[E]) -> Vec<u8> {
    iop::poly::to_bytes(values)
}

fn digest(parts: &[&[u8]]) -> Digest {
    HASH.digest("published", parts)
}

fn element(seed: &Digest) -> E {
    E::from_uniform(&seed[..E::UNIFORM_BYTES])
}

fn challenges(chained: bool, roots: &[Digest]) -> Vec<E> {
    let mut state = Digest::from([0; 32]);
    let next = |(k, root): (usize, &Digest)| {
        state = if chained && k > 0 { digest(&[&state]) } else { digest(&[&state, root]) };
        element(&state)
    };
    roots.iter().enumerate().map(next).collect()
}

/// Positions of pairs of the first word.
fn drawn(roots: &[Digest], last: &[E]) -> Vec<usize> {
    let last = bytes(last);
    let parts: Vec<&[u8]> = roots.iter().map(|r| &r[..]).chain([&last[..]]).collect();
    let state = digest(&parts);
    let position = |i: usize| {
        let digest = digest(&[&state, &[i as u8]]);
        usize::from(u16::from_le_bytes([digest[0], digest[1]])) % (1 << (LOG_DOMAIN - 1))
    };
    (0..QUERIES).map(position).collect()
}

/// The weight of the first position of a pair in the word after so many folds.
fn weight(folds: usize, pair: usize) -> E {
    E::lift(Tower64::factor(Tower64::point(LOG_DOMAIN - folds, 2 * pair)))
}

fn fold_pair(folds: usize, pair: usize, [u, v]: [E; 2], alpha: E) -> E {
    u + (alpha + weight(folds, pair)) * (u + v)
}

fn fold(folds: usize, word: &[E], alpha: E) -> Vec<E> {
    word.chunks(2).enumerate().map(|(i, p)| fold_pair(folds, i, [p[0], p[1]], alpha)).collect()
}

fn tree(word: &[E]) -> MerkleTree {
    let mut leaves = vec![0; word.len() / 2 * HASH.bytes()];
    HASH.leaves(&bytes(word), &mut leaves);
    MerkleTree::new(HASH, leaves)
}

fn random(seed: u64, count: usize) -> Vec<E> {
    (0..count as u64).map(|i| element(&digest(&[&seed.to_le_bytes(), &i.to_le_bytes()]))).collect()
}

/// The codeword of a message.
fn encoded(message: &[E]) -> Vec<E> {
    (0..1 << LOG_DOMAIN).map(|q| Tower64::evaluate(message, Tower64::point(LOG_DOMAIN, q))).collect()
}

fn verify(defects: Defects, proof: &Proof) -> bool {
    let alphas = challenges(defects.chained, &proof.roots);
    let positions =
        if defects.chosen_positions { proof.chosen.clone() } else { drawn(&proof.roots, &proof.last) };
    let constant = proof.last.iter().all(|x| *x == proof.last[0]);
    let shapes = proof.roots.len() == LOG_SIZE && proof.last.len() == 1 << (LOG_DOMAIN - LOG_SIZE);
    let query = |(&position, opening): (&usize, &Vec<OpenedPair>)| {
        let (mut at, mut expected) = (position, None);
        for (k, ((pair, (leaf, path)), (root, &alpha))) in
            opening.iter().zip(proof.roots.iter().zip(&alphas)).enumerate()
        {
            if let Some((side, value)) = expected
                && pair[side] != value
            {
                return false;
            }
            if k == 0 || !defects.unbound_leaves {
                let log_leaves = LOG_DOMAIN - k - 1;
                let leaf = HASH.leaf(&bytes(if defects.wrong_leaves && k > 0 { leaf } else { pair }));
                if verify_opening(HASH, log_leaves, root, &[at], &leaf, path).is_err() {
                    return false;
                }
            }
            expected = Some((at & 1, defects.fold_pair(k, at, *pair, alpha)));
            at >>= 1;
        }
        let end = position >> (LOG_SIZE - 1);
        defects.open_end || expected.is_some_and(|(_, value)| value == proof.last[end])
    };
    shapes
        && (constant || defects.any_degree)
        && positions.len() == proof.openings.len()
        && positions.iter().zip(&proof.openings).all(query)
}

/// A proof with these words, opened where they are queried. `next` makes a word of the one before, its fold, and all challenges so far.
fn prove(
    defects: Defects,
    first: Vec<E>,
    chosen: Vec<usize>,
    mut next: impl FnMut(usize, Vec<E>) -> Vec<E>,
) -> (Proof, Vec<Vec<E>>) {
    let (mut words, mut trees, mut roots) = (vec![first], Vec::new(), Vec::new());
    for k in 0..LOG_SIZE {
        trees.push(defects.tree(k, &words[k]));
        roots.push(trees[k].root());
        let alpha = challenges(defects.chained, &roots)[k];
        let folded = defects.fold(k, &words[k], alpha);
        words.push(next(k + 1, folded));
    }
    let last = words.pop().expect("the last word");
    let positions = if defects.chosen_positions { chosen.clone() } else { drawn(&roots, &last) };
    let open = |&position: &usize| {
        let word = |(k, (word, tree)): (usize, (&Vec<E>, &MerkleTree))| {
            let at = position >> k;
            let pair = |at: usize| [word[2 * at], word[2 * at + 1]];
            (pair(at), (pair(defects.leaf_of(k, at)), tree.open(0, &[at])))
        };
        words.iter().zip(&trees).enumerate().map(word).collect()
    };
    let openings = positions.iter().map(open).collect();
    (Proof { roots, last, chosen, openings }, words)
}

const NONE: Defects = Defects {
    chained: false,
    unbound_leaves: false,
    open_end: false,
    any_degree: false,
    chosen_positions: false,
    wrong_leaves: false,
    no_points: false,
};

#[test]
fn an_honest_proof_is_accepted_with_and_without_defects() {
    let word = encoded(&random(1, 1 << LOG_SIZE));
    for chained in [false, true] {
        let defects = Defects { chained, ..NONE };
        assert!(verify(defects, &prove(defects, word.clone(), Vec::new(), |_, folded| folded).0));
    }
}

/// Of a random word, one element for each position of the last word is changed in the second word, so that all later folds end in a
/// constant: the challenges are known before the second word is.
#[test]
fn the_challenge_chain_lets_random_words_through() {
    let defects = Defects { chained: true, ..NONE };
    let forged = |seed: u64, defects: Defects| {
        let first = random(seed, 1 << LOG_DOMAIN);
        let known = challenges(true, &[tree(&first).root(); LOG_SIZE]);
        let steer = |k: usize, folded: Vec<E>| if k == 1 { steered(folded, &known) } else { folded };
        prove(defects, first.clone(), Vec::new(), steer).0
    };
    let trials = 20;
    let accepted = (0..trials).filter(|&seed| verify(defects, &forged(seed, defects))).count();
    assert!(accepted >= 15, "{accepted} of {trials}: all that miss the changed positions");
    assert!((0..trials).all(|seed| !verify(NONE, &forged(seed, NONE))));
}

/// The second word with the first element of each block changed so that the block folds to zero.
fn steered(mut word: Vec<E>, alphas: &[E]) -> Vec<E> {
    let block = 1 << (LOG_SIZE - 1);
    let mut last = word.clone();
    for (k, &alpha) in alphas.iter().enumerate().skip(1) {
        last = fold(k, &last, alpha);
    }
    for (b, (block, left)) in word.chunks_mut(block).zip(last).enumerate() {
        // What the first element of the block counts for in the end: it is the even one of every pair.
        let of_round = |(k, &alpha): (usize, &E)| E::ONE + alpha + weight(k, b << (LOG_SIZE - 1 - k));
        let counts = alphas.iter().enumerate().skip(1).map(of_round).fold(E::ONE, |a, b| a * b);
        block[0] += left * counts.inverse().expect("a challenge that is no point of the domain");
    }
    word
}

/// Leaves that no root binds are made up when they are asked for.
#[test]
fn unbound_leaves_let_a_far_fold_through() {
    let defects = Defects { unbound_leaves: true, ..NONE };
    let (mut proof, _) = prove(defects, random(3, 1 << LOG_DOMAIN), Vec::new(), |k, folded| {
        // Roots of zeros, and a last word of zeros.
        if k == 0 { folded } else { vec![E::ZERO; folded.len()] }
    });
    let alphas = challenges(false, &proof.roots);
    for (position, opening) in drawn(&proof.roots, &proof.last).into_iter().zip(&mut proof.openings) {
        let mut value = fold_pair(0, position, opening[0].0, alphas[0]);
        for (k, (pair, _)) in opening.iter_mut().enumerate().skip(1) {
            // The side that was not asked for makes the pair fold to zero.
            let (at, side) = (position >> k, position >> (k - 1) & 1);
            let t = alphas[k] + weight(k, at);
            // u + t(u + v) = 0
            let other = if side == 0 {
                (E::ONE + t) * t.inverse().unwrap()
            } else {
                t * (E::ONE + t).inverse().unwrap()
            };
            pair[side] = value;
            pair[1 - side] = value * other;
            value = fold_pair(k, at, *pair, alphas[k]);
        }
    }
    assert!(verify(defects, &proof));
    assert!(!verify(NONE, &proof));
}

#[test]
fn an_open_end_lets_a_wrong_last_word_through() {
    let defects = Defects { open_end: true, ..NONE };
    let (wrong, _) = prove(defects, encoded(&random(4, 1 << LOG_SIZE)), Vec::new(), |k, folded| {
        if k == LOG_SIZE { folded.iter().map(|&x| x + E::ONE).collect() } else { folded }
    });
    assert!(verify(defects, &wrong));
    assert!(!verify(NONE, &wrong));
}

#[test]
fn any_degree_lets_random_words_through() {
    let defects = Defects { any_degree: true, ..NONE };
    let (proof, _) = prove(defects, random(5, 1 << LOG_DOMAIN), Vec::new(), |_, folded| folded);
    assert!(verify(defects, &proof));
    assert!(!verify(NONE, &proof));
}

/// The word is a codeword where the prover is queried and random elsewhere; from the second word on all are those of the codeword.
#[test]
fn chosen_positions_let_a_far_word_through() {
    let code = encoded(&random(6, 1 << LOG_SIZE));
    let chosen: Vec<usize> = (0..QUERIES).map(|i| 97 * i + 5).collect();
    let far = |defects: Defects| {
        let mut word = random(7, 1 << LOG_DOMAIN);
        chosen.iter().flat_map(|&p| [2 * p, 2 * p + 1]).for_each(|q| word[q] = code[q]);
        let mut left = code.clone();
        let mut roots = vec![tree(&word).root()];
        prove(defects, word, chosen.clone(), |k, _| {
            left = fold(k - 1, &left, challenges(false, &roots)[k - 1]);
            if k < LOG_SIZE {
                roots.push(tree(&left).root());
            }
            left.clone()
        })
        .0
    };
    let defects = Defects { chosen_positions: true, ..NONE };
    assert!(verify(defects, &far(defects)));
    assert!(!verify(NONE, &far(NONE)));
}

/// The word is a codeword on a sixteenth of its positions and random elsewhere, where nothing binds the second word: a pair of it is
/// made up that folds to the codeword's third word.
#[test]
fn wrong_leaves_let_a_far_word_through() {
    let code = encoded(&random(8, 1 << LOG_SIZE));
    let forged = |defects: Defects| {
        let mut word = random(9, 1 << LOG_DOMAIN);
        let honest = word.len() >> LOG_WRONG;
        word[..honest].copy_from_slice(&code[..honest]);
        let mut left = code.clone();
        let mut roots = vec![defects.tree(0, &word).root()];
        let (mut proof, words) = prove(defects, word, Vec::new(), |k, _| {
            left = fold(k - 1, &left, challenges(false, &roots)[k - 1]);
            if k < LOG_SIZE {
                roots.push(defects.tree(k, &left).root());
            }
            left.clone()
        });
        let alphas = challenges(false, &proof.roots);
        for (position, opening) in drawn(&proof.roots, &proof.last).into_iter().zip(&mut proof.openings) {
            let (at, side) = (position >> 1, position & 1);
            let (value, target) = (fold_pair(0, position, opening[0].0, alphas[0]), words[2][at]);
            let t = alphas[1] + weight(1, at);
            // u + t(u + v) is the target.
            let other = if side == 0 {
                (target + (E::ONE + t) * value) * t.inverse().unwrap()
            } else {
                (target + t * value) * (E::ONE + t).inverse().unwrap()
            };
            opening[1].0[side] = value;
            opening[1].0[1 - side] = other;
        }
        proof
    };
    let defects = Defects { wrong_leaves: true, ..NONE };
    assert!(verify(defects, &forged(defects)));
    assert!(!verify(NONE, &forged(NONE)));
}

/// Without the points, every word that repeats its first elements, one for each coefficient, folds to a constant.
#[test]
fn folds_without_points_let_words_of_a_period_through() {
    let word = random(10, 1 << LOG_SIZE).repeat(1 << (LOG_DOMAIN - LOG_SIZE));
    let forged = |defects: Defects| prove(defects, word.clone(), Vec::new(), |_, folded| folded).0;
    let defects = Defects { no_points: true, ..NONE };
    assert!(verify(defects, &forged(defects)));
    assert!(!verify(NONE, &forged(NONE)));
}
