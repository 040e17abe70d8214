//! The kernels in the emulator against the CPU.

use super::*;
use crate::check::elements;
use field::{ExtensionOf, Gf128, Gf192, Gf256, Tower64, Tower128};
use iop::code::ReedSolomon;
use iop::hash::Hash;
use iop::merkle::{MerkleTree, verify_opening};
use iop::oracle::OracleSpec;
use iop::poly::{TensorForm, basis};

#[cfg(not(emulator))]
#[test]
fn the_emulator_was_built() {
    panic!("the GPU kernels were not tested: no C++ compiler was found when the crate was built");
}

/// Without a driver, a device or working kernels there is an error with one line, and never a panic.
#[test]
fn opening_a_gpu_never_panics() {
    for opened in [Gpu::open(), Gpu::open_with(Code::Native), Gpu::open_with(Code::Portable)] {
        match opened {
            Ok(gpu) => println!("tested on {}", gpu.name()),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
    }
}

/// The emulator without the self-check.
#[cfg(emulator)]
fn emulator(emulator: emulator::Emulator) -> Gpu {
    Gpu::emulated(emulator).expect("the emulator has memory")
}

/// Codeword, root and openings are those of the CPU.
#[cfg(emulator)]
fn commits_alike<B: Entry>(gpu: &Gpu, spec: OracleSpec) {
    let message: Vec<B> = elements(spec.code.dimension() * spec.width, 7);
    let matrix = gpu.commit(&spec, &message).expect("a spec that fits");
    let oracle = spec.commit(&message, Vec::new());
    assert!(matrix.codeword().unwrap() == oracle.blocks().concat(), "the codeword of {spec:?}");
    assert_eq!(matrix.root(), oracle.root(), "{spec:?}");
    let (count, digest) = (1 << spec.log_leaves(), spec.hash.bytes());
    let mut leaves = vec![0; digest * count];
    // One leaf as the CPU makes it: filled up to whole blocks under BLAKE3.
    let filler = if spec.hash == Hash::Blake3 { 64 } else { 1 };
    for (i, leaf) in leaves.chunks_exact_mut(digest).enumerate() {
        let mut bytes = vec![0; (B::BYTES * spec.width) << spec.log_fibre];
        B::write_slice(oracle.row(i), &mut bytes);
        bytes.resize(bytes.len().next_multiple_of(filler), 0);
        leaf.copy_from_slice(&spec.hash.leaf(&bytes));
    }
    let tree = MerkleTree::new(spec.hash, leaves.clone());
    assert_eq!(matrix.nodes(count).unwrap(), leaves, "{spec:?}");
    assert!(matches!(matrix.nodes(2 * count), Err(Error::Shape(_))));
    for positions in [vec![], vec![0], vec![count - 1], (0..count).filter(|i| i * i % 7 == 2).collect()] {
        let (rows, siblings) = matrix.open_rows(&positions).unwrap();
        let expected: Vec<B> = positions.iter().flat_map(|&i| oracle.row(i)).copied().collect();
        assert!(rows == expected && siblings == tree.open(0, &positions), "{spec:?} {positions:?}");
        let opened: Vec<u8> =
            positions.iter().flat_map(|&i| &leaves[digest * i..][..digest]).copied().collect();
        let root = matrix.root();
        verify_opening(spec.hash, spec.log_leaves(), &root, &positions, &opened, &siblings).unwrap();
    }
}

#[cfg(emulator)]
#[test]
fn commitments_are_those_of_the_cpu() {
    let gpu = emulator(emulator::Emulator::default());
    for hash in [Hash::Blake3, Hash::Sha3_256] {
        // Rows below, at and beyond the widths of a tile, of a block of either hash and of a chunk of BLAKE3.
        for width in [1, 2, 3, 7, 8, 16, 17, 33] {
            for (log_rows, log_inv_rate, extra) in [(0, 0, 0), (0, 2, 1), (1, 1, 0), (3, 1, 5), (5, 2, 32)] {
                let spec = OracleSpec {
                    code: ReedSolomon { extra, ..ReedSolomon::new(log_rows, log_inv_rate) },
                    width,
                    log_fibre: 0,
                    log_parts: 0,
                    hash,
                };
                commits_alike::<Tower64>(&gpu, spec);
                commits_alike::<Tower128>(&gpu, spec);
            }
        }
        for width in [64, 65, 128, 192, 193, 449] {
            commits_alike::<Tower128>(
                &gpu,
                OracleSpec { code: ReedSolomon::new(1, 1), width, log_fibre: 0, log_parts: 0, hash },
            );
        }
    }
}

/// Digests of three widths, over leaves of one row and of several.
#[cfg(emulator)]
#[test]
fn wide_digests_and_leaves_of_fibres_are_those_of_the_cpu() {
    let gpu = emulator(emulator::Emulator::default());
    for hash in [Hash::Blake3, Hash::Sha3_256, Hash::Sha3_384, Hash::Sha3_512] {
        for log_fibre in 0..=4 {
            // Leaves below, at and beyond the blocks of each hash.
            for (width, log_rows, log_inv_rate) in [(1, 4, 1), (3, 5, 2), (5, 4, 0), (9, 6, 1)] {
                let code = ReedSolomon::new(log_rows, log_inv_rate);
                let spec = OracleSpec { code, width, log_fibre, log_parts: 0, hash };
                commits_alike::<Tower64>(&gpu, spec);
                commits_alike::<Tower128>(&gpu, OracleSpec { width: width.div_ceil(2), ..spec });
            }
        }
        // A tree of several launches.
        let code = ReedSolomon::new(9, 1);
        commits_alike::<Tower64>(&gpu, OracleSpec { code, width: 3, log_fibre: 0, log_parts: 0, hash });
    }
}

/// Words of chains by every pair of fields, folded by 1 to 16 positions.
#[cfg(emulator)]
struct Chains<'a>(&'a Gpu);

#[cfg(emulator)]
impl challenge::PairSearch<()> for Chains<'_> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<()> {
        for (folds, hash) in [
            (&[0, 1, 1, 2][..], Hash::Blake3),
            (&[2, 1, 3, 0], Hash::Sha3_384),
            (&[3, 4], Hash::Sha3_512),
            (&[4, 3, 2], Hash::Sha3_256),
            // Rounds of a message that a commitment has bound, and of a form that is still to be.
            (&[1, 1, 1], Hash::Blake3),
        ] {
            let mut message: Vec<E> = elements(1 << 10, 21);
            let mut left = 10;
            let shape = |i: usize| {
                left -= folds[i];
                let log_fibre = folds.get(i + 1).copied().unwrap_or(0);
                OracleSpec { hash, ..matrix::<B, E>(left, 2, log_fibre) }
            };
            let shapes: Vec<OracleSpec> = (0..folds.len()).map(shape).collect();
            let form = TensorForm::point(&elements::<E>(10, 20));
            let mut weights = form.expand();
            let mut chain = chain_of::<B, E>(self.0, &message, form, shapes.clone()).unwrap();
            for (i, (&fold, spec)) in folds.iter().zip(&shapes).enumerate() {
                for (j, r) in elements::<E>(fold, 22 + i as u64).into_iter().enumerate() {
                    // A variable may be bound without a round.
                    if (i + j) % 3 < 2 {
                        assert!(chain.round().unwrap() == E::product_round(&message, &weights));
                    }
                    chain.bind(r).unwrap();
                    E::bind_low(&mut message, r);
                    E::bind_low(&mut weights, r);
                }
                if i == 1 {
                    assert!(chain.message().unwrap() == message);
                }
                let root = chain.commit().unwrap();
                let oracle = spec.commit::<B>(&E::flatten(&message), Vec::new());
                assert_eq!(root, oracle.root(), "word {i} of {folds:?}, {}", E::NAME);
                let rows = chain.open_rows(i, &[1, 3]).unwrap().0;
                assert!(rows == [oracle.row(1), oracle.row(3)].concat(), "word {i} of {folds:?}");
            }
            assert!(matches!(chain.commit(), Err(Error::Shape(_))), "a word beyond the last");
            assert!(matches!(chain.open_rows(folds.len(), &[0]), Err(Error::Shape(_))));
            assert!(chain.message().unwrap() == message);
        }
        // A word that is not that of what is left; no variable; forms of other lengths.
        let (message, form) = (elements::<E>(16, 1), TensorForm::point(&elements::<E>(4, 2)));
        let wide = OracleSpec { width: E::DEGREE + 1, ..matrix::<B, E>(4, 1, 0) };
        for shape in [matrix::<B, E>(3, 1, 0), wide] {
            let mut chain = chain_of::<B, E>(self.0, &message, form.clone(), vec![shape]).unwrap();
            assert!(matches!(chain.commit(), Err(Error::Shape(_))));
        }
        let mut chain = chain_of::<B, E>(self.0, &message, form, Vec::new()).unwrap();
        elements::<E>(4, 3).into_iter().for_each(|r| chain.bind(r).unwrap());
        assert!(matches!(chain.round(), Err(Error::Shape(_))));
        assert!(matches!(chain.bind(E::ONE), Err(Error::Shape(_))));
        assert!(matches!(
            chain_of::<B, E>(self.0, &message, TensorForm::sum(3), Vec::new()),
            Err(Error::Shape(_))
        ));
        None
    }
}

/// A matrix with an element in each row.
#[cfg(emulator)]
fn matrix<B: Entry, E: Challenge<B>>(log_rows: usize, log_inv_rate: usize, log_fibre: usize) -> OracleSpec {
    let code = ReedSolomon::new(log_rows, log_inv_rate);
    OracleSpec { code, width: E::DEGREE, log_fibre, log_parts: 0, hash: Hash::Blake3 }
}

/// The chain of elements.
#[cfg(emulator)]
fn chain_of<B: Entry, E: Challenge<B>>(
    gpu: &Gpu,
    message: &[E],
    form: TensorForm<E>,
    shapes: Vec<OracleSpec>,
) -> Result<chain::DeviceChain<B, E>, Error> {
    let shape = matrix::<B, E>(message.len().ilog2() as usize, 1, 0);
    let message = gpu.upload::<B>(&shape, &E::flatten(message))?;
    chain::DeviceChain::new(&message, &basis::<B, E>(), &[(E::ONE, form)], shapes)
}

#[cfg(emulator)]
#[test]
fn words_of_chains_are_those_of_the_cpu() {
    let gpu = emulator(emulator::Emulator { descends: true, ..Default::default() });
    challenge::find_pair(&mut Chains(&gpu));
}

#[cfg(emulator)]
#[test]
fn transforms_of_several_passes_are_those_of_the_cpu() {
    let gpu = emulator(emulator::Emulator::default());
    let hash = Hash::Blake3;
    for (log_rows, width, extra) in [(9, 8, 0), (10, 8, 3), (13, 1, 0), (11, 3, 100), (12, 4, 0)] {
        let code = ReedSolomon { extra, ..ReedSolomon::new(log_rows, 1) };
        commits_alike::<Tower128>(&gpu, OracleSpec { code, width, log_fibre: 0, log_parts: 0, hash });
    }
    commits_alike::<Tower64>(
        &gpu,
        OracleSpec { code: ReedSolomon::new(17, 0), width: 1, log_fibre: 0, log_parts: 0, hash },
    );
}

/// A phase whose result depends on the order of its threads is a race on a device.
#[cfg(emulator)]
#[test]
fn the_order_of_threads_does_not_matter() {
    let gpu = emulator(emulator::Emulator { descends: true, ..Default::default() });
    for (log_rows, width) in [(4, 1), (9, 16), (10, 5)] {
        for hash in [Hash::Blake3, Hash::Sha3_256] {
            commits_alike::<Tower128>(
                &gpu,
                OracleSpec { code: ReedSolomon::new(log_rows, 1), width, log_fibre: 0, log_parts: 0, hash },
            );
        }
    }
    combines_alike::<Tower64, Gf192>(&gpu, 1 << 9, 12);
    combines_alike::<Tower128, Gf256>(&gpu, 1 << 9, 12);
}

/// Both combinations are those of the CPU, for as many weights as rows and for fewer.
#[cfg(emulator)]
fn combines_alike<B: Entry, E: Challenge<B>>(gpu: &Gpu, rows: usize, width: usize) {
    let entries: Vec<B> = elements(rows * width, 8);
    let code =
        ReedSolomon { extra: rows - (1 << rows.ilog2()), ..ReedSolomon::new(rows.ilog2() as usize, 1) };
    let message = gpu
        .upload(&OracleSpec { code, width, log_fibre: 0, log_parts: 0, hash: Hash::Blake3 }, &entries)
        .unwrap();
    let weights: Vec<E> = elements(rows.max(width), 9);
    for count in [rows, rows / 2, 0] {
        let mut expected = vec![E::ZERO; width];
        E::combine_rows(&entries, &weights[..count], &mut expected);
        let found = message.combine_rows(width, &weights[..count]).unwrap();
        assert!(found == expected, "{count} of {rows} rows of {width}, {}", E::NAME);
    }
    let mut expected = vec![E::ZERO; rows];
    E::combine_columns(&entries, &weights[..width], &mut expected);
    assert!(message.combine_columns(&weights[..width]).unwrap() == expected, "{width} columns, {}", E::NAME);
}

/// Shapes whose combinations are compared for each pair of fields.
#[cfg(emulator)]
struct Shapes<'a>(&'a Gpu);

#[cfg(emulator)]
impl challenge::PairSearch<()> for Shapes<'_> {
    fn with<B: Entry, E: Challenge<B>>(&mut self) -> Option<()> {
        for (rows, width) in
            [(1, 1), (2, 3), (8, 1), (6, 31), (32, 32), (64, 33), (3, 257), (1000, 8), (2, 700)]
        {
            combines_alike::<B, E>(self.0, rows, width);
        }
        None
    }
}

#[cfg(emulator)]
#[test]
fn combinations_are_those_of_the_cpu() {
    let gpu = emulator(emulator::Emulator::default());
    challenge::find_pair(&mut Shapes(&gpu));
    // More rows than the blocks of a launch take at least.
    combines_alike::<Tower64, Gf192>(&gpu, 1 << 18, 1);
}

#[cfg(emulator)]
#[test]
fn a_matrix_is_combined_in_rows_of_any_width() {
    let gpu = emulator(emulator::Emulator::default());
    let entries: Vec<Tower128> = elements(1 << 10, 1);
    let spec = OracleSpec {
        code: ReedSolomon::new(6, 1),
        width: 16,
        log_fibre: 0,
        log_parts: 0,
        hash: Hash::Blake3,
    };
    let message = gpu.upload(&spec, &entries).unwrap();
    let weights: Vec<Gf128> = elements(128, 2);
    let mut expected = vec![Gf128::default(); 8];
    Gf128::combine_rows(&entries, &weights, &mut expected);
    assert_eq!(message.combine_rows(8, &weights), Ok(expected));
}

/// Elements of a number that fills no chunk, and encodings that are no element.
#[cfg(emulator)]
#[test]
fn elements_travel_in_chunks() {
    fn round_trip<F: field::Field>(backend: &Backend, bytes: usize) {
        let values: Vec<F> = elements(bytes / F::BYTES, 3);
        let buffer = backend.upload_elements(&values).unwrap();
        let (mut sent, mut written) = (vec![0; buffer.len()], vec![0; buffer.len()]);
        backend.download(&buffer, 0, &mut sent).unwrap();
        F::write_slice(&values, &mut written);
        assert!(sent == written, "{} in {bytes} bytes", F::NAME);
        assert!(backend.download_elements::<F>(&buffer).unwrap() == values, "{} in {bytes} bytes", F::NAME);
    }
    let backend = Backend::Emulator(emulator::Emulator::default());
    let chunk = staging::CHUNK_BYTES;
    for bytes in [0, 96, staging::STAGED_BYTES, chunk, 5 * chunk, 5 * chunk + 96, 6 * chunk - 96] {
        round_trip::<Tower64>(&backend, bytes);
        round_trip::<Tower128>(&backend, bytes);
        round_trip::<Gf192>(&backend, bytes);
        round_trip::<Gf256>(&backend, bytes);
        round_trip::<field::Gf320>(&backend, bytes);
    }
    let mut bytes = vec![0; 2 * chunk];
    bytes[chunk - 8..chunk].fill(0xff);
    let buffer = backend.upload(&bytes).unwrap();
    assert!(matches!(backend.download_elements::<field::Goldilocks>(&buffer), Err(Error::SelfCheck { .. })));
}

/// As threads of one pool do it, which begin a copy within another one's loop: no lock is held meanwhile, and nothing is lent twice.
#[test]
fn slots_are_lent_to_one_copy_at_a_time() {
    let made = std::cell::Cell::new(0);
    let make = || {
        made.set(made.get() + 1);
        if made.get() <= 8 { Ok(made.get()) } else { Err(made.get()) }
    };
    let idle = staging::Idle::default();
    let first = idle.borrow(4, make).unwrap();
    let second = idle.borrow(4, make).unwrap();
    let mut lent = [&first.items[..], &second.items].concat();
    lent.sort_unstable();
    assert_eq!(lent, [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(idle.borrow(4, make).err(), Some(9), "the maker's error");
    drop(first);
    assert_eq!(idle.borrow(4, make).map(|lent| lent.items.len()).ok(), Some(4), "what was given back");
    drop(second);
    assert_eq!((made.get(), idle.borrow(8, make).map(|lent| lent.items.len()).ok()), (9, Some(8)));
}

#[cfg(emulator)]
#[test]
fn wrong_sizes_are_refused() {
    let gpu = emulator(emulator::Emulator::default());
    let good =
        OracleSpec { code: ReedSolomon::new(3, 1), width: 2, log_fibre: 0, log_parts: 0, hash: Hash::Blake3 };
    let message: Vec<Tower128> = elements(16, 1);
    let refused = |spec: OracleSpec, message: &[Tower128]| {
        let result = gpu.commit(&spec, message);
        assert!(matches!(result.map(|_| ()), Err(Error::Shape(_))), "{spec:?} with {}", message.len());
    };
    refused(good, &message[1..]);
    refused(good, &[]);
    refused(OracleSpec { width: 0, ..good }, &[]);
    refused(OracleSpec { log_parts: 1, ..good }, &message);
    refused(OracleSpec { width: usize::MAX, ..good }, &message);
    refused(OracleSpec { code: ReedSolomon { extra: 9, ..good.code }, ..good }, &elements(34, 1));
    refused(OracleSpec { code: ReedSolomon::new(3, 29), ..good }, &message);
    refused(OracleSpec { code: ReedSolomon::new(3, usize::MAX), ..good }, &message);
    for hash in [Hash::Sha256, Hash::Keccak256] {
        refused(OracleSpec { hash, ..good }, &message);
    }
    for log_fibre in [4, 64, usize::MAX] {
        refused(OracleSpec { log_fibre, ..good }, &message);
    }
    let matrix = gpu.commit(&good, &message).unwrap();
    for positions in [&[16][..], &[1, 1], &[2, 1], &[0, usize::MAX]] {
        assert!(matches!(matrix.open_rows(positions), Err(Error::Shape(_))), "{positions:?}");
    }
    let weights: Vec<Gf128> = elements(17, 1);
    for (width, count) in [(0, 1), (2, 9), (3, 1), (usize::MAX, 0)] {
        assert!(matches!(matrix.message().combine_rows(width, &weights[..count]), Err(Error::Shape(_))));
    }
    for count in [0, 3, 17] {
        assert!(matches!(matrix.message().combine_columns(&weights[..count]), Err(Error::Shape(_))));
    }
}

#[cfg(emulator)]
#[test]
fn the_self_check_passes_and_finds_each_kernel_that_fails() {
    let gpu = Gpu::emulator().expect("kernels that compute as the CPU does");
    assert_eq!(gpu.name(), "emulator");
    for kernel in args::Kernel::all() {
        let gpu = emulator(emulator::Emulator { broken: Some(kernel), ..Default::default() });
        let found = check::run(&gpu);
        assert!(matches!(found, Err(Error::SelfCheck { .. })), "{kernel:?}: {found:?}");
    }
}
