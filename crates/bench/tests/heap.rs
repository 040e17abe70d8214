//! The heap counter is one for the process, so this file holds a single test.

use std::hint::black_box;

use anyhow::Result;
use iop::security::{Regime, Report};
use serde_json::Value;
use tenfold_bench::{
    harness::{Case, Facts, Scheme},
    heap,
};

const MIB: usize = 1 << 20;

/// Witness 8 MiB, 2 MiB more while committing, 4 MiB more than the witness while opening, 1 MiB while verifying.
struct Known;

impl Scheme for Known {
    type Witness = Vec<u8>;
    type State = Vec<u8>;
    type Proof = ();

    fn facts(&self) -> Facts {
        let security = Report::new(Regime::UniqueDecoding, 0.0);
        Facts::new(["known", "none", "plain"], 0, &security, Value::Null)
    }

    fn witness(&self) -> Vec<u8> {
        vec![1; 8 * MIB]
    }

    fn commit(&self, witness: Vec<u8>) -> Result<Vec<u8>> {
        drop(black_box(vec![1u8; 2 * MIB]));
        Ok(witness)
    }

    fn open(&self, _: &Vec<u8>) -> Result<()> {
        // Zeroed and grown blocks count like others.
        let mut block = black_box(vec![0u8; MIB]);
        block.resize(4 * MIB, 1);
        drop(black_box(block));
        Ok(())
    }

    fn verify(&self, (): &()) -> Result<()> {
        drop(black_box(vec![1u8; MIB]));
        Ok(())
    }

    fn proof_bytes(&self, (): &()) -> Result<usize> {
        Ok(0)
    }
}

fn assert_near(measured: usize, expected: usize) {
    assert!((expected..expected + MIB / 8).contains(&measured), "{measured} instead of {expected}");
}

#[test]
fn peaks_are_those_of_each_phase() {
    heap::reset();
    drop(black_box(vec![1u8; 64 * MIB]));
    let kept = black_box(vec![1u8; 16 * MIB]);
    assert_near(heap::peak(), 64 * MIB);
    // What is live already does not count.
    heap::reset();
    drop(black_box(vec![1u8; 4 * MIB]));
    assert_near(heap::peak(), 4 * MIB);

    let peaks = Case::new(Known).sample().unwrap().peak_bytes;
    assert_near(peaks.commit, 10 * MIB);
    assert_near(peaks.open, 12 * MIB);
    assert_near(peaks.verify, MIB);
    drop(kept);
}
