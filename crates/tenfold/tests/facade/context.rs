//! Contexts of proofs about columns.

use tenfold::statement::{ColumnContext, ColumnDescription, Sums};

#[test]
fn the_encoding_is_exact() {
    let column = ColumnDescription { name: "x".into(), rows: 5, scale: 2, bytes: None, source: [3; 32] };
    assert_eq!(ColumnContext::decode(&column.encode(), false).unwrap().column, column);
    for weights_scale in [None, Some(0), Some(18)] {
        for mean in [false, true] {
            let context = ColumnContext { column: column.clone(), weights_scale, sums: Sums::of(mean) };
            let (bytes, weighted) = (context.encode(), weights_scale.is_some());
            assert_eq!(ColumnContext::decode(&bytes, weighted), Some(context));
            assert_eq!(
                ColumnContext::decode(&bytes, !weighted),
                None,
                "one kind's context is not the other's"
            );
            let shortest = if weights_scale.is_none() && mean { 1 } else { 0 };
            assert!(
                (0..bytes.len() - shortest).all(|n| ColumnContext::decode(&bytes[..n], weighted).is_none())
            );
            for byte in [0, 1, 2] {
                let longer = [&bytes[..], &[byte]].concat();
                let is_mean = !weighted && !mean && byte == 1;
                assert_eq!(ColumnContext::decode(&longer, weighted).is_some(), is_mean, "{byte} at the end");
            }
        }
    }
    let scale =
        |scale| ColumnContext { column: column.clone(), weights_scale: Some(scale), sums: Sums::of(false) };
    assert_eq!(ColumnContext::decode(&scale(19).encode(), true), None);
}
