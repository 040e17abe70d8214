//! The transform by its definition, one butterfly at a time: small, slow and obviously right.

use crate::binary::domain::point;
use crate::binary::tower::mul32;

/// `to += t from`, four bytes at a time.
pub(super) fn add_product(to: &mut [u8], from: &[u8], t: u32) {
    for (to, from) in to.chunks_exact_mut(4).zip(from.chunks_exact(4)) {
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        let sum = word(to) ^ mul32(t, word(from));
        to.copy_from_slice(&sum.to_le_bytes());
    }
}

/// The block `block` of `2^m` rows.
pub(super) fn encode_block(message: &[u8], row_bytes: usize, block: usize, m: usize) -> Vec<u8> {
    let (low, extra) = message.split_at(row_bytes << m);
    let mut rows = low.to_vec();
    add_product(&mut rows, extra, point(block as u32));
    for s in (0..m).rev() {
        for (k, node) in rows.chunks_exact_mut(row_bytes << (s + 1)).enumerate() {
            let start = (block << m) + (k << (s + 1));
            let t = point((start >> s) as u32);
            let (u, v) = node.split_at_mut(row_bytes << s);
            add_product(u, v, t);
            add_product(v, u, 1);
        }
    }
    rows
}

/// The adjoint: `a_i = sum_q values[q] X_i(w(q))` for `i < 2^m`, term by term.
pub(super) fn adjoint(values: &[u8], element_bytes: usize, m: usize) -> Vec<u8> {
    let mut sums = vec![0; element_bytes << m];
    for (q, value) in values.chunks_exact(element_bytes).enumerate() {
        for (i, sum) in sums.chunks_exact_mut(element_bytes).enumerate() {
            add_product(sum, value, basis(i, q));
        }
    }
    sums
}

/// `X_c(w(q))`: the product of `W_b(w(q)) = w(q >> b)` over the set bits `b` of `c`.
pub(super) fn basis(c: usize, q: usize) -> u32 {
    (0..32).filter(|b| c >> b & 1 == 1).fold(1, |product, b| mul32(product, point((q >> b) as u32)))
}
