//! Keys: `ring keygen`, and the keys of new members from files and lists.

use std::path::Path;

use super::{refused, unusable};
use crate::args::Common;
use crate::args::ring::{KeygenArgs, KeysArgs};
use crate::commands::{read_file, read_key, read_ours, with_ending};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use ring_proof::file::{Member, PublicKey, SecretKey, SecretKeyError, SuiteId};
use serde_json::json;

/// Reads a secret key from its file's bytes.
pub fn secret_key(bytes: &[u8]) -> Result<SecretKey, Failure> {
    SecretKey::decode(bytes).map_err(|error| {
        let hint = match error {
            SecretKeyError::Version(_) | SecretKeyError::Suite(_) => "use the release that wrote it",
            _ => "give the secret file that `tenfold ring keygen` wrote",
        };
        Failure::usage(error.to_string(), hint)
    })
}

/// Reads a secret key file.
pub fn read_secret_key(path: &Path, common: &Common) -> Result<SecretKey, Failure> {
    read_key(path, SecretKey::BYTES + 1, secret_key, common)
}

/// `ring keygen`.
pub fn run(args: &KeygenArgs, common: &Common) -> Result<Exit, Failure> {
    let path = with_ending(&args.output, ".pub");
    let public_file = common.files.once(files::Kind::PublicKey, &path)?;
    let secret_file = common.files.secret(files::Kind::SecretKey, &args.output)?;
    let key = SecretKey::generate(args.suite).map_err(refused)?;
    let public = key.public().map_err(refused)?;
    let encoded = public.encode();
    let staged = public_file.stage(&encoded)?;
    let secret = key.encode();
    staged.place_after(secret_file.stage(&secret)?)?;
    let (hex, suite) = (units::hex(&public.member.key), args.suite.name());
    if common.json {
        let [secret, path] = [args.output.display().to_string(), path.display().to_string()];
        let possession = public.member.possession.map(|bytes| units::hex(&bytes));
        output::json(
            &json!({ "secret": secret, "public": path, "key": hex, "possession": possession, "suite": suite }),
        );
    } else if !common.quiet {
        let [secret, path] = [&args.output, &path].map(|path| terminal::path(path).to_string());
        let paint = Paint::stderr();
        note!("{} {hex}\n  suite {suite}", paint.green("key:"));
        note!("  secret in {secret}: readable by you alone, and all that can sign as this member");
        note!("  public in {path}: send it to whoever makes the ring");
    }
    Ok(Exit::Valid)
}

/// A key that may become a member's, with its source.
pub struct Candidate {
    /// The key.
    pub member: Member,
    /// The source, for messages.
    pub from: String,
}

/// Memory of a list of keys for each byte of its text: a key, its source and its point take 640, and 64 digits at least.
const BYTES_PER_DIGIT: u64 = 10;

/// The suite that keys have to be of.
#[derive(Clone, Copy)]
pub struct KeySuite<'a> {
    suite: SuiteId,
    source: Source<'a>,
}

/// The name of the suite, for messages.
#[derive(Clone, Copy)]
enum Source<'a> {
    Ring,
    Option,
    /// A public key file.
    Key(&'a str),
    /// Nothing: the default.
    Nothing,
}

impl KeySuite<'_> {
    /// That of a ring.
    pub fn of_ring(suite: SuiteId) -> Self {
        Self { suite, source: Source::Ring }
    }

    /// That of an option.
    pub fn of_option(suite: SuiteId) -> Self {
        Self { suite, source: Source::Option }
    }

    /// The failure for the key of another suite in a public key file.
    fn other(self, name: &str, found: SuiteId) -> Failure {
        let suite = self.suite.name();
        let one = "keys are of one suite, and `ring keygen --suite` makes a key of it";
        let (said, hint) = match self.source {
            Source::Ring | Source::Nothing => (format!("the ring is of {suite}"), one),
            Source::Option => (
                format!("--suite says {suite}"),
                "leave --suite out for a ring of the suite of its keys, or give other keys",
            ),
            Source::Key(first) => (format!("{first} is one of {suite}"), one),
        };
        Failure::usage(format!("{name} is a key of {}, {said}", found.name()), hint)
    }
}

/// Reads the keys that the arguments name, in their order, those of a list last. If no suite is asked for they are of the suite of the first public key
/// file, and without one of the default suite.
pub fn candidates(
    args: &KeysArgs,
    suite: Option<KeySuite<'_>>,
    common: &Common,
) -> Result<(SuiteId, Vec<Candidate>), Failure> {
    let keys = args.keys.iter().map(|name| Named::read(name, common)).collect::<Result<Vec<_>, _>>()?;
    let suite = suite.or_else(|| keys.iter().find_map(Named::suite));
    let suite = suite.unwrap_or(KeySuite { suite: SuiteId::default(), source: Source::Nothing });
    let mut all = keys.iter().map(|key| key.candidate(suite)).collect::<Result<Vec<_>, _>>()?;
    let suite = suite.suite;
    if let Some(path) = &args.list {
        let digits = 2 * suite.point_bytes();
        let hint = format!(
            "a line has a key of {} in {digits} hexadecimal digits, and perhaps its proof of possession",
            suite.name()
        );
        let (bytes, name) = (read_file(path, common)?, path.display());
        let need = BYTES_PER_DIGIT.saturating_mul(bytes.len() as u64);
        common.within_memory(need, "raise `--max-memory`, or give fewer keys at once")?;
        let text = core::str::from_utf8(&bytes)
            .map_err(|_| Failure::usage(format!("{name} is no list of keys: it is no text"), &hint))?;
        for (n, line) in text.lines().enumerate() {
            let from = format!("line {} of {name}", n + 1);
            let member = Member::from_line(suite, line)
                .ok_or_else(|| Failure::usage(format!("{from} is no key"), &hint))?;
            all.extend(member.map(|member| Candidate { member, from }));
        }
    }
    if all.is_empty() {
        return Err(Failure::usage("no keys", "name public key files, or a list of keys with --list"));
    }
    Ok((suite, all))
}

/// Reads the key in a file, or the one in hexadecimal.
pub fn candidate(name: &str, suite: KeySuite<'_>, common: &Common) -> Result<Candidate, Failure> {
    Named::read(name, common)?.candidate(suite)
}

/// A key that an argument names.
struct Named<'a> {
    name: &'a str,
    /// `None`: the name is the key, in hexadecimal, and of a suite that it does not say.
    file: Option<PublicKey>,
}

impl<'a> Named<'a> {
    /// Reads the file, if it is no key in hexadecimal.
    fn read(name: &'a str, common: &Common) -> Result<Self, Failure> {
        let path = Path::new(name);
        let digits = name.strip_prefix("0x").unwrap_or(name);
        let is_hex = digits.len() >= 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        if is_hex && !path.exists() {
            return Ok(Self { name, file: None });
        }
        let bytes = read_ours(path, common)?;
        if bytes.starts_with(&SecretKey::MAGIC) {
            let message = format!("{name} is a secret key");
            return Err(Failure::usage(
                message,
                "give the public one, whose name ends in .pub; show the secret to nobody",
            ));
        }
        let key = PublicKey::decode(&bytes).map_err(|e| unusable(e).in_file(path))?;
        Ok(Self { name, file: Some(key) })
    }

    /// The suite that the file says.
    fn suite(&self) -> Option<KeySuite<'a>> {
        self.file.as_ref().map(|key| KeySuite { suite: key.suite, source: Source::Key(self.name) })
    }

    /// The key, if it is of this suite.
    fn candidate(&self, wanted: KeySuite<'_>) -> Result<Candidate, Failure> {
        let (name, suite) = (self.name, wanted.suite);
        let member = match &self.file {
            Some(key) if key.suite != suite => return Err(wanted.other(name, key.suite)),
            Some(key) => key.member.clone(),
            None => Member::from_line(suite, name).flatten().ok_or_else(|| other_length(name, wanted))?,
        };
        Ok(Candidate { member, from: name.to_owned() })
    }
}

/// The failure for hexadecimal digits that are no key of a suite by their number.
fn other_length(name: &str, KeySuite { suite, source }: KeySuite<'_>) -> Failure {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    let (found, wanted) = (digits.len(), 2 * suite.point_bytes());
    let message = format!("{digits} has {found} digits, keys of {} have {wanted}", suite.name());
    let hint = match source {
        Source::Nothing => "digits do not say of which suite they are: pass --suite",
        _ => "keys are of one suite: ask its owner for the public file of a key of the ring's",
    };
    Failure::usage(message, hint)
}
