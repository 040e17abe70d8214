//! `tenfold fleet status`: jobs counted, one of them, and its proof.

use super::super::failure::failure;
use super::{open, refused, show};
use crate::args::Common;
use crate::args::fleet::{QueueArgs, StatusArgs};
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::progress::Progress;
use fleet::{Access, Error as QueueError, Event, Id, Listing, Place, Record, State};

/// The answer to a proof that cannot be had from where the queue has it.
fn unfetched(args: &QueueArgs, e: QueueError) -> Failure {
    match e {
        QueueError::NoBlob(_) | QueueError::Blob(_) => Failure {
            hint: Some("`tenfold fleet submit` once more, as before, has it made again".into()),
            ..Failure::io(format!("the job is done, and its proof is lost: {e}"))
        },
        e => refused(args, e),
    }
}

/// The command.
pub(super) fn run(args: &StatusArgs, common: &Common) -> Result<Exit, Failure> {
    let proof = args.output.as_ref().map(|path| common.files.result(Kind::Proof, path)).transpose()?;
    let commitment =
        args.commitment.as_ref().map(|path| common.files.result(Kind::Commitment, path)).transpose()?;
    let refused = |e| refused(&args.queue, e);
    let place = open(&args.queue, Access::Read)?;
    if args.wait {
        wait(&place, common).map_err(refused)?;
    }
    if let (true, Some(id)) = (args.cancel, args.job) {
        place.queue.cancel(id).map_err(refused)?;
    }
    let (id, record) = match (args.job, &proof) {
        (Some(id), _) => (id, place.queue.status(id).map_err(refused)?),
        (None, None) => {
            let listing = place.queue.list(Some(State::Failed), 20).map_err(refused)?;
            show(listing.json(), listing, common);
            return Ok(Exit::Valid);
        }
        (None, Some(_)) => only(place.queue.list(None, 2).map_err(refused)?)?,
    };
    let record = record.ok_or_else(|| refused(QueueError::UnknownJob(id)))?;
    if let Some(proof) = proof {
        let result = record.result.ok_or_else(|| {
            let text = record.error.as_deref().unwrap_or("no worker has brought a proof");
            let hint = match record.state {
                State::Queued | State::Running => "wait with `tenfold fleet status --wait`, without a job",
                _ => "nobody works on it: `tenfold fleet submit` once more runs it anew",
            };
            Failure::usage(format!("the job is {}: {text}", record.state.name()), hint)
        })?;
        let bytes = place.result(result).map_err(|e| unfetched(&args.queue, e))?;
        // A proof that cannot be written, on a full disk, say, leaves the commitment of an older one.
        let proof = proof.stage(&bytes)?;
        // Whoever made the queue's entry, the proof must hold before a commitment is taken from it, or anything is written.
        let verified = verified(&place, (&record, &bytes), common);
        match (commitment, verified) {
            (Some(commitment), verified) => commitment.write(&verified.map_err(|e| e.failure(args))?)?,
            (None, Err(Unverified::Weights(e))) => {
                note!("the proof was not verified, for its weights cannot be had: {e}");
            }
            (None, verified) => drop(verified.map_err(|e| e.failure(args))?),
        }
        proof.place()?;
    }
    show(record.json(id), record.text(id), common);
    Ok(Exit::Valid)
}

/// Waits until no job waits or runs, and says once that one waits for a worker that understands it.
fn wait(place: &Place, common: &Common) -> Result<(), QueueError> {
    let mut progress = Progress::new(common.quiet || common.json);
    let mut told = common.quiet;
    let report = &mut |looked: Result<&Listing, &QueueError>| match looked {
        Ok(listing) => {
            progress.reached("jobs", listing.over(), listing.total());
            if let (1.., Some(why), false) = (listing.not_understood.0, &listing.not_understood.1, told) {
                progress.suspended(|| note!("a job waits, for no worker here understands it: {why}"));
                told = true;
            }
        }
        Err(e) if !common.quiet => progress.suspended(|| note!("{}", Event::Trouble(e))),
        Err(_) => {}
    };
    place.wait(report)
}

/// Why a proof is not verified.
enum Unverified {
    /// Its weights cannot be had.
    Weights(QueueError),
    /// It does not hold.
    Invalid(tenfold::Error),
}

impl Unverified {
    fn failure(self, args: &StatusArgs) -> Failure {
        match self {
            Self::Weights(e) => unfetched(&args.queue, e),
            Self::Invalid(e) => failure(e),
        }
    }
}

/// The commitment that the proof of a job is about, if it holds.
fn verified(
    place: &Place,
    (record, proof): (&Record, &[u8]),
    common: &Common,
) -> Result<Vec<u8>, Unverified> {
    let weights = place.weights(&record.job, common.max_memory()).map_err(Unverified::Weights)?;
    let terms = tenfold::Policy::at_least(0).self_contained();
    let terms = weights.iter().fold(terms, |terms, weights| terms.weights(weights));
    let verdict = tenfold::verify(proof, &terms).map_err(Unverified::Invalid)?;
    Ok(verdict.commitment.to_bytes())
}

/// The only job of a queue.
fn only(listing: Listing) -> Result<(Id, Option<Record>), Failure> {
    let [(id, record)] = <[_; 1]>::try_from(listing.jobs).map_err(|_| {
        Failure::usage("the queue has not exactly one job", "name a job, as `fleet submit` did")
    })?;
    Ok((id, Some(record)))
}
