//! Times the additive transform: `cargo run --release -p tenfold-field --example additive_ntt`.
//!
//! Each line has the fastest and the median of some runs into memory that was written before, on one thread, and the
//! rate of the fastest in bytes of the codeword (or of the values).

use std::hint::black_box;
use std::time::{Duration, Instant};

use field::binary::ntt;

const RUNS: usize = 31;

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a pool of one thread");
    pool.install(|| {
        println!("message    rows of   code     encode                        adjoint of 16-byte values");
        for (log_bytes, row_bytes) in [
            (22, 256),
            (22, 1024),
            (24, 256),
            (24, 1024),
            (24, 512),
            (24, 64),
            (24, 16),
            (24, 8),
            (26, 1024),
            (26, 256),
        ] {
            line(log_bytes, row_bytes);
        }
        println!("codes of rate 1/32 over extensions of GF(2^64), as planes of 8 bytes and as rows");
        for (degree, log_rows) in [(3, 12), (4, 12), (5, 12), (3, 16), (3, 20)] {
            extension(degree, log_rows);
        }
    });
}

/// One polynomial over an extension of GF(2^64), on the positions from `2^(log_rows + 5)` on. (notes: additive-larger)
fn extension(degree: usize, log_rows: usize) {
    let runs = |row_bytes: usize, messages: usize| {
        let message: Vec<u8> =
            (0..row_bytes << log_rows).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
        let mut block = vec![0; message.len()];
        let [fastest, median] = time(|| {
            for c in (0..messages).flat_map(|_| 32..64) {
                ntt::encode_block(black_box(&message), row_bytes, c, &mut block, &|_, rows| {
                    black_box(rows);
                });
            }
        });
        format!("{:>8.2} {:>8.2} ms", fastest.as_secs_f64() * 1e3, median.as_secs_f64() * 1e3)
    };
    let (planes, rows) = (runs(8, degree), runs(8 * degree, 1));
    println!("GF(2^{}) 2^{log_rows:<2}  {planes}  {rows}", 64 * degree);
}

/// The fastest and the median time of some runs.
fn time(mut run: impl FnMut()) -> [Duration; 2] {
    let mut times: Vec<_> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort();
    [times[0], times[RUNS / 2]]
}

/// One message of `2^log_bytes` bytes at rate 1/2.
fn line(log_bytes: usize, row_bytes: usize) {
    let size = 1 << log_bytes;
    let message: Vec<u8> = (0..size).map(|i: usize| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect();
    let mut code = vec![0; 2 * size];
    let encode = time(|| {
        for (c, block) in code.chunks_exact_mut(size).enumerate() {
            ntt::encode_block(black_box(&message), row_bytes, c, block, &|_, rows| {
                black_box(rows);
            });
        }
    });
    let log_rows = (size / row_bytes).ilog2() as usize;
    let mut values = vec![1; 32 << log_rows];
    let adjoint = time(|| ntt::adjoint(black_box(&mut values), 16, log_rows, 0));
    let shown = |bytes: usize, [fastest, median]: [Duration; 2]| {
        let rate = bytes as f64 / fastest.as_secs_f64() / f64::from(1 << 30);
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        format!("{:>7.3} {:>7.3} ms {rate:>5.2} GiB/s", ms(fastest), ms(median))
    };
    let (encode, adjoint) = (shown(code.len(), encode), shown(values.len(), adjoint));
    println!("2^{log_bytes} bytes  {row_bytes:>5}  2 x 2^{log_rows:<2}  {encode}  {adjoint}");
}
