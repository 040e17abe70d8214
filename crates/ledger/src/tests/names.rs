//! The registry of names: a machine that has the trait alone.

use crate::chain::{Block, Content, Genesis, Params, propose};
use crate::codec::Canonical;
use crate::machine::{Machine, Refused, Signed};
use crate::names::{Action, Name, Names, Refusal, Transaction};
use crate::replica::{Replica, ReplicaError};
use crate::signature::Secret;
use crate::statement::{BatchSize, BatchVerifier, Statement};
use crate::store::{Memory, simulated::Disk};

/// A registry without a circuit takes no batches.
struct NoProofs;

impl BatchVerifier<Names> for NoProofs {
    fn verify(&self, _: &Statement<Names>, _: BatchSize, _: &[u8]) -> Result<(), crate::Invalid> {
        Err(crate::Invalid("this machine has no circuit"))
    }

    fn takes(&self, _: BatchSize) -> bool {
        true
    }

    fn keys(&self) -> crate::store::Digest {
        crate::store::Digest::default()
    }
}

#[test]
fn a_registry_from_its_first_name_to_its_release() {
    let machine = Names { chain: 3, shortest: 3 };
    let params = Params { lanes: 1, timeout: 0, plain: 4 };
    let genesis = Genesis { machine, params, cells: Vec::new() };
    let disk = Disk::default();
    let create = Replica::create(disk.file(Disk::LOG), Box::new(Memory::default()), genesis);
    let mut replica = create.unwrap();
    let [ada, eve] = [1, 2].map(|seed| Secret::from_seed(&[seed; 32]));
    let sign = |secret: &Secret, counter, action| {
        let transaction = Transaction { name: Name::new("tenfold").unwrap(), counter, action };
        let signature = secret.sign(&machine.domain(), &machine.message(&transaction));
        Signed { transaction, signature }
    };
    let mut plain = |signed: Signed<Transaction>| {
        let block = replica.chain().next(Content::Plain(vec![signed])).to_bytes();
        match replica.apply(&Block::from_bytes(&block).unwrap(), &NoProofs) {
            Err(ReplicaError::Rejected(crate::chain::Rejected::Transaction { reason, .. })) => Err(reason),
            result => {
                result.unwrap();
                Ok(())
            }
        }
    };
    let rules = |refusal| Err(Refused::Rules(refusal));
    assert_eq!(plain(sign(&ada, 0, Action::Write([1; 31]))), rules(Refusal::Free));
    let stolen = plain(sign(&eve, 0, Action::Register(ada.public())));
    assert!(matches!(stolen, Err(Refused::Signature(_))), "a key registers itself");
    let first = sign(&ada, 0, Action::Register(ada.public()));
    plain(first.clone()).unwrap();
    assert_eq!(plain(sign(&eve, 1, Action::Register(eve.public()))), rules(Refusal::Taken));
    assert!(matches!(plain(sign(&eve, 1, Action::Write([2; 31]))), Err(Refused::Signature(_))));
    plain(sign(&ada, 1, Action::Write([2; 31]))).unwrap();
    plain(sign(&ada, 2, Action::Give(eve.public()))).unwrap();
    assert!(matches!(plain(sign(&ada, 3, Action::Release)), Err(Refused::Signature(_))), "given away");
    plain(sign(&eve, 3, Action::Release)).unwrap();
    assert_eq!(plain(first), rules(Refusal::Counter { expected: 4, found: 0 }), "replayed");
    plain(sign(&eve, 4, Action::Register(eve.public()))).unwrap();
    let short = Transaction { name: Name::new("ab").unwrap(), counter: 0, action: Action::Release };
    assert_eq!(machine.apply(&short, &mut [None]), Err(Refusal::TooShort(3)));
    assert!(["", "UPPER", "a b", "a\0b", &"a".repeat(32)].iter().all(|text| Name::new(text).is_err()));

    // What follows from the trait: proposals, and the ledger opened again.
    let (proposal, _) = propose(replica.chain(), vec![sign(&eve, 5, Action::Write([7; 31]))], BatchSize::B64);
    let batch = proposal.unwrap().finish(&machine, 0, Vec::new(), None);
    let refused = replica.apply(&replica.chain().next(Content::Batch(batch)), &NoProofs).unwrap_err();
    assert!(refused.to_string().contains("no circuit"), "{refused}");
    let tip = replica.chain().tip();
    drop(replica);
    let mut store = Memory::default();
    crate::store::Store::commit(&mut store, &tip, &[], true).unwrap();
    let (replica, recovery) = Replica::<Names>::recover(disk.file(Disk::LOG), Box::new(store)).unwrap();
    assert_eq!((replica.chain().tip(), recovery.rebuilt), (tip, true));
}
