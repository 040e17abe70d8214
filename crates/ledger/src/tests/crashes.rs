//! Crashes at every operation of both files, with lost writes; full disks, damage, and a second process.

use super::fixture::{PARAMS, Recorder, batch, some};
use crate::chain::{Claim, Content};
use crate::replica::{Recovery, Replica, ReplicaError};
use crate::store::simulated::{Disk, Lost};
use crate::store::{Digest, Index, StoreError};
use crate::token::{Token, Workload};

type Opened = Result<(Replica<Token>, Recovery), ReplicaError<crate::token::Refusal>>;

fn open(disk: &Disk) -> Opened {
    Replica::recover(disk.file(Disk::LOG), Box::new(Index::open(disk.file(Disk::INDEX))?))
}

/// The contents of blocks of every kind, in turn.
fn content(replica: &Replica<Token>, workload: &mut Workload, i: usize) -> Content<Token> {
    let chain = replica.chain();
    match i % 4 {
        0 => Content::Plain(some(workload, 2)),
        1 => {
            let secret = workload.secret(1);
            let sequence = chain.leases().lane(1).unwrap().claims;
            let claim = Claim { lane: 1, sequence, key: secret.public() };
            let signature = secret.sign(&crate::machine::Machine::domain(chain.machine()), &claim.message());
            Content::Claim(claim, signature)
        }
        2 => {
            let transactions = some(workload, 3);
            batch(chain, transactions, 1, Some(workload.secret(1))).content
        }
        _ => Content::Empty,
    }
}

/// A run whose every operation was recorded.
struct Run {
    disk: Disk,
    /// Operations after which a block was acknowledged; the first is the genesis.
    acknowledged: Vec<usize>,
    roots: Vec<Digest>,
}

fn run(blocks: usize) -> Run {
    let mut workload = Workload::new(7, 12, 1);
    let disk = Disk::default();
    let index = Box::new(Index::open(disk.file(Disk::INDEX)).unwrap());
    let mut replica = Replica::create(disk.file(Disk::LOG), index, workload.genesis(PARAMS)).unwrap();
    let (mut acknowledged, mut roots) = (vec![disk.operations()], vec![replica.chain().root()]);
    for i in 0..blocks {
        let block = replica.chain().next(content(&replica, &mut workload, i));
        replica.apply(&block, &Recorder::default()).unwrap();
        acknowledged.push(disk.operations());
        roots.push(replica.chain().root());
    }
    Run { disk, acknowledged, roots }
}

#[derive(Debug, Default)]
struct Counts {
    crashes: usize,
    torn: usize,
    replayed: usize,
}

/// Crashes behind every operation, with each choice of what is lost; in `twice`, recovery crashes too.
fn crash_everywhere(run: &Run, choices: u64, twice: bool) -> Counts {
    let mut counts = Counts::default();
    let empty = Disk::default();
    for at in 0..=run.disk.operations() {
        let mut lost = vec![Lost::Nothing, Lost::Everything];
        let seeds = (0..choices).map(|choice| at as u64 * choices + choice);
        lost.extend(seeds.map(|seed| Lost::Some { piece: if seed % 2 == 0 { 512 } else { 4096 }, seed }));
        for (choice, lost) in lost.into_iter().enumerate() {
            let disk = run.disk.crashed(&empty, at, lost);
            let before = disk.copy();
            let survived = survives(run, &disk, at, &mut counts);
            if let (true, Some(survived)) = (twice, survived) {
                let second = (at * 7 + choice * 3) % (disk.operations() + 1);
                let seed = (at * 31 + choice) as u64;
                let disk = disk.crashed(&before, second, Lost::Some { piece: 512, seed });
                survives_again(run, &disk, second, &survived);
                counts.crashes += 1;
            }
        }
    }
    counts
}

/// What a ledger was after a crash: its height, and the operations after which one more block was acknowledged.
struct Survived {
    height: usize,
    next: usize,
}

/// Opens the ledger behind a crash: nothing acknowledged is lost, nothing is made up, and it goes on.
fn survives(run: &Run, disk: &Disk, at: usize, counts: &mut Counts) -> Option<Survived> {
    counts.crashes += 1;
    let acknowledged = run.acknowledged.iter().filter(|operations| **operations <= at).count();
    let (mut replica, recovery) = match open(disk) {
        Err(ReplicaError::Store(StoreError::Empty | StoreError::Index(_))) if acknowledged == 0 => {
            return None;
        }
        Err(e) => panic!("operation {at}, {acknowledged} acknowledged: {e}"),
        Ok(opened) => opened,
    };
    let height = replica.chain().tip().height as usize;
    assert!(height + 1 >= acknowledged, "operation {at}: lost block {}", acknowledged - 1);
    assert!(height <= acknowledged, "operation {at}: block {height} was never sent");
    assert_eq!(replica.chain().root(), run.roots[height], "operation {at}");
    counts.torn += usize::from(recovery.torn > 0);
    counts.replayed += recovery.replayed as usize;
    let block = replica.chain().next(Content::Empty);
    replica.apply(&block, &Recorder::default()).unwrap();
    let next = disk.operations();
    drop(replica);
    let (replica, recovery) = open(disk).unwrap();
    assert_eq!((replica.chain().tip().height as usize, recovery), (height + 1, Recovery::default()));
    Some(Survived { height, next })
}

/// The same behind a crash of the recovery, or of what came after it.
fn survives_again(run: &Run, disk: &Disk, at: usize, first: &Survived) {
    let (replica, _) = open(disk).unwrap_or_else(|e| panic!("operation {at} of the recovery: {e}"));
    let height = replica.chain().tip().height as usize;
    assert!(height >= first.height + usize::from(at >= first.next), "operation {at} of the recovery");
    assert!(height <= first.height + 1, "operation {at} of the recovery");
    assert_eq!(replica.chain().root(), run.roots[first.height], "a block without content changes nothing");
}

#[test]
fn no_acknowledged_block_is_lost_by_a_crash() {
    let counts = crash_everywhere(&run(4), 2, false);
    println!("{counts:?}");
    assert!(counts.crashes >= 200 && counts.torn > 0 && counts.replayed > 0, "{counts:?}");
}

/// The system drops what it could not write, says so once, and lets the next sync succeed.
#[test]
fn no_acknowledged_block_is_lost_by_a_sync_that_failed() {
    let (mut failed, mut in_log) = (0, 0);
    for sync in 0.. {
        let disk = Disk::default();
        let mut workload = Workload::new(7, 12, 1);
        let index = Box::new(Index::open(disk.file(Disk::INDEX)).unwrap());
        let genesis = workload.genesis(PARAMS);
        let mut replica = Replica::create(disk.file(Disk::LOG), index, genesis).unwrap();
        disk.fail_sync(sync);
        let mut acknowledged = 0;
        for i in 0..6 {
            let block = replica.chain().next(content(&replica, &mut workload, i));
            if replica.apply(&block, &Recorder::default()).is_ok() {
                acknowledged = replica.chain().tip().height;
                continue;
            }
            let refused = replica.apply(&block, &Recorder::default()).unwrap_err();
            assert!(
                !matches!(refused, ReplicaError::Store(StoreError::Io { .. })),
                "{refused}: not tried again"
            );
            drop(replica);
            replica = open(&disk).unwrap().0;
            let height = replica.chain().tip().height;
            assert!(
                height == acknowledged || height == acknowledged + 1,
                "{sync}: {height} of {acknowledged}"
            );
            in_log += usize::from(height > acknowledged);
            // Whoever asks is told of it.
            acknowledged = height;
        }
        drop(replica);
        if !disk.has_failed() {
            break;
        }
        failed += 1;
        let seeds = (0..8).map(|seed| Lost::Some { piece: if seed % 2 == 0 { 512 } else { 4096 }, seed });
        for lost in [Lost::Nothing, Lost::Everything].into_iter().chain(seeds) {
            let disk = disk.crashed(&Disk::default(), disk.operations(), lost);
            let (replica, _) = open(&disk).unwrap_or_else(|e| panic!("sync {sync}, {lost:?}: {e}"));
            assert_eq!(replica.chain().tip().height, acknowledged, "sync {sync}, {lost:?}");
        }
    }
    assert!(failed >= 12 && in_log > 0, "{failed} {in_log}");
}

/// `just ledger-crashes`
#[test]
#[ignore = "thousands of crashes"]
fn no_acknowledged_block_is_lost_by_thousands_of_crashes() {
    let counts = crash_everywhere(&run(12), 8, true);
    println!("{counts:?}: no acknowledged block lost, no open refused");
    assert!(counts.crashes >= 1000 && counts.torn > 0 && counts.replayed > 0, "{counts:?}");
}
