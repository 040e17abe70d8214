//! What a verifier takes of memory beside a file. The heap counter is one for the process, so this file holds a single test.

use field::{Alphabet, Bn254, ExtensionOf, Field, KoalaBear, KoalaBear5, TwoAdic};
use iop::hash::Hash;
use iop::poly::Tensor;
use iop::security::{Policy, Regime};
use pcs::file::{File, Header, Kind, Opening, SchemeId};
use pcs::ligerito::{self, Entries};
use pcs::pip::{self, Inner, Level};
use pcs::{fields::Fields, with_binary_fields};
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use std::alloc::System;
use tenfold::verify::{Limits, verify};

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

const ANY: Policy = Policy::at_least(0);
/// What does not depend on the file.
const LITTLE: usize = 1 << 20;

fn level(log_columns: u32, queries: u32) -> Level {
    Level { log_columns, log_inv_rate: 1, queries, grinding: 0, fold_grinding: 0 }
}

/// Columns are many and rows few, so that a row is most of a proof; and as they are usual.
fn of_pip(fields: Fields, log_size: u32, log_columns: u32, inner: Inner) -> pip::Params {
    pip::Params {
        fields,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        log_size,
        polynomials: 1,
        max_forms: 1,
        hidden_openings: 0,
        level: level(log_columns, 3),
        inner,
    }
}

fn entries<B: Field>(count: usize) -> Vec<B> {
    (0..count as u64).map(|i| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40)).collect()
}

fn file(scheme: SchemeId, params: Vec<u8>, [digest, statement]: [[u8; 32]; 2], body: Vec<u8>) -> Vec<u8> {
    let (kind, body) = (Kind::Opening, body.into());
    File { kind, scheme, params, params_digest: digest, statement, body }.encode()
}

fn pip_file<B: TwoAdic, E: ExtensionOf<B>>(params: pip::Params) -> Vec<u8> {
    let scheme = pip::Scheme::<B, E>::new(params, &ANY).unwrap();
    let params = scheme.params();
    let mut prover = pip::Prover::new(&scheme);
    let mut witness = prover.commit(entries(1 << params.log_size));
    let (claims, proof) = prover.open(&mut witness, vec![Tensor::index(77, params.variables())], b"label");
    let commitment = witness.commitment().to_bytes();
    let digests = [params.digest(), claims.digest(params.hash, &commitment)];
    let body = Opening { commitment, claims, proof: proof.into() }.encode();
    file(SchemeId::Pip, params.encode(), digests, body)
}

fn ligerito_file<B: Alphabet, E: ExtensionOf<B>>(params: ligerito::Params) -> Vec<u8> {
    let scheme = ligerito::Scheme::<B, E>::new(params, &ANY).unwrap();
    let params = scheme.params();
    let mut prover = ligerito::Prover::new(&scheme);
    let mut witness = prover.commit(entries(1 << params.log_size));
    let (claims, proof) = prover.open(&mut witness, vec![Tensor::index(77, params.variables())], b"label");
    let commitment = witness.commitment().to_bytes();
    let digests = [params.digest(), claims.digest(params.hash, &commitment)];
    let body = Opening { commitment, claims, proof: proof.into() }.encode();
    file(SchemeId::Ligerito, params.encode(), digests, body)
}

/// A verifier reads a file where it stands: what it takes beside it is less than the file once more. And no file is longer than
/// its header says that it can be.
#[test]
fn a_verifier_takes_no_more_than_the_file() {
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
            let bytes = match fields {
                Fields::Bn254 => pip_file::<Bn254, Bn254>(params),
                _ => pip_file::<KoalaBear, KoalaBear5>(params),
            };
            files.push((name, bytes));
        }
    }
    for (fields, packed) in
        [(ligerito::Fields::Gf128, Entries::Bytes), (ligerito::Fields::Gf192, Entries::Whole)]
    {
        for (log_columns, levels) in [(17, vec![]), (10, vec![level(4, 30)])] {
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
                level: Level { queries: 20, ..of_pip.level },
                levels,
            };
            let name = format!("{params:?}");
            files.push((name, with_binary_fields!(fields, B, E => ligerito_file::<B, E>(params))));
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
