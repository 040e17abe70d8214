//! What weights take of a verifier's memory.

use crate::{HEAP, alone};
use field::{Field, Tower128};
use iop::security::Policy;
use pcs::file::File;
use pcs::ligerito::search::{Profile, SearchTarget, find};
use pcs::ligerito::{Entries, Fields};
use peakmem_alloc::PeakMemAllocTrait;
use tenfold::AnyScheme;
use tenfold::statement::BytesDescription;
use tenfold::verify::{Limits, Refused, Weights, verify};

const BITS: u32 = 90;
const LOG_SIZE: u32 = 10;

/// A proof about as many weights as there are bits, which are these bytes.
fn proof(weights: &[u8]) -> File<'static> {
    let wanted = SearchTarget {
        entries: Entries::Bits,
        ..SearchTarget::new(Fields::Gf128, LOG_SIZE, BITS, Profile::Fast)
    };
    let policy = Policy::at_least(BITS);
    let scheme = AnyScheme::from_matrix(find(&wanted).unwrap(), &policy).unwrap();
    let mut prover = scheme.prover();
    let entries = prover.bytes(&mut &vec![0x5a; weights.len()][..]).unwrap().unwrap();
    let mut witness = prover.commit(entries);
    let described = BytesDescription { name: "x".into(), length: weights.len() as u64, source: [0; 32] };
    let weights = prover.weights(Weights::Bytes(weights)).unwrap();
    prover.open_weighted(&mut witness, weights, &described.encode(), &policy).unwrap()
}

/// A proof names the size of the entries, and of bits each byte of weights makes 256. The verifier spends what it is given
/// and refuses what needs more before it takes any.
#[test]
fn a_proof_does_not_choose_what_weights_take() {
    let _alone = alone();
    let weights = vec![0xa5; Tower128::BYTES << LOG_SIZE];
    let (need, little) = (256 * weights.len(), 1 << 20);
    let file = proof(&weights);
    let judged = |weights: &[u8], max_memory: u64| {
        HEAP.reset_peak_memory();
        let before = HEAP.get_peak_memory();
        let verdict =
            verify(&file, Some(Weights::Bytes(weights)), &Limits { max_memory, ..Limits::new(BITS) })
                .map(|_| ());
        (verdict, HEAP.get_peak_memory() - before)
    };
    let (verdict, taken) = judged(&weights, need as u64);
    assert_eq!(verdict, Ok(()));
    assert!(taken <= need + little, "{taken} bytes of heap, {need} were allowed");
    let (verdict, taken) = judged(&weights, need as u64 - 1);
    assert_eq!(verdict, Err(Refused::Memory(need as u64)));
    assert!(taken <= little, "{taken} bytes of heap to refuse");
    // As many as would take 16 GiB.
    let (verdict, taken) = judged(&vec![1; 64 << 20], u64::MAX);
    assert_eq!(verdict, Err(Refused::Weights { given: 64 << 20, entries: weights.len() as u64 }));
    assert!(taken <= little, "{taken} bytes of heap to refuse");
}
