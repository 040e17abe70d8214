//! Audits: what a replica takes for granted when it opens a directory, and nobody can know of one that comes from elsewhere.

use super::fixture::{PARAMS, Recorder, batch, some};
use crate::audit::{Audited, audit};
use crate::chain::{Block, Claim, Content};
use crate::codec::Canonical;
use crate::machine::Machine;
use crate::replica::{Replica, ReplicaError};
use crate::root::{Tree, leaf};
use crate::store::simulated::Disk;
use crate::store::{Memory, Scan, Store, StoreError};
use crate::token::{Account, Refusal, Token, Workload};

type Answer = Result<Audited, ReplicaError<Refusal>>;

fn audited(disk: &Disk, index: Option<&dyn Store>) -> Answer {
    let before = disk.bytes(Disk::LOG);
    let answer = audit::<Token, ReplicaError<Refusal>>(disk.file(Disk::LOG), index, &mut |chain, block| {
        let checked = chain.check(block, Some(&Recorder::default()));
        checked.map_err(|reason| ReplicaError::Replay { height: block.height, reason })
    });
    assert_eq!(disk.bytes(Disk::LOG), before, "nothing is written");
    answer
}

/// A log with a block of each kind, and the index of all but the last `behind`.
struct Chained {
    disk: Disk,
    index: Memory,
    replica: Replica<Token>,
}

/// Applies blocks as `change` makes them, by a replica that takes everything for granted.
fn chained(behind: u64, change: impl Fn(&mut Block<Token>)) -> Chained {
    let mut workload = Workload::new(7, 6, 1);
    let (disk, mut index) = (Disk::default(), Memory::default());
    let genesis = workload.genesis(PARAMS);
    let log = disk.file(Disk::LOG);
    let mut replica = Replica::create(log, Box::new(Memory::default()), genesis).unwrap();
    let keys = Workload::new(7, 6, 1);
    let secret = keys.secret(1);
    for height in 1..=4 {
        let chain = replica.chain();
        let mut block = match height {
            1 => chain.next(Content::Plain(some(&mut workload, 2))),
            2 => {
                let claim = Claim { lane: 1, sequence: 0, key: secret.public() };
                let signature = secret.sign(&chain.machine().domain(), &claim.message());
                chain.next(Content::Claim(claim, signature))
            }
            3 => batch(chain, some(&mut workload, 3), 1, Some(secret)),
            _ => chain.next(Content::Empty),
        };
        change(&mut block);
        let step = chain.check(&block, None).unwrap();
        let checked = replica.taken(step, &block);
        replica.commit(checked).unwrap();
        if height + behind == 4 {
            index.commit(&replica.chain().tip(), &replica.chain().stored(), true).unwrap();
        }
    }
    Chained { disk, index, replica }
}

fn opens(of: &Chained) -> bool {
    Replica::<Token>::recover(of.disk.copy().file(Disk::LOG), Box::new(of.index.clone())).is_ok()
}

#[test]
fn a_log_that_holds_is_valid_whatever_its_index_is_behind() {
    for behind in [0, 1, 4] {
        let of = chained(behind, |_| {});
        let expected = Audited {
            genesis: of.replica.genesis(),
            tip: of.replica.chain().tip(),
            index: (behind < 4).then_some(4 - behind),
            torn: 0,
        };
        assert_eq!(audited(&of.disk, Some(&of.index)).unwrap(), expected, "{behind}");
        assert_eq!(audited(&of.disk, None).unwrap(), Audited { index: None, ..expected });
    }
    // An index of another chain is made anew when the replica is opened, and says nothing.
    let other = Workload::new(8, 6, 1).genesis(PARAMS);
    let mut index = Memory::default();
    let elsewhere = Replica::create(Disk::default().file(Disk::LOG), Box::new(Memory::default()), other);
    let elsewhere = elsewhere.unwrap();
    index.commit(&elsewhere.chain().tip(), &elsewhere.chain().stored(), true).unwrap();
    assert_eq!(audited(&chained(0, |_| {}).disk, Some(&index)).unwrap().index, None);
}

/// A replica opens all of these, whose blocks nobody ever verified.
#[test]
fn what_a_replica_takes_for_granted_is_refused_by_its_height() {
    let spoil = |content: &mut Content<Token>, what: u64| match content {
        Content::Batch(batch) if what == 0 => batch.proof[0] ^= 1,
        Content::Batch(batch) if what == 1 => batch.signature = None,
        Content::Claim(claim, signature) if what == 2 => {
            *signature =
                Workload::new(7, 6, 1).secret(2).sign(&crate::machine::Domain([0; 31]), &claim.message());
        }
        _ => {}
    };
    for (what, height) in [(0, 3), (1, 3), (2, 2)] {
        let of = chained(0, |block| spoil(&mut block.content, what));
        assert!(opens(&of), "{what}");
        let found = audited(&of.disk, Some(&of.index)).unwrap_err();
        assert!(
            matches!(&found, ReplicaError::Replay { height: at, .. } if *at == height),
            "{what}: {found}"
        );
    }
}

/// Money from nowhere: the index of a copied directory, whose root fits its cells and whose digest is in the log.
#[test]
fn an_index_of_another_state_is_refused() {
    for behind in [0, 1] {
        let mut of = chained(behind, |_| {});
        let (mut tip, mut cells) = (of.index.tip().unwrap().unwrap(), Vec::new());
        of.index.load(&mut |cell| cells.push(cell)).unwrap();
        let account = Account::from_bytes(cells[2].value.as_deref().unwrap()).unwrap();
        cells[2].value = Some(Account { balance: account.balance + 1, ..account }.to_bytes());
        let mut tree = Tree::default();
        let leaves =
            cells.iter().map(|cell| (cell.position as usize, leaf(&cell.key, cell.value.as_deref())));
        tree.write(&leaves.collect::<Vec<_>>());
        tip.root = tree.root(&tip.leases);
        of.index.commit(&tip, &cells, true).unwrap();
        // Behind it a block names the root of the state before.
        assert_eq!(opens(&of), behind == 0);
        let found = audited(&of.disk, Some(&of.index)).unwrap_err();
        assert!(matches!(found, ReplicaError::State { height } if height == 4 - behind), "{found}");
    }
}

/// As when a replica is opened: an end that was never acknowledged is no damage, and all else is.
#[test]
fn a_record_that_is_not_whole_is_damage_unless_nobody_was_told_of_it() {
    let of = chained(1, |_| {});
    let log = of.disk.bytes(Disk::LOG);
    let mut scan = Scan::new(of.disk.file(Disk::LOG)).unwrap();
    let starts: Vec<u64> = core::iter::from_fn(|| {
        let at = scan.position().1;
        scan.next_record().unwrap().map(|_| at)
    })
    .collect();
    for byte in (8..log.len()).step_by(7) {
        let bad = of.disk.copy();
        bad.damage(Disk::LOG, |bytes| bytes[byte] ^= 1);
        let number = starts.iter().rposition(|start| *start <= byte as u64).unwrap() as u64;
        match audited(&bad, Some(&of.index)) {
            Ok(found) => assert_eq!((number, found.tip.height, found.torn > 0), (4, 3, true)),
            Err(ReplicaError::Store(StoreError::Damaged { record, .. })) => {
                assert!(record == number && number < 4, "byte {byte}");
            }
            Err(e) => panic!("byte {byte}: {e}"),
        }
        let blind = audited(&bad, None).unwrap_err();
        assert!(
            matches!(&blind, ReplicaError::Store(StoreError::Damaged { record, .. }) if *record == number),
            "{blind}"
        );
    }
}
