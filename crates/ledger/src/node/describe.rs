//! Nodes, costs and outcomes as JSON: what front ends print, and services answer.

use core::time::Duration;

use serde_json::{Value, json};

use super::{Baseline, Cost, Inbox, KeyInfo, Keys, Measured, Mode, Node, NodeError, Outcome};
use crate::chain::Chain;
use crate::codec::Canonical;
use crate::machine::State;
use crate::store::Digest;
use crate::token::{Index, Token};

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Node {
    /// Height, root, rules, lanes, what waits and the keys in a folder, and an account if one is named.
    ///
    /// # Errors
    /// If the inbox cannot be read, or the account does not exist.
    pub fn describe(&self, keys: &Keys, account: Option<u32>) -> Result<Value, NodeError> {
        let of = (self.replica.chain(), &self.replica.genesis());
        describe(of, &self.own_inbox(), keys, account)
    }
}

/// Describes a node, as [`Node::describe`] does, by the state of its chain and the digest of its genesis.
pub(super) fn describe(
    (chain, genesis): (&Chain<Token>, &Digest),
    inbox: &Inbox,
    keys: &Keys,
    account: Option<u32>,
) -> Result<Value, NodeError> {
    let waiting = inbox.read()?;
    let account = account.map(|number| describe_account(chain, number)).transpose()?;
    let (tip, machine, params) = (chain.tip(), chain.machine(), chain.params());
    Ok(json!({
        "height": tip.height,
        "root": hex(&tip.root),
        "block": hex(&tip.digest),
        "genesis": hex(genesis),
        "chain": machine.chain.to_string(), "issuer": machine.issuer.0, "fee": machine.fee.to_string(),
        "timeout": params.timeout, "plain": params.plain,
        "accounts": chain.cells().count(),
        "supply": chain.cells().map(|(_, account)| account.balance).sum::<u64>().to_string(),
        "waiting": waiting.transactions.len(), "unusable": waiting.unusable.len(),
        "lanes": lanes(chain),
        "keys": keys.list().into_iter().map(listed).collect::<Value>(), "insecure": keys.is_insecure(),
        "account": account,
    }))
}

/// An account, as [`describe`] has it.
pub(super) fn describe_account(chain: &Chain<Token>, number: u32) -> Result<Value, NodeError> {
    let account = chain.cell(&Index(number)).ok_or(NodeError::NoAccount(number))?;
    Ok(
        json!({ "key": hex(&account.key.to_bytes()), "balance": account.balance.to_string(), "nonce": account.nonce }),
    )
}

fn lanes(chain: &Chain<Token>) -> Value {
    let params = chain.params();
    let lane = |number: u8| {
        let lane = chain.leases().lane(number).ok()?;
        let holder = chain.leases().holder(number, chain.tip().height + 1, params.timeout).ok()?;
        let until = holder.map(|_| lane.active.saturating_add(u64::from(params.timeout)));
        Some(json!({ "holder": holder.map(|key| hex(&key.to_bytes())), "until": until }))
    };
    (0..params.lanes).filter_map(lane).collect()
}

fn listed(key: Result<KeyInfo, NodeError>) -> Value {
    match key {
        Ok(key) => json!({ "batch": key.slots, "root": key.mode == Mode::Root,
            "binding": key.binding.to_string(), "provenance": key.provenance.to_string(), "digest": hex(&key.digest), "proves": key.proves }),
        Err(e) => json!({ "error": e.to_string() }),
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// For each baseline the number of replicas from which proving pays.
fn crossings(baselines: &[Baseline], crossover: impl Fn(&Baseline) -> Option<f64>) -> Value {
    let one =
        |b: &Baseline| json!({ "baseline": b.name, "time_ms": millis(b.time), "replicas": crossover(b) });
    baselines.iter().map(one).collect()
}

impl Outcome {
    /// The measurements of a run, times in milliseconds for each transaction.
    #[must_use]
    pub fn json(&self, baselines: &[Baseline]) -> Value {
        let refused = self.refused.iter().map(|(what, why)| json!({ "deviation": what, "answer": why }));
        let each = |time| millis(self.each(time));
        let gas = self
            .gas
            .iter()
            .map(|(count, gas)| json!({ "transactions": count, "calldata": gas.calldata, "all": gas.all }));
        json!({
            "insecure": true, "transactions": self.transactions, "proven": self.proven, "batches": self.batches,
            "side_by_side": self.side_by_side, "height": self.height, "root": hex(&self.root),
            "caught_up": self.caught_up, "refused": refused.collect::<Value>(),
            "prove_cpu_ms": each(self.prove.cpu), "prove_wall_ms": each(self.prove.wall),
            "verify_cpu_ms": each(self.verify.cpu), "apply_wall_ms": each(self.apply),
            "block_bytes": self.bytes as f64 / self.proven.max(1) as f64, "gas": gas.collect::<Value>(),
            "crossover": crossings(baselines, |baseline| self.crossover(baseline)),
        })
    }
}

impl Measured {
    /// The costs of a batch, times in milliseconds.
    #[must_use]
    pub fn json(&self, baselines: &[Baseline]) -> Value {
        let cost = |cost: Cost| json!({ "cpu_ms": millis(cost.cpu), "wall_ms": millis(cost.wall) });
        json!({
            "batch": self.slots, "constraints": self.constraints, "key_bytes": self.key,
            "setup": cost(self.setup), "load": cost(self.load), "prove": cost(self.prove), "verify": cost(self.verify),
            "commit": cost(self.commit), "execute": cost(self.execute), "signatures": cost(self.signatures),
            "effect_bytes": self.effect, "proof_bytes": self.proof, "block_bytes": self.block,
            "crossover": crossings(baselines, |baseline| self.crossover(baseline)),
        })
    }
}
