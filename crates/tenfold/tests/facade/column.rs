//! Descriptions of columns.

use tenfold::statement::ColumnDescription;

#[test]
fn the_encoding_is_exact() {
    for bytes in [None, Some((11, 7))] {
        let subject = ColumnDescription { name: "délai".into(), rows: 5, scale: 2, bytes, source: [3; 32] };
        let encoded = subject.encode();
        assert_eq!(ColumnDescription::decode(&encoded), Some(subject));
        assert!((0..encoded.len()).all(|n| ColumnDescription::decode(&encoded[..n]).is_none()));
    }
}
