//! Rings over processes: the life of one, and every refusal with its exit code.

use super::bench::{Bench, FIVE, Ran};
use crate::json::check;
use curve::bandersnatch::encode_point;
use pcs::file::File;
use ring_proof::file::{Member, Members, PublicKey, Signed, SuiteId};
use ring_proof::vrf::{Secret, Suite};
use serde_json::Value;

/// The setup that ships, as a file.
pub const SRS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../curve/data/bls12-381-srs-2-11-uncompressed-zcash.bin");
const SRS_SHA256: &str = "1d7d27e4f5f3c6190989bea58803180d3e19f725a57069392a405ac78b233c7d";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A directory with keys of these names.
fn keys(names: &[&str]) -> Bench {
    let bench = Bench::new(FIVE);
    for name in names {
        check("ring keygen", &bench.json(&["ring", "keygen", "-o", name]));
    }
    bench
}

/// Keys `a`, `b`, `c`, and `members.ring` of the three.
fn three() -> Bench {
    let bench = keys(&["a", "b", "c"]);
    bench.ok(&["ring", "commit", "a.pub", "b.pub", "c.pub"]);
    bench
}

fn sign(bench: &Bench, key: &str, context: &str, message: &str, output: &str) -> Ran {
    let args = ["ring", "prove", "members.ring", "--key", key, "--context", context, "--message", message];
    bench.run(&[&args[..], &["-o", output]].concat())
}

fn verify(bench: &Bench, signature: &str, options: &[&str]) -> Ran {
    bench.run(&[&["ring", "verify", signature, "--ring", "members.commitment"], options].concat())
}

/// As many keys as lines, without proofs of possession.
fn list(count: u16) -> String {
    let key = |i: u16| {
        let mut seed = [9; 32];
        seed[..2].copy_from_slice(&i.to_le_bytes());
        hex(&encode_point(Secret::from_seed(Suite::v1(), &seed).public()))
    };
    (0..count).map(|i| key(i) + "  # a member\n\n").collect()
}

#[test]
fn the_life_of_a_ring() {
    let bench = keys(&["a", "b", "c", "d", "e"]);
    let made = bench.json(&["ring", "commit", "a.pub", "b.pub", "c.pub", "--capacity", "9"]);
    check("ring commit", &made);
    assert_eq!((made["members"].as_u64(), made["capacity"].as_u64()), (Some(3), Some(255)));
    assert_eq!(
        (made["without_possession"].as_u64(), made["setup_sha256"].as_str()),
        (Some(0), Some(SRS_SHA256))
    );
    let signed = sign(&bench, "b", "vote 7", "yes", "b.sig");
    signed.is(0, &["signed:", "in the context \"vote 7\", as one of 3 member(s)"]);

    // A verifier has the commitment and nothing else.
    let ring = bench.read("members.ring");
    std::fs::rename(bench.path("members.ring"), bench.path("hidden")).unwrap();
    let valid = verify(&bench, "b.sig", &["--context", "vote 7", "--message", "yes"]);
    valid.is(0, &["valid: a member of the ring signed \"yes\" in the context \"vote 7\"", "no proven bits"]);
    assert!(!valid.err.contains("compare context"), "{}", valid.err);
    let fingerprint = blake3::hash(&bench.read("members.commitment")).to_hex().to_string();
    assert!(valid.err.contains(&fingerprint) && valid.err.contains("Zcash"), "{}", valid.err);
    verify(&bench, "b.sig", &[]).is(0, &["compare context and message"]);
    let any = bench.as_given(&["verify", "b.sig", "--commitment", "members.commitment"]);
    any.is(0, &["valid: a member", "tag "]);
    // A fingerprint is compared, with a commitment too.
    let about = |fingerprint: &str| {
        bench.as_given(&[
            "verify",
            "b.sig",
            "--commitment",
            "members.commitment",
            "--fingerprint",
            fingerprint,
        ])
    };
    about(&fingerprint).is(0, &["valid: a member"]);
    about(&"0".repeat(64)).is(1, &["invalid:", "another one, whose fingerprint is", &fingerprint]);
    // What it cannot compare is left to a command that can, and that command line is one.
    any.is(0, &["tenfold ring verify b.sig --ring members.commitment --context TEXT --message TEXT"]);
    let advised =
        ["ring", "verify", "b.sig", "--ring", "members.commitment", "--context", "TEXT", "--message", "TEXT"];
    bench.run(&advised).is(1, &["the signature is for the context"]);
    assert_eq!(made["fingerprint"].as_str(), Some(&fingerprint[..]));

    // The ring grows, changes, and shrinks; every time it is another one.
    bench.write("members.ring", &ring);
    bench.run(&["ring", "add", "members.ring", "d.pub"]).is(0, &["added: a ring of 4 member(s)"]);
    verify(&bench, "b.sig", &[]).is(1, &["invalid:", "another ring, or for this one as it was"]);
    sign(&bench, "d", "vote 7", "yes", "d.sig").is(0, &[]);
    sign(&bench, "b", "vote 7", "no", "again.sig").is(0, &[]);
    let replaced = ["ring", "replace", "members.ring", "e.pub", "--slot", "0"];
    bench.run(&replaced).is(0, &["replaced: a ring of 4 member(s)"]);
    bench
        .run(&["ring", "remove", "members.ring", "--member", "c.pub"])
        .is(0, &["3 member(s), 1 empty slot(s)"]);
    sign(&bench, "c", "vote 7", "yes", "c.sig").is(2, &["is no member of the ring", "hint:"]);
    sign(&bench, "a", "vote 7", "yes", "a.sig").is(2, &["is no member of the ring", "hint:"]);
    sign(&bench, "e", "vote 8", "", "e.sig").is(0, &[]);
    verify(&bench, "e.sig", &["--message", ""]).is(0, &["signed no message in the context \"vote 8\""]);
    // A key comes back into the empty slot.
    bench.ok(&["ring", "replace", "members.ring", "a.pub", "--slot", "2"]);
    sign(&bench, "a", "vote 7", "yes", "a.sig").is(0, &[]);

    // The same ring made at once has the same commitment.
    bench.ok(&["ring", "commit", "e.pub", "b.pub", "a.pub", "d.pub", "-o", "once.ring"]);
    assert_eq!(bench.read("once.commitment"), bench.read("members.commitment"));

    // One member has one tag in one context, in every ring; in another context another.
    let tag = |name: &str| Signed::decode(&bench.read(name)).unwrap().signature[..32].to_vec();
    assert_eq!(tag("b.sig"), tag("again.sig"));
    assert_ne!(tag("b.sig"), tag("d.sig"));
    let value = bench.json(&["ring", "verify", "a.sig", "--ring", "members.ring", "--context", "vote 7"]);
    assert_eq!(
        (value["tag"].as_str(), value["valid"].as_bool()),
        (Some(&hex(&tag("a.sig"))[..]), Some(true))
    );
    assert_eq!(
        (&value["context_compared"], &value["message_compared"]),
        (&Value::Bool(true), &Value::Bool(false))
    );
    assert_eq!(value["proven_bits"], Value::Null);
}

#[test]
fn secret_keys_are_their_owners() {
    let bench = keys(&["a"]);
    let before = bench.read("a");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(bench.path("a")).unwrap().permissions().mode() & 0o777, 0o600);
    }
    bench.run(&["ring", "keygen", "-o", "a"]).is(2, &["a.pub is already there", "hint:"]);
    std::fs::remove_file(bench.path("a.pub")).unwrap();
    bench.run(&["ring", "keygen", "-o", "a"]).is(2, &["a is already there", "hint:"]);
    assert!(bench.read("a") == before && !bench.path("a.pub").exists());
    bench.run(&["ring", "keygen", "-o", "no/such/a"]).is(4, &["cannot write no/such/a"]);
    // Nothing shows more of a secret than its public key.
    let shown = bench.ok(&["ring", "inspect", "a"]);
    let json = bench.ok(&["ring", "inspect", "a", "--json"]);
    let secret = hex(&before[7..39]);
    assert!(shown.out.contains("a secret key of Bandersnatch-SHA512-ELL2-v1"), "{}", shown.out);
    assert!(!shown.out.contains(&secret) && !json.out.contains(&secret));
    bench.run(&["inspect", "a"]).is(2, &["is a secret key"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        bench.ok(&["ring", "keygen", "-o", "b"]);
        bench.ok(&["ring", "commit", "b.pub"]);
        sign(&bench, "b", "x", "", "b.sig").is(0, &["signed:"]);
        std::fs::set_permissions(bench.path("b"), std::fs::Permissions::from_mode(0o644)).unwrap();
        sign(&bench, "b", "x", "", "b.sig").is(0, &["warning: b can be read by others: chmod 600 b"]);
        // A public key, which anybody may read, in the place of the secret one.
        let public = sign(&bench, "b.pub", "x", "", "b.sig");
        public.is(2, &["error: b.pub: this is no secret key"]);
        assert!(!public.err.contains("can be read by others"), "{public:?}");
    }
}

#[test]
fn secret_keys_that_are_none() {
    let bench = three();
    let whole = bench.read("a");
    let refused = |bytes: &[u8], says: &str| {
        bench.write("bad", bytes);
        sign(&bench, "bad", "x", "", "x.sig").is(2, &["error:", says, "hint:"]);
    };
    refused(b"", "this is no secret key");
    refused(&bench.read("a.pub"), "this is no secret key");
    refused(&whole[..70], "cut short, or bytes follow it");
    refused(&[&whole[..], &[0]].concat(), "cut short, or bytes follow it");
    let edited = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    refused(&edited(4, 2), "secret key version 2, this build reads version 1");
    refused(&edited(6, 9), "unknown suite");
    refused(&edited(20, whole[20] ^ 1), "damaged");
    let mut zero = whole[..39].to_vec();
    zero[7..].fill(0);
    zero.extend(blake3::hash(&zero).as_bytes());
    refused(&zero, "the secret is 0");
    bench.ok(&["ring", "keygen", "-o", "other", "--suite", "shake128"]);
    sign(&bench, "other", "x", "", "x.sig").is(2, &["a key of Bandersnatch-SHAKE128-ELL2-v1", "hint:"]);
    sign(&bench, "none", "x", "", "x.sig").is(4, &["cannot read none"]);
}

/// Folders, devices, links and pipes in the place of a secret key file.
#[cfg(unix)]
#[test]
fn secret_keys_by_links_pipes_and_devices() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let bench = three();
    std::fs::create_dir(bench.path("folder")).unwrap();
    sign(&bench, "folder", "x", "", "x.sig").is(4, &["cannot read folder"]);
    // Without end, and without a byte.
    sign(&bench, "/dev/zero", "x", "", "x.sig").is(2, &["this is no secret key"]);
    sign(&bench, "/dev/null", "x", "", "x.sig").is(2, &["this is no secret key"]);
    // Permissions are those of the file that a link leads to.
    symlink("a", bench.path("link")).unwrap();
    let quiet = sign(&bench, "link", "x", "", "1.sig");
    quiet.is(0, &["signed:"]);
    assert!(!quiet.err.contains("warning"), "{quiet:?}");
    std::fs::set_permissions(bench.path("a"), std::fs::Permissions::from_mode(0o604)).unwrap();
    sign(&bench, "link", "x", "", "2.sig").is(0, &["warning: link can be read by others: chmod 600 link"]);
    symlink("nowhere", bench.path("dangling")).unwrap();
    sign(&bench, "dangling", "x", "", "x.sig").is(4, &["cannot read dangling"]);
    symlink("circle", bench.path("circle")).unwrap();
    sign(&bench, "circle", "x", "", "x.sig").is(4, &["cannot read circle"]);
    // A pipe is read like a file.
    let pipe = std::process::Command::new("mkfifo").arg(bench.path("pipe")).status();
    if pipe.is_ok_and(|status| status.success()) {
        std::fs::set_permissions(bench.path("pipe"), std::fs::Permissions::from_mode(0o600)).unwrap();
        let (path, key) = (bench.path("pipe"), bench.read("a"));
        let writer = std::thread::spawn(move || std::fs::write(path, key));
        sign(&bench, "pipe", "x", "", "3.sig").is(0, &["signed:"]);
        writer.join().unwrap().unwrap();
    }
}

#[test]
fn keys_that_cannot_be_members() {
    let bench = three();
    let add = |options: &[&str]| bench.run(&[&["ring", "add", "members.ring"], options].concat());
    let before = bench.read("members.ring");
    let bare = |key: &str, says: &str| add(&[key, "--without-possession"]).is(2, &["error:", says, "hint:"]);
    bare(
        "0100000000000000000000000000000000000000000000000000000000000000",
        "refused as a key: the identity",
    );
    // (0, -1) has the order 2.
    bare(
        "00000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73",
        "not the encoding of a point of the subgroup",
    );
    bare(
        "0200000000000000000000000000000000000000000000000000000000000000",
        "not the encoding of a point of the subgroup",
    );
    bare(
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "not the encoding of a point of the subgroup",
    );
    bare("aadbf6cfed0f60816fc46c2831b248f6fee1d9806025c47e17a9e38c6d6bd216", "the seed of the accumulator");
    bare("da5ca18e76fbd5467319795e26fd80f0b9cf7fc888d995348b7ff299197a42c4", "the padding point");
    bare("eb2d0a8259c7790e5009ab3997670c708c0865ed14ec5f305f4df2b62c71460c", "the base of the blinding");
    add(&["b.pub"]).is(2, &["b.pub is refused as a key: a member has it already", "hint:"]);
    bench
        .run(&["ring", "replace", "members.ring", "c.pub", "--slot", "0"])
        .is(2, &["a member has it already"]);
    bench.run(&["ring", "commit", "a.pub", "a.pub", "-o", "x"]).is(2, &["a member has it already", "hint:"]);
    add(&["a"]).is(2, &["a is a secret key", "hint:", ".pub"]);
    bench.write("copy", &bench.read("members.commitment"));
    add(&["copy"]).is(2, &["this file is the commitment of a ring", "hint:", "a public key"]);
    add(&["data.csv"]).is(2, &["data.csv: not a Tenfold file", "hint:"]);
    add(&[]).is(2, &["no keys", "hint:"]);
    add(&["none.pub"]).is(4, &["cannot read none.pub"]);
    bench.ok(&["ring", "keygen", "-o", "other", "--suite", "v2"]);
    add(&["other.pub"]).is(2, &["other.pub is a key of Bandersnatch-SHA512-ELL2-v2", "hint:"]);
    assert_eq!(bench.read("members.ring"), before, "what is refused changes nothing");
}

#[test]
fn possession_is_asked_for() {
    let bench = three();
    bench.ok(&["ring", "keygen", "-o", "d"]);
    let d = PublicKey::decode(&bench.read("d.pub")).unwrap();
    let a = PublicKey::decode(&bench.read("a.pub")).unwrap();
    let bare = PublicKey { member: Member { possession: None, ..d.member.clone() }, ..d.clone() };
    bench.write("bare.pub", &bare.encode());
    let stolen = PublicKey { member: Member { possession: a.member.possession, ..d.member.clone() }, ..d };
    bench.write("stolen.pub", &stolen.encode());
    let add = |options: &[&str]| {
        bench.run(&[&["ring", "add", "members.ring", "-o", "x", "--force"], options].concat())
    };
    add(&["bare.pub"]).is(2, &["bare.pub has no proof of possession", "hint:", "--without-possession"]);
    add(&[&hex(&d.member.key)]).is(2, &["has no proof of possession", "hint:"]);
    let refused = "stolen.pub is refused as a key: its proof of possession is refused";
    add(&["stolen.pub"]).is(2, &[refused, "hint:"]);
    add(&["stolen.pub", "--without-possession"]).is(2, &[refused]);
    add(&["bare.pub", "--without-possession"]).is(0, &["1 key(s) came without a proof of possession"]);
    let replace = ["ring", "replace", "members.ring", "bare.pub", "--slot", "1", "-o", "x", "--force"];
    bench.run(&replace).is(2, &["no proof of possession"]);
    bench.ok(&[&replace[..], &["--without-possession"]].concat());
    // A list of keys as text, with their proofs or without.
    let line = |key: &PublicKey| {
        let possession = key.member.possession.map(|bytes| hex(&bytes)).unwrap_or_default();
        format!("# someone\n{}   {possession}\n", hex(&key.member.key))
    };
    bench.write("keys.txt", line(&d).as_bytes());
    add(&["--list", "keys.txt"]).is(0, &["added: a ring of 4 member(s)"]);
    bench.write("keys.txt", line(&bare).as_bytes());
    add(&["--list", "keys.txt"]).is(2, &["line 2 of keys.txt has no proof of possession"]);
    for wrong in ["abc", "zz", &format!("{} 00", hex(&d.member.key)), &format!("{} x y", hex(&d.member.key))]
    {
        bench.write("keys.txt", wrong.as_bytes());
        add(&["--list", "keys.txt"]).is(2, &["line 1 of keys.txt is no key", "hint:"]);
    }
}

#[test]
fn rings_have_a_capacity() {
    let bench = keys(&["a"]);
    bench.write("keys.txt", list(255).as_bytes());
    let full = ["ring", "commit", "--list", "keys.txt", "--without-possession"];
    bench.run(&full).is(0, &["a ring of 255 member(s)", "room for 255 in 512 rows"]);
    let over = bench.run(&["ring", "add", "members.ring", "a.pub"]);
    over.is(2, &["the ring has room for 255 members, not for 256", "hint:", "--capacity"]);
    let larger = [&full[..], &["a.pub", "-o", "large.ring"]].concat();
    bench.run(&larger).is(0, &["a ring of 256 member(s)", "room for 767 in 1,024 rows"]);
    let commit =
        |capacity: &str| bench.run(&["ring", "commit", "a.pub", "--capacity", capacity, "-o", "x.ring"]);
    let few = "takes 12289 powers of the setup, which has 6145, enough for 2,048 rows, 1,791 members";
    commit("1792").is(2, &[few, "hint:", "--srs"]);
    commit("65280").is(2, &["no ring has room for 65280 members: 65279 at most", "hint:"]);
    commit("18446744073709551615").is(2, &["no ring has room", "hint:"]);
    let little = bench.run(&["ring", "commit", "a.pub", "--max-memory", "1MiB", "-o", "x.ring"]);
    little.is(4, &["more than the limit of 1.0 MiB", "hint:", "--max-memory"]);
    bench.run(&["ring", "commit", "a.pub", "-o", "no/such/ring"]).is(4, &["cannot write no/such/ring"]);
    bench
        .run(&["ring", "remove", "members.ring", "--slot", "255"])
        .is(2, &["no member in slot 255", "hint:"]);
    bench
        .run(&["ring", "remove", "members.ring", "--member", "a.pub"])
        .is(2, &["a.pub is no member", "hint:"]);
    bench.run(&["ring", "remove", "members.ring"]).is(2, &["--slot"]);
    bench
        .run(&["ring", "replace", "members.ring", "a.pub", "--slot", "255"])
        .is(2, &["no member in slot 255"]);
}

#[test]
fn setups_are_pinned() {
    let bench = keys(&["a"]);
    let commit = |options: &[&str]| bench.run(&[&["ring", "commit", "a.pub", "--force"], options].concat());
    commit(&["--srs", SRS, "--srs-sha256", SRS_SHA256, "-o", "file.ring"]).is(0, &["sha256 1d7d27e4"]);
    commit(&[]).is(0, &["Zcash"]);
    assert_eq!(bench.read("file.commitment"), bench.read("members.commitment"), "the file that ships");
    commit(&["--srs", SRS, "--srs-sha256", "00"]).is(2, &["has SHA-256 1d7d27e4", "not 00", "hint:"]);
    let mut bytes = std::fs::read(SRS).unwrap();
    bench.write("short.srs", &bytes[..bytes.len() - 1]);
    commit(&["--srs", "short.srs"]).is(2, &["short.srs is no setup", "another length", "hint:"]);
    bench.write("long.srs", &[&bytes[..], &[0]].concat());
    commit(&["--srs", "long.srs"]).is(2, &["long.srs is no setup", "hint:"]);
    bytes[500] ^= 1;
    bench.write("bad.srs", &bytes);
    commit(&["--srs", "bad.srs"]).is(2, &["bad.srs is no setup", "hint:"]);
    // Verifying takes three points of a setup, and its digest.
    sign(&bench, "a", "x", "", "own.sig").is(0, &[]);
    verify(&bench, "own.sig", &["--srs", SRS]).is(0, &["valid:", "sha256 1d7d27e4"]);
    verify(&bench, "own.sig", &["--srs", "bad.srs"]).is(2, &["made with another setup", "hint:"]);
    verify(&bench, "own.sig", &["--srs", "short.srs"]).is(2, &["short.srs is no setup", "hint:"]);
    commit(&["--srs", "none.srs"]).is(4, &["cannot read none.srs"]);
    commit(&["--srs", SRS, "--insecure-local-srs", "x"]).is(2, &["cannot be used with"]);
    commit(&["--srs-sha256", SRS_SHA256]).is(2, &["--srs"]);

    // A setup of one's own is possible by its own name alone, and no verifier takes it by accident.
    let insecure = ["--insecure-local-srs", "a seed"];
    commit(&insecure).is(0, &["INSECURE"]);
    sign(&bench, "a", "x", "", "a.sig").is(2, &["made with another setup", "hint:", "--srs"]);
    let prove = ["ring", "prove", "members.ring", "--key", "a", "--context", "x", "-o", "a.sig"];
    bench.ok(&[&prove[..], &insecure].concat());
    verify(&bench, "a.sig", &insecure).is(0, &["valid:", "INSECURE"]);
    verify(&bench, "a.sig", &[]).is(2, &["made with another setup", "hint:"]);
    verify(&bench, "a.sig", &["--insecure-local-srs", "another"]).is(2, &["made with another setup"]);
    verify(&bench, "a.sig", &["--srs", SRS]).is(2, &["made with another setup"]);
    let any = bench.as_given(&["verify", "a.sig", "--commitment", "members.commitment"]);
    any.is(2, &["made with another setup"]);
}

/// A larger ring than the shipped setup has powers for, over one that is named.
#[test]
fn another_setup_makes_larger_rings() {
    let bench = keys(&["a"]);
    let insecure = ["--insecure-local-srs", "seed"];
    let run = |args: &[&str]| bench.ok(&[args, &insecure].concat());
    let made = run(&["ring", "commit", "a.pub", "--capacity", "1792", "--json"]).value();
    assert_eq!((made["rows"].as_u64(), made["capacity"].as_u64()), (Some(4096), Some(3839)));
    run(&["ring", "prove", "members.ring", "--key", "a", "--context", "x", "-o", "a.sig"]);
    run(&["ring", "verify", "a.sig", "--ring", "members.commitment"]);
}

#[test]
fn signatures_are_for_what_they_say() {
    let bench = three();
    sign(&bench, "a", "vote 7", "yes", "a.sig").is(0, &[]);
    verify(&bench, "a.sig", &["--context", "vote 8"])
        .is(1, &["invalid: the signature is for the context \"vote 7\""]);
    verify(&bench, "a.sig", &["--message", "no"]).is(1, &["invalid: the signature is on \"yes\""]);
    bench.write("message", b"yes");
    verify(&bench, "a.sig", &["--message-file", "message"]).is(0, &["valid:"]);
    bench.write("message", &[b'y'; (1 << 16) + 1]);
    verify(&bench, "a.sig", &["--message-file", "message"]).is(2, &["longer than 64 KiB", "hint:"]);
    let prove = ["ring", "prove", "members.ring", "--key", "a", "--context", "x", "--message-file"];
    bench.run(&[&prove[..], &["message"]].concat()).is(2, &["longer than 64 KiB", "hint:"]);
    bench.write("message", &[0xff; 1 << 16]);
    bench.ok(&[&prove[..], &["message", "-o", "long.sig"]].concat());
    verify(&bench, "long.sig", &[]).is(0, &["signed 65536 bytes with BLAKE3"]);

    // What the file says, changed together with the header's digests: the signature itself refuses it.
    let signed = Signed::decode(&bench.read("a.sig")).unwrap();
    let edited = |name: &str, edit: &dyn Fn(&mut Signed)| {
        let mut other = signed.clone();
        edit(&mut other);
        bench.write(name, &other.encode());
        verify(&bench, name, &[])
    };
    let no_member = ["invalid: no member signed this"];
    edited("bad.sig", &|s| s.context = b"vote 8".to_vec()).is(1, &no_member);
    edited("bad.sig", &|s| s.message = b"no".to_vec()).is(1, &no_member);
    edited("bad.sig", &|s| s.message.clear()).is(1, &no_member);
    edited("bad.sig", &|s| s.ring[0] ^= 1).is(1, &["invalid: the signature is for another ring"]);
    let identity = |s: &mut Signed| {
        s.signature[..32].fill(0);
        s.signature[0] = 1;
    };
    edited("bad.sig", &identity).is(1, &["invalid: the signature is malformed: the output is the identity"]);
    edited("bad.sig", &|s| s.signature[783] ^= 1).is(1, &["invalid:"]);
    edited("bad.sig", &|s| s.signature[160..192].fill(0xff))
        .is(1, &["malformed: a scalar that is not reduced"]);
    let mut v2 = signed.clone();
    v2.params.suite = SuiteId::V2;
    bench.write("bad.sig", &v2.encode());
    verify(&bench, "bad.sig", &[]).is(1, &["a signature of Bandersnatch-SHA512-ELL2-v2, and a ring of"]);
    let whole = bench.read("a.sig");
    let mut file = File::decode(&whole).unwrap();
    file.statement[0] ^= 1;
    bench.write("bad.sig", &file.encode());
    verify(&bench, "bad.sig", &[]).is(1, &["invalid: the statement digest"]);
    file.statement[0] ^= 1;
    file.params_digest[0] ^= 1;
    bench.write("bad.sig", &file.encode());
    verify(&bench, "bad.sig", &[]).is(1, &["invalid: the parameter digest"]);
}

#[test]
fn batches_name_the_invalid_files() {
    let bench = three();
    sign(&bench, "a", "vote", "yes", "a.sig").is(0, &[]);
    sign(&bench, "b", "vote", "yes", "b.sig").is(0, &[]);
    sign(&bench, "a", "vote", "no", "again.sig").is(0, &[]);
    sign(&bench, "c", "other", "no", "c.sig").is(0, &[]);
    let batch = |files: &[&str], options: &[&str]| {
        let ring = ["--ring", "members.commitment"];
        bench.run(&[&["ring", "batch-verify"], files, &ring, options].concat())
    };
    batch(&["a.sig", "b.sig", "c.sig"], &[]).is(0, &["valid: 3 of 3 signature(s) are valid"]);
    let twice = batch(&["a.sig", "b.sig", "again.sig"], &[]);
    twice.is(0, &["note: again.sig is by the member who signed a.sig", "3 of 3"]);
    let distinct = batch(&["a.sig", "b.sig", "again.sig", "a.sig"], &["--distinct", "--context", "vote"]);
    distinct.is(1, &["invalid: again.sig: the member who signed a.sig signed again", "2 of 4"]);
    // Without the context one member counts once in each context that they sign in.
    sign(&bench, "a", "third", "yes", "third.sig").is(0, &[]);
    let several = batch(&["a.sig", "third.sig"], &["--distinct"]);
    several.is(2, &["error:", "--context <TEXT>"]);
    batch(&["a.sig", "third.sig"], &["--distinct", "--context", "vote"])
        .is(1, &["invalid: third.sig: the signature is for the context \"third\""]);
    batch(&["a.sig", "c.sig"], &["--context", "vote"])
        .is(1, &["invalid: c.sig: the signature is for the context \"other\""]);

    // The ring proof of one, in the signature of another: only the batch's equation sees it.
    let [mut forged, other] = ["a.sig", "b.sig"].map(|name| Signed::decode(&bench.read(name)).unwrap());
    forged.signature[192..].copy_from_slice(&other.signature[192..]);
    bench.write("forged.sig", &forged.encode());
    let mut wrong = other.clone();
    wrong.message = b"no".to_vec();
    bench.write("wrong.sig", &wrong.encode());
    bench.write("none.sig", b"none");
    bench.write("cut.sig", &bench.read("a.sig")[..100]);
    bench.write("empty.sig", b"");
    let damaged = batch(&["cut.sig", "empty.sig"], &[]);
    damaged.is(1, &["invalid: cut.sig: the file is cut short", "invalid: empty.sig: the file is empty"]);
    let files = ["a.sig", "forged.sig", "b.sig", "wrong.sig", "none.sig"];
    let refused = batch(&files, &[]);
    refused.is(1, &["invalid: forged.sig: no member signed this: an opening is false", "2 of 5"]);
    refused.is(1, &["invalid: wrong.sig: no member signed this", "invalid: none.sig: not a Tenfold file"]);
    let value = batch(&files, &["--json"]).value();
    let valid: Vec<_> =
        value["files"].as_array().unwrap().iter().map(|f| f["valid"].as_bool().unwrap()).collect();
    assert_eq!((valid, value["invalid"].as_u64()), (vec![true, false, true, false, false], Some(3)));
    batch(&["a.sig", "missing.sig"], &[]).is(4, &["cannot read missing.sig"]);

    // Several rings at once; a signature for none of them is named.
    bench.ok(&["ring", "commit", "a.pub", "b.pub", "-o", "two.ring"]);
    bench.ok(&["ring", "prove", "two.ring", "--key", "b", "--context", "vote", "-o", "two.sig"]);
    batch(&["a.sig", "two.sig"], &["--ring", "two.commitment"]).is(0, &["2 of 2"]);
    batch(&["a.sig", "two.sig"], &[]).is(1, &["invalid: two.sig: the signature is for another ring"]);
    bench.ok(&["ring", "commit", "c.pub", "-o", "one.ring"]);
    batch(&["two.sig"], &["--ring", "one.commitment"])
        .is(1, &["invalid: two.sig: the signature is for none of these rings"]);
}

#[test]
fn files_say_what_they_are() {
    let bench = three();
    sign(&bench, "a", "vote", "yes", "a.sig").is(0, &[]);
    let said = [("a.pub", "a public key"), ("members.ring", "a ring file"), ("a.sig", "a ring signature")];
    for (name, kind) in [&said[..], &[("members.commitment", "the commitment of a ring")]].concat() {
        let value = bench.json(&["inspect", name]);
        assert_eq!(value["kind"], kind);
        check("ring inspect", &value);
        let mut end = 0;
        for part in value["parts"].as_array().unwrap() {
            assert_eq!(part["offset"].as_u64(), Some(end), "{name}: {part}");
            end += part["bytes"].as_u64().unwrap();
        }
        assert_eq!(end, bench.read(name).len() as u64, "{name}");
        assert_eq!(bench.json(&["ring", "inspect", name]), value);
        let text = bench.ok(&["inspect", name]).out;
        assert!(text.contains("magic TNFD") && text.contains("Bandersnatch-SHA512-ELL2-v1"), "{text}");
    }
    check("ring inspect", &bench.json(&["ring", "inspect", "a"]));
    // Every other front door says what it was given.
    let verify = |args: &[&str], says: &str| {
        bench.as_given(&[&["verify"], args].concat()).is(2, &["error:", says, "hint:"])
    };
    verify(&["a.sig"], "a.sig is a ring signature, which is about a ring's commitment");
    verify(&["members.ring"], "this file is a ring file");
    verify(&["members.commitment"], "this file is the commitment of a ring");
    verify(&["a.sig", "--commitment", "a.sig"], "this file is a ring signature");
    verify(&["a.sig", "--commitment", "members.commitment", "--weights", "data.csv"], "no weights");
    bench.ok(&["commit", "data.csv", "-c", "price"]);
    verify(&["a.sig", "--commitment", "data.commitment"], "this file is not about a ring");
    bench.open(&["--row", "1"]);
    verify(&["data.proof", "--commitment", "members.commitment"], "this file is about a ring");
    let open = ["open", "data.csv", "-c", "price", "--commitment", "members.commitment", "--row", "1"];
    bench.run(&open).is(2, &["this file is about a ring", "hint:"]);
    bench
        .run(&["ring", "verify", "data.proof", "--ring", "members.commitment"])
        .is(2, &["not about a ring", "hint:"]);
    for (file, says) in
        [("a", "not a Tenfold file"), ("a.pub", "a public key"), ("a.sig", "a ring signature")]
    {
        bench.run(&["ring", "add", file, "a.pub"]).is(2, &["error:", says, "hint:", "give a ring file"]);
    }
}

#[test]
fn damaged_files_are_refused() {
    let bench = three();
    sign(&bench, "a", "vote", "yes", "a.sig").is(0, &[]);
    for (name, use_it) in [
        ("a.sig", &["ring", "verify", "bad", "--ring", "members.commitment"][..]),
        ("members.commitment", &["ring", "verify", "a.sig", "--ring", "bad"]),
        ("members.ring", &["ring", "add", "bad", "a.pub"]),
        ("a.pub", &["ring", "commit", "bad", "-o", "x.ring"]),
    ] {
        let whole = bench.read(name);
        let refused = |bytes: &[u8], says: &str| {
            bench.write("bad", bytes);
            bench.run(use_it).is(2, &["error:", says, "hint:"]);
            bench.run(&["inspect", "bad"]).is(2, &["error:", says, "hint:"]);
        };
        for cut in [4, 5, 20, whole.len() / 2, whole.len() - 1] {
            refused(&whole[..cut], "cut short");
        }
        refused(&[&whole[..], &[0]].concat(), "bytes after the end");
        // A byte more in the body, with the body's length.
        let mut file = File::decode(&whole).unwrap();
        file.body.to_mut().push(0);
        refused(&file.encode(), "malformed");
        file.body.to_mut().pop();
        file.params.push(0);
        refused(&file.encode(), "malformed");
    }
    // Members that the commitment does not stand for.
    let mut file = Members::decode(&bench.read("members.ring")).unwrap();
    file.slots.swap(0, 1);
    bench.write("bad", &file.encode());
    bench
        .run(&["ring", "add", "bad", "a.pub"])
        .is(2, &["the commitment in the file is not that of its members", "hint:"]);
    file.slots[2] = Some(Member { key: vec![0; 32], possession: None });
    bench.write("bad", &file.encode());
    bench.run(&["ring", "add", "bad", "a.pub"]).is(2, &["the key in slot 2 is refused", "hint:"]);
}

#[test]
fn the_demo_is_one_page() {
    let bench = Bench::new(FIVE);
    let shown = bench.ok(&["ring", "demo", "--members", "20"]);
    assert!(shown.out.lines().count() <= 24, "{}", shown.out);
    for said in ["valid: a member of the ring signed \"yes\"", "number [5] is named", "verify it yourself"] {
        assert!(shown.out.contains(said), "{said}: {}", shown.out);
    }
    let command = shown.out.lines().last().unwrap();
    assert!(command.contains("tenfold ring verify target/ring/vote.signature"), "{command}");
    let files = ["target/ring/vote.signature", "--ring", "target/ring/members.commitment"];
    bench.ok(&[&["ring", "verify"], &files[..], &["--context", "vote 7", "--message", "yes"]].concat());
    let value = bench.json(&["ring", "demo", "--members", "3", "--force"]);
    check("ring demo", &value);
    assert_eq!((&value["valid"], &value["same_tag"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!((value["forged"][0].as_u64(), &value["old_signature_refused"]), (Some(5), &Value::Bool(true)));
    bench.run(&["ring", "demo", "--members", "1792"]).is(2, &["1792"]);
}

/// A demo leaves what is there: a commitment and a signature of a ring in use have the names of its own.
#[test]
fn the_demo_replaces_nothing_unasked() {
    let bench = keys(&["a"]);
    bench.ok(&["ring", "commit", "a.pub"]);
    bench.ok(&["ring", "prove", "members.ring", "--key", "a", "--context", "x", "-o", "vote.signature"]);
    let demo = |more: &[&str]| bench.run(&[&["ring", "demo", "--members", "2", "-d", "."], more].concat());
    let names = ["members.ring", "members.commitment", "vote.signature"];
    let before = names.map(|name| bench.read(name));
    demo(&[]).is(2, &["members.commitment is already there", "hint:", "-d", "--force"]);
    assert!(before == names.map(|name| bench.read(name)));
    std::fs::rename(bench.path("members.commitment"), bench.path("away")).unwrap();
    demo(&[]).is(2, &["vote.signature is already there", "hint:", "-d", "--force"]);
    assert!(!bench.path("members.commitment").exists() && bench.read("vote.signature") == before[2]);
    demo(&["--force"]).is(0, &[]);
    assert!(bench.read("vote.signature") != before[2] && bench.path("members.commitment").exists());
}

/// A ring signature proves no number of bits: who asks for some is not told that it is valid.
#[test]
fn policies_about_bits_are_refused_for_signatures() {
    let bench = three();
    sign(&bench, "a", "x", "", "a.sig").is(0, &[]);
    let verify = |more: &[&str]| {
        bench.as_given(&[&["verify", "a.sig", "--commitment", "members.commitment"], more].concat())
    };
    verify(&[]).is(0, &["valid:"]);
    for option in
        [["--min-bits", "128"], ["--min-bits", "0"], ["--interactive-bits", "0"], ["--theorems", "dkt26"]]
    {
        let ran = verify(&option);
        ran.is(2, &["error:", "a ring signature has no proven bits", option[0], "hint:"]);
        assert!(!ran.err.contains("valid:"), "{ran:?}");
    }
}

/// A commitment that is named is replaced by that of the ring's change if it is the ring's own, and by none if the change fails.
#[test]
fn the_commitment_of_another_ring_is_not_replaced_unasked() {
    let bench = keys(&["a", "b", "c", "d"]);
    bench.ok(&["ring", "commit", "a.pub", "b.pub", "-o", "one.ring", "--commitment", "one.c"]);
    bench.ok(&["ring", "commit", "b.pub", "-o", "two.ring"]);
    let names = ["one.ring", "one.c", "two.ring", "two.commitment"];
    let before = names.map(|name| bench.read(name));
    let change = |args: &[&str], commitment: &str| {
        bench.run(&[&["ring", args[0], "one.ring"], &args[1..], &["--commitment", commitment]].concat())
    };
    let [add, replace, remove] =
        [&["add", "c.pub"][..], &["replace", "c.pub", "--slot", "0"], &["remove", "--slot", "0"]];
    for args in [add, replace, remove] {
        let ran = change(args, "two.commitment");
        ran.is(2, &["two.commitment is not the commitment of this ring", "hint:", "--commitment", "--force"]);
        assert!(
            !ran.err.contains("written again") && before == names.map(|name| bench.read(name)),
            "{args:?}"
        );
    }
    // A change that fails writes nothing, with --force neither.
    let failing = ["add", "a.pub"];
    change(&failing, "two.commitment").is(2, &["a member has it already"]);
    change(&[&failing[..], &["--force"]].concat(), "two.commitment").is(2, &["a member has it already"]);
    change(&failing, "new.c").is(2, &["a member has it already"]);
    assert!(before == names.map(|name| bench.read(name)) && !bench.path("new.c").exists());
    // Its own, of before the change or of after it.
    change(add, "one.c").is(0, &["added:"]);
    let after = bench.read("one.c");
    assert!(after != before[1]);
    bench.write("one.ring", &before[0]);
    change(add, "one.c").is(0, &["added:"]);
    assert!(bench.read("one.c") == after);
    change(&["remove", "--slot", "1", "--force"], "two.commitment").is(0, &["removed:"]);
    assert!(bench.read("two.commitment") != before[3]);
}

/// Rings whose names differ have commitments whose names differ, but for `x` and `x.ring`: of these a change leaves the other's.
#[test]
fn rings_of_several_names_have_several_commitments() {
    let bench = keys(&["a", "b", "c"]);
    bench.ok(&["ring", "commit", "a.pub", "-o", "vote.2026"]);
    bench.ok(&["ring", "commit", "b.pub", "-o", "vote.2027"]);
    let of_2026 = bench.read("vote.2026.commitment");
    bench.ok(&["ring", "add", "vote.2027", "c.pub"]);
    assert!(bench.read("vote.2026.commitment") == of_2026 && bench.read("vote.2027.commitment") != of_2026);
    assert!(!bench.path("vote.commitment").exists());
    bench.ok(&["ring", "commit", "a.pub", "-o", "x.ring"]);
    bench.ok(&["ring", "commit", "b.pub", "-o", "x", "--commitment", "other"]);
    let of_ring = bench.read("x.commitment");
    for change in [&["add", "x", "c.pub"][..], &["add", "x", "b.pub"]] {
        let ran = bench.run(&[&["ring"], change].concat());
        ran.is(2, &["error:", "hint:"]);
        assert!(!ran.err.contains("written again") && bench.read("x.commitment") == of_ring, "{ran:?}");
    }
    bench.ok(&["ring", "add", "x.ring", "c.pub"]);
    assert!(bench.read("x.commitment") != of_ring);
}

/// Programs see context and message wherever a signature is made or verified.
#[test]
fn json_has_context_and_message() {
    let bench = three();
    let prove = |member: &str, context: &str, more: &[&str], file: &str| {
        let prove = ["ring", "prove", "members.ring", "--key", member, "--context", context, "-o", file];
        bench.json(&[&prove[..], more].concat())
    };
    bench.write("binary", b"\xff\x00");
    let yes = prove("a", "vote 7", &["--message", "yes"], "a.sig");
    let binary = prove("b", "vote 7", &["--message-file", "binary"], "b.sig");
    let none = prove("c", "vote 8", &[], "c.sig");
    bench.write("d.sig", b"no signature");
    let batch = ["ring", "batch-verify", "a.sig", "b.sig", "c.sig", "d.sig", "--ring", "members.commitment"];
    let batch = bench.run(&[&batch[..], &["--json"]].concat());
    batch.is(1, &[]);
    check("ring batch-verify", &batch.value());
    let files = batch.value()["files"].as_array().unwrap().clone();
    let names = ["context", "context_hex", "message", "message_hex"];
    for (at, (proved, said)) in [
        (yes, ["vote 7", "766f74652037", "yes", "796573"]),
        (binary, ["vote 7", "766f74652037", "\u{fffd}\0", "ff00"]),
        (none, ["vote 8", "766f74652038", "", ""]),
    ]
    .into_iter()
    .enumerate()
    {
        let file = ["a.sig", "b.sig", "c.sig"][at];
        let verified = bench.json(&["ring", "verify", file, "--ring", "members.commitment"]);
        check("ring prove", &proved);
        check("ring verify", &verified);
        for value in [&proved, &files[at], &verified] {
            assert_eq!(names.map(|name| value[name].as_str().unwrap_or("none")), said, "{value}");
        }
    }
    assert!(names.iter().all(|name| files[3].get(*name).is_some_and(Value::is_null)), "{}", files[3]);
}

/// The suites with other encodings, and on another curve: every command, and one batch of both rings.
#[test]
fn all_commands_know_all_suites() {
    let bench = Bench::new(FIVE);
    for (suite, name, digits) in
        [("sw", "Bandersnatch-SW-SHA512-TAI-v1", 66), ("jubjub", "JubJub-SHA512-TAI-v1", 64)]
    {
        let file = |name: &str| format!("{suite}.{name}");
        let [a, b, c, ring, sig] = ["a", "b", "c", "ring", "sig"].map(file);
        let [a_pub, b_pub, c_pub] = ["a.pub", "b.pub", "c.pub"].map(file);
        for key in [&a, &b, &c] {
            let made = bench.json(&["ring", "keygen", "-o", key, "--suite", suite]);
            assert_eq!(
                (made["suite"].as_str(), made["key"].as_str().map(str::len)),
                (Some(name), Some(digits))
            );
        }
        // The key says of which suite it is.
        let made = bench.json(&["ring", "commit", &a_pub, "-o", &ring]);
        assert_eq!((&made["suite"], &made["rows"]), (&name.into(), &512.into()));
        assert_eq!(made["capacity"], if suite == "jubjub" { 256 } else { 255 });
        bench.run(&["ring", "add", &ring, &b_pub]).is(0, &["added: a ring of 2 member(s)", name]);
        bench.ok(&["ring", "replace", &ring, &c_pub, "--member", &a_pub]);
        bench.ok(&["ring", "remove", &ring, "--slot", "0"]);
        let prove =
            ["ring", "prove", &ring, "--key", &b, "--context", "vote", "--message", "yes", "-o", &sig];
        let proved = bench.json(&prove);
        check("ring prove", &proved);
        let commitment = file("commitment");
        let verified = bench.json(&["ring", "verify", &sig, "--ring", &commitment, "--context", "vote"]);
        check("ring verify", &verified);
        assert_eq!((&verified["suite"], &verified["tag"]), (&name.into(), &proved["tag"]));
        assert_eq!(verified["tag"].as_str().map(str::len), Some(digits));
        bench.as_given(&["verify", &sig, "--commitment", &commitment]).is(0, &["valid: a member", name]);
        for shown in [&b_pub, &ring, &sig] {
            let value = bench.json(&["ring", "inspect", shown]);
            check("ring inspect", &value);
            let parts = value["parts"].as_array().unwrap();
            let end = parts.iter().map(|part| part["bytes"].as_u64().unwrap()).sum::<u64>();
            assert_eq!((end, &value["suite"]), (bench.read(shown).len() as u64, &name.into()), "{shown}");
        }
    }
    let rings = ["--ring", "sw.commitment", "--ring", "jubjub.commitment"];
    let batch = |files: &[&str]| bench.run(&[&["ring", "batch-verify"], files, &rings].concat());
    batch(&["jubjub.sig", "sw.sig"]).is(0, &["valid: 2 of 2"]);
    let mut forged = Signed::decode(&bench.read("jubjub.sig")).unwrap();
    forged.message = b"no".to_vec();
    bench.write("forged.sig", &forged.encode());
    batch(&["sw.sig", "forged.sig", "jubjub.sig"])
        .is(1, &["invalid: forged.sig: no member signed this", "2 of 3"]);

    // What is of one suite is nothing to another, and is named.
    bench.ok(&["ring", "keygen", "-o", "v1"]);
    let commit = |args: &[&str]| bench.run(&[&["ring", "commit", "-o", "x.ring"], args].concat());
    let [sw, v1] = ["Bandersnatch-SW-SHA512-TAI-v1", "Bandersnatch-SHA512-ELL2-v1"];
    let mixed = format!("v1.pub is a key of {v1}, sw.a.pub is one of {sw}");
    commit(&["sw.a.pub", "v1.pub"]).is(2, &[&mixed, "hint:", "one suite"]);
    let contradicted = format!("sw.a.pub is a key of {sw}, --suite says {v1}");
    commit(&["sw.a.pub", "--suite", "v1"]).is(2, &[&contradicted, "hint:", "leave --suite out"]);
    let digits = hex(&PublicKey::decode(&bench.read("sw.a.pub")).unwrap().member.key);
    let bare = [&digits[..], "--without-possession"];
    commit(&bare).is(2, &["has 66 digits, keys of Bandersnatch-SHA512-ELL2-v1 have 64", "hint:", "--suite"]);
    // A key in hexadecimal is of the suite of the file beside it.
    commit(&[&digits[..], "sw.b.pub", "--without-possession"]).is(0, &["a ring of 2 member(s)", sw]);
    let other =
        "v1.pub is a key of Bandersnatch-SHA512-ELL2-v1, the ring is of Bandersnatch-SW-SHA512-TAI-v1";
    bench.run(&["ring", "add", "sw.ring", "v1.pub"]).is(2, &[other, "hint:", "--suite"]);
    let other = "sw.a.pub is a key of Bandersnatch-SW-SHA512-TAI-v1, the ring is of JubJub-SHA512-TAI-v1";
    bench.run(&["ring", "add", "jubjub.ring", "sw.a.pub"]).is(2, &[other, "hint:", "--suite"]);
    let key = hex(&PublicKey::decode(&bench.read("v1.pub")).unwrap().member.key);
    let digits = "has 64 digits, keys of Bandersnatch-SW-SHA512-TAI-v1 have 66";
    bench.run(&["ring", "add", "sw.ring", &key]).is(2, &[digits, "hint:"]);
    bench.write("keys.txt", key.as_bytes());
    bench
        .run(&["ring", "add", "sw.ring", "--list", "keys.txt"])
        .is(2, &["line 1 of keys.txt is no key", "hint:", "66 hexadecimal digits"]);
    let prove = ["ring", "prove", "jubjub.ring", "--key", "v1", "--context", "x", "-o", "x.sig"];
    let other = "a key of Bandersnatch-SHA512-ELL2-v1, and a ring of JubJub-SHA512-TAI-v1";
    bench.run(&prove).is(2, &[other, "hint:", "--suite"]);
    bench
        .run(&["ring", "verify", "sw.sig", "--ring", "jubjub.commitment"])
        .is(1, &["a signature of Bandersnatch-SW-SHA512-TAI-v1, and a ring of JubJub-SHA512-TAI-v1"]);
    // A suite of a later release.
    let unknown = ["is of suite number 6, which this build does not know", "hint:", "a release that knows"];
    for name in ["sw.ring", "sw.b.pub", "sw.sig"] {
        let whole = bench.read(name);
        let mut file = File::decode(&whole).unwrap();
        file.params[0] = 6;
        bench.write("later", &file.encode());
        bench.run(&["ring", "inspect", "later"]).is(2, &unknown);
    }
}
