//! The randomness of a commitment that hides: each rank draws that of its own columns, by keys that the coordinator derives from its seed. (notes: zk-parts)

use crate::error::{Deviation, Error};
use crate::meter::Phase;
use crate::ownership::Ownership;
use crate::party::Party;
use field::{ExtensionOf, FoldFibres};
use iop::hash::{Digest, concat};
use pcs::matrix::{PART_KEY_BYTES, Scheme, Secret, Steps, wipe};
use std::sync::atomic::{Ordering, compiler_fence};

/// The message matrix of a rank's columns, with masks and random rows, from its columns of data. The coordinator has the secret.
pub(crate) fn message<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    party: &mut Party<'_>,
    ownership: &Ownership,
    scheme: &Scheme<F, B, E>,
    (mut columns, secret): (Vec<B>, Option<&Secret>),
) -> Result<Vec<B>, Error> {
    let (rank, log_ranks) = (party.rank(), party.log_size());
    let (mut message, own) = party.compute(Phase::Encode, || {
        let message = spread(ownership, scheme.params().columns(), rank, &columns);
        let digests = scheme.hiding_digests(log_ranks, rank, &message);
        (message, digests)
    });
    wipe(&mut columns);
    let all = party.gather(Phase::Input, &concat(&own))?;
    let bytes = own.len() * PART_KEY_BYTES;
    let (mut keys, mut mine) = (Vec::new(), vec![0; bytes]);
    if let Some(secret) = secret.filter(|_| party.coordinates()) {
        let digest = ownership.spec().hash.bytes();
        let digests: Option<Vec<Digest>> = all.chunks(digest).map(Digest::from_slice).collect();
        let digests = digests.ok_or(Error::Deviation { rank, deviation: Deviation::Answer })?;
        keys = scheme.hiding_keys(secret, &digests).to_vec();
    }
    let given = party.scatter(Phase::Input, &keys, &mut mine);
    erase(&mut keys);
    given?;
    party.compute(Phase::Encode, || scheme.hide(log_ranks, rank, &mine, &mut message));
    erase(&mut mine);
    Ok(message)
}

/// The data of a rank's columns with places for masks and random rows.
fn spread<B: FoldFibres>(ownership: &Ownership, all: usize, rank: usize, columns: &[B]) -> Vec<B> {
    let (width, data) = (ownership.columns(rank).len(), ownership.data_columns(rank, all).len());
    let mut message = vec![B::ZERO; width * ownership.rows()];
    if data > 0 {
        assert!(columns.len().is_multiple_of(data), "the entries of the rank's columns");
        let rows = message.chunks_exact_mut(width).zip(columns.chunks_exact(data));
        rows.for_each(|(row, columns)| row[..data].copy_from_slice(columns));
    }
    message
}

/// Overwrites keys.
fn erase(keys: &mut [u8]) {
    keys.fill(0);
    compiler_fence(Ordering::SeqCst);
}
