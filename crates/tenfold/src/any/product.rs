//! Inner products of committed columns.
#![forbid(unsafe_code)]
#![deny(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::as_conversions
)]

use super::Part;
use super::form::Form;
use super::supported::Supported;
use super::typed::{messages, verified};
use crate::verify::{Proven, Refused, Stated};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use field::Field;
use iop::poly::to_bytes;
use iop::security::Policy;
use pcs::file::File;
use pcs::product::{Opening, Scheme};
use pcs::weighted::Points;
#[cfg(feature = "prover")]
use pcs::{
    product,
    scheme::{Params as _, Witness as _},
};

pub(super) fn verify<S: Points + Supported>(
    inner: &S,
    file: &File,
    policy: &Policy,
) -> Result<(Proven, Vec<Part>), Refused> {
    let scheme = Scheme::from_points(inner.clone(), policy).map_err(Refused::Params)?;
    let facts = inner.facts();
    let Opening { commitment, statement, proof } = Opening::<S::Base>::decode(&file.body)?;
    file.check_digests(facts.digest, statement.digest(facts.hash, &commitment))?;
    let script = scheme.script(&inner.read_commitment(&commitment)?, &statement, &proof)?;
    let head = [
        (commitment.len().saturating_add(8), "commitment with its length".to_owned()),
        (16, "columns and rows".to_owned()),
        (S::Base::BYTES, "inner product".to_owned()),
        (statement.context.len().saturating_add(8), "context with its length".to_owned()),
        (8, "length of the proof".to_owned()),
    ];
    let parts = head.into_iter().chain(messages(&script)).collect();
    let form = Form::Columns { columns: statement.columns, rows: statement.rows };
    let stated = Stated { form, values: vec![to_bytes(&[statement.value])] };
    let verified = verified(inner, (file, facts.digest), (commitment, vec![stated], statement.context));
    Ok((Proven { report: scheme.report().clone(), ..verified }, parts))
}

#[cfg(feature = "prover")]
pub(super) fn prove<S: Points + Supported>(
    inner: &S,
    witness: &mut S::Witness,
    (columns, rows, context): ([u32; 2], u64, &[u8]),
    policy: &Policy,
) -> Result<File<'static>, iop::error::ParamError> {
    let scheme = Scheme::from_points(inner.clone(), policy)?;
    let (statement, proof) = product::open(&scheme, witness, (columns, rows), context);
    let (params, hash, commitment) = (inner.params(), inner.facts().hash, witness.commitment().to_bytes());
    Ok(File {
        kind: pcs::file::Kind::Product,
        scheme: params.scheme(),
        params: params.encode(),
        params_digest: params.digest().head(),
        statement: statement.digest(hash, &commitment).head(),
        body: Opening { commitment, statement, proof: proof.into() }.encode().into(),
    })
}
