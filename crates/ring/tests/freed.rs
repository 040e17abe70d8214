//! What a signer leaves in memory that is given back: no point of its sum, no secret. The allocator is one for the process, so this file
//! holds a single test.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use curve::bandersnatch::{Point, Projective, decode_fr, doublings};
use curve::bls12_381::Fr;
use curve::srs::Srs;
use curve::{PrimeField, ct};
use ring_proof::vrf::{Pedersen, Secret, Signature, Suite, Thin, Tiny};
use ring_proof::{Domain, Prover, Ring, SCALAR_BITS, Setup};

/// Words of numbers that must not be found, as they are in memory, in order.
static SOUGHT: OnceLock<Vec<[u64; 4]>> = OnceLock::new();

/// How many were found, and the bytes of the last block that had one.
static FOUND: AtomicUsize = AtomicUsize::new(0);
static BLOCK: AtomicUsize = AtomicUsize::new(0);

struct Watched;

// SAFETY: it is the system's allocator. (Growing is the default: a new block, a copy, and the old one given back.)
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: `layout` has a size, as `GlobalAlloc` asks of the caller. Every block is zeroed, so that all of it can be read.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if let (Some(sought), true) = (SOUGHT.get(), layout.align() >= 8) {
            // SAFETY: the block has this length, is aligned, was zeroed, and is nobody's any more.
            let words = unsafe { core::slice::from_raw_parts(block.cast::<u64>(), layout.size() / 8) };
            let hits = words.windows(4).filter(|four| seek(sought, four)).count();
            if hits > 0 {
                FOUND.fetch_add(hits, Ordering::SeqCst);
                BLOCK.store(layout.size(), Ordering::SeqCst);
            }
        }
        // SAFETY: `block` comes from `alloc` with this `layout`, as `GlobalAlloc` asks of the caller.
        unsafe { System.dealloc(block, layout) }
    }
}

fn seek(sought: &[[u64; 4]], four: &[u64]) -> bool {
    let at = sought.partition_point(|words| words[0] < four[0]);
    sought[at..].iter().take_while(|words| words[0] == four[0]).any(|words| words == four)
}

#[global_allocator]
static HEAP: Watched = Watched;

/// The numbers of a signature that say who made it: the sums, in the coordinates in which they are computed and in those of the columns, what
/// their common inverse is made of, secret and blinding.
fn secrets(suite: &Suite, secret: &Secret, data: &[u8]) -> Vec<[u64; 4]> {
    let input = suite.input(b"input").unwrap();
    let pair = (input, secret.output(&input));
    let (_, blinding) = Pedersen::prove(suite, secret, &[pair], data).unwrap();
    let bases = suite.bases();
    let first = ct::add(&Projective::from(*bases.seed()), &Projective::from(*secret.public()));
    let points = doublings(bases.blinding(), SCALAR_BITS);
    let sums = ct::partial_sums(&first, ct::bits(&*blinding).zip(points));
    let affine = ct::affine(&sums);
    // Where all ends is public.
    let end = affine[SCALAR_BITS];
    let own: Vec<&Point> = affine.iter().filter(|p| **p != end).collect();
    let mut numbers: Vec<Fr> = own.iter().flat_map(|p| [p.x, p.y]).collect();
    numbers.extend(sums.iter().take(own.len()).flat_map(|p| [p.x, p.y, p.z]));
    numbers.extend(sums.iter().scan(Fr::from(1_u64), |product, p| {
        *product = ct::product(product, &p.z);
        Some(*product)
    }));
    let mut words: Vec<[u64; 4]> = numbers.iter().map(|x| x.0.0).collect();
    let scalar = decode_fr(&secret.encode()).unwrap();
    words.extend([scalar.0.0, blinding.0.0, scalar.into_bigint().0, blinding.into_bigint().0]);
    // Small numbers are everywhere.
    words.retain(|words| words[3] != 0 && *words != Fr::from(1_u64).0.0);
    words.sort_unstable();
    words.dedup();
    words
}

#[test]
fn blocks_that_are_given_back_hold_no_secret() {
    let (suite, data) = (Suite::v1(), b"data");
    let setup = Arc::new(Setup::new(Srs::zcash(), Domain::new(512).unwrap()).unwrap());
    let members: Vec<Secret> = (0..5_u8).map(|i| Secret::from_seed(suite, &[i; 32])).collect();
    let keys: Vec<_> = members.iter().map(Secret::key).collect();
    let ring = Ring::with_members(&setup, suite.bases(), &keys).unwrap();
    let prover = Prover::new(&setup, &ring).unwrap();
    let input = suite.input(b"input").unwrap();
    let sought = secrets(suite, &members[3], data);
    assert!(sought.len() > 500);
    let one = sought[sought.len() / 2];
    SOUGHT.set(sought).unwrap();

    Signature::new(suite, (&prover, 3), &members[3], &input, data).unwrap();
    let pair = members[3].pair(&input);
    Thin::prove(suite, &members[3], &[pair], data).unwrap();
    Tiny::prove(suite, &members[3], &[pair], data).unwrap();
    drop(prover);
    let (found, block) = (FOUND.load(Ordering::SeqCst), BLOCK.load(Ordering::SeqCst));
    assert_eq!(found, 0, "the last one in a block of {block} bytes");

    // The control: a block with such a number is seen, when it grows and when it is given back.
    let mut list = Vec::with_capacity(8);
    list.extend([1, 2]);
    list.extend(one);
    list.reserve(1 << 20);
    assert_eq!(FOUND.load(Ordering::SeqCst), 1);
    drop(list);
    assert_eq!(FOUND.load(Ordering::SeqCst), 2);
}
