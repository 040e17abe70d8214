//! What Ligerito has beside the battery of all presets: its fields, packed entries, long codes, presets of parameters.

mod lean;
mod preset;
mod ring_switching;
mod search;
mod size;

use super::*;
use crate::fields::tested::{self, with_tested_binary_fields};
use crate::file::SchemeId;
use crate::matrix::adversary::Deviation;
use crate::matrix::battery::{
    ANY, CLAIMS, JOHNSON, ROWS, TREE, check_lengths, deviating, elements, levels, opened, opens_alike, point,
    small,
};
use crate::matrix::{Binary, ProverStorage, Round};
use field::{ExtensionOf, FoldFibres, Gf128, KoalaBear, KoalaBear5, Tower128};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};

fn roundtrip<B: FoldFibres, E: ExtensionOf<B>>(params: Params) {
    crate::matrix::battery::roundtrip::<Binary, B, E>(params);
}

/// The challenges come from the whole field: over many draws each of its bits is set about half the time.
#[test]
fn challenges_are_as_wide_as_the_field() {
    use iop::transcript::{Challenger, Domain};
    let mut tape = Domain::new(Hash::Blake3, "width", &[0; 32]).statement(&[1; 32]).prover();
    let draws: Vec<Gf128> = tape.challenges("r", 4096);
    let bytes = iop::poly::to_bytes(&draws);
    for bit in 0..128 {
        let set = bytes.chunks(16).filter(|b| b[bit / 8] >> (bit % 8) & 1 == 1).count();
        assert!((1800..2300).contains(&set), "bit {bit} is set {set} times of 4096");
    }
}

#[test]
fn field_pairs_open() {
    for fields in tested::BINARY {
        with_tested_binary_fields!(fields, B, E => {
            assert_eq!(Fields::of::<B, E>(), Some(fields));
            roundtrip::<B, E>(small(fields, 0, Regime::UniqueDecoding));
            roundtrip::<B, E>(small(fields, 0, JOHNSON));
            roundtrip::<B, E>(small(fields, 1, Regime::UniqueDecoding));
        });
    }
}

/// Positions beyond 2^16 have longer twiddles.
#[test]
fn long_codes_open() {
    let base = small(Fields::Gf128, 0, Regime::UniqueDecoding);
    let level = RoundParams { log_columns: 1, log_inv_rate: 3, ..base.level };
    let deep = RoundParams { log_columns: 6, ..base.levels()[0] };
    roundtrip::<Tower128, Gf128>(Params { log_size: 16, level, inner: Inner::Recursion(vec![deep]), ..base });
}

#[test]
fn parameters_have_one_encoding() {
    for (fields, log_parts) in Fields::BINARY.into_iter().zip([0, 1, 4].into_iter().cycle()) {
        let params = Params { log_parts, ..small(fields, 2, Regime::UniqueDecoding) };
        let bytes = params.encode();
        assert_eq!(Params::decode(SchemeId::Ligerito, &bytes), Some(params));
        (0..bytes.len()).for_each(|n| assert_eq!(Params::decode(SchemeId::Ligerito, &bytes[..n]), None));
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(Params::decode(SchemeId::Ligerito, &longer), None);
    }
}

/// What each limit is there for.
#[test]
fn parameters_out_of_range_are_refused() {
    let base = || small(Fields::Gf128, 0, Regime::UniqueDecoding);
    let refused = |edit: fn(&mut Params), reason: &str| {
        let mut params = base();
        edit(&mut params);
        let error = Scheme::<Tower128, Gf128>::new(params, &ANY).unwrap_err().to_string();
        assert!(error.contains(reason), "{error} is not about {reason}");
    };
    refused(|p| p.fields = Fields::Gf256, "other fields");
    refused(|p| p.log_size = 41, "too large");
    refused(|p| p.polynomials = 0, "number of polynomials");
    refused(|p| p.max_forms = 0, "number of linear forms");
    refused(|p| p.level.queries = 0, "number of queries");
    refused(|p| p.level.log_inv_rate = 0, "rate");
    refused(|p| levels(p)[0].log_columns = 0, "at least one variable");
    refused(|p| levels(p)[1].log_columns = 7, "more variables than there are");
    refused(|p| p.level.log_columns = 11, "more columns than entries");
    refused(|p| p.log_parts = 5, "at most sixteen parts");
    refused(|p| p.log_parts = u32::MAX, "at most sixteen parts");
    refused(|p| (p.log_parts, p.level.log_columns) = (4, 3), "more parts than there are columns");
    refused(|p| (p.log_size, p.level.log_inv_rate) = (21, 16), "longer than 2^31");
    refused(|p| p.log_size = 30, "longer than 2^16");
    refused(|p| (p.hidden_openings, p.regime) = (1, JOHNSON), "unique decoding");
    refused(|p| (p.hidden_openings, p.level.log_columns) = (1, 8), "random rows");
    refused(|p| (p.entries, p.max_forms) = (Entries::Bits, 4096), "ring switching would take");
    refused(|p| (p.log_size, p.level.log_columns) = (40, 32), "more than 2^24 columns");
    refused(|p| p.regime = Regime::Johnson { multiplicity: 2 }, "multiplicity");
    refused(|p| p.level.grinding = 33, "32 bits of grinding");
    refused(|p| levels(p)[0].fold_grinding = 33, "32 bits of grinding");
    refused(|p| p.inner = Inner::Recursion(vec![p.levels()[0]; 17]), "too many levels");
    refused(|p| p.hidden_openings = 17, "too many hidden openings");
    refused(|p| (p.inner, p.max_forms) = (Inner::TwoChains, 1), "over prime fields only");
    refused(|p| (p.hidden_openings, p.level.log_columns) = (1, 0), "192 bits");
    refused(
        |p| (p.log_size, p.max_forms, p.inner) = (20, 4096, Inner::Recursion(vec![])),
        "claims times entries",
    );
    refused(|p| (p.log_size, p.level.log_columns, p.level.queries) = (20, 16, 4096), "the opened rows");
    let of_primes = crate::matrix::Scheme::<crate::matrix::Binary, KoalaBear, KoalaBear5>::new(
        Params { fields: Fields::KoalaBear5, ..base() },
        &ANY,
    );
    assert!(of_primes.unwrap_err().to_string().contains("other fields"), "the steps of the other family");
    let strict = Scheme::<Tower128, Gf128>::new(base(), &Policy::at_least(100));
    assert!(strict.is_err(), "twelve queries prove no hundred bits");
}

/// A prover that keeps all of its codewords writes the same bytes as one that makes them again, whatever is forgotten.
#[test]
fn what_a_prover_forgets_does_not_show() {
    fn proofs<B: FoldFibres, E: ExtensionOf<B>>(params: &Params) {
        let scheme = Scheme::<B, E>::new(params.clone(), &ANY).unwrap();
        let entries: Vec<B> = elements(1 << params.log_size, 1);
        let proof = |kept| {
            let mut other = scheme.clone();
            other.layout.kept = kept;
            let mut prover = Prover::new(&other);
            let mut witness = prover.commit(entries.clone());
            let held = witness.memory();
            let form = TensorForm::point(&point(params.variables()));
            let (claims, proof) = prover.open(&mut witness, vec![form], b"");
            assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
            (held, proof)
        };
        let both = proof(ProverStorage::Both);
        for less in [proof(ProverStorage::Message), proof(ProverStorage::Codeword)] {
            assert_eq!(both.0 - less.0, size_of_val(&entries[..]), "a block or the message is not kept");
            assert!(both.1 == less.1, "{params:?}");
        }
    }
    for fields in tested::BINARY {
        let base = small(fields, 0, JOHNSON);
        for log_inv_rate in [1, 2] {
            let level = RoundParams { log_columns: 3, log_inv_rate, ..base.level };
            let params = Params { log_size: 14, level, ..base.clone() };
            assert!(params.layout().stages.iter().take(2).all(Round::opens_few_rows), "rows are made again");
            with_tested_binary_fields!(fields, B, E => proofs::<B, E>(&params));
        }
    }
}
