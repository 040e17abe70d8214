//! The circuits that are proven.

use anyhow::{Result, anyhow};
use curve::bn254::Fr;
use ledger::chain::Params;
use ledger::circuit::groth16;
use ledger::circuit::{Binding, TokenCircuit, Trace};
use ledger::machine::{Machine, Signed};
use ledger::replica::Replica;
use ledger::statement::BatchSize;
use ledger::token::{Index, Operation, Transaction, Workload};
use snark::gadgets::boolean::boolean;
use snark::r1cs::{Assignment, Builder, Circuit, LinearCombination, R1cs};

use super::{Case, Family};

/// A circuit of multiplications with a given number of constraints, every second of them a boolean if asked for. Each side has at most two entries.
struct Products {
    constraints: usize,
    booleans: bool,
}

impl Circuit<Fr> for Products {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        let mut x = builder.public(|| Fr::from(3u64));
        for i in 0..self.constraints {
            if self.booleans && i % 2 == 1 {
                let bit = boolean(builder, "boolean", || i % 3 == 0);
                x += &bit;
            } else {
                let other = &x + &LinearCombination::constant(Fr::from(i as u64));
                x = builder.multiply("product", &x, &other);
            }
        }
    }
}

const ACCOUNTS: u32 = 1000;

/// A case of a family: log2 of the number of constraints, or a number of transfers.
pub(super) fn case(family: Family, size: u32) -> Result<Case> {
    if family == Family::Ledger {
        return transfers(size);
    }
    let booleans = family == Family::Half;
    // The constant and the public input have a place in the domain too.
    let products = Products { constraints: (1 << size) - 2, booleans };
    let (system, assignment) = (R1cs::of(&products), Assignment::of(&products));
    let name = format!("2^{size}, {}", if booleans { "half booleans" } else { "dense" });
    Ok(Case { name, system, assignment, transfers: None })
}

/// A full batch of transfers of different accounts.
fn transfers(count: u32) -> Result<Case> {
    let size =
        BatchSize::fitting(count as usize).ok_or_else(|| anyhow!("a batch has at most 1024 transfers"))?;
    let workload = Workload::new(1, ACCOUNTS, 1);
    let folder = tempfile::tempdir()?;
    let genesis = workload.genesis(Params { lanes: 1, timeout: 0, plain: 64 });
    let replica = Replica::init(&folder.path().join("replica"), genesis)?;
    let machine = *replica.chain().machine();
    let transfer = |i: u32| {
        let (from, to) = (i % ACCOUNTS, (7 * i + 3) % ACCOUNTS);
        let operation = Operation::Transfer { to: Index(to), amount: u64::from(i + 1), memo: 0 };
        let transaction = Transaction { from: Index(from), nonce: i / ACCOUNTS, operation };
        let signature = workload.secret(from).sign(&machine.domain(), &machine.message(&transaction));
        Signed { transaction, signature }
    };
    let batch: Vec<_> = (0..count).map(transfer).collect();
    let trace = Trace::of(&machine, replica.chain(), &batch, size.slots())?;
    let binding = Binding::standard(size.slots());
    let circuit = match binding {
        Binding::Sponge => TokenCircuit::with_digest(&trace)?,
        Binding::Commitment => {
            // For peers the challenge is any public input: they prove the same constraints without a commitment.
            let public = trace.claim().public(&[[1; 32], [2; 32]])?;
            TokenCircuit { binding, public, slots: &trace.slots }
        }
    };
    let assignment = Assignment::of(&circuit);
    let (system, name) =
        (groth16::circuit(size.slots()), format!("{count} transfers in {} slots", size.slots()));
    Ok(Case { name, system, assignment, transfers: Some(count) })
}
