//! Every tier against the reference, and the reference against the definition.

use std::sync::Mutex;

use super::plan::Plan;
use super::reference;
use super::tiers::{Tier, tiers};
use super::{Done, adjoint, encode, encode_block};
use crate::cpu;
use crate::laws::Samples;

fn bytes(samples: &mut Samples, count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    bytes.fill_with(|| samples.word() as u8);
    bytes
}

/// Encodes with a tier, and checks that every row is told of once, as it is in the end.
fn encode_with(tier: &'static Tier, message: &[u8], row_bytes: usize, block: usize, m: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(row_bytes << m);
    let told = Mutex::new(vec![None; 1 << m]);
    let done = |first: usize, rows: &[u8]| {
        let count = rows.len() / row_bytes;
        assert!(count.is_power_of_two() && first.is_multiple_of(count), "an aligned piece");
        assert!(count >= 16.min(1 << m), "a piece of {count} rows of {row_bytes} bytes");
        assert!(rows.len() <= 1 << 18 || count == 16.min(1 << m), "a piece of {} bytes", rows.len());
        let mut told = told.lock().unwrap();
        for (k, row) in rows.chunks_exact(row_bytes).enumerate() {
            assert!(told[first + k].replace(row.to_vec()).is_none(), "row {} twice", first + k);
        }
    };
    encode::block(tier, message, (row_bytes, block), &mut out.spare_capacity_mut()[..row_bytes << m], &done);
    // SAFETY: encoding initialises all of the block.
    unsafe { out.set_len(row_bytes << m) };
    for (row, told) in out.chunks_exact(row_bytes).zip(told.into_inner().unwrap()) {
        assert!(told.as_deref() == Some(row), "a row is not told of, or changed afterwards");
    }
    out
}

#[test]
fn reference_is_the_definition() {
    let mut samples = Samples::new(1);
    for (m, extra, block) in
        [(0, 0, 0), (0, 1, 3), (1, 0, 1), (3, 5, 2), (4, 16, 0), (4, 3, 70_000), (5, 1, 9)]
    {
        let message = bytes(&mut samples, ((1 << m) + extra) * 8);
        let block_rows = reference::encode_block(&message, 8, block, m);
        for (i, row) in block_rows.chunks_exact(8).enumerate() {
            let mut expected = vec![0; 8];
            for (c, coefficient) in message.chunks_exact(8).enumerate() {
                reference::add_product(&mut expected, coefficient, reference::basis(c, (block << m) + i));
            }
            assert_eq!(row, expected, "row {i} of block {block} of 2^{m}");
        }
    }
}

#[test]
fn every_tier_of_the_machine_is_listed() {
    let names: Vec<_> = tiers().iter().map(|tier| tier.name).collect();
    assert_eq!(names.last(), Some(&"portable"));
    #[cfg(target_os = "linux")]
    {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let flags: Vec<_> =
            info.lines().find(|line| line.starts_with("flags")).unwrap_or("").split(' ').collect();
        for (name, cpu, features) in [
            ("gfni512", cpu::Tier::Avx512, &["avx512f", "avx512bw", "gfni"][..]),
            ("gfni256", cpu::Tier::Avx2, &["avx2", "gfni"]),
            ("avx2", cpu::Tier::Avx2, &["avx2"]),
        ] {
            // A lower tier may be forced.
            let expected = cpu <= cpu::Tier::best() && features.iter().all(|f| flags.contains(f));
            assert_eq!(names.contains(&name), expected, "{name} in {names:?}");
        }
    }
}

#[test]
fn tiers_agree_with_the_reference() {
    let mut samples = Samples::new(2);
    for m in 0..=12 {
        for row_bytes in [8, 16, 24, 32, 40, 64, 104, 256, 1024] {
            let rows = 1usize << m;
            if row_bytes << m > 1 << 21 {
                continue;
            }
            let extras = [0, 1, rows / 3, rows];
            let extra = extras[samples.word() as usize % 4];
            let blocks = [0, 1, 2, 5, (1 << 16) / rows - 1, (1 << 16) / rows, (1 << 20) / rows + 3];
            let block = blocks[samples.word() as usize % 7];
            let message = bytes(&mut samples, row_bytes * (rows + extra));
            let expected = reference::encode_block(&message, row_bytes, block, m);
            for tier in tiers() {
                let shape = format!("{}: 2^{m} + {extra} rows of {row_bytes}, block {block}", tier.name);
                assert!(encode_with(tier, &message, row_bytes, block, m) == expected, "{shape}");
            }
        }
    }
}

#[test]
fn narrow_rows_in_every_block() {
    let mut samples = Samples::new(3);
    for row_bytes in [8, 16, 32] {
        for (m, block) in [(2, 1), (3, 3), (4, 4096), (5, 2047), (6, 1 << 20), (9, 129), (13, 9), (16, 1)] {
            let message = bytes(&mut samples, row_bytes << m);
            let expected = reference::encode_block(&message, row_bytes, block, m);
            for tier in tiers() {
                assert!(encode_with(tier, &message, row_bytes, block, m) == expected, "{}", tier.name);
            }
        }
    }
}

#[test]
fn two_blocks_past_the_cache() {
    let mut samples = Samples::new(8);
    // Whole and partial vectors, factors from T1, from T2 and from both; shared among threads from 1 MiB on.
    for (m, row_bytes, blocks) in [(3, 24, [2, 3]), (4, 64, [9, 1]), (9, 40, [1, 1 << 15]), (13, 256, [4, 5])]
    {
        let message = bytes(&mut samples, row_bytes << m);
        let expected = blocks.map(|block| reference::encode_block(&message, row_bytes, block, m));
        for tier in tiers().into_iter().filter(|tier| tier.past.is_some()) {
            let shape = format!("{}: 2^{m} rows of {row_bytes}, blocks {blocks:?}", tier.name);
            let (mut matrix, mut out) = (message.clone(), Vec::with_capacity((row_bytes << m) + 8));
            // From any multiple of 8 bytes on.
            let spare = &mut out.spare_capacity_mut()[8..(row_bytes << m) + 8];
            let told = Mutex::new([0; 2]);
            let dones: [Done; 2] = [&|_, rows| told.lock().unwrap()[0] += rows.len(), &|first, rows| {
                assert!(rows == &expected[1][first * row_bytes..][..rows.len()], "{shape}");
                told.lock().unwrap()[1] += rows.len();
            }];
            let plan = Plan::new(tier, row_bytes, 1 << m);
            encode::two_past(plan, &mut matrix, spare, (row_bytes, blocks), dones);
            assert!(matrix == expected[0], "{shape}");
            assert_eq!(told.into_inner().unwrap(), [row_bytes << m; 2], "{shape}");
        }
    }
}

#[test]
fn large_blocks_and_threads() {
    let mut samples = Samples::new(4);
    for (m, row_bytes, extra, block) in
        [(14, 256, 0, 0), (13, 1024, 100, 1), (17, 64, 70_000, 0), (3, 400_000, 1, 2)]
    {
        let message = bytes(&mut samples, row_bytes * ((1 << m) + extra));
        let expected = reference::encode_block(&message, row_bytes, block, m);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let made = pool.install(|| encode_with(tiers()[0], &message, row_bytes, block, m));
            assert!(made == expected, "{threads} threads");
        }
    }
}

/// Rows so long that sixteen of them are more than 2^18 bytes, whatever number of layers a tier does in a pass.
#[test]
fn long_rows() {
    let mut samples = Samples::new(9);
    for (m, row_bytes, block) in [
        (2, 1 << 17, 1),
        (4, 1 << 16, 0),
        (5, 1 << 16, 3),
        (6, 24_000, 1),
        (7, 1 << 14, 0),
        (8, 1 << 14, 2),
        (9, 1 << 13, 1),
    ] {
        let message = bytes(&mut samples, row_bytes << m);
        let expected = reference::encode_block(&message, row_bytes, block, m);
        for tier in tiers() {
            let shape = format!("{}: 2^{m} rows of {row_bytes}", tier.name);
            assert!(encode_with(tier, &message, row_bytes, block, m) == expected, "{shape}");
        }
    }
}

#[test]
fn initialised_memory_is_overwritten() {
    let mut samples = Samples::new(5);
    let message = bytes(&mut samples, 64 * 40);
    let mut out = vec![0xa5; 64 * 32];
    encode_block(&message, 64, 3, &mut out, &|_, _| {});
    assert_eq!(out, reference::encode_block(&message, 64, 3, 5));
}

#[test]
fn adjoint_is_the_definition() {
    let mut samples = Samples::new(6);
    for element_bytes in [8, 16, 24, 32, 64] {
        for (m, r) in [(0, 0), (0, 3), (1, 1), (2, 2), (3, 0), (4, 2), (5, 4), (6, 1), (7, 1)] {
            let values = bytes(&mut samples, element_bytes << (m + r));
            for first_block in [0, 1 << r, 3] {
                let expected = reference::adjoint(&values, element_bytes, (m, first_block));
                for tier in tiers() {
                    let mut made = values.clone();
                    adjoint::run(tier, &mut made, element_bytes, (m, first_block));
                    assert!(made[..element_bytes << m] == expected, "{} 2^{m}, 2^{r} blocks", tier.name);
                }
            }
        }
    }
}

/// The sum of products of words of T2.
fn inner(a: &[u8], b: &[u8]) -> u32 {
    let words =
        |x: &[u8]| x.chunks_exact(4).map(|x| u32::from_le_bytes(x.try_into().unwrap())).collect::<Vec<_>>();
    words(a).into_iter().zip(words(b)).fold(0, |sum, (a, b)| sum ^ crate::binary::tower::mul32(a, b))
}

/// A word of few values has the adjoint of any word: those that are zero are left out.
#[test]
fn adjoint_of_few_values() {
    let mut samples = Samples::new(9);
    for (element_bytes, m, block) in
        [(16, 0, 3), (8, 3, 1), (16, 9, 2), (16, 12, 1), (24, 11, 70_000), (32, 16, 1)]
    {
        let last = (1 << m) - 1;
        for rows in [vec![], vec![last / 2], vec![0, last / 3, last], (0..=last).step_by(97).collect()] {
            let mut values = vec![0; element_bytes << m];
            for row in &rows {
                values[row * element_bytes..][..element_bytes]
                    .copy_from_slice(&bytes(&mut samples, element_bytes));
            }
            for tier in tiers() {
                let (mut all, mut few) = (values.clone(), values.clone());
                adjoint::run(tier, &mut all, element_bytes, (m, block));
                adjoint::rows(tier, &mut few, (element_bytes, block), &rows);
                assert!(all == few, "{}: {} of 2^{m}", tier.name, rows.len());
            }
        }
    }
}

#[test]
fn adjoint_is_the_transpose() {
    let mut samples = Samples::new(7);
    for (m, r, element_bytes) in
        [(3, 2, 8), (9, 1, 16), (12, 2, 16), (14, 3, 16), (10, 1, 32), (12, 1, 64), (8, 1, 24)]
    {
        let values = bytes(&mut samples, element_bytes << (m + r));
        let message = bytes(&mut samples, element_bytes << m);
        for tier in tiers() {
            for threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut sums = values.clone();
                pool.install(|| adjoint::run(tier, &mut sums, element_bytes, (m, 1 << r)));
                let blocks = (1 << r..2 << r).flat_map(|c| encode_with(tier, &message, element_bytes, c, m));
                let code: Vec<_> = blocks.collect();
                assert_eq!(
                    inner(&sums[..element_bytes << m], &message),
                    inner(&values, &code),
                    "{}",
                    tier.name
                );
            }
        }
    }
}
