//! `ring demo`: a ring of many members, one of whom signs; anyone verifies. One page, and the files to try more with.

use std::time::{Duration, Instant};

use super::keys::Candidate;
use super::members::Opened;
use super::prove::unsigned;
use super::setup::{Powers, domain_for};
use super::{invalid, refused, unusable};
use crate::args::Common;
use crate::args::ring::DemoArgs;
use crate::exit::{Exit, Failure};
use crate::files::Kind;
use crate::output;
use crate::table::Paint;
use crate::terminal::escape;
use crate::units;
use rayon::prelude::*;
use ring_proof::Rejected;
use ring_proof::file::{Committed, Params, RingVerifier, SecretKey, Signed, SignedBatch, Signer, SuiteId};
use serde_json::json;

const CONTEXT: &str = "vote 7";
/// Signatures of the batch, and the one that is forged.
const BATCH: usize = 8;
const FORGED: usize = 5;

/// Runs a step, and measures its time.
fn timed<T>(f: impl FnOnce() -> Result<T, Failure>) -> Result<(T, Duration), Failure> {
    let start = Instant::now();
    let value = f()?;
    Ok((value, start.elapsed()))
}

fn ms(time: Duration) -> String {
    units::millis(time.as_secs_f64() * 1e3)
}

/// Prints the lines of the page, unless the result is JSON.
struct Page {
    paint: Paint,
    shown: bool,
}

impl Page {
    fn line(&self, name: &str, what: &str, time: Duration) {
        if self.shown {
            let name = self.paint.bold(&format!("{name:<8}"));
            output::line(format_args!("{name} {what} {}", self.paint.dim(&format!("({})", ms(time)))));
        }
    }
}

/// The command.
pub fn run(args: &DemoArgs, common: &Common) -> Result<Exit, Failure> {
    let directory = args.directory.clone().unwrap_or_else(|| "target/ring".into());
    std::fs::create_dir_all(&directory).map_err(Failure::file("create", &directory))?;
    let fresh = |kind, name: &str| {
        let hint = "name another folder with -d, or replace what a demo left there with --force";
        let claimed = common.files.fresh(kind, &directory.join(name));
        claimed.map_err(|failure| Failure { hint: Some(hint.to_owned()), ..failure })
    };
    let commitment_file = fresh(Kind::RingCommitment, "members.commitment")?;
    let signature_file = fresh(Kind::Signature, "vote.signature")?;
    let page = Page { paint: Paint::stdout(), shown: !common.json };
    let count = args.members as usize;
    let suite = SuiteId::default();
    let ((keys, candidates), time) = timed(|| make_keys(suite, count + 1))?;
    page.line("keys", &format!("{} keys, each with a proof of possession", units::count(count as u64)), time);
    let (newcomer, members) = candidates.split_last().expect("one more than the members");
    let mut ring = make_ring(&page, suite, members, common)?;
    let committed = ring.ring.committed();
    let Voted { signed, same, named } = vote(&page, &ring, &keys[..count])?;

    let ((), time) = timed(|| ring.replace(0, newcomer, false))?;
    let refused = verify(&signed, &ring.ring.committed()).is_err();
    let old = if refused { "the signature is for the ring as it was" } else { "the signature still holds" };
    page.line("replace", &format!("another key in slot 0, the other members stay; {old}"), time);

    commitment_file.write(&committed.encode())?;
    signature_file.write(&signed.encode())?;
    let [commitment, signature] =
        [commitment_file, signature_file].map(|file| file.path().display().to_string());
    if common.json {
        output::json(&json!({ "valid": true, "members": count, "rows": ring.ring.params().domain.size(),
            "signature_bytes": signed.signature.len(), "same_tag": same, "forged": named,
            "old_signature_refused": refused, "commitment": commitment, "signature": signature }));
    } else {
        let [commitment, signature] = [commitment, signature].map(|name| escape(&name).into_owned());
        let expected = format!("--context {CONTEXT:?} --message yes");
        let hand = format!("tenfold ring verify {signature} --ring {commitment} {expected}");
        output::line(format_args!("\nverify it yourself:\n  {hand}"));
    }
    Ok(Exit::Valid)
}

fn make_ring(page: &Page, suite: SuiteId, members: &[Candidate], common: &Common) -> Result<Opened, Failure> {
    let domain = domain_for(suite, members.len())?;
    let (mut ring, time) = timed(|| {
        let powers = Powers::shipped(domain.powers())?;
        Opened::empty(Params { suite, domain, setup: powers.sha256() }, powers, common)
    })?;
    let rows = units::count(domain.size() as u64);
    page.line(
        "setup",
        &format!("{}, with tables for {rows} rows; once for all rings", ring.setup_name),
        time,
    );
    let ((), time) = timed(|| ring.add(members, false))?;
    let fingerprint = units::hex(&ring.ring.committed().digest());
    let what = format!("all keys checked, 144 bytes stand for the ring; fingerprint {}…", &fingerprint[..16]);
    page.line("commit", &what, time);
    Ok(ring)
}

/// The outcome of the vote.
struct Voted {
    signed: Signed,
    /// True if the second signature of one member has the tag of the first.
    same: bool,
    /// The numbers of the batch that were refused.
    named: Vec<usize>,
}

/// One member signs, then again; then several do, and one of them forges.
fn vote(page: &Page, ring: &Opened, keys: &[SecretKey]) -> Result<Voted, Failure> {
    let at = keys.len() * 617 / 1000;
    let signer = Signer::new(&ring.ring).map_err(unusable)?;
    let sign =
        |at: usize, message: &[u8]| signer.sign(&keys[at], CONTEXT.as_bytes(), message).map_err(unsigned);
    let (signed, time) = timed(|| sign(at, b"yes"))?;
    let bytes = signed.signature.len();
    page.line("prove", &format!("member {at} signs \"yes\" in the context {CONTEXT:?}: {bytes} bytes"), time);
    let (verifier, time) = timed(|| verify(&signed, signer.committed()))?;
    let valid = page.paint.green("valid:");
    page.line("verify", &format!("{valid} a member of the ring signed \"yes\"; nothing says which"), time);
    let (second, time) = timed(|| sign(at, b"no"))?;
    let tag = |signed: &Signed| units::hex(&signed.signature[..8]);
    let same = tag(&second) == tag(&signed);
    let shows = if same { "again, which shows" } else { "is new, and nothing shows" };
    let what =
        format!("the member signs \"no\" too: tag {}… {shows} that it is the same member", tag(&second));
    page.line("again", &what, time);

    let votes: Result<Vec<_>, _> = (0..BATCH).map(|i| sign(i % keys.len(), b"yes")).collect();
    let mut votes = votes?;
    // A tag and the proof of it, with the ring proof of another.
    let stolen = votes[FORGED - 1].signature.clone();
    votes[FORGED].signature[192..].copy_from_slice(&stolen[192..]);
    let (named, time) = timed(|| batch(&votes, &verifier))?;
    page.line("batch", &format!("{BATCH} signatures, one forged: number {named:?} is named"), time);
    Ok(Voted { signed, same, named })
}

/// Keys of a suite, and as candidates.
fn make_keys(suite: SuiteId, count: usize) -> Result<(Vec<SecretKey>, Vec<Candidate>), Failure> {
    let keys: Result<Vec<_>, Failure> = (0..count)
        .into_par_iter()
        .map(|i| {
            let key = SecretKey::generate(suite).map_err(refused)?;
            let candidate =
                Candidate { member: key.public().map_err(refused)?.member, from: format!("member {i}") };
            Ok((key, candidate))
        })
        .collect();
    Ok(keys?.into_iter().unzip())
}

/// Verifies as somebody who has the commitment and the setup, nothing else.
fn verify(signed: &Signed, committed: &Committed) -> Result<RingVerifier, Failure> {
    let powers = Powers::shipped(2)?;
    let ring = RingVerifier::new(committed.clone(), &powers.key()?).map_err(unusable)?;
    signed.verify(&ring).map_err(invalid)?;
    Ok(ring)
}

/// The numbers of those that are not valid.
fn batch(votes: &[Signed], ring: &RingVerifier) -> Result<Vec<usize>, Failure> {
    let mut batch = SignedBatch::new(core::slice::from_ref(ring)).expect("a ring");
    votes.iter().try_for_each(|vote| batch.push(vote)).map_err(invalid)?;
    match batch.verify() {
        Ok(()) => Ok(Vec::new()),
        Err(Rejected::Items(items)) => Ok(items),
        Err(error) => Err(Failure::invalid(error.to_string())),
    }
}
