//! Full disks, damage, directories that are in use, and a process that is killed.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::fixture::{PARAMS, Recorder, some};
use crate::chain::{Content, Genesis, Params};
use crate::replica::{Recovery, Replica, ReplicaError};
use crate::store::simulated::{Disk, Lost};
use crate::store::{Cell, Index, Log, MAX_RECORD, Memory, Scan, Store, StoreError, Tip};
use crate::token::{Token, Workload};

type Opened = Result<(Replica<Token>, Recovery), ReplicaError<crate::token::Refusal>>;

fn open(disk: &Disk) -> Opened {
    Replica::recover(disk.file(Disk::LOG), Box::new(Index::open(disk.file(Disk::INDEX))?))
}

/// A replica with some plain blocks on a disk.
fn start(disk: &Disk, blocks: usize) -> (Replica<Token>, Workload) {
    let mut workload = Workload::new(7, 6, 1);
    let index = Box::new(Index::open(disk.file(Disk::INDEX)).unwrap());
    let mut replica = Replica::create(disk.file(Disk::LOG), index, workload.genesis(PARAMS)).unwrap();
    (0..blocks).for_each(|_| grow(&mut replica, &mut workload).unwrap());
    (replica, workload)
}

fn grow(
    replica: &mut Replica<Token>,
    workload: &mut Workload,
) -> Result<(), ReplicaError<crate::token::Refusal>> {
    let block = replica.chain().next(Content::Plain(some(workload, 1)));
    replica.apply(&block, &Recorder::default()).map(|_| ())
}

#[test]
fn a_full_disk_loses_nothing_that_was_acknowledged() {
    let (mut refused, mut in_log) = (0, 0);
    for after in 0..16 {
        for failures in [1, usize::MAX] {
            let disk = Disk::default();
            let (mut replica, mut workload) = start(&disk, 1);
            disk.fill_up(after, failures);
            let mut acknowledged = 1;
            let error = loop {
                match grow(&mut replica, &mut workload) {
                    Ok(()) => acknowledged += 1,
                    Err(e) => break Some(e),
                }
                if acknowledged > 8 {
                    break None;
                }
            };
            drop(replica);
            disk.fill_up(0, 0);
            let (replica, recovery) = open(&disk).unwrap();
            let height = replica.chain().tip().height;
            assert!(height == acknowledged || height == acknowledged + 1, "{after}: {height} {acknowledged}");
            assert!(!recovery.rebuilt);
            refused += usize::from(error.is_some());
            in_log += usize::from(height > acknowledged);
        }
    }
    assert!(refused > 8 && in_log > 0, "{refused} {in_log}");
}

/// A write of the log that fails takes nothing with it, and the ledger goes on where there is room again.
#[test]
fn the_ledger_goes_on_when_there_is_room_again() {
    let disk = Disk::default();
    let log = disk.file(Disk::LOG);
    let mut log = Log::create(log, b"genesis").unwrap();
    for (after, body) in [(0, &b"one"[..]), (1, b"two")] {
        disk.fill_up(after, 1);
        let before = (log.records(), log.bytes(), log.last());
        assert!(matches!(log.append(body), Err(StoreError::Io { .. })));
        assert_eq!((log.records(), log.bytes(), log.last()), before);
        log.append(body).unwrap();
    }
    disk.fill_up(0, usize::MAX);
    assert!(matches!(log.append(b"three"), Err(StoreError::Io { .. })));
    disk.fill_up(0, 0);
    assert!(matches!(log.append(b"three"), Err(StoreError::Failed)), "nobody knows what the file has");
    let mut scan = Scan::new(disk.file(Disk::LOG)).unwrap();
    let bodies: Vec<_> =
        core::iter::from_fn(|| scan.next_record().unwrap()).map(|record| record.body).collect();
    assert_eq!(bodies, [&b"genesis"[..], b"one", b"two"]);
    assert!(matches!(log_of(&Disk::default()).append(&vec![0; MAX_RECORD + 1]), Err(StoreError::TooLong(_))));
}

/// A second sync would say that the record is on the disk, whatever the first one has lost.
#[test]
fn a_log_whose_sync_failed_takes_nothing_more() {
    let disk = Disk::default();
    let mut log = log_of(&disk);
    disk.fail_sync(0);
    assert!(matches!(log.append(b"one"), Err(StoreError::Io { .. })));
    let operations = disk.operations();
    assert!(matches!(log.append(b"one"), Err(StoreError::Failed)));
    assert_eq!(disk.operations(), operations, "nothing is written, and nothing synced");
    // Opened again: the record is read, and is on the disk when the log takes others.
    let mut scan = Scan::new(disk.file(Disk::LOG)).unwrap();
    let mut starts = Vec::new();
    while scan.next_record().unwrap().is_some() {
        starts.push(scan.position().1);
    }
    let mut log = scan.truncate(starts[0]).unwrap();
    log.append(b"two").unwrap();
    let crashed = disk.crashed(&Disk::default(), disk.operations(), Lost::Everything);
    assert_eq!(crashed.bytes(Disk::LOG), disk.bytes(Disk::LOG));
}

fn log_of(disk: &Disk) -> Log {
    Log::create(disk.file(Disk::LOG), b"genesis").unwrap()
}

#[test]
fn a_read_only_disk_is_named() {
    let disk = Disk::default();
    drop(start(&disk, 1));
    disk.make_read_only();
    let error = open(&disk).unwrap_err();
    assert!(matches!(&error, ReplicaError::Store(StoreError::Io { .. })), "{error}");
    assert!(error.to_string().contains("read-only"), "{error}");
}

/// Every byte of the log: whatever was acknowledged is named when it changes, with its record and place, and nothing is cut off.
#[test]
fn damage_is_named_and_never_cut_off() {
    let disk = Disk::default();
    drop(start(&disk, 3));
    let log = disk.bytes(Disk::LOG);
    let mut scan = Scan::new(disk.file(Disk::LOG)).unwrap();
    let mut starts = vec![scan.position().1];
    while scan.next_record().unwrap().is_some() {
        starts.push(scan.position().1);
    }
    assert_eq!((starts.len(), starts[4]), (5, log.len() as u64));
    let record_at = |byte: u64| starts.iter().rposition(|start| *start <= byte).unwrap() as u64;
    for byte in (8..log.len()).step_by(11) {
        let bad = disk.copy();
        bad.damage(Disk::LOG, |bytes| bytes[byte] ^= 0x10);
        let before = bad.bytes(Disk::LOG);
        let number = record_at(byte as u64);
        match open(&bad) {
            Err(ReplicaError::Store(StoreError::Damaged { record, offset })) => {
                assert_eq!((record, offset), (number, starts[number as usize]), "byte {byte}");
            }
            other => panic!("byte {byte}: {other:?}"),
        }
        assert_eq!(bad.bytes(Disk::LOG), before, "nothing was changed");
    }
    for length in [starts[3], starts[3] + 5, starts[1], 9, 8, 3, 0] {
        let bad = disk.copy();
        bad.damage(Disk::LOG, |bytes| bytes.truncate(length as usize));
        let damaged = open(&bad).unwrap_err();
        assert!(
            matches!(damaged, ReplicaError::Store(StoreError::Damaged { .. })),
            "cut at {length}: {damaged}"
        );
        assert_eq!(bad.bytes(Disk::LOG).len() as u64, length);
    }
    let bad = disk.copy();
    bad.damage(Disk::LOG, |bytes| bytes[0] ^= 1);
    assert!(matches!(open(&bad).unwrap_err(), ReplicaError::Store(StoreError::Magic)));
}

#[test]
fn a_torn_end_is_cut_off_and_only_where_nobody_was_told() {
    let disk = Disk::default();
    let (replica, _) = start(&disk, 2);
    let root = replica.chain().root();
    drop(replica);
    disk.damage(Disk::LOG, |bytes| bytes.extend([7; 100]));
    let torn = disk.bytes(Disk::LOG);
    let alone =
        Replica::<Token>::recover(disk.copy().file(Disk::LOG), Box::new(Memory::default())).unwrap_err();
    assert!(
        matches!(alone, ReplicaError::Store(StoreError::Damaged { record: 3, .. })),
        "no index says what was told"
    );
    let (replica, recovery) = open(&disk).unwrap();
    assert_eq!((recovery, replica.chain().root()), (Recovery { torn: 100, ..Recovery::default() }, root));
    assert_eq!(disk.bytes(Disk::LOG), torn[..torn.len() - 100]);
}

/// Whatever happens to the index, the log gives it back.
#[test]
fn an_index_that_is_gone_old_foreign_or_wrong_is_rebuilt() {
    let disk = Disk::default();
    let (mut replica, mut workload) = start(&disk, 2);
    let old = disk.bytes(Disk::INDEX);
    grow(&mut replica, &mut workload).unwrap();
    let (tip, cells) = (replica.chain().tip(), replica.chain().stored());
    drop(replica);
    let recover = |tip_of: &dyn Fn(&mut Memory)| {
        let mut store = Memory::default();
        store.commit(&tip, &cells, true).unwrap();
        tip_of(&mut store);
        let (replica, recovery) =
            Replica::<Token>::recover(disk.copy().file(Disk::LOG), Box::new(store)).unwrap();
        assert_eq!(replica.chain().tip(), tip);
        recovery
    };
    let rebuilt = Recovery { replayed: 3, torn: 0, rebuilt: true };
    assert_eq!(recover(&|_| ()), Recovery::default());
    assert_eq!(recover(&|store| *store = Memory::default()), rebuilt, "gone");
    let wrong = |change: &dyn Fn(&mut Tip, &mut Vec<Cell>)| {
        recover(&|store| {
            let (mut tip, mut cells) = (tip.clone(), cells.clone());
            change(&mut tip, &mut cells);
            store.commit(&tip, &cells, true).unwrap();
        })
    };
    assert_eq!(wrong(&|tip, _| tip.digest[0] ^= 1), rebuilt, "of another log");
    assert_eq!(wrong(&|tip, _| tip.root[0] ^= 1), rebuilt, "another root");
    assert_eq!(wrong(&|_, cells| cells[0].value.as_mut().unwrap()[70] ^= 1), rebuilt, "another balance");
    assert_eq!(wrong(&|_, cells| drop(cells.pop())), rebuilt, "a cell less");
    assert_eq!(wrong(&|_, cells| cells[0].position = 9), rebuilt, "a position twice or none");
    assert_eq!(wrong(&|tip, _| tip.leases[1] ^= 1), rebuilt, "other leases");
    disk.damage(Disk::INDEX, |bytes| *bytes = old);
    let (replica, recovery) = open(&disk).unwrap();
    assert_eq!(recovery, Recovery { replayed: 1, ..Recovery::default() }, "one block behind");
    assert_eq!(replica.chain().tip(), tip);
}

/// The same commits give the index what they give the model.
#[test]
fn the_index_is_the_model_of_a_store() {
    let disk = Disk::default();
    let (mut index, mut model) = (Index::open(disk.file(Disk::INDEX)).unwrap(), Memory::default());
    let all = |store: &dyn Store| {
        let mut cells = Vec::new();
        store.load(&mut |cell| cells.push(cell)).unwrap();
        cells.sort_by(|a, b| a.key.cmp(&b.key));
        (store.tip().unwrap(), cells)
    };
    assert_eq!(index.tip().unwrap(), None);
    for height in 0..6_u8 {
        let tip =
            Tip { height: height.into(), digest: [height; 32], root: [!height; 32], leases: vec![height; 3] };
        let cell = |i: u8| Cell {
            key: vec![i % 5; 1 + usize::from(i % 3)],
            position: u64::from(i),
            value: (!i.is_multiple_of(4)).then(|| vec![height; usize::from(i)]),
        };
        let cells: Vec<_> = (height..height + 7).map(cell).collect();
        for store in [&mut index as &mut dyn Store, &mut model] {
            store.commit(&tip, &cells, height == 4).unwrap();
        }
        assert_eq!(all(&index), all(&model), "height {height}");
    }
    drop(index);
    assert_eq!(all(&Index::open(disk.file(Disk::INDEX)).unwrap()), all(&model));
}

#[test]
fn a_ledger_is_not_begun_with_parameters_that_are_out_of_range() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let genesis = Workload::new(7, 4, 1).genesis(PARAMS);
    for params in
        [Params { lanes: 0, ..PARAMS }, Params { lanes: 17, ..PARAMS }, Params { plain: 0, ..PARAMS }]
    {
        let refused = Replica::init(&path, Genesis { params, ..genesis.clone() }).map(drop).unwrap_err();
        assert!(
            refused.to_string().starts_with("the genesis is refused: parameters out of range"),
            "{refused}"
        );
    }
    assert!(Replica::init(&path, genesis).is_ok(), "nothing was written");
}

#[test]
fn directories_are_made_once_and_used_by_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ledger");
    let mut workload = Workload::new(7, 4, 1);
    let genesis = workload.genesis(PARAMS);
    let store_error = |result: Opened| match result {
        Err(ReplicaError::Store(e)) => e,
        other => panic!("{other:?}"),
    };
    assert!(matches!(store_error(Replica::open(&path)), StoreError::Empty));
    let mut replica = Replica::init(&path, genesis.clone()).unwrap();
    grow(&mut replica, &mut workload).unwrap();
    let second = store_error(Replica::open(&path));
    assert!(
        matches!(second, StoreError::Locked(_)) && second.to_string().contains("another process"),
        "{second}"
    );
    let tip = replica.chain().tip();
    drop(replica);
    let exists = Replica::init(&path, genesis.clone()).map(|replica| (replica, Recovery::default()));
    assert!(matches!(store_error(exists), StoreError::Exists));
    // An index of which little is left is made anew; a file that never was one is somebody's.
    let index = path.join("index");
    for left in [&b"redb\x1a\x0a\xa9\x0d\x0a and nothing behind it"[..], &[0; 5000]] {
        std::fs::write(&index, left).unwrap();
        let (replica, recovery) = Replica::<Token>::open(&path).unwrap();
        let rebuilt = Recovery { replayed: 1, torn: 0, rebuilt: true };
        assert_eq!((replica.chain().tip(), recovery), (tip.clone(), rebuilt));
    }
    let own = std::fs::read(&index).unwrap();
    for foreign in [&b"no database at all"[..], b"x", &[&[0; 8][..], &[1; 4096]].concat()] {
        std::fs::write(&index, foreign).unwrap();
        let refused = store_error(Replica::open(&path));
        assert!(matches!(&refused, StoreError::Foreign(path) if path.ends_with("index")), "{refused}");
        assert_eq!(std::fs::read(&index).unwrap(), foreign, "left as it is");
    }
    std::fs::write(&index, own).unwrap();
    drop(Replica::<Token>::open(&path).unwrap());
    #[cfg(unix)]
    {
        // A lock that leads elsewhere would be a file there.
        let (lock, elsewhere) = (path.join("lock"), folder.path().join("elsewhere"));
        std::fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &lock).unwrap();
        for there in [false, true] {
            let refused = store_error(Replica::open(&path));
            assert!(refused.to_string().contains("it is a link; remove it"), "{refused}");
            assert_eq!(elsewhere.exists(), there);
            std::fs::write(&elsewhere, b"").unwrap();
        }
        std::fs::remove_file(&lock).unwrap();
        std::fs::remove_file(&elsewhere).unwrap();
        drop(Replica::<Token>::open(&path).unwrap());
        // So would a log or an index, which may be kept elsewhere all the same.
        for name in ["log", "index"] {
            let (place, aside) = (path.join(name), folder.path().join("aside"));
            std::fs::rename(&place, &aside).unwrap();
            std::os::unix::fs::symlink(&elsewhere, &place).unwrap();
            let refused = store_error(Replica::open(&path));
            assert!(refused.to_string().contains("it is a link to nothing; remove it"), "{refused}");
            assert!(!elsewhere.exists(), "{name}");
            std::fs::rename(&aside, &elsewhere).unwrap();
            let (replica, recovery) = Replica::<Token>::open(&path).unwrap();
            assert_eq!((replica.chain().tip(), recovery.rebuilt), (tip.clone(), false));
            drop(replica);
            std::fs::rename(&elsewhere, &place).unwrap();
        }
    }
    let file = folder.path().join("file");
    std::fs::write(&file, b"").unwrap();
    let no_directory = Replica::init(&file, genesis).map(|replica| (replica, Recovery::default()));
    assert!(matches!(store_error(no_directory), StoreError::Io { .. }));
}

const CHILD: &str = "TENFOLD_LEDGER_CHILD";

/// The process that is killed: it applies blocks, and says the height of each on its output.
#[test]
#[ignore = "runs in the child of the next test"]
fn child_that_is_killed() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let (mut replica, _) = Replica::<Token>::open(path.as_ref()).unwrap();
    loop {
        let block = replica.chain().next(Content::Empty);
        replica.apply(&block, &Recorder::default()).unwrap();
        println!("applied {}", replica.chain().tip().height);
    }
}

/// `just ledger-crashes`
#[test]
#[ignore = "kills a process a hundred times"]
fn a_process_that_is_killed_loses_no_acknowledged_block() {
    let folder = tempfile::tempdir().unwrap();
    drop(Replica::init(folder.path(), Workload::new(7, 6, 1).genesis(PARAMS)).unwrap());
    let (mut last, mut kills) = (0, 0);
    for round in 0..100_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "tests::damage::child_that_is_killed", "--ignored", "--nocapture"]);
        let mut child = child.env(CHILD, folder.path()).stdout(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + round * 37 % 150));
        child.kill().unwrap();
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let whole = output.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let said = whole.lines().filter_map(|line| line.rsplit_once("applied ")?.1.parse::<u64>().ok()).max();
        let (replica, recovery) = Replica::<Token>::open(folder.path()).unwrap();
        let height = replica.chain().tip().height;
        assert!(height >= said.unwrap_or(last).max(last), "round {round}: {height} after {said:?}");
        assert!(!recovery.rebuilt, "round {round}");
        (last, kills) = (height, kills + 1);
    }
    println!("{kills} kills, {last} blocks, none lost");
    assert!(last > 100, "{last}");
}
