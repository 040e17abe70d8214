//! Safe code that rustc 1.95.0 to nightly 1.97 (LLVM 22) compile wrongly; see codegen-units-1.md beside this file.
//!
//! ```text
//!   rustc -C opt-level=3 -C codegen-units=1 -C target-cpu=znver4 codegen-units-1.rs    never ends
//!   the same with -C no-vectorize-loops, or without target-cpu                         prints "right"
//! ```

const DEGREE: usize = 3;
const PADDING: usize = 8;

fn planes(weights: &[u64]) -> Vec<u64> {
    let length = weights.len() / DEGREE + PADDING;
    let mut planes = vec![0; DEGREE * length];
    for (k, weight) in weights.as_chunks::<DEGREE>().0.iter().enumerate() {
        for (c, &w) in weight.iter().enumerate() {
            planes[c * length + k] = w;
        }
    }
    planes
}

#[inline(never)]
fn blocks(weights: &[u64], mut hash: u64) -> u64 {
    let width = weights.len() / DEGREE;
    for from in (0..width).step_by(256) {
        let columns = (width - from).min(256);
        let planes = planes(&weights[from * DEGREE..][..columns * DEGREE]);
        hash = planes.iter().fold(hash, |hash, &x| hash.wrapping_mul(31).wrapping_add(x));
    }
    hash
}

fn main() {
    let weights: Vec<u64> = (0..900).collect();
    assert_eq!(blocks(&weights, 1), 3_445_851_558_695_818_759);
    println!("right");
}
