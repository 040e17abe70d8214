//! A node as a process of its own, driven over its standard input and output.

use std::io::{Read, Write};

use curve::pairing::Bn254;
use snark::groth16::ProvingKey;

use super::frame::{self, Reply, Request};
use super::{Cost, Draft, Keys, NoBatches, Node, NodeError, clock};
use crate::chain::Content;
use crate::replica::ReplicaError;
use crate::signature::Secret;
use crate::statement::{BatchSize, BatchVerifier};
use crate::token::Token;

/// A node, and what it verifies and proves with.
struct Server<'a> {
    node: Node,
    keys: &'a Keys,
    verifier: Box<dyn BatchVerifier<Token>>,
    secret: Option<&'a Secret>,
    proving: Option<(BatchSize, ProvingKey<Bn254>)>,
}

/// Answers requests until the input ends. Blocks are verified with the keys that are there at the start; `secret` signs batches and claims of lanes.
///
/// # Errors
/// If a verifying key is refused, the disk fails, or the stream has something else than requests. Refused blocks are answers.
pub fn serve(
    node: Node,
    keys: &Keys,
    secret: Option<&Secret>,
    input: &mut impl Read,
    output: &mut impl Write,
) -> Result<(), NodeError> {
    let sizes = keys.sizes();
    let verifier: Box<dyn BatchVerifier<Token>> = if sizes.is_empty() {
        Box::new(NoBatches)
    } else {
        keys.verifier(*node.replica.chain().machine(), &sizes)?
    };
    let mut server = Server { node, keys, verifier, secret, proving: None };
    let broken = |e: std::io::Error| NodeError::Peer(format!("the other end of the pipe: {e}"));
    while let Some(bytes) = frame::read(input).map_err(broken)? {
        let request = Request::decode(bytes).map_err(|reason| NodeError::File { what: "request", reason })?;
        let (reply, end) = match server.answer(request) {
            Ok(reply) => (reply, None),
            Err(e) if is_answer(&e) => (Reply::Refused(e.to_string()), None),
            Err(e) => (Reply::Failed(e.to_string()), Some(e)),
        };
        frame::write(output, &reply.encode()).map_err(broken)?;
        if let Some(e) = end {
            return Err(e);
        }
    }
    Ok(())
}

/// What is wrong with a request alone, or keeps this node from proving: it goes on verifying.
fn is_answer(e: &NodeError) -> bool {
    matches!(
        e,
        NodeError::Replica(ReplicaError::Rejected(_))
            | NodeError::File { .. }
            | NodeError::OtherChain(_)
            | NodeError::Proof(_)
            | NodeError::NothingWaits(_)
            | NodeError::Transaction(_)
            | NodeError::Held { .. }
            | NodeError::NoKey { .. }
            | NodeError::Key { .. }
            | NodeError::GivenKey(_)
            | NodeError::LocalKey(_)
    )
}

impl Server<'_> {
    fn answer(&mut self, request: Request) -> Result<Reply, NodeError> {
        match request {
            Request::Status => Ok(self.tip(Cost::default())),
            Request::Check(bytes) => {
                let start = clock::Start::now();
                self.node.verify(&self.node.read_block(&bytes)?, &*self.verifier)?;
                Ok(self.tip(start.cost()))
            }
            Request::Apply(bytes) => {
                let start = clock::Start::now();
                let block = self.node.read_block(&bytes)?;
                let checked = self.node.replica.check(&block, &*self.verifier)?;
                let cpu = start.cost().cpu;
                self.node.replica.commit(checked)?;
                Ok(self.tip(Cost { cpu, wall: start.cost().wall }))
            }
            Request::Prove { lane, size, transactions } => {
                let (draft, left_out) = Draft::of(self.node.replica.chain(), transactions, size)?;
                if let Some((_, reason)) = left_out.first() {
                    return Err(NodeError::Transaction(reason.to_string()));
                }
                let holds = self.node.holds(lane, self.secret)?;
                let holder = self.secret.filter(|_| holds);
                let (batch, cost) = draft.prove(self.key(size)?, lane, holder)?;
                Ok(Reply::Batch(Box::new(batch), cost))
            }
            Request::Claim(lane) => {
                let secret =
                    self.secret.ok_or_else(|| NodeError::Transaction("no key to claim with".into()))?;
                let content: Content<Token> = self.node.claim(lane, secret)?;
                Ok(Reply::Block(self.node.block(content)))
            }
        }
    }

    /// The proving key of a size, which stays in memory.
    fn key(&mut self, size: BatchSize) -> Result<&ProvingKey<Bn254>, NodeError> {
        let known = self.proving.take().filter(|(of, _)| *of == size);
        let entry = match known {
            Some(entry) => entry,
            None => (size, self.keys.proving(self.keys.present(size.slots()))?),
        };
        Ok(&self.proving.insert(entry).1)
    }

    fn tip(&self, cost: Cost) -> Reply {
        let tip = self.node.replica.chain().tip();
        Reply::Tip { height: tip.height, root: tip.root, cost }
    }
}
