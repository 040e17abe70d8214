use curve::{BigInteger, One};

use super::*;
use crate::r1cs::{Assignment, Builder, Circuit, LinearCombination, R1cs};

fn decimal(text: &str) -> Fr {
    text.parse().expect("a decimal number")
}

fn numbers(range: core::ops::RangeInclusive<u64>) -> Vec<Fr> {
    range.map(Fr::from).collect()
}

#[test]
fn numbers_of_rounds_are_those_of_circomlib() {
    let published = [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];
    assert_eq!((2..=17).map(partial_rounds).collect::<Vec<_>>(), published);
}

#[test]
fn hashes_are_those_of_circomlib() {
    let zero = Fr::ZERO;
    let cases = [
        (numbers(1..=1), "18586133768512220936620570745912940619677854269274689475585506675881198879027"),
        (numbers(1..=2), "7853200120776062878684798364095072458815029376092732009249414926327459813530"),
        (numbers(1..=4), "18821383157269793795438455681495246036402687001665670618754263018637548127333"),
        (numbers(1..=6), "20400040500897583745843009878988256314335038853985262692600694741116813247201"),
        (numbers(1..=16), "9989051620750914585850546081941653841776809718687451684622678807385399211877"),
    ];
    for (inputs, expected) in cases {
        assert_eq!(hash(zero, &inputs), decimal(expected), "{} inputs", inputs.len());
    }
}

#[test]
fn the_permutation_is_that_of_the_reference() {
    // poseidonperm_x5_254_3 of the designers' test vectors.
    let mut state = numbers(0..=2);
    bn254(3).permute(&mut state);
    let hex: Vec<String> = state
        .iter()
        .map(|x| x.into_bigint().to_bytes_be().iter().map(|b| format!("{b:02x}")).collect())
        .collect();
    assert_eq!(hex[0], "115cc0f5e7d690413df64c6b9662e9cf2a3617f2743245519e19607a4417189a");
    assert_eq!(hex[1], "0fca49b798923ab0239de1c9e7a4a9a2210312b6a2f616d18b5a87f9b628ae29");
    assert_eq!(hex[2], "0e7ae82e40091e63cbd4f16a6d16310b3729d4b6e138fcf54110e2867045a30c");
}

#[test]
fn matrices_with_invariant_subspaces_are_refused() {
    let matrix = |entries: [u64; 9]| entries.map(Fr::from);
    assert!(linear::withstands_trails(&bn254(3).matrix, 3));
    // The identity; a matrix under which lane 2 never meets lane 0; a permutation, whose third power is the identity.
    for refused in [[1, 0, 0, 0, 1, 0, 0, 0, 1], [1, 2, 0, 3, 4, 0, 0, 0, 5], [0, 1, 0, 0, 0, 1, 1, 0, 0]] {
        assert!(!linear::withstands_trails(&matrix(refused), 3), "{refused:?}");
    }
}

/// Two public digests of the same words.
struct Hashes {
    words: Vec<Fr>,
    domain: u64,
}

impl Circuit<Fr> for Hashes {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let words: Vec<_> = self.words.iter().map(|word| builder.witness(|| *word)).collect();
        let inputs = &words[..words.len().min(3)];
        let short = hash_gadget(builder, &LinearCombination::constant(Fr::from(self.domain)), inputs);
        let public = builder.public(|| hash(Fr::from(self.domain), &self.words[..inputs.len()]));
        builder.enforce_equal("hash", &short, &public);
        let long = sponge_gadget(builder, self.domain, &words);
        let public = builder.public(|| sponge(self.domain, &self.words));
        builder.enforce_equal("sponge", &long, &public);
    }
}

#[test]
fn the_gadgets_are_the_hashes() {
    for length in [1, 17] {
        let circuit = Hashes { words: numbers(5..=4 + length), domain: 77 };
        let (system, assignment) = (R1cs::of(&circuit), Assignment::of(&circuit));
        assert_eq!(system.is_satisfied(&assignment), Ok(()));
        assert_eq!(system.free_cells(&assignment, Fr::from(3u64)), []);
    }
}

#[test]
fn constraint_counts() {
    struct Hash(usize);
    impl Circuit<Fr> for Hash {
        fn synthesize(&self, builder: &mut Builder<Fr>) {
            let words: Vec<_> = (0..self.0).map(|_| builder.witness(Fr::one)).collect();
            let _: LinearCombination<Fr> = hash_gadget(builder, &LinearCombination::zero(), &words);
        }
    }
    let counts = [1, 2, 3, 4, 5, 16].map(|inputs| R1cs::of(&Hash(inputs)).constraints());
    assert_eq!(counts, [213, 240, 261, 297, 321, 609]);
}

#[test]
fn domains_and_lengths_separate() {
    let words = numbers(1..=3);
    let padded = [&words[..], &[Fr::ZERO]].concat();
    let all = [
        sponge(0, &words),
        sponge(1, &words),
        sponge(0, &padded),
        sponge(0, &[]),
        hash(Fr::ZERO, &words),
        hash(Fr::one(), &words),
    ];
    assert!((1..all.len()).all(|i| !all[..i].contains(&all[i])));
}
