//! Keys: secret files that their owner alone reads, public files with a proof of possession, and lists of keys as text.
//!
//! ```text
//!  secret   "TNFK" | version u16 | suite u8 | secret 32 | BLAKE3 of all this 32
//!  public   a file of ours: the suite's number as parameters, key 32 and possession 64 (or nothing) as body
//! ```
//! (notes: ring-files)

use std::io::Read;
use std::path::{Path, PathBuf};

use super::members::{CONTEXT, Member};
use super::params::HASH;
use super::{digests, file_of, malformed, refused};
use crate::args::Common;
use crate::args::ring::{KeygenArgs, KeysArgs, SuiteChoice};
use crate::commands::{read_file, read_ours};
use crate::exit::{Exit, Failure};
use crate::files;
use crate::output;
use crate::table::Paint;
use crate::terminal;
use crate::units;
use curve::bandersnatch::encode_point;
use iop::hash::Digest;
use pcs::codec::{Reader, Writer};
use pcs::file::{File, Kind, SchemeId};
use ring_proof::vrf::{Possession, Secret};
use serde_json::json;
use zeroize::Zeroizing;

const MAGIC: [u8; 4] = *b"TNFK";
const VERSION: u16 = 1;
/// Bytes of a secret file.
pub const LENGTH: usize = 71;

/// What a secret key file holds.
#[derive(Debug)]
pub struct SecretKey {
    /// The suite.
    pub suite: SuiteChoice,
    /// The key.
    pub secret: Secret,
}

impl SecretKey {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let mut w = Writer::with_capacity(LENGTH);
        w.bytes(&MAGIC);
        w.bytes(&VERSION.to_le_bytes());
        w.u8(self.suite.number());
        w.bytes(&*self.secret.encode());
        let mut bytes = Zeroizing::new(w.finish());
        let digest = blake3::hash(&bytes);
        bytes.extend_from_slice(digest.as_bytes());
        bytes
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// [`Exit::Usage`] for any other bytes than [`Self::encode`] writes.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let refuse =
            |what: &str| Failure::usage(what, "give the secret file that `tenfold ring keygen` wrote");
        let mut r = Reader::new(bytes);
        if r.array() != Some(MAGIC) {
            return Err(refuse("this is no secret key: it does not start with \"TNFK\""));
        }
        let version =
            r.array().map(u16::from_le_bytes).ok_or_else(|| refuse("the secret key is cut short"))?;
        if version != VERSION {
            let message = format!("secret key version {version}, this build reads version {VERSION}");
            return Err(Failure::usage(message, "use the release that wrote it"));
        }
        if bytes.len() != LENGTH {
            return Err(refuse("the secret key is cut short, or bytes follow it"));
        }
        let suite = r.u8().and_then(SuiteChoice::from_number);
        let scalar = r.bytes(32).and_then(|bytes| <&[u8; 32]>::try_from(bytes).ok());
        let (Some(suite), Some(scalar)) = (suite, scalar) else {
            return Err(refuse("the secret key is of an unknown suite"));
        };
        let secret =
            Secret::decode(scalar).map_err(|e| refuse(&format!("the secret key is damaged: {e}")))?;
        let key = Self { suite, secret };
        if *key.encode() == bytes {
            Ok(key)
        } else {
            Err(refuse("the secret key is damaged: its checksum does not fit"))
        }
    }

    /// Reads a file, and says so on stderr if others can read it too.
    ///
    /// # Errors
    /// If it cannot be read, or as [`Self::decode`].
    pub fn read(path: &Path, common: &Common) -> Result<Self, Failure> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(LENGTH + 1));
        let file = std::fs::File::open(path).map_err(Failure::file("read", path))?;
        #[cfg(unix)]
        if let Ok(metadata) = file.metadata()
            && !common.quiet
        {
            let mode = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions());
            if mode & 0o077 != 0 {
                let name = terminal::path(path);
                note!("{} {name} can be read by others: chmod 600 {name}", Paint::stderr().red("warning:"));
            }
        }
        file.take(LENGTH as u64 + 1).read_to_end(&mut bytes).map_err(Failure::file("read", path))?;
        Self::decode(&bytes)
    }

    /// The public key, with a proof that the secret is known.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        let possession = Possession::prove(self.suite.suite(), &self.secret, CONTEXT).encode();
        let key = encode_point(self.secret.public());
        PublicKey { suite: self.suite, member: Member { key, possession: Some(possession) } }
    }
}

/// What a public key file holds. Nothing of it is checked until the key becomes a member's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    /// The suite.
    pub suite: SuiteChoice,
    /// The key, and its proof.
    pub member: Member,
}

impl PublicKey {
    /// The file's bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let params = vec![self.suite.number()];
        let Member { key, possession } = &self.member;
        let body = [&key[..], possession.as_ref().map_or(&[], |bytes| &bytes[..])].concat();
        let (params_digest, statement) = (digest(&params), digest(&body));
        File { kind: Kind::Key, scheme: SchemeId::Ring, params, params_digest, statement, body: body.into() }
            .encode()
    }

    /// Reads the bytes of a file, exactly.
    ///
    /// # Errors
    /// If they are no public key, or the header does not fit.
    pub fn decode(bytes: &[u8]) -> Result<Self, Failure> {
        let file = file_of(bytes, Kind::Key)?;
        let suite = match file.params[..] {
            [number] => SuiteChoice::from_number(number),
            _ => None,
        };
        let mut r = Reader::new(&file.body);
        let key = r.array();
        let possession = if r.remaining() > 0 { r.array().map(Some) } else { Some(None) };
        let (Some(suite), Some(key), Some(possession), Some(())) = (suite, key, possession, r.finish())
        else {
            return Err(malformed("key"));
        };
        file.check_digests(digest(&file.params), digest(&file.body)).map_err(digests)?;
        Ok(Self { suite, member: Member { key, possession } })
    }
}

fn digest(bytes: &[u8]) -> Digest {
    HASH.digest("tenfold ring key v1", &[bytes])
}

/// `ring keygen`.
pub fn run(args: &KeygenArgs, common: &Common) -> Result<Exit, Failure> {
    let mut name = args.output.clone().into_os_string();
    name.push(".pub");
    let path = PathBuf::from(name);
    let public_file = common.files.once(files::Kind::PublicKey, &path)?;
    let secret_file = common.files.secret(files::Kind::SecretKey, &args.output)?;
    let secret = Secret::generate(args.suite.suite()).map_err(refused)?;
    let key = SecretKey { suite: args.suite, secret };
    let public = key.public();
    let encoded = public.encode();
    let staged = public_file.stage(&encoded)?;
    let secret = key.encode();
    staged.place_after(secret_file.stage(&secret)?)?;
    let [hex, suite] = [units::hex(&public.member.key), args.suite.name()];
    if common.json {
        let [secret, path] = [args.output.display().to_string(), path.display().to_string()];
        let possession = public.member.possession.map(|bytes| units::hex(&bytes));
        let value =
            json!({ "secret": secret, "public": path, "key": hex, "possession": possession, "suite": suite });
        output::line(format_args!("{value:#}"));
    } else if !common.quiet {
        let [secret, path] = [&args.output, &path].map(|path| terminal::path(path).to_string());
        let paint = Paint::stderr();
        note!("{} {hex}\n  suite {suite}", paint.green("key:"));
        note!("  secret in {secret}: readable by you alone, and all that can sign as this member");
        note!("  public in {path}: send it to whoever makes the ring");
    }
    Ok(Exit::Valid)
}

/// A key that may become a member's, and where it is from.
pub struct Candidate {
    /// The key.
    pub member: Member,
    /// For messages.
    pub from: String,
}

/// The keys that the arguments name, in their order, those of a list last.
///
/// # Errors
/// If there are none, or one cannot be read or is of another suite.
pub fn candidates(args: &KeysArgs, suite: SuiteChoice, common: &Common) -> Result<Vec<Candidate>, Failure> {
    let mut all =
        args.keys.iter().map(|name| candidate(name, suite, common)).collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &args.list {
        let bytes = read_file(path, common)?;
        let text = core::str::from_utf8(&bytes).map_err(|_| {
            let hint = "a line has a key in hexadecimal, and perhaps its proof of possession";
            Failure::usage(format!("{} is no list of keys: it is no text", path.display()), hint)
        })?;
        for (n, line) in text.lines().enumerate() {
            let words = line.split('#').next().unwrap_or_default();
            let from = format!("line {} of {}", n + 1, path.display());
            let mut words = words.split_whitespace();
            let Some(key) = words.next() else { continue };
            let possession = words.next();
            let parsed = (hex::<32>(key), possession.map(hex::<64>));
            let (Some(key), None | Some(Some(_)), None) = (parsed.0, parsed.1, words.next()) else {
                let hint = "a line has a key in hexadecimal, and perhaps its proof of possession";
                return Err(Failure::usage(format!("{from} is no key"), hint));
            };
            all.push(Candidate { member: Member { key, possession: parsed.1.flatten() }, from });
        }
    }
    if all.is_empty() {
        return Err(Failure::usage("no keys", "name public key files, or a list of keys with --list"));
    }
    Ok(all)
}

/// The key of a file or of 64 digits.
///
/// # Errors
/// If it is neither, or of another suite.
pub fn candidate(name: &str, suite: SuiteChoice, common: &Common) -> Result<Candidate, Failure> {
    let path = Path::new(name);
    if let (false, Some(key)) = (path.exists(), hex(name)) {
        return Ok(Candidate { member: Member { key, possession: None }, from: name.to_owned() });
    }
    let bytes = read_ours(path, common)?;
    let in_file = |e: Failure| Failure { message: format!("{name}: {}", e.message), ..e };
    if bytes.starts_with(&MAGIC) {
        let message = format!("{name} is a secret key");
        return Err(Failure::usage(
            message,
            "give the public one, whose name ends in .pub; show the secret to nobody",
        ));
    }
    let key = PublicKey::decode(&bytes).map_err(in_file)?;
    if key.suite != suite {
        let message = format!("{name} is a key of {}, the ring is of {}", key.suite.name(), suite.name());
        return Err(Failure::usage(
            message,
            "keys are of one suite: make one of the ring's with `tenfold ring keygen --suite`",
        ));
    }
    Ok(Candidate { member: key.member, from: name.to_owned() })
}

/// Bytes from lower or upper case hexadecimal.
fn hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    if digits.len() != 2 * N || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        *byte = u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(bytes)
}
