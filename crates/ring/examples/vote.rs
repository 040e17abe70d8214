//! A vote among five members: nobody learns who voted what, and nobody votes twice: `cargo run --release -p tenfold-ring --example vote`.

use ring_proof::vrf::{Possession, Secret, Signature, Suite};
use ring_proof::{Domain, Prover, Ring, Setup, Srs, Verifier};
use std::collections::HashSet;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Everybody: the suite of algorithms, and powers of a secret that nobody knows, from Zcash's ceremony.
    let suite = Suite::v1();
    let setup = Arc::new(Setup::new(Srs::zcash(), Domain::new(512)?)?);

    // Each member: a secret. Strangers' keys come with a proof that their secret is known, for this ring.
    let members = (0..5).map(|_| Secret::generate(suite)).collect::<Result<Vec<_>, _>>()?;
    let keys: Vec<_> = members
        .iter()
        .map(|m| Ok((m.key(), Possession::prove(suite, m, b"club")?)))
        .collect::<Result<_, ring_proof::Error>>()?;
    let mut ring = Ring::new(&setup, suite.bases());
    ring.append_proven(&setup, suite, &keys, b"club")?;

    // Three members vote; the last one tries it twice.
    let question = suite.input(b"shall we paint the boat?")?;
    let prover = Prover::new(&setup, &ring)?;
    let vote = |member: usize, vote: &[u8]| {
        Signature::new(suite, (&prover, member), &members[member], &question, vote).map(|s| s.encode())
    };
    let votes = [
        (vote(2, b"yes")?, "yes"),
        (vote(0, b"no")?, "no"),
        (vote(4, b"yes")?, "yes"),
        (vote(4, b"no")?, "no"),
    ];

    // Who counts has the commitment to the ring, and no list of who sent what.
    let verifier = Verifier::new(ring.params(), setup.key(), &ring.commitment());
    let mut tags = HashSet::new();
    for (bytes, choice) in &votes {
        let signature = Signature::decode(bytes)?;
        signature.verify(suite, &verifier, &question, choice.as_bytes())?;
        // The tag is the same for all that a member signs about this question, and another one about any other.
        let counted =
            if tags.insert(signature.output.encode()) { "counted" } else { "refused: voted before" };
        println!("{choice}: a member's vote of {} bytes, {counted}", bytes.len());
    }
    assert_eq!(tags.len(), 3);
    Ok(())
}
