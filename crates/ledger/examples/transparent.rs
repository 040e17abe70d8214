//! Batches proven without a setup, beside plain execution: `cargo run --release -p tenfold-ledger --example transparent -- 64 128`.
//!
//! Arguments: slots of a batch, proven bits, `small` for shorter proofs.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::{Duration, Instant};

use ledger::chain::Params;
use ledger::circuit::transparent::{Policy, Profile, prove, scheme_with, verify};
use ledger::machine::run;
use ledger::token::Workload;

fn timed<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let (start, result) = (Instant::now(), work());
    println!("{name:24} {:10.2} ms", start.elapsed().as_secs_f64() * 1e3);
    result
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |otherwise: u32| arguments.next().map_or(Ok(otherwise), |text| text.parse());
    let (slots, bits) = (number(64)? as usize, number(128)?);
    let profile = if arguments.next().as_deref() == Some("small") { Profile::Small } else { Profile::Fast };
    let scheme = timed("scheme", || scheme_with(slots, &Policy::at_least(bits), profile))?;
    println!("parameters               {:?}", scheme.params().encode());
    println!("entries of the matrices  {:?}", scheme.matrix_entries());

    let mut workload = Workload::new(1, 1000, 1);
    let genesis = workload.genesis(Params { lanes: 1, timeout: 0, plain: 1024 });
    let token = genesis.machine;
    let cells: BTreeMap<_, _> = genesis.cells.into_iter().collect();
    let transactions: Vec<_> = (0..slots).map(|_| workload.transaction()).collect();
    let statement = timed("plain execution", || run(&token, &cells, &transactions));
    let statement = statement.map_err(|(i, refused)| format!("transaction {i}: {refused}"))?;
    let proof = timed("proof", || prove(&scheme, &token, &cells, (&transactions, slots)))?;
    println!("bytes of the proof       {}", proof.len());
    verify(&scheme, &token, &statement, &proof)?;
    let times = (0..5).map(|_| {
        let start = Instant::now();
        verify(&scheme, &token, &statement, &proof).map(|()| start.elapsed())
    });
    let fastest = times.collect::<Result<Vec<Duration>, _>>()?.into_iter().min().unwrap_or_default();
    println!("verification             {:10.2} ms", fastest.as_secs_f64() * 1e3);
    Ok(())
}
