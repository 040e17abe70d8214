//! A disk in memory that remembers every write, so that a power loss can be simulated after each of them.
//!
//! What was not synced is lost in part: of the writes since the last sync of a file, any pieces of a sector or a page may have reached the disk, in any order.
//! After a sync that failed they are still read, and no later sync writes them: the system has dropped what it could not write, and said so once. Only what is written
//! again is synced again.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use super::File;

/// What a file was asked for.
#[derive(Clone, Debug)]
enum Operation {
    Write(u64, Vec<u8>),
    Length(u64),
    Sync,
    FailedSync,
}

#[derive(Debug, Default)]
struct Inner {
    files: [Vec<u8>; 2],
    journal: Vec<(usize, Operation)>,
    /// Operations after which writes fail, and how many.
    full: Option<(usize, usize)>,
    /// Syncs after which one fails.
    unsynced: Option<usize>,
    read_only: bool,
}

/// Two files: the log and the index.
#[derive(Clone, Debug, Default)]
pub struct Disk(Arc<Mutex<Inner>>);

/// What a crash leaves of writes that were not synced.
#[derive(Clone, Copy, Debug)]
pub enum Lost {
    /// All of them: the process was killed, and the system goes on.
    Nothing,
    /// None of them.
    Everything,
    /// Pieces of so many bytes, chosen by a seed.
    Some { piece: u64, seed: u64 },
}

impl Disk {
    pub const LOG: usize = 0;
    pub const INDEX: usize = 1;

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A file of the disk.
    pub fn file(&self, number: usize) -> File {
        Box::new(Handle { disk: self.clone(), number })
    }

    /// The number of operations so far.
    pub fn operations(&self) -> usize {
        self.inner().journal.len()
    }

    /// Lets writes and lengths fail from now on, so many times, after some more that succeed.
    pub fn fill_up(&self, after: usize, failures: usize) {
        self.inner().full = Some((after, failures));
    }

    /// Lets one sync fail, after some more that succeed.
    pub fn fail_sync(&self, after: usize) {
        self.inner().unsynced = Some(after);
    }

    /// Tells whether the sync that was to fail has failed.
    pub fn has_failed(&self) -> bool {
        self.inner().journal.iter().any(|(_, operation)| matches!(operation, Operation::FailedSync))
    }

    /// Refuses every write.
    pub fn make_read_only(&self) {
        self.inner().read_only = true;
    }

    /// Changes the bytes of a file behind everybody's back.
    pub fn damage(&self, number: usize, change: impl FnOnce(&mut Vec<u8>)) {
        change(&mut self.inner().files[number]);
    }

    pub fn bytes(&self, number: usize) -> Vec<u8> {
        self.inner().files[number].clone()
    }

    /// A copy of the disk with the same bytes.
    pub fn copy(&self) -> Self {
        let files = self.inner().files.clone();
        Self(Arc::new(Mutex::new(Inner { files, ..Inner::default() })))
    }

    /// The disk after a crash behind some operations, which began with the bytes of `before`.
    pub fn crashed(&self, before: &Self, operations: usize, lost: Lost) -> Self {
        let mut files = before.inner().files.clone();
        let mut draw = Draw(lost);
        for (number, file) in files.iter_mut().enumerate() {
            let inner = self.inner();
            let mine = inner.journal[..operations].iter().filter(|(of, _)| *of == number).map(|(_, op)| op);
            // Since the last sync, and with whether a sync of them has failed.
            let mut pending: Vec<(&Operation, bool)> = Vec::new();
            for operation in mine {
                match operation {
                    Operation::Sync => {
                        for (operation, failed) in pending.drain(..) {
                            if failed { draw.apply(file, operation) } else { apply(file, operation) }
                        }
                    }
                    Operation::FailedSync => pending.iter_mut().for_each(|(_, failed)| *failed = true),
                    operation => pending.push((operation, false)),
                }
            }
            pending.iter().for_each(|(operation, _)| draw.apply(file, operation));
        }
        Self(Arc::new(Mutex::new(Inner { files, ..Inner::default() })))
    }
}

fn apply(file: &mut Vec<u8>, operation: &Operation) {
    match operation {
        Operation::Write(offset, data) => {
            let at = *offset as usize;
            if file.len() < at + data.len() {
                file.resize(at + data.len(), 0);
            }
            file[at..at + data.len()].copy_from_slice(data);
        }
        Operation::Length(length) => file.resize(*length as usize, 0),
        Operation::Sync | Operation::FailedSync => {}
    }
}

/// Decides what reached the disk.
struct Draw(Lost);

impl Draw {
    fn apply(&mut self, file: &mut Vec<u8>, operation: &Operation) {
        match (self.0, operation) {
            (Lost::Everything, _) => {}
            (Lost::Some { piece, .. }, Operation::Write(offset, data)) => {
                let mut at = 0;
                while at < data.len() {
                    let place = offset + at as u64;
                    let end = data.len().min(at + (piece - place % piece) as usize);
                    if self.toss() {
                        apply(file, &Operation::Write(place, data[at..end].to_vec()));
                    }
                    at = end;
                }
            }
            (Lost::Some { .. }, _) if !self.toss() => {}
            (_, operation) => apply(file, operation),
        }
    }

    fn toss(&mut self) -> bool {
        let Lost::Some { seed, .. } = &mut self.0 else { return true };
        // SplitMix64.
        *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) & 1 == 1
    }
}

#[derive(Debug)]
struct Handle {
    disk: Disk,
    number: usize,
}

impl Handle {
    fn change(&self, operation: Operation) -> io::Result<()> {
        let mut inner = self.disk.inner();
        if inner.read_only {
            return Err(io::ErrorKind::ReadOnlyFilesystem.into());
        }
        if let (Some((after, failures)), false) = (&mut inner.full, matches!(operation, Operation::Sync)) {
            if *after > 0 {
                *after -= 1;
            } else if *failures > 0 {
                *failures -= 1;
                // Half of the bytes are on the disk before it is full.
                if let Operation::Write(offset, mut data) = operation {
                    data.truncate(data.len() / 2);
                    apply(&mut inner.files[self.number], &Operation::Write(offset, data));
                }
                return Err(io::ErrorKind::StorageFull.into());
            }
        }
        if let (Some(after), Operation::Sync) = (inner.unsynced, &operation) {
            inner.unsynced = after.checked_sub(1);
            if after == 0 {
                inner.journal.push((self.number, Operation::FailedSync));
                return Err(io::Error::other("a sync that failed"));
            }
        }
        apply(&mut inner.files[self.number], &operation);
        inner.journal.push((self.number, operation));
        Ok(())
    }
}

impl redb::StorageBackend for Handle {
    fn len(&self) -> io::Result<u64> {
        Ok(self.disk.inner().files[self.number].len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let inner = self.disk.inner();
        let at = offset as usize;
        let bytes = inner.files[self.number].get(at..at + out.len());
        out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.change(Operation::Length(len))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.change(Operation::Sync)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.change(Operation::Write(offset, data.to_vec()))
    }
}
