//! `tenfold open` for a file of bytes.

use super::params::validated;
use super::source::{Source, check_input, check_memory, within_memory};
use super::{Committed, Unit, weighted};
use crate::args::{Common, OpenArgs};
use crate::commands::Opened;
use crate::commands::forms::{at_most, forms};
use crate::commands::open::{proof_path, say};
use crate::commands::scheme::unproven;
use crate::commands::verify::describe_with;
use crate::commands::weights::Given;
use crate::commands::witness as witness_file;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::progress::Progress;
use pcs::file::{File, SchemeId};
use tenfold::any::{AnyProver, AnyWitness};
use tenfold::verify::Limits;

/// The command, with the bytes of the commitment file.
pub fn run(commitment: &[u8], args: &OpenArgs, common: &Common) -> Result<Exit, Failure> {
    let committed = Committed::decode(commitment)?;
    refuse(args)?;
    let output = common.files.result(files::Kind::Proof, &proof_path(args))?;
    let mut progress = Progress::new(common.quiet || common.json);
    let weights = Given::load(&args.weights, SchemeId::Ligerito, common, &mut progress)?;
    let file = match &weights {
        None => open(&committed, args, common, &mut progress)?,
        Some(weights) => weighted::open(&committed, weights, (args, common), &mut progress)?,
    };
    progress.end();
    let bytes = file.encode();
    let limits = Limits { policy: args.policy.policy(), max_memory: u64::MAX };
    let proved = describe_with(&bytes, &limits, weights.as_ref());
    let proved = proved.map_err(|failure| witness_file::blamed(failure, args.witness.as_deref()))?;
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

fn open(
    committed: &Committed,
    args: &OpenArgs,
    common: &Common,
    progress: &mut Progress,
) -> Result<File<'static>, Failure> {
    let Committed { params, blob, .. } = committed;
    let scheme = validated(params, &args.policy.policy())?;
    let rows = Unit::of(params).count(blob.length);
    let forms = forms(&args.what, rows, &scheme)?;
    at_most(params.max_forms, forms.len())?;
    match args.witness {
        None => check_memory(params, true, common)?,
        Some(_) => within_memory(params.lean_memory(), common, "raise `--max-memory`")?,
    }
    let mut prover = scheme.prover();
    let mut witness = witness(&mut prover, committed, args, (common, progress))?;
    progress.phase("proving");
    let opened = prover.open(&mut witness, &forms, &blob.encode()).map_err(unproven)?;
    Ok(opened.file)
}

/// The witness that opens the commitment: kept in a file, or made again of the file that was committed and no other.
pub(super) fn witness(
    prover: &mut AnyProver<'_>,
    committed: &Committed,
    args: &OpenArgs,
    (common, progress): (&Common, &mut Progress),
) -> Result<AnyWitness, Failure> {
    let Committed { params, blob, commitment } = committed;
    if let Some(path) = &args.witness {
        progress.phase("reading the witness");
        witness_file::check_plain(params.polynomials, params.hidden_openings)?;
        let witness = witness_file::read(path, &committed.encode(), prover)?;
        return if witness.commitment() == commitment {
            Ok(witness)
        } else {
            Err(witness_file::another(path))
        };
    }
    let opened = Opened::bytes(&args.data()?.file, blob.length, common, progress)?;
    let source = Source::of(opened.source, common)?;
    source.check(blob, &args.commitment)?;
    let (entries, digest) = source.read(prover, progress)?;
    if digest != blob.source {
        let message = format!("this is not the file of {}: its bytes are others", args.commitment.display());
        return Err(Failure::usage(message, "give the file that was committed"));
    }
    progress.phase("committing again");
    let witness = prover.commit(entries);
    if witness.commitment() != commitment {
        let message = "the data does not match the commitment";
        return Err(Failure::usage(message, "give the commitment file that `tenfold commit` wrote"));
    }
    Ok(witness)
}
