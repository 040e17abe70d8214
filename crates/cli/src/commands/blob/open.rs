//! `tenfold open` for a file of bytes.

use super::params::validated;
use super::source::{Source, check_input, check_memory, within_memory};
use super::unit::element;
use super::{Committed, Unit, verify, weighted};
use crate::args::{Common, OpenArgs};
use crate::commands::Opened;
use crate::commands::forms::{at_most, forms_at};
use crate::commands::open::{proof_path, say};
use crate::commands::witness as witness_file;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::progress::Progress;
use field::{Alphabet, ExtensionOf};
use iop::poly::Tensor;
use pcs::file::{File, Kind, Opening, SchemeId};
use pcs::ligerito::{Prover, Scheme, Witness};
use pcs::with_binary_fields;
use std::path::Path;

/// The command, with the bytes of the commitment file.
pub fn run(commitment: &[u8], args: &OpenArgs, common: &Common) -> Result<Exit, Failure> {
    let committed = Committed::decode(commitment)?;
    refuse(args)?;
    let output = common.files.result(files::Kind::Proof, &proof_path(args))?;
    let mut progress = Progress::new(common.quiet || common.json);
    let weights = weighted::load(&args.weights, common, &mut progress)?;
    let file = with_binary_fields!(committed.params.fields, B, E => match &weights {
        None => open::<B, E>(&committed, args, common, &mut progress)?,
        Some(weights) => weighted::open::<B, E>(&committed, weights, (args, common), &mut progress)?,
    });
    progress.end();
    let proved = match &weights {
        None => verify::describe(&file, &args.policy.policy()),
        Some(weights) => weighted::describe(&file, &args.policy.policy(), weights, common),
    };
    let proved = proved.map_err(|failure| witness_file::blamed(failure, args.witness.as_deref()))?;
    let bytes = file.encode();
    output.write(&bytes)?;
    say(&proved, (output.path(), bytes.len()), None, common);
    Ok(Exit::Valid)
}

/// Refuses what only columns of numbers have.
fn refuse(args: &OpenArgs) -> Result<(), Failure> {
    args.input.as_ref().map_or(Ok(()), check_input)?;
    let what = &args.what;
    let summed = [(what.sum, "--sum"), (what.mean, "--mean")];
    if let Some((_, option)) = summed.into_iter().find(|(given, _)| *given) {
        let message = format!(
            "{option} does not go with --scheme ligerito: it computes in characteristic two, where sums are XORs"
        );
        return Err(Failure::usage(message, "commit to numbers with the default scheme"));
    }
    if args.secret.is_some() {
        return Err(Failure::usage(
            "this commitment does not hide, so there is no secret",
            "leave --secret out",
        ));
    }
    Ok(())
}

fn open<B: Alphabet, E: ExtensionOf<B>>(
    committed: &Committed,
    args: &OpenArgs,
    common: &Common,
    progress: &mut Progress,
) -> Result<File<'static>, Failure> {
    let Committed { params, blob, .. } = committed;
    let scheme = validated::<B, E>(params, &args.policy.policy())?;
    let rows = Unit::of(params).count(blob.length);
    let forms = forms_at(&args.what, rows, params.variables(), element::<E>)?;
    at_most(params.max_forms, forms.len())?;
    match args.witness {
        None => check_memory(params, true, common)?,
        Some(_) => within_memory(params.lean_memory(), common, "raise `--max-memory`")?,
    }
    let mut witness = witness(&scheme, committed, args, (common, progress))?;
    progress.phase("proving");
    Ok(prove(&scheme, &mut witness, &blob.encode(), forms))
}

/// The witness that opens the commitment: kept in a file, or made again of the file that was committed and no other.
pub(super) fn witness<B: Alphabet, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    committed: &Committed,
    args: &OpenArgs,
    (common, progress): (&Common, &mut Progress),
) -> Result<Witness<B, E>, Failure> {
    let Committed { params, blob, commitment } = committed;
    if let Some(path) = &args.witness {
        progress.phase("reading the witness");
        return restored(scheme, committed, path);
    }
    let opened = Opened::bytes(&args.data()?.file, blob.length, common, progress)?;
    let source = Source::of(opened.source, common)?;
    source.check(blob, &args.commitment)?;
    let (entries, digest) = source.read::<B>(params, progress)?;
    if digest != blob.source {
        let message = format!("this is not the file of {}: its bytes are others", args.commitment.display());
        return Err(Failure::usage(message, "give the file that was committed"));
    }
    progress.phase("committing again");
    let witness = Prover::new(scheme).commit(entries);
    if witness.commitment().to_bytes() != *commitment {
        let message = "the data does not match the commitment";
        return Err(Failure::usage(message, "give the commitment file that `tenfold commit` wrote"));
    }
    Ok(witness)
}

/// The witness that was kept in a file.
fn restored<B: Alphabet, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    committed: &Committed,
    path: &Path,
) -> Result<Witness<B, E>, Failure> {
    let (params, prover) = (scheme.params(), Prover::new(scheme));
    witness_file::check_plain(params.polynomials, params.hidden_openings)?;
    let counts = [1 << params.log_size, prover.nodes()];
    let (entries, nodes) = witness_file::read::<B>(path, &committed.encode(), counts)?;
    let witness = prover.restore(entries, nodes);
    if witness.commitment().to_bytes() == committed.commitment {
        Ok(witness)
    } else {
        Err(witness_file::another(path))
    }
}

/// Opens, as a proof file.
pub fn prove<B: Alphabet, E: ExtensionOf<B>>(
    scheme: &Scheme<B, E>,
    witness: &mut Witness<B, E>,
    context: &[u8],
    forms: Vec<Tensor<E>>,
) -> File<'static> {
    let (claims, proof) = Prover::new(scheme).open(witness, forms, context);
    let commitment = witness.commitment().to_bytes();
    let params = scheme.params();
    File {
        kind: Kind::Opening,
        scheme: SchemeId::Ligerito,
        params: params.encode(),
        params_digest: params.digest(),
        statement: claims.digest(params.hash, &commitment),
        body: Opening { commitment, claims, proof: proof.into() }.encode().into(),
    }
}
