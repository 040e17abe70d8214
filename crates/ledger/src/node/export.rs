//! Contracts for a chain, from the files of a node.

use curve::pairing::Bn254;
use snark::groth16::{Provenance, VerifyingKey, word};

use super::{BatchCircuit, NodeError, keys};
use crate::chain::Genesis;
use crate::circuit::root::Tree;
use crate::codec::Canonical;
use crate::evm::{self, Export};
use crate::store::digest;
use crate::token::Token;

/// What a contract does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It orders batches for replicas.
    Replicas,
    /// It holds the root of the state.
    Root,
}

impl Mode {
    /// How batches of the mode are told from others in messages.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Replicas => "",
            Self::Root => " with a root",
        }
    }
}

/// The contract of a verifying key's file, for batches of this circuit on the chain that begins so. Keys of local setups are taken if `local`, which is **insecure**. Also
/// returns where the key comes from.
///
/// The contract begins with the digest of the chain's first record, or the root of its first state.
///
/// # Errors
/// If the bytes are no key of the circuit, or one of a local setup that was not asked for; of a root, if an account has no place in the tree.
pub fn export(
    genesis: &Genesis<Token>,
    (circuit, key): (BatchCircuit, &[u8]),
    local: bool,
) -> Result<(Export, Provenance), NodeError> {
    let key = VerifyingKey::<Bn254>::from_bytes(key, &circuit.digest()).map_err(NodeError::GivenKey)?;
    keys::check_binding(circuit, &key).map_err(NodeError::GivenKey)?;
    if key.provenance() == Provenance::Local && !local {
        return Err(NodeError::LocalKey("that was given".into()));
    }
    let token = &genesis.machine;
    let export = match circuit {
        BatchCircuit::Replicas(slots, _) => {
            let first = digest(&[0; 32], 0, &genesis.to_bytes());
            let make = if local { evm::insecure } else { evm::export };
            make(&key, token, slots, first)
        }
        BatchCircuit::Root(shape) => {
            let accounts = genesis.cells.iter().map(|(number, account)| (number, account));
            let tree = Tree::new(shape, accounts).map_err(|e| NodeError::Genesis(e.0))?;
            let make = if local { evm::insecure_root } else { evm::export_root };
            make(&key, token, shape, word(&tree.root()))
        }
    };
    Ok((export.map_err(NodeError::GivenKey)?, key.provenance()))
}
