//! What ring switching needs beside the witness: far less than the data.

use crate::{HEAP, alone};
use field::{Field, Gf128, Tower128};
use iop::hash::Hash;
use iop::poly::TensorForm;
use iop::security::{Policy, Regime};
use pcs::ligerito::{Entries, Fields, Inner, Params, Prover, RoundParams, Scheme};
use peakmem_alloc::PeakMemAllocTrait;

const LOG_SIZE: u32 = 18;

/// The bytes that an opening needs on top of its witness.
fn scratch(entries: Entries, forms: usize) -> usize {
    let level = RoundParams { log_columns: 4, log_inv_rate: 1, queries: 8, grinding: 0, fold_grinding: 0 };
    let params = Params {
        fields: Fields::Gf128,
        hash: Hash::Blake3,
        regime: Regime::UniqueDecoding,
        entries,
        log_size: LOG_SIZE,
        polynomials: 1,
        max_forms: 4,
        hidden_openings: 0,
        log_parts: 0,
        log_leaf_fibres: 0,
        level,
        inner: Inner::Recursion(vec![level]),
    };
    let scheme = Scheme::<Tower128, Gf128>::new(params, &Policy::at_least(0)).unwrap();
    let variables = scheme.params().variables();
    let data = (0..1u128 << LOG_SIZE).map(|i| Tower128(i * i * i + 1)).collect();
    let mut prover = Prover::new(&scheme);
    let mut witness = prover.commit(data);
    let form =
        |i: usize| TensorForm::point(&(0..variables).map(|v| Gf128((i + 3 * v) as u128)).collect::<Vec<_>>());
    HEAP.reset_peak_memory();
    let before = HEAP.get_peak_memory();
    let (claims, proof) = prover.open(&mut witness, (0..forms).map(form).collect(), b"");
    let needed = HEAP.get_peak_memory() - before;
    assert_eq!(scheme.verify(witness.commitment(), &claims, &proof), Ok(()));
    needed
}

#[test]
fn packed_claims_need_little_memory() {
    let _alone = alone();
    let data = Tower128::BYTES << LOG_SIZE;
    let plain = scratch(Entries::Whole, 1);
    // Whole entries are opened by the codeword alone; beside packed ones its first block is made again, in an eighth of it.
    let again = data / 4;
    for entries in [Entries::Bits, Entries::Bytes, Entries::Words32] {
        for forms in [1, 4] {
            let packed = scratch(entries, forms);
            let most = plain + again + data / 8;
            assert!(packed < most, "{entries:?}, {forms} forms: {packed} bytes, plain {plain}");
        }
    }
}
