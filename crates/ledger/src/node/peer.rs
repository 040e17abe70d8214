//! A node in a child process.

use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;

use super::NodeError;
use super::frame::{self, Reply, Request};

/// What came from a peer: its number, that of its process, and an answer, or nothing when it has ended.
pub(super) type Arrived = (usize, u32, Option<Reply>);

/// A child process; killed when this is dropped.
pub(super) struct Peer {
    child: Child,
    input: ChildStdin,
}

impl Peer {
    /// Starts a process, whose answers go to `arrived`.
    pub fn start(
        mut command: Command,
        (id, process): (usize, u32),
        arrived: Sender<Arrived>,
    ) -> Result<Self, NodeError> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|e| NodeError::Peer(format!("cannot start a node: {e}")))?;
        let (Some(input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(NodeError::Peer("a node without pipes".into()));
        };
        std::thread::spawn(move || {
            while let Ok(Some(bytes)) = frame::read(&mut output) {
                let reply = Reply::decode(bytes).unwrap_or_else(|e| Reply::Failed(e.to_string()));
                if arrived.send((id, process, Some(reply))).is_err() {
                    return;
                }
            }
            // Nobody waits for a peer that was dropped.
            let _ = arrived.send((id, process, None));
        });
        Ok(Self { child, input })
    }

    pub fn send(&mut self, request: &Request) -> Result<(), NodeError> {
        let sent = frame::write(&mut self.input, &request.encode());
        sent.map_err(|e| NodeError::Peer(format!("a node takes no request: {e}")))
    }
}

impl Drop for Peer {
    /// Ends the process as a power cut would: by SIGKILL, with nothing said.
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
