//! Witnesses without a codeword, for entries of every kind.

use super::*;

#[test]
fn every_kind_of_entry_opens_without_a_codeword() {
    for fields in tested::BINARY {
        for entries in [Entries::Whole, Entries::Bits, Entries::Bytes] {
            let params = Params { entries, ..small(fields, 0, JOHNSON) };
            with_tested_binary_fields!(fields, B, E => opens_alike::<Binary, B, E>(params));
        }
    }
}
