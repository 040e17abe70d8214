//! Any bytes into the readers of data files: they return, never panic, and stay within their memory.

#[path = "../../tenfold/tests/fuzz/driver.rs"]
mod driver;

use data::{Format, Limits, Options, read};
use driver::{input, run};
use rand::RngExt;
use tenfold::dataset::{Layout, decimal};

const CSV: &[u8] =
    b"price,\"a \"\"quoted\"\" name\",n\r\n1.25,\"x,y\",3\n-7e-2,\"two\nlines\",170141183460469231731687303715884105727\n";
const JSON: &[u8] = b" [1, -2.5, 3e-2, 0.000000000000000001, 1e18, NaN, 12345678901234567890]\n";

fn npy(dtype: &str, rows: usize, width: usize) -> Vec<u8> {
    let header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': ({rows},), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend((0..rows * width).map(|i| (i * 37) as u8));
    bytes
}

#[test]
fn fuzz_data_readers() {
    let [integers, floats, words] = [("<i8", 8), (">f4", 4), ("|u1", 1)].map(|(d, w)| npy(d, 9, w));
    run("fuzz_data_readers", |rng| {
        let (format, valid): (_, &[&[u8]]) = match rng.random_range(0..5) {
            0 => (Format::Csv, &[CSV]),
            1 => (Format::Json, &[JSON, b"[]", b"[1, 2]"]),
            2 => (Format::Npy, &[&integers, &floats, &words]),
            3 => (Format::JsonLines, &[b"1\n-2.5\n", b"{\"price\": 1}\n{\"x\": [], \"price\": -2}\n"]),
            _ => (Format::Raw, &[CSV]),
        };
        let bytes = input(rng, valid);
        let options = Options {
            format,
            column: [None, Some("price".to_owned()), Some("1".to_owned())][rng.random_range(0..3)].clone(),
            scale: rng.random::<bool>().then(|| rng.random_range(0..=18)),
            header: rng.random(),
            raw_width: rng.random_range(1..=15),
            limits: Limits { max_bytes: 256 << 10 },
            size: rng.random::<bool>().then_some(bytes.len() as u64),
            ..Options::default()
        };
        let Ok(column) = read(&bytes[..], &options) else { return false };
        assert!(!column.values.is_empty() && column.scale <= 18, "{column:?}");
        assert!(column.padded_rows() as u64 * 12 <= 256 << 10, "more rows than the memory limit allows");
        assert_eq!(column.source_digest, *blake3::hash(&bytes).as_bytes(), "a digest of other bytes");
        if column.layout == Layout::Numbers {
            for row in 0..column.rows() {
                let again = decimal::parse(column.text(row).unwrap().as_bytes()).unwrap();
                assert_eq!((Some(again.mantissa), again.scale), (column.values.row(row), column.scale));
            }
        }
        true
    });
}
