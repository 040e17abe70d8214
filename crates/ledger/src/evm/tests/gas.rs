//! What a batch costs. The contract's work does not depend on the circuit, so proofs here are of a circuit with the same public inputs and no statement;
//! payloads are those of real batches.

use curve::bn254::Fr;
use curve::pairing::Bn254;
use curve::{AdditiveGroup, Field as _};
use snark::groth16::{ProvingKey, setup_local, word};
use snark::r1cs::{Assignment, Builder, Circuit, LinearCombination, R1cs};

use super::export::unchecked;
use super::*;
use crate::circuit::{Binding, Claim, Trace, challenges};
use crate::signature::Signature;

/// Public inputs and a square, of a committed cell if asked for.
pub(super) struct Free<'a>(pub &'a [Fr], pub Binding);

impl Circuit<Fr> for Free<'_> {
    fn synthesize(&self, builder: &mut Builder<Fr>) {
        self.0.iter().for_each(|x| {
            let _ = builder.public(|| *x);
        });
        let x = match self.1 {
            Binding::Commitment => builder.committed(|| Fr::ONE),
            Binding::Sponge => builder.witness(|| Fr::ONE),
        };
        builder.enforce("square", &x, &x, &LinearCombination::one());
    }
}

/// A key for so many public inputs.
pub(super) fn free_key(inputs: usize, binding: Binding) -> ProvingKey<Bn254> {
    setup_local(&R1cs::of(&Free(&vec![Fr::ZERO; inputs], binding)), &mut rng(6)).unwrap()
}

static KEYS: LazyLock<[(Binding, ProvingKey<Bn254>); 2]> =
    LazyLock::new(|| [(Binding::Sponge, 5), (Binding::Commitment, 4)].map(|(b, n)| (b, free_key(n, b))));

/// Transfers between accounts that are all different, chosen from 2^20, with amounts up to 2^21: the longest lists.
fn spread(count: usize) -> (Cells, Vec<Signed<Transaction>>) {
    let key = workload().secret(0).public();
    let number = |i: usize| Index((i as u32).wrapping_mul(0x9e37_79b1) >> 12);
    let account = |i| (number(i), Account { key, balance: 1 << 40, nonce: 0 });
    let transfer = |i: usize| {
        let amount = 1 + ((i as u64 * 0x9e37_79b9) & 0x1f_ffff);
        unsigned(number(2 * i), 0, Operation::Transfer { to: number(2 * i + 1), amount, memo: 0 })
    };
    ((0..2 * count).map(account).collect(), (0..count).map(transfer).collect())
}

/// Transfers of the seeded workload over 2,000 accounts.
fn skewed(count: usize) -> (Cells, Vec<Signed<Transaction>>) {
    let key = workload().secret(0).public();
    let account = |i| (Index(i), Account { key, balance: 1 << 40, nonce: 0 });
    let mut nonces = BTreeMap::new();
    let mut workload = Workload::new(7, 2000, 0);
    let transfers = core::iter::repeat_with(|| workload.unsigned())
        .filter(|transaction| matches!(transaction.operation, Operation::Transfer { .. }));
    let list = transfers.take(count).map(|transaction| {
        let nonce: &mut u32 = nonces.entry(transaction.from).or_default();
        *nonce += 1;
        unsigned(transaction.from, *nonce - 1, transaction.operation)
    });
    let list = list.collect();
    ((0..2000).map(account).collect(), list)
}

fn unsigned(from: Index, nonce: u32, operation: Operation) -> Signed<Transaction> {
    let signature = Signature { challenge: 1, response: curve::grumpkin::Fr::ONE };
    Signed { transaction: Transaction { from, nonce, operation }, signature }
}

fn versioned(payload: &[u8]) -> Word {
    let mut hash = challenges::keccak(payload);
    hash[0] = 1;
    hash
}

/// The gas of a batch, its estimate, and the bytes of its payload.
fn cost(
    (cells, batch): &(Cells, Vec<Signed<Transaction>>),
    (binding, key): &(Binding, ProvingKey<Bn254>),
    blob: bool,
) -> (u64, Gas, usize) {
    let mut evm = Evm::new();
    let contract = evm.next_contract();
    let rules = Token { chain: 1, issuer: Index(0), fee: 0, contract: None };
    assert!(accepted(&evm.deploy(&unchecked::replicas(key.verifying(), &rules, GENESIS).creation)));
    let token = Token { contract: Some(contract), ..rules };
    let trace = Trace::of(&token, cells, batch, batch.len()).unwrap();
    let payload = Payload::encode(&token, batch, &trace);
    let published = if blob {
        Published::Blob(versioned(&payload))
    } else {
        Published::Calldata(challenges::keccak(&payload))
    };
    let context = Head::genesis(&token, &GENESIS).context(published);
    let claim = trace.claim().hash();
    let [digest, quotient] = [11u64, 12].map(|x| Fr::from(x).inverse().unwrap());
    let prefix = challenges::prefix(&token.domain(), &Claim::constants(&token));
    let inputs = |words: &[Word; 2]| {
        let alpha = challenges::challenge(&challenges::seed(&prefix, &context, &claim, words));
        let inputs = [token.domain().element(), Fr::ZERO, alpha, quotient, digest];
        inputs[..key.verifying().public()].to_vec()
    };
    let (words, proof) = match binding {
        Binding::Sponge => {
            let words = [word(&digest), [0; 32]];
            let circuit = Assignment::of(&Free(&inputs(&words), *binding));
            (words, key.prove(&circuit, &mut rng(8)))
        }
        Binding::Commitment => {
            let committed = key.commit(&[Fr::ONE], &mut rng(9)).unwrap();
            let words = committed.commitment().words();
            let circuit = Assignment::of(&Free(&inputs(&words), *binding));
            (words, key.prove_committed(committed, &circuit, &mut rng(8)))
        }
    };
    let proof = proof.unwrap().words();
    let submission = Submission { claim, binding: words, quotient: word(&quotient), proof, payload };
    let outcome = if blob {
        evm.call_with_blobs(&contract, &submission.blob_calldata(), &[versioned(&submission.payload)])
    } else {
        evm.call(&contract, &submission.calldata())
    };
    let Outcome::Success { gas, .. } = outcome else { panic!("{outcome:?}") };
    (gas, Gas::of(*binding, &submission.payload), submission.payload.len())
}

/// Gas of one batch by Prague's rules, the floor of calldata (EIP-7623) included. A difference of more than half a percent is a change to look at; the estimate is within one.
#[test]
fn gas_of_batches() {
    let mut table = vec![];
    for key in &*KEYS {
        for count in [64, 256, 1024] {
            for (name, batch) in [("spread", spread(count)), ("skewed", skewed(count))] {
                let (gas, estimate, bytes) = cost(&batch, key, false);
                assert!(estimate.all.abs_diff(gas) * 100 <= gas, "{estimate:?}: {gas}");
                let each = gas as f64 / count as f64;
                println!("{:10?} {name} {count:5} {bytes:6} bytes {gas:8} gas, {each:7.1} each", key.0);
                table.push(gas);
            }
        }
        let (gas, ..) = cost(&spread(1024), key, true);
        println!("{:10?} blob    1024 {gas:8} gas and 131072 of blobs", key.0);
        table.push(gas);
    }
    let expected = [
        [247_834, 242_960, 277_678, 257_389, 424_360, 294_761, 237_357],
        [275_708, 270_810, 305_540, 285_227, 425_290, 322_587, 265_207],
    ];
    for (found, expected) in table.iter().zip(expected.as_flattened()) {
        assert!(found.abs_diff(*expected) * 200 <= *expected, "{table:?}");
    }
}

#[test]
fn deployment_costs_what_it_did() {
    let export = insecure(
        key().verifying(),
        &workload().genesis(Params { lanes: 1, timeout: 0, plain: 1 }).machine,
        SLOTS,
        GENESIS,
    );
    let Outcome::Success { gas, .. } = Evm::new().deploy(&export.unwrap().creation) else { panic!() };
    println!("deployment {gas} gas");
    assert!(gas.abs_diff(1_175_574) * 200 <= gas);
}
