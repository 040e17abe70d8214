//! Reports hold for whoever has signed a contradiction, and for nobody else.

use super::*;
use crate::Deviation;
use crate::identity::PublicKey;
use crate::meter::Phase;
use crate::report::{Exhibit, Head, Hex, Job, Receipt, Report, Seat, Verdict, verify_report};
use crate::session::block_digest;
use iop::error::Invalid;
use std::sync::Mutex;

/// What a third party comes to.
pub(super) fn verified(report: &[u8]) -> Result<Verdict, Invalid> {
    verify_report::<Prime, Goldilocks, Goldilocks2>(report, None)
}

/// The report of a job in which the second rank sends a wrong combination of columns, the same one twice.
fn report(at: usize) -> Vec<u8> {
    let change = move |step: usize, _: usize, bytes: &mut Vec<u8>| {
        if step == step::COLUMNS || step == step::COLUMNS_AGAIN {
            bytes[at] ^= 1;
        }
    };
    reported(&pip(), 2, &change, 20_000).2.expect("a report")
}

/// A report with something replaced, as a forger writes it.
fn forged(report: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = core::str::from_utf8(report).expect("JSON");
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn a_report_of_anything_else_than_was_signed_is_refused() {
    let report = report(16);
    let verdict = verified(&report).expect("a report");
    assert_eq!((verdict.rank, verdict.deviation), (2, Deviation::Columns));
    let refused = |bytes: &[u8], reason: &str| {
        let error = verified(bytes).expect_err(reason);
        assert!(error.to_string().contains(reason), "{error} where {reason}");
    };
    for length in [0, 1, report.len() / 2, report.len() - 1] {
        refused(&report[..length], "no blame report");
    }
    refused(&[&report[..], b" "].concat(), "no blame report");
    refused(&[&report[..], b"{}"].concat(), "no blame report");
    let text = |from: &str, to: &str| forged(&report, from, to);
    refused(&text("{\n", "{"), "of this version");
    refused(&text("report v1", "report v2"), "of this version");
    refused(&text("\"accused\": 2", "\"accused\": 1"), "another key");
    refused(&text("\"accused\": 2", "\"accused\": 4"), "no such rank");
    refused(&text("\"accused\": 2", "\"accused\": 99999999999999999999"), "no blame report");
    refused(&text("\"heads\": []", "\"heads\": [], \"more\": 1"), "no blame report");
    for other in ["values", "digests", "statement", "tree", "siblings", "encoding", "answer", "equivocation"]
    {
        let error = verified(&text("\"columns\"", &format!("\"{other}\""))).expect_err(other);
        assert!(!error.to_string().contains("signature"), "{other}: {error}");
    }
    // Everything is signed: of each field one digit, be it of the job or of a statement.
    let parsed = Report::from_json(&report).expect("a report");
    let job = parsed.job();
    for (field, reason) in [
        (&job.program, "another version"),
        (&job.name, "signature"),
        (&job.data, "signature"),
        (&job.ranks[3].nonce, "signature"),
        (&job.ranks[1].key, "signature"),
    ] {
        let old = iop::text::hex(&field.0);
        let new = old.replacen(&old[..1], if old.starts_with('0') { "1" } else { "0" }, 1);
        refused(&text(&old, &new), reason);
    }
    // Parameters that no job has.
    let hiding = Params { hidden_openings: 1, log_parts: 0, ..Pip::params(&pip()).clone() };
    let hiding = parsed.clone().with(|report| report.job.parameters = Hex(hiding.encode()));
    refused(&hiding, "leaves of parts");
    let shorter = parsed.clone().with(|report| report.job.parameters.0.truncate(10));
    refused(&shorter, "parameters are none");
    // More ranks than any division of the work has.
    let seat = serde_json::to_value(&job.ranks[2]).expect("JSON");
    let mut many: serde_json::Value = serde_json::from_slice(&report).expect("JSON");
    many["job"]["ranks"] = vec![seat; 1 << 12].into();
    let many: Report = serde_json::from_value(many).expect("a report");
    refused(&many.to_json(), "no division");
}

#[test]
fn a_statement_of_another_job_or_another_rank_shows_nothing() {
    let reports = [16, 48].map(report);
    let parsed = reports.each_ref().map(|report| Report::from_json(report).expect("a report"));
    // The same contradiction, signed by the same key, under the description of another run.
    let replayed = parsed[0].clone().with(|report| report.statements = parsed[1].statements.clone());
    assert_eq!(verified(&replayed), Err(Invalid("a signature does not verify")));
    let mixed = parsed[0].clone().with(|report| report.statements[0] = parsed[1].statements[0].clone());
    assert_eq!(verified(&mixed), Err(Invalid("a signature does not verify")));
    let framed = parsed[0].clone().with(|report| {
        report.accused = 1;
        report.key = report.job.ranks[1].key.clone();
    });
    assert_eq!(verified(&framed), Err(Invalid("a signature does not verify")));
    let shorter = parsed[0].clone().with(|report| drop(report.statements.pop()));
    assert!(verified(&shorter).expect_err("half").to_string().contains("contradict"));
    let twice = parsed[0].clone().with(|report| report.statements[1] = report.statements[0].clone());
    assert!(verified(&twice).expect_err("half").to_string().contains("contradict"));
}

/// What a rank was asked, message by message, and what it answered.
pub(super) type Seen = (Vec<Vec<u8>>, Vec<u8>);

/// A coordinator that sees everything which ranks sign: the messages of rank 1, and what it was asked.
struct Spying<'a> {
    comm: Threads,
    seen: &'a Mutex<Vec<Seen>>,
    asked: Vec<Vec<u8>>,
}

impl Comm for Spying<'_> {
    as_its_own!();

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        let result = self.comm.exchange(outgoing, incoming, within);
        let answer = incoming.iter().find(|incoming| incoming.from == 1);
        if let Some(answer) =
            answer.filter(|answer| self.rank() == 0 && outgoing.is_empty() && answer.bytes.len() > SIGNATURE)
        {
            let asked = core::mem::take(&mut self.asked);
            self.seen.lock().expect("no panic").push((asked, answer.bytes.to_vec()));
        } else if let Some(question) =
            outgoing.iter().find(|outgoing| outgoing.to == 1 && outgoing.bytes.len() > 1)
        {
            self.asked.push(question.bytes.to_vec());
        }
        result
    }
}

/// What rank 1 signs in an honest job of two with one opening.
fn honest<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(scheme: &Scheme<F, B, E>) -> (Job, Vec<Seen>) {
    honest_by(scheme, |coordinator| drop(opened(coordinator, scheme.params()).expect("a proof")))
}

/// What rank 1 signs in an honest job of two, whatever the coordinator asks.
pub(super) fn honest_by<F: Steps<B, E>, B: FoldFibres, E: ExtensionOf<B>>(
    scheme: &Scheme<F, B, E>,
    coordinate: impl Fn(Coordinator<'_, F, B, E>) + Sync,
) -> (Job, Vec<Seen>) {
    let seen = Mutex::new(Vec::new());
    let entries = entries::<B>(scheme.params());
    let ranks = connect(2, CHUNK).into_iter();
    let ranks = ranks.map(|comm| Spying { comm, seen: &seen, asked: Vec::new() }).collect();
    let receipts = run_on(ranks, |comm: Spying<'_>| {
        let identity = Identity::default();
        let records = identity.records();
        let rank = Member::join_as(identity, scheme, Box::new(comm), deadlines(20_000)).expect("ranks");
        let columns = rank.columns_of(&[&entries[0]]).expect("entries");
        match rank.coordinates() {
            true => coordinate(rank.coordinate(columns).expect("ranks")),
            false => drop(rank.serve(columns).expect("a coordinator")),
        }
        records.receipt()
    });
    let job = receipts.into_iter().flatten().next().expect("a receipt").job().clone();
    (job, seen.into_inner().expect("no panic"))
}

/// An answer with its question, as a coordinator shows it.
pub(super) fn exhibit(phase: Phase, (asked, answer): &Seen, stated: &[u8; 32]) -> Exhibit {
    let (block, signature) = answer.split_at(answer.len() - SIGNATURE);
    // The beginning of a question is signed, which is no part of it.
    let asked = asked.iter().enumerate();
    let asked = asked.map(|(i, bytes)| if i == 0 { &bytes[..bytes.len() - SIGNATURE] } else { bytes });
    Exhibit::new(phase, stated, asked.collect(), (block, signature))
}

/// Sums over bits that are honest contradict no combination of the columns, and are elements of the field.
#[test]
fn honest_sums_over_bits_show_nothing_whatever_a_coordinator_says() {
    let base = params(Fields::Gf128, Regime::UniqueDecoding, recursion());
    let params = Params { entries: Entries::Bits, max_forms: 1, ..base };
    let (job, seen) = honest(&scheme::<pcs::matrix::Binary, field::Tower128, field::Gf128>(&params));
    let stated = block_digest(&seen[1].1[..seen[1].1.len() - SIGNATURE]);
    let of_kind = |phase, kind: u8| -> Vec<Exhibit> {
        let asked = seen.iter().skip(2).filter(|(asked, _)| asked[0][0] == kind);
        asked.map(|answer| exhibit(phase, answer, &stated)).collect()
    };
    let (bits, columns) = (of_kind(Phase::Values, 8), of_kind(Phase::Columns, 1));
    assert!(!bits.is_empty() && !columns.is_empty());
    let refused = |deviation, statements: Vec<Exhibit>| {
        let report = Report::deviation(job.clone(), (1, deviation), statements, Vec::new()).to_json();
        let verdict = verify_report::<pcs::matrix::Binary, field::Tower128, field::Gf128>(&report, None);
        verdict.expect_err("an honest rank").to_string()
    };
    for sums in &bits {
        for columns in &columns {
            let said = refused(Deviation::Values, vec![sums.clone(), columns.clone()]);
            assert!(said.contains("do not contradict"), "{said}");
        }
        assert!(refused(Deviation::Encoding, vec![sums.clone()]).contains("do not contradict"));
        let unbound = Exhibit { stated: Hex(vec![0; 32]), ..sums.clone() };
        assert!(refused(Deviation::Values, vec![unbound, columns[0].clone()]).contains("does not verify"));
    }
}

#[test]
fn a_lying_coordinator_cannot_have_an_honest_rank_blamed() {
    let (job, seen) = honest(&pip());
    // After the hello and the statement, each answer with its question.
    let statement = &seen[1].1[..seen[1].1.len() - SIGNATURE];
    let stated = block_digest(statement);
    let tree = {
        // After the list of ranks; its own digests went out in between.
        let asked = vec![seen[1].0[1].clone()];
        exhibit(Phase::Tree, &(asked, seen[1].1.clone()), &[0; 32])
    };
    let [values, columns, rows] = [(Phase::Values, 2), (Phase::Columns, 3), (Phase::Rows, 4)]
        .map(|(phase, i)| exhibit(phase, &seen[i], &stated));
    // Answers of which the digest alone is left.
    let [columns_unseen, rows_unseen] = [&columns, &rows].map(|answer| {
        let digest = block_digest(&answer.block.0);
        Exhibit { block: Hex(Vec::new()), ..answer.clone() }.unseen(&digest)
    });
    let scheme = pip();
    let own = crate::commit::Statement::parse(Hash::Blake3, 2, statement).expect("a statement");
    assert_eq!(own.sent.len(), 2);
    let slices = vec![vec![0; crate::Ownership::new(scheme.matrix(), 1).unwrap().slice_bytes()]; 2];
    use Deviation::*;
    let nothing = "do not contradict";
    for (deviation, statements, slices, reason) in [
        (Columns, vec![&columns, &rows], vec![], nothing),
        (Statement, vec![&columns, &columns_unseen], vec![], nothing),
        (Statement, vec![&columns, &rows_unseen], vec![], nothing),
        (Columns, vec![&columns, &rows_unseen], vec![], nothing),
        (Encoding, vec![&columns_unseen], vec![], nothing),
        (Values, vec![&values, &columns], vec![], nothing),
        (Statement, vec![&tree, &tree], vec![], nothing),
        (Encoding, vec![&values], vec![], nothing),
        (Encoding, vec![&columns], vec![], nothing),
        (Encoding, vec![&rows], vec![], nothing),
        (Answer, vec![&rows], vec![], nothing),
        (Answer, vec![&tree], vec![], nothing),
        (Digests, vec![&tree, &rows], vec![], nothing),
        (Tree, vec![&tree], slices.clone(), "did not state"),
        (Siblings, vec![&tree, &rows], slices.clone(), "did not state"),
        (Siblings, vec![&tree, &rows], slices[1..].to_vec(), "another number or length"),
    ] {
        let statements = statements.into_iter().cloned().collect();
        let report = Report::deviation(job.clone(), (1, deviation), statements, slices).to_json();
        let error = verified(&report).expect_err("an honest rank");
        assert!(error.to_string().contains(reason), "{deviation:?}: {error}");
    }
    // What is left of an answer is what was signed of it.
    let both = Exhibit { block: columns.block.clone(), ..columns_unseen.clone() };
    for (exhibit, reason) in [
        (both, "an answer has a digest and is there"),
        (columns_unseen.unseen(&[0; 32]), "a signature does not verify"),
    ] {
        let report = Report::deviation(job.clone(), (1, Statement), vec![columns.clone(), exhibit], vec![]);
        assert_eq!(verified(&report.to_json()), Err(Invalid(reason)));
    }
    // The signatures are real ones: with another question they are not.
    let other = Report::deviation(
        job.clone(),
        (1, Columns),
        vec![exhibit(Phase::Columns, &seen[2], &stated)],
        vec![],
    );
    assert_eq!(verified(&other.to_json()), Err(Invalid("a signature does not verify")));
    let unbound =
        Report::deviation(job, (1, Columns), vec![exhibit(Phase::Columns, &seen[3], &[0; 32])], vec![]);
    assert_eq!(verified(&unbound.to_json()), Err(Invalid("a signature does not verify")));
}

/// This program once more, with a file to verify and no ranks.
#[test]
fn a_report_is_verified_by_another_process() {
    const FILE: &str = "TENFOLD_TEST_REPORT";
    if let Some(path) = std::env::var_os(FILE) {
        let verdict = verified(&std::fs::read(path).expect("a file"));
        std::process::exit(verdict.map_or(1, |verdict| 40 + verdict.rank as i32));
    }
    let path = std::env::temp_dir().join(format!("tenfold-cluster-report-{}", std::process::id()));
    let verify = |report: &[u8]| {
        crate::publish(&path, |file| std::io::Write::write_all(file, report)).expect("a file");
        let mut process = std::process::Command::new(std::env::current_exe().expect("this program"));
        process.args(["--exact", "tests::reports::a_report_is_verified_by_another_process"]);
        process.env(FILE, &path).output().expect("a process").status.code()
    };
    let report = report(16);
    assert_eq!(verify(&report), Some(42));
    assert_eq!(verify(&report[1..]), Some(1));
    std::fs::remove_file(&path).expect("the file");
}

/// A coordinator that asks rank 2 about another form, and signs what it tells it.
struct TwoFaced {
    comm: Threads,
    key: Key,
    nonce: Vec<u8>,
    step: u64,
    chain: Vec<u8>,
    /// The questions so far at which it lies.
    lies_at: u64,
}

impl TwoFaced {
    /// What rank 2 is told in place of a broadcast message.
    fn other(&mut self, bytes: &[u8]) -> Vec<u8> {
        let (ranks, mut bytes) = (self.comm.size(), bytes.to_vec());
        let verdict = 9 + 120 * ranks;
        let signed = [verdict, 16].into_iter().find(|length| bytes.len() == length + SIGNATURE);
        if let Some(length) = signed {
            if length == verdict {
                self.nonce = bytes[9 + 32..9 + 64].to_vec();
            }
            bytes.truncate(length);
            self.step += 1;
        } else if self.step == self.lies_at {
            bytes[0] ^= 1;
        }
        self.chain = crate::identity::digest("tenfold cluster chain v1", &[&self.chain, &bytes]).to_vec();
        if signed.is_some() {
            let [nonce, chain] = [&self.nonce, &self.chain].map(|bytes| Hex(bytes.clone()));
            let head = Head { nonce, step: self.step, chain, ..Head::default() };
            bytes.extend(self.key.sign(&head.message()));
        }
        bytes
    }
}

impl Comm for TwoFaced {
    as_its_own!();

    fn exchange(
        &mut self,
        outgoing: &[Outgoing<'_>],
        incoming: &mut [Incoming<'_>],
        within: Duration,
    ) -> Result<(), CommError> {
        // The word that all have read their columns is no question.
        let same = outgoing.len() > 1
            && outgoing[0].bytes.len() > 1
            && outgoing.iter().all(|o| o.bytes == outgoing[0].bytes);
        if self.rank() != 0 || !same || !incoming.is_empty() {
            return self.comm.exchange(outgoing, incoming, within);
        }
        let other = self.other(outgoing[0].bytes);
        let told = |&Outgoing { to, bytes }| Outgoing { to, bytes: if to == 2 { &other } else { bytes } };
        let outgoing: Vec<Outgoing<'_>> = outgoing.iter().map(told).collect();
        self.comm.exchange(&outgoing, incoming, within)
    }
}

/// What a rank ends with, its report and its receipt.
type Ended = (Result<(), Error>, Option<Vec<u8>>, Option<Receipt>);

/// What each rank of a job whose coordinator lies ends with, its report and its receipt.
fn two_faced(lies_at: u64, opens: bool) -> Vec<Ended> {
    let scheme = scheme(&Params { max_forms: 1, ..params(Fields::Goldilocks2, JOHNSON, recursion()) });
    let entries = entries::<Goldilocks>(Pip::params(&scheme));
    let key = |rank: usize| Key::from_bytes(&[rank as u8 + 1; 32]);
    let ranks = connect(4, CHUNK).into_iter().map(|comm| {
        let (key, chain) = (key(comm.rank()), Vec::new());
        TwoFaced { comm, key, nonce: Vec::new(), step: 0, chain, lies_at }
    });
    run_on(ranks.collect(), |comm: TwoFaced| {
        let identity = Identity::new(comm.key.clone(), b"a job");
        let records = identity.records();
        let run = || {
            let rank = Member::join_as(identity, &scheme, Box::new(comm), deadlines(5_000))?;
            let columns = rank.columns_of(&[&entries[0]])?;
            if !rank.coordinates() {
                return rank.serve(columns).map(drop);
            }
            let mut coordinator = rank.coordinate(columns)?;
            if opens {
                coordinator.open(forms::<Goldilocks, Goldilocks2>(scheme.params()), b"context")?;
            }
            coordinator.finish().map(drop)
        };
        let result = run();
        (result, records.report().map(|report| report.to_json()), records.receipt())
    })
}

#[test]
fn a_coordinator_that_asks_ranks_different_things_is_named_by_its_own_signatures() {
    // The third question is about the out-of-domain value, before the commitment: nothing has been verified when the job ends.
    let results = two_faced(3, false);
    for (result, report, _) in &results[1..] {
        let error = result.as_ref().expect_err("two different questions");
        assert!(matches!(error, Error::Deviation { rank: 0, deviation: Deviation::Equivocation }), "{error}");
        let verdict = verified(report.as_ref().expect("a report")).expect("a report that holds");
        assert_eq!((verdict.rank, verdict.deviation), (0, Deviation::Equivocation));
        show(error);
        assert_eq!(verdict.key, Key::from_bytes(&[1; 32]).public());
    }
    // If the job fails the ranks have their receipts, of which those that differ are a report.
    let results = two_faced(3, true);
    let receipts: Vec<_> =
        results[1..].iter().map(|(_, _, receipt)| receipt.clone().expect("heard")).collect();
    assert!(matches!(results[1].0, Err(Error::Stopped { .. })), "{:?}", results[1].0);
    assert_eq!(receipts[0].compare(&receipts[2]), None);
    let report = receipts[0].compare(&receipts[1]).expect("two different questions");
    assert_eq!(verified(&report.to_json()).expect("a report").deviation, Deviation::Equivocation);
    // One head twice, or two of different questions, are nothing; and nobody else can be charged with them.
    let heads = [receipts[0].head().clone(), receipts[1].head().clone()];
    let twice = report.clone().with(|report| report.heads[1] = heads[0].clone());
    assert!(verified(&twice).expect_err("one head").to_string().contains("contradict"));
    let later = report.clone().with(|report| report.heads[1].step += 1);
    assert_eq!(verified(&later), Err(Invalid("a signature does not verify")));
    // The heads are of one job: they charge nobody with another, and what they are not bound to changes nothing of the verdict.
    let moved = report.clone().with(|report| report.job.ranks[0].nonce.0[0] ^= 1);
    assert_eq!(verified(&moved), Err(Invalid("questions of another job")));
    let renamed = report.clone().with(|report| report.job.name.0[0] ^= 1);
    assert_eq!(verified(&renamed), verified(&report.to_json()));
    let other = report.with(|report| {
        report.accused = 1;
        report.key = report.job.ranks[1].key.clone();
    });
    assert!(verified(&other).expect_err("not the coordinator").to_string().contains("two heads"));
}

#[test]
fn ranks_of_other_jobs_data_or_keys_do_not_work_together() {
    let scheme = pip();
    let keys: Vec<Key> = (1..5).map(|i| Key::from_bytes(&[i; 32])).collect();
    let public: Vec<PublicKey> = keys.iter().map(Key::public).collect();
    let join = |of: &(dyn Fn(usize) -> Identity + Sync)| {
        let join = |comm: Threads| {
            let identity = of(comm.rank());
            Member::join_as(identity, &scheme, Box::new(comm), deadlines(5_000)).map(drop)
        };
        run_on(connect(4, CHUNK), join)
    };
    let other = |rank: usize, odd: &[u8]| if rank == 3 { odd.to_vec() } else { b"a job".to_vec() };
    let results = join(&|rank| Identity::new(keys[rank].clone(), &other(rank, b"another")));
    assert!(results.iter().all(|result| matches!(result, Err(Error::Job { rank: 3 }))), "{results:?}");
    let results = join(&|rank| Identity::new(keys[rank].clone(), b"").with_data([u8::from(rank == 1); 32]));
    assert!(results.iter().all(|result| matches!(result, Err(Error::Data { rank: 1 }))), "{results:?}");
    let swapped = |rank: usize| keys[[0, 2, 1, 3][rank]].clone();
    let results = join(&|rank| Identity::new(swapped(rank), b"").expecting(public.clone()));
    assert!(results.iter().all(|result| matches!(result, Err(Error::Key { rank: 1 }))), "{results:?}");
    let results = join(&|rank| Identity::new(keys[rank].clone(), b"").expecting(public.clone()));
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    for few in [0, 3] {
        let results = join(&|rank| Identity::new(keys[rank].clone(), b"").expecting(public[..few].to_vec()));
        let refused = results[0].as_ref().expect_err("another number of keys").to_string();
        assert_eq!(refused, format!("a list of {few} keys, and there are 4 ranks"));
    }
}

#[test]
fn a_job_says_what_it_is() {
    let report = Report::from_json(&report(16)).expect("a report");
    let Job { ranks, scheme, .. } = report.job();
    assert_eq!((ranks.len(), scheme.as_str()), (4, "pip"));
    assert_eq!(report.job().params().as_ref(), Some(Pip::params(&pip())));
    let Seat { key, nonce } = &ranks[1];
    assert_eq!((key.0.len(), nonce.0.len()), (32, 32));
    assert_ne!(nonce, &ranks[2].nonce);
}
