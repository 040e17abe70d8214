//! What a verifier takes of memory beside a file.

use crate::{HEAP, alone};
use iop::hash::Hash;
use iop::security::{Policy, Regime};
use pcs::fields::Fields;
use pcs::file::{File, Header, SchemeId};
use pcs::ligerito::{self, Entries};
use pcs::pip::{self, Inner, RoundParams};
use peakmem_alloc::PeakMemAllocTrait;
use tenfold::AnyScheme;
use tenfold::any::Form;
use tenfold::statement::{BytesDescription, ColumnDescription};
use tenfold::verify::{Limits, verify};

const ANY: Policy = Policy::at_least(0);
/// What does not depend on the file.
const LITTLE: usize = 1 << 20;

fn level(log_columns: u32, queries: u32) -> RoundParams {
    RoundParams { log_columns, log_inv_rate: 1, queries, grinding: 0, fold_grinding: 0 }
}

/// Columns are many and rows few, so that a row is most of a proof; and as they are usual.
fn of_pip(fields: Fields, log_size: u32, log_columns: u32, inner: Inner) -> pip::Params {
    pip::Params {
        fields,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        entries: Entries::Whole,
        log_size,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level: level(log_columns, 3),
        inner,
    }
}

/// The file of an opening of one entry.
fn file(scheme: &AnyScheme) -> Vec<u8> {
    let (count, mut prover) = (1u64 << scheme.summary().log_size, scheme.prover());
    let numbers = (0..count).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
    let (entries, context) = if matches!(scheme.id(), SchemeId::Ligerito | SchemeId::Air) {
        let bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
        let described = BytesDescription { name: "x".into(), length: bytes.len() as u64, source: [0; 32] };
        (prover.bytes(&mut &bytes[..]).unwrap().unwrap(), described.encode())
    } else {
        let described =
            ColumnDescription { name: "x".into(), rows: count, scale: 0, bytes: None, source: [0; 32] };
        (prover.integers(&mut numbers.map(i128::from)).unwrap(), described.encode())
    };
    let mut witness = prover.commit(entries);
    prover.open(&mut witness, &[Form::Entry(77)], &context).unwrap().file.encode()
}

/// A verifier reads a file where it stands: what it takes beside it is less than the file once more. And no file is longer than
/// its header says that it can be.
#[test]
fn a_verifier_takes_no_more_than_the_file() {
    let _alone = alone();
    let recursion = || Inner::Recursion(vec![level(3, 20)]);
    let mut files = Vec::new();
    for fields in [Fields::KoalaBear5, Fields::Bn254] {
        for params in [
            of_pip(fields, 18, 18, Inner::Recursion(Vec::new())),
            of_pip(fields, 17, 13, recursion()),
            of_pip(fields, 17, 12, Inner::Chain(vec![2, 2])),
            of_pip(fields, 17, 15, Inner::TwoChains),
            of_pip(fields, 14, 1, Inner::Recursion(vec![level(11, 2)])),
        ] {
            let name = format!("{params:?}");
            files.push((name, file(&AnyScheme::from_matrix(params, &ANY).unwrap())));
        }
    }
    // Leaves of few columns, whose parts have longer digests than the leaves have rows.
    let narrow = of_pip(Fields::KoalaBear5, 17, 4, Inner::Recursion(Vec::new()));
    let narrow = pip::Params { hash: Hash::Sha3_512, log_parts: 4, level: level(4, 4096), ..narrow };
    files.push((format!("{narrow:?}"), file(&AnyScheme::from_matrix(narrow, &ANY).unwrap())));
    for (fields, packed) in
        [(ligerito::Fields::Gf128, Entries::Bytes), (ligerito::Fields::Gf192, Entries::Whole)]
    {
        let recursion = |levels| (0, Inner::Recursion(levels));
        for (log_columns, (log_leaf_fibres, inner)) in
            [(17, recursion(vec![])), (10, recursion(vec![level(4, 30)])), (6, (2, Inner::Chain(vec![2, 2])))]
        {
            let of_pip = of_pip(Fields::Bn254, 17, log_columns, Inner::TwoChains);
            let params = ligerito::Params {
                fields,
                hash: of_pip.hash,
                regime: of_pip.regime,
                entries: packed,
                log_size: 17,
                polynomials: 1,
                max_forms: 1,
                hidden_openings: 0,
                log_parts: 0,
                log_leaf_fibres,
                level: RoundParams { queries: 20, ..of_pip.level },
                inner,
            };
            let name = format!("{params:?}");
            files.push((name, file(&AnyScheme::from_matrix(params, &ANY).unwrap())));
        }
    }
    for (name, bytes) in files {
        let header = Header::decode(&bytes[..bytes.len().min(Header::MOST as usize)]).unwrap();
        assert_eq!(
            (header.length(), tenfold::longest::check_length(&header)),
            (bytes.len() as u64, Ok(())),
            "{name}"
        );
        HEAP.reset_peak_memory();
        let before = HEAP.get_peak_memory();
        let verdict = verify(&File::decode(&bytes).unwrap(), None, &Limits::new(0)).map(|_| ());
        let taken = HEAP.get_peak_memory() - before;
        println!("{:.2} of {} bytes: {name}", taken as f64 / bytes.len() as f64, bytes.len());
        assert_eq!(verdict, Ok(()), "{name}");
        assert!(taken <= bytes.len() + LITTLE, "{taken} bytes beside {}: {name}", bytes.len());
    }
}
