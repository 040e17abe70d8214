//! A file that is read, and whose writes stay in memory: a database repairs what it opens, and what is only looked at has to stay as it is.

use std::fs;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file, and the writes that are in memory.
#[derive(Debug)]
struct Inner {
    file: fs::File,
    /// Bytes of the file that count.
    base: u64,
    length: u64,
    /// In their order. A repair makes few.
    writes: Vec<(u64, Vec<u8>)>,
}

/// A file of which a copy is written.
#[derive(Debug)]
pub struct Overlay(Mutex<Inner>);

impl Overlay {
    /// The file as it is now.
    ///
    /// # Errors
    /// If its length cannot be read.
    pub fn new(file: fs::File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self(Mutex::new(Inner { file, base: length, length, writes: Vec::new() })))
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl redb::StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.inner().length)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut inner = self.inner();
        let end = offset.checked_add(out.len() as u64).filter(|end| *end <= inner.length);
        end.ok_or(ErrorKind::UnexpectedEof)?;
        let of_file = inner.base.saturating_sub(offset).min(out.len() as u64) as usize;
        let (read, zeros) = out.split_at_mut(of_file);
        if !read.is_empty() {
            inner.file.seek(SeekFrom::Start(offset))?;
            inner.file.read_exact(read)?;
        }
        zeros.fill(0);
        for (at, data) in &inner.writes {
            let (first, last) = (offset.max(*at), (offset + out.len() as u64).min(at + data.len() as u64));
            if first < last {
                let length = (last - first) as usize;
                let (to, from) = ((first - offset) as usize, (first - at) as usize);
                out[to..to + length].copy_from_slice(&data[from..from + length]);
            }
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut inner = self.inner();
        inner.base = inner.base.min(len);
        inner.length = len;
        for (at, data) in &mut inner.writes {
            data.truncate(usize::try_from(len.saturating_sub(*at)).unwrap_or(usize::MAX));
        }
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut inner = self.inner();
        inner.length = inner.length.max(offset.saturating_add(data.len() as u64));
        inner.writes.push((offset, data.to_vec()));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use redb::StorageBackend;

    /// Writes and lengths in every order give what a file would have, and the file stays.
    #[test]
    fn a_copy_is_written_and_the_file_stays() {
        let place = tempfile::NamedTempFile::new().unwrap();
        fs::write(place.path(), (0..100).collect::<Vec<u8>>()).unwrap();
        let overlay = Overlay::new(fs::File::open(place.path()).unwrap()).unwrap();
        let mut model: Vec<u8> = (0..100).collect();
        let mut seed = 1_u64;
        for _ in 0..500 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (at, length) = ((seed >> 33) as usize % 150, (seed >> 50) as usize % 40);
            if seed >> 62 == 0 {
                overlay.set_len(at as u64).unwrap();
                model.resize(at, 0);
            } else {
                let data = vec![(seed >> 24) as u8; length];
                overlay.write(at as u64, &data).unwrap();
                model.resize(model.len().max(at + length), 0);
                model[at..at + length].copy_from_slice(&data);
            }
            let mut all = vec![9; model.len()];
            overlay.read(0, &mut all).unwrap();
            assert_eq!((overlay.len().unwrap(), &all), (model.len() as u64, &model));
            let mut part = vec![9; model.len() / 2];
            overlay.read(model.len() as u64 / 3, &mut part).unwrap();
            assert_eq!(part, model[model.len() / 3..][..part.len()]);
            assert!(overlay.read(1, &mut all).is_err(), "beyond the end");
        }
        assert_eq!(fs::read(place.path()).unwrap(), (0..100).collect::<Vec<u8>>());
    }
}
