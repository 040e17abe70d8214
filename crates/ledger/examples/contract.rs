//! Batches for the contract of an EVM chain, as JSON: what deploys it, calls that it accepts and calls that it refuses.
//!
//! ```text
//! cargo run --release -p tenfold-ledger --example contract -- 64 31337 0x5fbdb2315678afecb367f032d93f642f64180aa3
//! ```
//! Arguments: slots of a batch, chain id, the address where the contract will be. The setup is local, and therefore insecure. `scripts/anvil-test` runs this.

use std::collections::BTreeMap;
use std::error::Error;

use curve::pairing::Bn254;
use ledger::chain::Params;
use ledger::circuit::groth16::circuit;
use ledger::evm::{Head, Submission, Target, insecure, prove};
use ledger::machine::{Contract, Machine, Signed};
use ledger::token::{Account, Index, Operation, Token, Transaction, Workload};
use sha3::{Digest, Keccak256};
use snark::groth16::{ProvingKey, setup_local};

const ACCOUNTS: u32 = 200;
const GENESIS: [u8; 32] = [1; 32];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn selector(signature: &str) -> String {
    format!("\"0x{}\"", hex(&Keccak256::digest(signature.as_bytes())[..4]))
}

/// A prover, who is a replica too.
struct Prover {
    key: ProvingKey<Bn254>,
    workload: Workload,
    token: Token,
    slots: usize,
    head: Head,
    cells: BTreeMap<Index, Account>,
}

impl Prover {
    /// A full batch of transfers of consecutive accounts, from one on.
    fn prove(&self, first: u32) -> Result<Submission, Box<dyn Error>> {
        let mut nonces = BTreeMap::new();
        let transfer = |i: u32| {
            let [from, to] = [i, 7 * i + 3].map(|i| Index((first + i) % ACCOUNTS));
            let nonce = nonces.entry(from).or_insert_with(|| self.cells[&from].nonce);
            *nonce += 1;
            let operation = Operation::Transfer { to, amount: u64::from(1000 * i + 1), memo: 0 };
            let transaction = Transaction { from, nonce: *nonce - 1, operation };
            let message = self.token.message(&transaction);
            let signature = self.workload.secret(from.0).sign(&self.token.domain(), &message);
            Signed { transaction, signature }
        };
        let batch: Vec<_> = (0..self.slots as u32).map(transfer).collect();
        Ok(prove(&self.key, &self.target(), &self.cells, &batch, &mut rand::rng())?)
    }

    fn target(&self) -> Target<'_> {
        Target { machine: &self.token, slots: self.slots, last: self.head, blob: None }
    }

    /// The state and the contract's head after a batch.
    fn follow(&mut self, submission: &Submission) -> Result<(), Box<dyn Error>> {
        let statement = submission.statement(&self.target(), &self.cells)?;
        self.head = self.target().next(submission);
        self.cells.extend(statement.cells.into_iter().filter_map(|change| Some((change.key, change.after?))));
        Ok(())
    }
}

/// Slots of a batch, and the contract, of the arguments.
fn arguments() -> Result<(usize, Contract), Box<dyn Error>> {
    let [slots, chain_id, address] =
        std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(|_| "slots, chain id, address")?;
    let digits = address.strip_prefix("0x").filter(|digits| digits.len() == 40).ok_or("an address")?;
    let mut contract = Contract { chain_id: chain_id.parse()?, address: [0; 20] };
    for (at, byte) in contract.address.iter_mut().enumerate() {
        *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2).ok_or("an address")?, 16)?;
    }
    Ok((slots.parse()?, contract))
}

/// Calls of the contract by their names, and its heads after some of them.
#[derive(Default)]
struct Calls {
    calls: Vec<(&'static str, Vec<u8>)>,
    heads: Vec<(&'static str, Head)>,
}

impl Calls {
    /// Batches that follow one another or exclude one another, and what is done to them.
    fn of(prover: &mut Prover) -> Result<Self, Box<dyn Error>> {
        let mut all = Self { calls: vec![], heads: vec![("genesis", prover.head)] };
        let first = prover.prove(0)?;
        prover.follow(&first)?;
        all.heads.push(("first", prover.head));
        let second = prover.prove(20)?;
        all.heads.push(("second", prover.target().next(&second)));
        let other = prover.prove(90)?;
        prover.follow(&other)?;
        all.heads.push(("other", prover.head));
        let third = prover.prove(140)?;
        all.heads.push(("third", prover.target().next(&third)));
        // The same batch, state and head, on another chain.
        let contract = prover.token.contract;
        prover.token.contract =
            contract.map(|contract| Contract { chain_id: contract.chain_id + 1, ..contract });
        let foreign = prover.prove(140)?;
        prover.token.contract = contract;

        let mut tampered = first.clone();
        let last = tampered.payload.last_mut().ok_or("a payload")?;
        *last ^= 1;
        let unreduced = Submission { quotient: [255; 32], ..first.clone() };
        let longer = [&first.calldata()[..], &[0]].concat();
        let named = [
            ("first", first),
            ("second", second),
            ("other", other),
            ("third", third),
            ("foreign", foreign),
            ("tampered", tampered),
            ("unreduced", unreduced),
        ];
        all.calls.extend(named.iter().map(|(name, submission)| (*name, submission.calldata())));
        all.calls.push(("longer", longer));
        Ok(all)
    }

    fn print(&self) {
        let field = |(name, bytes): &(&str, Vec<u8>)| format!("\"{name}\": \"0x{}\"", hex(bytes));
        let mut fields: Vec<String> = self.calls.iter().map(field).collect();
        let heads: Vec<String> =
            self.heads.iter().map(|(name, head)| format!("\"{name}\": \"{}\"", hex(&head.0))).collect();
        fields.push(format!("\"heads\": {{{}}}", heads.join(", ")));
        let names = ["height", "head", "domain", "InvalidProof", "NotReduced", "NotCanonical", "WrongChain"];
        let selectors = names.map(|name| format!("\"{name}\": {}", selector(&format!("{name}()"))));
        fields.push(format!("\"selectors\": {{{}}}", selectors.join(", ")));
        println!("{{{}}}", fields.join(",\n"));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (slots, contract) = arguments()?;
    let workload = Workload::new(1, ACCOUNTS, 1);
    let genesis = workload.genesis(Params { lanes: 1, timeout: 0, plain: 1 });
    let key = setup_local(&circuit(slots), &mut rand::rng())?;
    let creation = insecure(key.verifying(), &genesis.machine, slots, GENESIS)?.creation;
    let token = Token { contract: Some(contract), ..genesis.machine };
    let head = Head::genesis(&token, &GENESIS);
    let mut prover = Prover { key, workload, token, slots, head, cells: genesis.cells.into_iter().collect() };
    let mut all = Calls::of(&mut prover)?;
    all.calls.extend([("creation", creation), ("domain", token.domain().word().to_vec())]);
    all.print();
    Ok(())
}
