//! What a prover takes of memory. The heap counter is one for the process, so this file holds a single test.

use field::{Alphabet, ExtensionOf};
use iop::poly::Tensor;
use iop::security::Policy;
use pcs::ligerito::search::{Profile, Wanted, find};
use pcs::ligerito::{Fields, Params, Prover, Scheme};
use pcs::with_binary_fields;
use peakmem_alloc::{PeakMemAlloc, PeakMemAllocTrait};
use std::alloc::System;

#[global_allocator]
static HEAP: PeakMemAlloc<System> = PeakMemAlloc::system();

/// The most bytes held at once, data included, until a commitment stands, and until it is opened.
fn peaks<B: Alphabet, E: ExtensionOf<B>>(params: &Params) -> (usize, usize) {
    let scheme = Scheme::<B, E>::new(params.clone(), &Policy::at_least(100)).unwrap();
    HEAP.reset_peak_memory();
    let entry = |i: u64| B::from_u64(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut entries = Vec::with_capacity(1 << params.log_size);
    entries.extend((0..1 << params.log_size).map(entry));
    let mut witness = Prover::new(&scheme).commit(entries);
    let committed = HEAP.get_peak_memory();
    let form = Tensor::index(77, params.variables());
    let (claims, proof) = Prover::new(&scheme).open(&mut witness, vec![form], b"");
    let opened = HEAP.get_peak_memory();
    assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
    (committed, opened)
}

/// Commitment takes the codeword, of which the data are a part, and opening a quarter more.
#[test]
fn a_codeword_and_a_quarter_suffice() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let of = |(fields, log_size, bits)| {
        [Profile::Fast, Profile::Small].map(|profile| Wanted::new(fields, log_size, bits, profile))
    };
    let sizes = [
        (Fields::Gf128, 18, 100),
        (Fields::Gf128, 20, 100),
        (Fields::Gf192, 21, 128),
        (Fields::Gf256, 20, 128),
    ];
    let mut all: Vec<Wanted> = sizes.into_iter().flat_map(of).collect();
    // At rate 1/2 a codeword is short beside what does not shrink with it.
    let half = Wanted { unique_decoding: Some(true), log_inv_rate: Some(1), ..all[0].clone() };
    all.push(half);
    for wanted in all {
        let params = find(&wanted).unwrap();
        let codeword = (params.fields.base_bytes() << params.log_size) << params.level.log_inv_rate;
        let (committed, opened) =
            with_binary_fields!(params.fields, B, E => pool.install(|| peaks::<B, E>(&params)));
        let percent = |peak: usize| peak * 100 / codeword;
        let found = format!("{params:?}: {} % and {} %", percent(committed), percent(opened));
        println!("{found}");
        assert!((90..=110).contains(&percent(committed)), "{found}");
        assert!(percent(opened) <= 125, "{found}");
    }
}
