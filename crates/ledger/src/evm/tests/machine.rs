//! An EVM with one account that pays for everything.

use revm::context::result::{ExecutionResult, Output};
use revm::context::{BlockEnv, CfgEnv, Context, Evm, Journal, TxEnv};
use revm::database::{CacheDB, EmptyDB};
use revm::handler::{EthFrame, EthPrecompiles, ExecuteCommitEvm, MainBuilder, instructions::EthInstructions};
use revm::interpreter::interpreter::EthInterpreter;
use revm::primitives::{Address, B256, Bytes, TxKind, U256, hardfork::SpecId};
use revm::state::{AccountInfo, Bytecode};

use crate::circuit::challenges::keccak;
use crate::machine::Contract;

pub const CHAIN: u64 = 31337;
/// The limit of a transaction that says nothing else.
const GAS: u64 = 16_000_000;
const CALLER: Address = Address::repeat_byte(7);

type Inner = Context<BlockEnv, TxEnv, CfgEnv, CacheDB<EmptyDB>, Journal<CacheDB<EmptyDB>>, ()>;

/// What became of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With the gas that was paid for and, if a log was written, its topics behind the signature and its data.
    Success { gas: u64, output: Vec<u8>, log: Option<(Vec<B256>, Vec<u8>)> },
    /// With the first four bytes of the reason.
    Revert([u8; 4]),
    /// Without a reason, as of gas that ran out.
    Halt,
}

/// The first four bytes of a Solidity error without arguments.
pub fn reason(error: &str) -> Outcome {
    let [a, b, c, d, ..] = keccak(format!("{error}()").as_bytes());
    Outcome::Revert([a, b, c, d])
}

fn rich(nonce: u64) -> AccountInfo {
    AccountInfo { balance: U256::from(10u64).pow(U256::from(30)), nonce, ..AccountInfo::default() }
}

/// A chain of blocks with one transaction each.
pub struct Machine {
    evm: Evm<Inner, (), EthInstructions<EthInterpreter, Inner>, EthPrecompiles, EthFrame<EthInterpreter>>,
    nonce: u64,
}

impl Machine {
    pub fn new() -> Self {
        let mut database = CacheDB::new(EmptyDB::new());
        database.insert_account_info(CALLER, rich(0));
        let mut context: Inner = Context::new(database, SpecId::PRAGUE);
        context.cfg.chain_id = CHAIN;
        Self { evm: context.build_mainnet(), nonce: 0 }
    }

    /// Another chain with this one's state: what a fork becomes.
    pub fn fork(&mut self, chain_id: u64) {
        self.evm.ctx.cfg.chain_id = chain_id;
    }

    /// Where the next transaction deploys a contract.
    pub fn next_contract(&self) -> Contract {
        Contract { chain_id: self.evm.ctx.cfg.chain_id, address: CALLER.create(self.nonce).0.0 }
    }

    /// The account that pays.
    pub fn payer(&self) -> Contract {
        Contract { chain_id: self.evm.ctx.cfg.chain_id, address: CALLER.0.0 }
    }

    /// Gives the account that pays the code of a contract (EIP-7702), or takes it away.
    pub fn delegate(&mut self, contract: Option<&Contract>) {
        let code = contract.map(|contract| Bytecode::new_eip7702(contract.address.into()));
        let info = AccountInfo { code, ..rich(self.nonce) };
        self.evm.ctx.journaled_state.database.insert_account_info(CALLER, info);
    }

    /// Deploys a contract that passes its calls on: by `CALL`, or by `DELEGATECALL`.
    pub fn deploy_forwarder(&mut self, to: &Contract, delegates: bool) -> Contract {
        // calldatacopy(0, 0, calldatasize); the call with all gas; its return data, and its verdict.
        let [prefix, suffix] = match delegates {
            true => ["363d3d373d3d3d363d73", "5af43d82803e903d91602b57fd5bf3"],
            false => ["363d3d373d3d3d363d3d73", "5af13d82803e903d91602c57fd5bf3"],
        };
        let [prefix, suffix] = [prefix, suffix].map(|text| {
            let bytes = (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16));
            bytes.collect::<Result<Vec<u8>, _>>().unwrap()
        });
        let code = [&prefix[..], &to.address, &suffix].concat();
        // Returns what follows these ten bytes.
        let length = code.len() as u8;
        let creation =
            [&[0x60, length, 0x60, 0x0a, 0x3d, 0x39, 0x60, length, 0x3d, 0xf3], &code[..]].concat();
        let forwarder = self.next_contract();
        assert!(matches!(self.deploy(&creation), Outcome::Success { .. }));
        forwarder
    }

    fn transact(&mut self, kind: TxKind, data: &[u8], blobs: Vec<B256>, gas: u64) -> Outcome {
        let chain_id = self.evm.ctx.cfg.chain_id;
        let mut builder = TxEnv::builder().caller(CALLER).kind(kind).data(Bytes::copy_from_slice(data));
        builder = builder.nonce(self.nonce).chain_id(Some(chain_id)).gas_limit(gas);
        if !blobs.is_empty() {
            builder = builder.blob_hashes(blobs).max_fee_per_blob_gas(1);
        }
        self.nonce += 1;
        let result = self.evm.transact_commit(builder.build().unwrap()).unwrap();
        let gas = result.tx_gas_used();
        match result {
            ExecutionResult::Success { logs, output, .. } => {
                let log = |log: &revm::primitives::Log| (log.topics()[1..].to_vec(), log.data.data.to_vec());
                let output = match output {
                    Output::Call(bytes) => bytes.to_vec(),
                    Output::Create(_, address) => address.unwrap().to_vec(),
                };
                assert!(logs.len() <= 1);
                Outcome::Success { gas, output, log: logs.first().map(log) }
            }
            ExecutionResult::Revert { output, .. } => {
                Outcome::Revert(output.first_chunk().copied().unwrap_or_default())
            }
            ExecutionResult::Halt { .. } => Outcome::Halt,
        }
    }

    pub fn deploy(&mut self, creation: &[u8]) -> Outcome {
        self.transact(TxKind::Create, creation, vec![], GAS)
    }

    pub fn call(&mut self, contract: &Contract, data: &[u8]) -> Outcome {
        self.call_with_gas(contract, data, GAS)
    }

    pub fn call_with_gas(&mut self, contract: &Contract, data: &[u8], gas: u64) -> Outcome {
        self.transact(TxKind::Call(contract.address.into()), data, vec![], gas)
    }

    pub fn call_with_blobs(&mut self, contract: &Contract, data: &[u8], blobs: &[[u8; 32]]) -> Outcome {
        let blobs = blobs.iter().map(|hash| B256::from(*hash)).collect();
        self.transact(TxKind::Call(contract.address.into()), data, blobs, GAS)
    }

    /// Calls a view function without arguments, which returns a word.
    pub fn view(&mut self, contract: &Contract, function: &str) -> [u8; 32] {
        match self.call(contract, &keccak(format!("{function}()").as_bytes())[..4]) {
            Outcome::Success { output, .. } => output.try_into().unwrap(),
            Outcome::Revert(_) | Outcome::Halt => panic!("{function} fails"),
        }
    }
}
