//! Batches, lanes and the slow path: each check against a block that deviates in this one thing.

use super::fixture::{PARAMS, Recorder, batch, proposal, replica, some};
use crate::Invalid;
use crate::chain::{Batch, Block, Chain, Claim, Content, Genesis, LeaseError, Rejected};
use crate::codec::{Canonical, Malformed, effect};
use crate::machine::{Machine, Refused, Signed};
use crate::replica::{Replica, ReplicaError};
use crate::signature::Secret;
use crate::statement::BatchSize;
use crate::token::{Index, Operation, Refusal, Token, Transaction, Workload};

/// A chain of twelve accounts, and what refuses a block of it.
struct Setting {
    workload: Workload,
    replica: Replica<Token>,
    verifier: Recorder,
}

impl Setting {
    fn new() -> Self {
        let workload = Workload::new(7, 12, 1);
        let replica = replica(&workload.genesis(PARAMS));
        Self { workload, replica, verifier: Recorder::default() }
    }

    fn chain(&self) -> &Chain<Token> {
        self.replica.chain()
    }

    fn apply(&mut self, block: &Block<Token>) -> Result<(), Rejected<Refusal>> {
        // On the network a block is bytes.
        let block = Block::from_bytes(&block.to_bytes()).unwrap();
        match self.replica.apply(&block, &self.verifier) {
            Ok(_) => Ok(()),
            Err(ReplicaError::Rejected(rejected)) => Err(rejected),
            Err(e) => panic!("{e}"),
        }
    }

    fn next(&self, content: Content<Token>) -> Block<Token> {
        self.chain().next(content)
    }

    fn empty(&mut self, blocks: usize) {
        for _ in 0..blocks {
            self.apply(&self.next(Content::Empty)).unwrap();
        }
    }

    /// A transfer of the next nonce in the state.
    fn transfer(&self, from: u32, to: u32) -> Signed<Transaction> {
        let nonce = self.chain().cells().find(|(key, _)| key.0 == from).unwrap().1.nonce;
        let operation = Operation::Transfer { to: Index(to), amount: 5, memo: 0 };
        self.signed(Transaction { from: Index(from), nonce, operation })
    }

    fn signed(&self, transaction: Transaction) -> Signed<Transaction> {
        let secret = self.workload.secret(transaction.from.0);
        let signature = secret.sign(&self.chain().machine().domain(), &transaction.message());
        Signed { transaction, signature }
    }

    fn claim(&mut self, lane: u8, sequence: u32, account: u32) -> Result<(), Rejected<Refusal>> {
        let secret = self.workload.secret(account);
        let claim = Claim { lane, sequence, key: secret.public() };
        let signature = secret.sign(&self.chain().machine().domain(), &claim.message());
        self.apply(&self.next(Content::Claim(claim, signature)))
    }

    /// A batch of one transfer, as its bytes are before the proof is added.
    fn batch(&self, from: u32, to: u32, lane: u8, holder: Option<u32>) -> Batch {
        let holder = holder.map(|account| self.workload.secret(account));
        match batch(self.chain(), vec![self.transfer(from, to)], lane, holder).content {
            Content::Batch(batch) => batch,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn heights_have_no_gap_and_one_block() {
    let mut s = Setting::new();
    let (first, rival) = (s.next(Content::Empty), s.next(Content::Plain(vec![s.transfer(1, 2)])));
    let root = s.chain().root();
    let bend = |change: fn(&mut Block<Token>)| {
        let mut block = s.next(Content::Empty);
        change(&mut block);
        block
    };
    let bent = [
        bend(|b| b.height = 2),
        bend(|b| b.height = 0),
        bend(|b| b.parent[0] ^= 1),
        bend(|b| b.root[31] ^= 1),
    ];
    let [gap, before, parent, other_state] = bent;
    assert_eq!(s.apply(&gap), Err(Rejected::Height { expected: 1, found: 2 }));
    assert_eq!(s.apply(&before), Err(Rejected::Height { expected: 1, found: 0 }));
    assert_eq!(s.apply(&parent), Err(Rejected::Parent));
    assert_eq!(s.apply(&other_state), Err(Rejected::Root));
    assert_eq!((s.chain().tip().height, s.chain().root()), (0, root), "nothing has changed");
    s.apply(&first).unwrap();
    let late = Err(Rejected::Height { expected: 2, found: 1 });
    assert_eq!(s.apply(&rival), late, "a second block for the height");
    assert_eq!(s.apply(&first), late, "the same block again");
    let behind = Block { height: 2, ..rival };
    assert_eq!(s.apply(&behind), Err(Rejected::Parent), "moved to the next height");
}

#[test]
fn batches_on_disjoint_accounts_commute_and_stale_ones_fail_before_the_proof() {
    let mut s = Setting::new();
    let [one, two, overlapping] = [s.batch(1, 2, 0, None), s.batch(3, 4, 1, None), s.batch(2, 5, 1, None)];
    s.apply(&s.next(Content::Batch(one.clone()))).unwrap();
    s.apply(&s.next(Content::Batch(two.clone()))).unwrap();
    assert_eq!(s.verifier.asked(), 2);
    for stale in [&overlapping, &one, &two] {
        assert_eq!(
            s.apply(&s.next(Content::Batch(stale.clone()))),
            Err(Rejected::Stale),
            "overtaken or replayed"
        );
    }
    assert_eq!(s.verifier.asked(), 2, "no proof was looked at");
    let balances =
        |s: &Setting| s.chain().cells().map(|(key, account)| (*key, account.clone())).collect::<Vec<_>>();
    let mut other = Setting::new();
    other.apply(&other.next(Content::Batch(two))).unwrap();
    other.apply(&other.next(Content::Batch(one))).unwrap();
    assert_eq!(balances(&s), balances(&other), "in either order");
}

/// A dishonest prover: all that a batch says, changed in one thing each.
#[test]
fn a_batch_that_deviates_is_refused() {
    let mut s = Setting::new();
    let honest = s.batch(1, 2, 0, None);
    let refused = |s: &mut Setting, change: &dyn Fn(&mut Batch)| {
        let mut batch = honest.clone();
        change(&mut batch);
        s.apply(&s.next(Content::Batch(batch))).unwrap_err()
    };
    let proof = Rejected::Proof(Invalid("the proof of another statement"));
    assert_eq!(refused(&mut s, &|b| b.proof[3] ^= 1), proof);
    assert_eq!(refused(&mut s, &|b| b.proof.clear()), proof);
    assert_eq!(refused(&mut s, &|b| b.size = BatchSize::B256), proof, "a proof for another circuit");
    assert_eq!(refused(&mut s, &|b| b.before[0] ^= 1), Rejected::Stale);
    assert_eq!(refused(&mut s, &|b| b.lane = 2), Rejected::Lease(LeaseError::NoLane(2)));
    // The proof of one batch, the effect of another: a larger amount, to another account, twice.
    let token = s.chain().machine();
    let t = s.transfer(1, 2).transaction;
    let of = |operation| Transaction { operation, ..t.clone() };
    let forged = [
        vec![of(Operation::Transfer { to: Index(2), amount: 6, memo: 0 })],
        vec![of(Operation::Burn { amount: 5, memo: 0 })],
        vec![t.clone(), t.clone()],
    ];
    let forged = forged.map(|list| effect::encode_list(token, &list));
    let [more, burnt, twice] = &forged;
    let other = s.batch(1, 3, 0, None);
    assert_eq!(refused(&mut s, &|b| b.effect = more.clone()), proof);
    assert_eq!(refused(&mut s, &|b| b.effect = twice.clone()), proof);
    assert_eq!(refused(&mut s, &|b| b.effect = burnt.clone()), Rejected::Stale, "other cells");
    assert_eq!(refused(&mut s, &|b| (b.effect, b.before) = (other.effect.clone(), other.before)), proof);
    // A proof that starts from money which is not there, with the digest of what is.
    let mut invented = proposal(s.chain(), vec![s.transfer(1, 2)]);
    let mut before = |balance| {
        let account = invented.statement.cells[0].before.as_mut().unwrap();
        account.balance += balance;
        Recorder::proof(&invented.statement, invented.size)
    };
    assert_eq!(before(0), honest.proof);
    let invented = before(1000);
    assert_eq!(
        refused(&mut s, &|b| b.proof = invented.clone()),
        proof,
        "values before that are not the store's"
    );
    let malformed = refused(&mut s, &|b| b.effect.push(0));
    assert_eq!(malformed, Rejected::Malformed(Malformed("bytes follow the effect")));
    s.apply(&s.next(Content::Batch(honest.clone()))).unwrap();
}

/// The first check of soundness that is no part of a proof: one cell under two values would let money appear.
#[test]
fn a_cell_is_touched_once() {
    let mut s = Setting::new();
    let mut batch = s.batch(1, 2, 0, None);
    let proposal = proposal(s.chain(), vec![s.transfer(1, 2)]);
    let delta = effect::encode_delta(s.chain().machine(), &proposal.statement);
    assert_eq!(delta[..4], [1, 2, 1, 0], "a delta of two cells: the first, and the one that follows");
    batch.effect = delta.clone();
    s.chain().check(&s.next(Content::Batch(batch.clone())), Some(&s.verifier)).unwrap();
    // Gaps are at least 1 by their encoding, so that a cell is named twice only where numbers wrap, which is refused.
    let wrapped = [&[1, 2, 1][..], &[0xff, 0xff, 0xff, 0xff, 0x0f], &delta[4..]].concat();
    batch.effect = wrapped;
    let refused = s.apply(&s.next(Content::Batch(batch)));
    assert_eq!(refused, Err(Rejected::Malformed(Malformed("a number of more than 32 bits"))));
}

#[test]
fn plain_transactions_need_no_prover() {
    let mut s = Setting::new();
    assert_eq!(s.claim(0, 0, 3), Ok(()));
    assert_eq!(s.claim(1, 0, 4), Ok(()));
    // Both lanes are held, and their holders do nothing.
    let transfer = s.transfer(1, 2);
    s.apply(&s.next(Content::Plain(vec![transfer.clone()]))).unwrap();
    assert_eq!(s.verifier.asked(), 0);
    let again = s.apply(&s.next(Content::Plain(vec![s.transfer(5, 1), transfer.clone()])));
    let reason = Refused::Rules(Refusal::Nonce { expected: 1, found: 0 });
    assert_eq!(again, Err(Rejected::Transaction { index: 1, reason }), "replayed");
    let mut forged = s.transfer(1, 2);
    forged.transaction.operation = Operation::Transfer { to: Index(2), amount: 500, memo: 0 };
    let refused = s.apply(&s.next(Content::Plain(vec![forged])));
    assert!(matches!(refused, Err(Rejected::Transaction { index: 0, reason: Refused::Signature(_) })));
    let many = some(&mut Workload::new(7, 12, 1), 9);
    let refused = s.apply(&s.next(Content::Plain(many)));
    assert_eq!(refused, Err(Rejected::TooMany { most: 8, found: 9 }));
}

#[test]
fn a_lane_is_its_holders_until_they_are_silent() {
    let mut s = Setting::new();
    assert_eq!(s.claim(0, 0, 3), Ok(())); // height 1: held until 4
    assert_eq!(s.claim(0, 1, 4), Err(Rejected::Lease(LeaseError::Held(4))));
    let unsigned = Invalid("the lane is held, and the batch is not signed");
    let refused = s.apply(&s.next(Content::Batch(s.batch(1, 2, 0, None))));
    assert_eq!(refused, Err(Rejected::Signature(unsigned)));
    let refused = s.apply(&s.next(Content::Batch(s.batch(1, 2, 0, Some(4)))));
    assert!(matches!(refused, Err(Rejected::Signature(_))), "signed by another");
    let mut changed = s.batch(1, 2, 0, Some(3));
    changed.proof.push(0);
    let refused = s.apply(&s.next(Content::Batch(changed)));
    assert!(matches!(refused, Err(Rejected::Signature(_))), "the proof is signed too");
    assert_eq!(s.verifier.asked(), 0, "strangers cost no proof");
    s.apply(&s.next(Content::Batch(s.batch(1, 2, 1, None)))).unwrap(); // the other lane is open
    s.apply(&s.next(Content::Batch(s.batch(1, 2, 0, Some(3))))).unwrap(); // height 3: held until 6
    s.empty(1);
    assert_eq!(s.claim(0, 1, 4), Err(Rejected::Lease(LeaseError::Held(6))), "renewed by the batch");
    s.empty(1);
    // Height 6: open to all, without a claim.
    s.apply(&s.next(Content::Batch(s.batch(1, 2, 0, None)))).unwrap();
    assert_eq!(s.claim(0, 1, 4), Ok(()), "takeover"); // height 7
    assert_eq!(s.chain().leases().lane(0).unwrap().holder, Some(s.workload.secret(4).public()));
}

#[test]
fn a_lane_whose_holder_proved_nothing_stays_open_for_as_long() {
    let mut s = Setting::new();
    assert_eq!(s.claim(0, 0, 3), Ok(())); // height 1
    s.empty(2);
    let waits = Err(Rejected::Lease(LeaseError::Waits(7)));
    assert_eq!(s.claim(0, 1, 3), waits, "height 4 is for batches");
    assert_eq!(s.claim(0, 1, 4), waits, "of anybody: two keys of one owner take no turns");
    s.apply(&s.next(Content::Batch(s.batch(1, 2, 0, None)))).unwrap(); // height 4
    s.empty(1);
    assert_eq!(s.claim(0, 1, 4), waits, "height 6, whoever proved on it meanwhile");
    s.empty(1);
    assert_eq!(s.claim(0, 1, 3), Ok(())); // height 7
    s.apply(&s.next(Content::Batch(s.batch(1, 2, 0, Some(3))))).unwrap();
    s.empty(2);
    assert_eq!(
        s.claim(0, 1, 3),
        Err(Rejected::Lease(LeaseError::Sequence { expected: 2, found: 1 })),
        "replayed"
    );
    assert_eq!(s.claim(0, 2, 3), Ok(()), "who proved may go on");
    assert_eq!(s.claim(9, 0, 3), Err(Rejected::Lease(LeaseError::NoLane(9))));
}

#[test]
fn claims_are_signed_by_their_key_on_this_chain() {
    let mut s = Setting::new();
    let [key, thief] = [3, 4].map(|account| s.workload.secret(account).public());
    let claim = Claim { lane: 0, sequence: 0, key };
    let domain = s.chain().machine().domain();
    let other = Token { chain: 8, ..*s.chain().machine() }.domain();
    let sign = |s: &Setting, account, domain, claim: &Claim| {
        s.workload.secret(account).sign(domain, &claim.message())
    };
    let right = sign(&s, 3, &domain, &claim);
    let bad = [
        (claim, sign(&s, 4, &domain, &claim)),
        (claim, sign(&s, 3, &other, &claim)),
        (Claim { lane: 1, ..claim }, right),
        (Claim { key: thief, ..claim }, right),
    ];
    for (claim, signature) in bad {
        let refused = s.apply(&s.next(Content::Claim(claim, signature)));
        assert!(matches!(refused, Err(Rejected::Signature(_))), "{claim:?}");
    }
    s.apply(&s.next(Content::Claim(claim, right))).unwrap();
    let mut none = Workload::new(7, 12, 1).genesis(PARAMS);
    none.params.timeout = 0;
    let mut s = Setting { replica: replica(&none), ..Setting::new() };
    assert_eq!(s.claim(0, 0, 3), Err(Rejected::Lease(LeaseError::NoLeases)));
}

#[test]
fn provers_leave_out_what_is_refused() {
    let mut workload = Workload::new(7, 12, 1);
    let chain = replica(&workload.genesis(PARAMS));
    let mut transactions = some(&mut workload, 70);
    transactions.insert(5, transactions[4].clone());
    transactions[20].signature.challenge ^= 1;
    let (proposal, refused) = crate::chain::propose(chain.chain(), transactions, BatchSize::B1024);
    let proposal = proposal.unwrap();
    assert!(
        refused.len() >= 2 && proposal.transactions.len() + refused.len() == 71,
        "what follows a gap of nonces too"
    );
    assert_eq!(proposal.size, BatchSize::fitting(proposal.transactions.len()).unwrap());
    assert!(crate::chain::propose(chain.chain(), Vec::new(), BatchSize::B64).0.is_none());
}

/// Checked before a vote, applied after it, at one look at the proof; and only behind the block that it was checked behind.
#[test]
fn a_block_is_checked_once() {
    let mut s = Setting::new();
    let [first, rival] =
        [s.batch(1, 2, 0, None), s.batch(3, 4, 1, None)].map(|batch| s.next(Content::Batch(batch)));
    let [first, rival] = [first, rival].map(|block| s.replica.check(&block, &s.verifier).unwrap());
    assert_eq!((s.verifier.asked(), s.chain().tip().height), (2, 0));
    s.replica.commit(first).unwrap();
    assert!(matches!(s.replica.commit(rival), Err(ReplicaError::Rejected(Rejected::Parent))));
    assert_eq!((s.verifier.asked(), s.chain().tip().height), (2, 1));
}

/// The bytes of a log with its genesis, signatures, digests and roots. Whoever changes one of these formats changes its version with it.
#[test]
fn the_formats_are_those_of_version_1() {
    let mut workload = Workload::new(7, 4, 1);
    let mut s = Setting { replica: replica(&workload.genesis(PARAMS)), ..Setting::new() };
    for _ in 0..2 {
        let transactions = some(&mut workload, 2);
        s.apply(&s.next(Content::Plain(transactions))).unwrap();
    }
    let transactions = some(&mut workload, 5);
    s.apply(&batch(s.chain(), transactions, 1, None)).unwrap();
    let tip = blake3::Hash::from_bytes(s.chain().tip().digest).to_hex();
    assert_eq!(tip.as_str(), "5c9bb3cbb222bade5809d9ff1140dba91a9b5deb26e308e203bf2d30e9ecc85c");
}

/// Bytes of any kind: an answer, and no panic.
#[test]
fn fuzz_parsers() {
    let s = Setting::new();
    let token = s.chain().machine();
    let block = s.next(Content::Batch(s.batch(1, 2, 0, Some(3)))).to_bytes();
    let plain = s.next(Content::Plain(vec![s.transfer(1, 2)])).to_bytes();
    let genesis = Workload::new(7, 2, 1).genesis(PARAMS).to_bytes();
    let mut random = blake3::Hasher::new().finalize_xof();
    for _ in 0..3000 {
        let mut draw = [0; 96];
        random.fill(&mut draw);
        for start in [&block, &plain, &genesis, &draw.to_vec()] {
            let mut bytes = start.clone();
            let at = usize::from(draw[0]) * bytes.len() / 256;
            bytes[at] = draw[1];
            let end = bytes.len() - usize::from(draw[2] % 4) * usize::from(draw[3]).min(bytes.len()) / 4;
            bytes.truncate(end);
            if let Ok(block) = Block::<Token>::from_bytes(&bytes) {
                let _ = s.chain().check(&block, Some(&s.verifier));
                assert_eq!(block.to_bytes(), bytes);
            }
            if let Ok(genesis) = Genesis::<Token>::from_bytes(&bytes) {
                assert_eq!(genesis.to_bytes(), bytes);
            }
            for kind in [0, 1] {
                let effect = [&[kind][..], &bytes].concat();
                let read = effect::Effect::read(token, BatchSize::B1024, &effect);
                let _ = read.and_then(|effect| effect.statement(token, s.chain()));
            }
        }
    }
}

/// Blocks that no bytes give: they would make a log that cannot be read.
#[test]
fn a_block_that_could_not_be_read_again_is_not_written() {
    let mut s = Setting::new();
    let bytes = s.replica.log().bytes();
    let mut large = s.batch(1, 2, 0, None);
    large.signature = None;
    let right = large.proof.clone();
    large.proof = vec![0; crate::chain::MAX_BLOCK];
    struct Any;
    impl crate::statement::BatchVerifier<Token> for Any {
        fn verify(
            &self,
            _: &crate::statement::Statement<Token>,
            _: BatchSize,
            _: &[u8],
        ) -> Result<(), Invalid> {
            Ok(())
        }

        fn takes(&self, _: BatchSize) -> bool {
            true
        }

        fn keys(&self) -> crate::store::Digest {
            crate::store::Digest::default()
        }
    }
    for content in [Content::Plain(Vec::new()), Content::Batch(large.clone())] {
        let refused = s.replica.apply(&s.next(content), &Any).unwrap_err();
        assert!(matches!(refused, ReplicaError::Rejected(Rejected::Malformed(_))), "{refused}");
        assert_eq!((s.replica.log().bytes(), s.chain().tip().height), (bytes, 0));
    }
    large.proof = right;
    s.apply(&s.next(Content::Batch(large))).unwrap();
}

#[test]
fn blocks_and_geneses_have_one_encoding() {
    let s = Setting::new();
    let secret = Secret::from_seed(&[1; 32]);
    let claim = Claim { lane: 1, sequence: 2, key: secret.public() };
    let signature = secret.sign(&s.chain().machine().domain(), &claim.message());
    let contents = [
        Content::Empty,
        Content::Plain(vec![s.transfer(1, 2), s.transfer(3, 4)]),
        Content::Batch(s.batch(1, 2, 0, Some(3))),
        Content::Claim(claim, signature),
    ];
    let one = |bytes: &[u8], read: &dyn Fn(&[u8]) -> Option<Vec<u8>>| {
        assert_eq!(read(bytes).as_deref(), Some(bytes));
        assert!(read(&[bytes, &[0]].concat()).is_none(), "a byte behind");
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_none(), "cut at {end}");
        }
        for bit in 0..8 * bytes.len() {
            let mut bent = bytes.to_vec();
            bent[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&bent).is_none_or(|again| again == bent), "bit {bit}");
        }
    };
    for content in contents {
        let read = |bytes: &[u8]| Block::<Token>::from_bytes(bytes).ok().map(|block| block.to_bytes());
        one(&s.next(content).to_bytes(), &read);
    }
    let genesis = Workload::new(7, 2, 1).genesis(PARAMS);
    one(&genesis.to_bytes(), &|bytes| {
        Genesis::<Token>::from_bytes(bytes).ok().map(|genesis| genesis.to_bytes())
    });
    let mut twice = genesis.clone();
    twice.cells[1].0 = Index(0);
    assert!(Genesis::<Token>::from_bytes(&twice.to_bytes()).is_err(), "an account twice");
}
