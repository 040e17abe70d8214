//! What holds for every back end: the unit tests run it on threads, and the program of `tests/mpi.rs`, which has this file too, under MPI.

use super::Comm;
use core::time::Duration;

const LONG: Duration = Duration::from_secs(30);

/// A block of so many bytes that tells its ends.
fn block(from: usize, to: usize, length: usize) -> Vec<u8> {
    (0..length).map(|i| (100 * from + 10 * to + i) as u8).collect()
}

/// Every collective, with blocks of several lengths.
pub fn battery(comm: &mut dyn Comm) {
    let (rank, size) = (comm.rank(), comm.size());
    for (length, root) in
        [0, 1, 3, 4, 10, 64].into_iter().flat_map(|length| [(length, 0), (length, size - 1)])
    {
        let mut got = if rank == root { block(root, 0, length) } else { vec![0; length] };
        comm.broadcast(root, &mut got, LONG).unwrap();
        assert_eq!(got, block(root, 0, length));

        let gathered = comm.gather(root, &block(rank, root, length), LONG).unwrap();
        let all: Vec<u8> = (0..size).flat_map(|from| block(from, root, length)).collect();
        assert_eq!(gathered, if rank == root { all } else { Vec::new() });

        let blocks: Vec<u8> = (0..size).flat_map(|to| block(root, to, length)).collect();
        let blocks = if rank == root { blocks } else { Vec::new() };
        let mut got = vec![0; length];
        comm.scatter(root, &blocks, &mut got, LONG).unwrap();
        assert_eq!(got, block(root, rank, length));

        let blocks: Vec<u8> = (0..size).flat_map(|to| block(rank, to, length)).collect();
        let mut got = vec![0; size * length];
        comm.all_to_all(&blocks, &mut got, LONG).unwrap();
        assert_eq!(got, (0..size).flat_map(|from| block(from, rank, length)).collect::<Vec<u8>>());
    }
}
