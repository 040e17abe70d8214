//! What happens in the demo, in its order.

use std::path::Path;

use super::cluster::{ALL, Cluster, REPLICAS, name};
use super::lies::{check, empty, secret, tell};
use super::{Demo, Event, Outcome, Role};
use crate::chain::{Content, Params};
use crate::machine::{Signed, Touched};
use crate::node::frame::{Reply, Request};
use crate::node::{Keys, NodeError, durable};
use crate::signature::{Secret, encode_key};
use crate::token::{Mix, Transaction, Workload};

/// Blocks without a batch after which a lane is open.
const TIMEOUT: u32 = 8;
const PARAMS: Params = Params { lanes: 2, timeout: TIMEOUT, plain: 64 };
/// Accounts of the workload.
const ACCOUNTS: u32 = 1000;
/// Transactions of all kinds, most of them transfers.
const MIX: Mix = Mix { creates: 2, mints: 2, burns: 2 };
/// The replica that is killed, and the provers.
const KILLED: usize = REPLICAS - 1;
const PROVERS: [usize; 2] = [REPLICAS, REPLICAS + 1];

impl Demo<'_> {
    /// Runs it all.
    ///
    /// # Errors
    /// If a process fails that should not, a replica accepts what is wrong or refuses what is right, or the disk fails.
    pub fn run(mut self) -> Result<Outcome, NodeError> {
        let keys = Keys::new(&self.keys, true);
        self.key(&keys)?;
        let roles = self.roles(keys.circuit(self.size.slots()))?;
        let secrets = [secret_of(&roles[PROVERS[0]])?, secret_of(&roles[PROVERS[1]])?];
        self.begin("workload");
        let mut workload = Workload::new(1, ACCOUNTS, 1).with_mix(MIX);
        let genesis = workload.genesis(PARAMS);
        let verifier = keys.verifier(genesis.machine, &[self.size])?;
        let Self { directory, size, command, transactions, .. } = &self;
        let mut cluster = Cluster::start(directory, (&genesis, verifier), *size, roles, *command)?;
        cluster.waiting = (0..*transactions).map(|_| workload.transaction()).collect();
        self.line(
            "genesis",
            &format!("{ACCOUNTS} accounts, {TIMEOUT} blocks without a batch open a lane"),
            None,
        );
        for (lane, id) in (0..).zip(PROVERS) {
            claim(&mut cluster, id, lane)?;
        }
        self.line("lanes", "prover 1 holds lane 0, prover 2 holds lane 1", None);
        self.until(&mut cluster, 20)?;
        let height = cluster.outcome.height;
        cluster.kill(KILLED);
        self.line("killed", &format!("{} by SIGKILL; the others go on", name(KILLED)), None);
        self.until(&mut cluster, 40)?;
        self.settle(&mut cluster)?;
        if cluster.outcome.height == height {
            empty(&mut cluster)?;
        }
        self.catch_up(&mut cluster)?;
        self.lies(&mut cluster, &secrets)?;
        self.slow_path(&mut cluster, &mut workload)?;
        self.until(&mut cluster, 75)?;
        self.vanish(&mut cluster)?;
        self.until(&mut cluster, 100)?;
        cluster.compare()?;
        Ok(cluster.outcome)
    }

    fn begin(&mut self, what: &'static str) {
        (self.report)(Event::Begins(what));
    }

    fn line(&mut self, name: &'static str, text: &str, time: Option<std::time::Duration>) {
        (self.report)(Event::Line(name, text, time));
    }

    /// The processes, with a secret key for each prover.
    fn roles(&self, circuit: [u8; 32]) -> Result<Vec<Role>, NodeError> {
        let directory = &self.directory;
        std::fs::create_dir_all(directory).map_err(NodeError::io("make", directory))?;
        let role = |id: usize| {
            let directory = directory.join(name(id).replace(' ', "-"));
            let secret = (id >= REPLICAS).then(|| directory.with_extension("key"));
            Role { directory, keys: self.keys.clone(), circuit, secret }
        };
        let roles: Vec<Role> = (0..ALL).map(role).collect();
        for path in roles.iter().filter_map(|role| role.secret.as_ref()) {
            let secret = Secret::generate().map_err(|e| NodeError::Peer(format!("no random bytes: {e}")))?;
            durable::write_secret(path, &encode_key(&secret))?;
        }
        Ok(roles)
    }

    /// Makes a local key, if there is none.
    fn key(&mut self, keys: &Keys) -> Result<(), NodeError> {
        let slots = self.size.slots();
        self.begin("setup");
        let start = crate::node::clock::Start::now();
        let made = match keys.verifying(slots) {
            Ok(_) => "is there already",
            Err(NodeError::NoKey { .. }) => {
                drop(keys.make_local(slots)?);
                "was made here"
            }
            Err(e) => return Err(e),
        };
        let text =
            format!("a key for batches of {slots} {made}: INSECURE, whoever made it can prove anything");
        self.line("setup", &text, Some(start.cost().wall));
        Ok(())
    }

    /// Goes on until so many hundredths of all transactions are in blocks.
    fn until(&mut self, cluster: &mut Cluster<'_>, percent: usize) -> Result<(), NodeError> {
        let target = (self.transactions * percent).div_ceil(100);
        while cluster.outcome.transactions < target {
            for id in PROVERS {
                cluster.assign(id)?;
            }
            match cluster.proven()? {
                Some(proven) => cluster.take(proven)?,
                None => break,
            }
            (self.report)(Event::Done(cluster.outcome.transactions, self.transactions));
        }
        Ok(())
    }

    /// Waits for what is being proven.
    fn settle(&mut self, cluster: &mut Cluster<'_>) -> Result<(), NodeError> {
        while let Some(proven) = cluster.proven()? {
            cluster.take(proven)?;
        }
        (self.report)(Event::Done(cluster.outcome.transactions, self.transactions));
        Ok(())
    }

    fn catch_up(&mut self, cluster: &mut Cluster<'_>) -> Result<(), NodeError> {
        let (blocks, time) = cluster.timed(|cluster| {
            cluster.restart(KILLED)?;
            cluster.catch_up(KILLED)
        })?;
        cluster.outcome.caught_up = blocks;
        let text = format!(
            "{} starts again, verifies the {blocks} blocks that it lacks, and has the same root",
            name(KILLED)
        );
        self.line("restart", &text, Some(time));
        Ok(())
    }

    /// Prover 2 deviates.
    fn lies(&mut self, cluster: &mut Cluster<'_>, secrets: &[Secret; 2]) -> Result<(), NodeError> {
        self.settle(cluster)?;
        // A lane that has been open for want of transactions binds nobody.
        if !cluster.node.holds(1, Some(&secrets[1]))? {
            claim(cluster, PROVERS[1], 1)?;
        }
        if !cluster.assign(PROVERS[1])? {
            return Ok(());
        }
        let Some((batch, transactions)) = cluster.proven()? else { return Ok(()) };
        tell(cluster, (&batch, &transactions), [&secrets[1], &secrets[0]])?;
        for (what, answer) in cluster.outcome.refused.clone() {
            self.line("lie", &format!("{what}: {answer}"), None);
        }
        cluster.take((batch, transactions))?;
        self.line("truth", "the batch that prover 2 had deviated from is accepted as it was", None);
        Ok(())
    }

    /// A transaction that no prover has to do with.
    fn slow_path(&mut self, cluster: &mut Cluster<'_>, workload: &mut Workload) -> Result<(), NodeError> {
        cluster.waiting.push(workload.transaction());
        self.transactions += 1;
        let chain = cluster.node.replica().chain();
        let is_next =
            |signed: &Signed<Transaction>| Touched::default().execute(chain.machine(), chain, signed).is_ok();
        let Some(at) = cluster.waiting.iter().position(is_next) else { return Ok(()) };
        let signed = cluster.waiting.remove(at);
        let number = signed.transaction.from.0;
        let (content, _) = cluster.node.plain(vec![signed])?;
        let ((), time) = cluster.timed(|cluster| cluster.append(content))?;
        cluster.outcome.transactions += 1;
        let text = format!(
            "a transaction of account {number} that all replicas execute, while provers hold both lanes"
        );
        self.line("slow", &text, Some(time));
        Ok(())
    }

    /// Prover 2 vanishes with a batch, and prover 1 takes its lane over.
    fn vanish(&mut self, cluster: &mut Cluster<'_>) -> Result<(), NodeError> {
        self.settle(cluster)?;
        let text = match cluster.assign(PROVERS[1])? {
            true => "prover 2 by SIGKILL while it proves; its transactions wait again",
            false => "prover 2 by SIGKILL",
        };
        cluster.kill(PROVERS[1]);
        self.line("vanished", text, None);
        let block = claim_block(cluster, PROVERS[0], 1)?;
        match check(&cluster.node, &block) {
            Err(refused) => self.line("claim", &format!("prover 1 claims lane 1: {refused}"), None),
            Ok(()) => return Err(NodeError::Peer("a lane that is held was given away".into())),
        }
        let open = cluster.node.replica().chain().leases().claimable(1, TIMEOUT).unwrap_or(0);
        while cluster.outcome.height + 1 < open {
            if cluster.assign(PROVERS[0])? {
                self.settle(cluster)?;
            } else {
                empty(cluster)?;
            }
        }
        claim(cluster, PROVERS[0], 1)?;
        let text = format!(
            "at height {} lane 1 is open: prover 1 takes it over and goes on there",
            cluster.outcome.height
        );
        self.line("takeover", &text, None);
        Ok(())
    }
}

fn secret_of(role: &Role) -> Result<Secret, NodeError> {
    secret(role.secret.as_deref().unwrap_or(Path::new("")))
}

fn claim_block(cluster: &mut Cluster<'_>, id: usize, lane: u8) -> Result<Vec<u8>, NodeError> {
    cluster.catch_up(id)?;
    match cluster.ask(id, &Request::Claim(lane))? {
        Reply::Block(block) => Ok(block),
        _ => Err(NodeError::Peer(format!("{} claims nothing", name(id)))),
    }
}

/// Has a prover claim a lane, which it works on from then on.
fn claim(cluster: &mut Cluster<'_>, id: usize, lane: u8) -> Result<(), NodeError> {
    let block = claim_block(cluster, id, lane)?;
    match cluster.node.read_block(&block)?.content {
        content @ Content::Claim(..) => cluster.append(content)?,
        _ => return Err(NodeError::Peer(format!("{} claims nothing", name(id)))),
    }
    cluster.hold(id, lane);
    Ok(())
}
