//! The setup of Zcash's ceremony, which ships: what verifiers take of it.

use crate::kzg;

/// SHA-256 of the file of powers that ships with the curves: how files about rings name the setup.
pub const ZCASH_SHA256: [u8; 32] = [
    0x1d, 0x7d, 0x27, 0xe4, 0xf5, 0xf3, 0xc6, 0x19, 0x09, 0x89, 0xbe, 0xa5, 0x88, 0x03, 0x18, 0x0d, 0x3e,
    0x19, 0xf7, 0x25, 0xa5, 0x70, 0x69, 0x39, 0x2a, 0x40, 0x5a, 0xc7, 0x8b, 0x23, 0x3c, 0x7d,
];

/// `G1`, `G2` and `tau G2`, compressed.
const KEY: [u8; kzg::Key::BYTES] = *include_bytes!("zcash.key");

/// The key of the setup. Cost: three points are decoded.
///
/// # Panics
/// Never: the bytes are a key's.
#[must_use]
pub fn zcash_key() -> kzg::Key {
    kzg::Key::decode(&KEY).expect("a key")
}
