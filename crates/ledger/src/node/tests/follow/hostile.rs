//! Endpoints of an enemy: each answer is changed in one way.

use super::*;

/// A method, a change of the result of its answer, and the error.
type Case = (&'static str, fn(&mut Value), &'static str);

/// A change of an answer, and the error.
type Envelope = (fn(&mut Value), &'static str);

/// Each case is an error of its kind, and changes nothing.
fn refuses(cases: &[Case]) {
    let chain = Chain::new();
    let path = chain.follower("a");
    chain.mine(&[(1, 2, 5)]);
    chain.mine(&[(2, 3, 7)]);
    // One that goes on after errors, so that the key is read once.
    let keys = keys(&path);
    let mut follower = chain.of(&path, &keys);
    for &(of, change, said) in cases {
        chain.spoiled(move |method, answer| {
            if method == of {
                change(&mut answer["result"]);
            }
        });
        let refused = follower.round(&mut |_| {}).expect_err(said).to_string();
        assert!(refused.contains(said), "{said}: {refused}");
        assert_eq!(height(&path), 0, "{said}");
        assert!(!path.join("followed").exists(), "{said}");
    }
    chain.spoiled(|_, _| {});
    assert_eq!(follower.round(&mut |_| {}).unwrap().applied, 2, "an honest one is followed afterwards");
}

#[test]
fn answers_to_other_questions_are_refused() {
    let chain = Chain::new();
    let path = chain.follower("a");
    let cases: [Envelope; 3] = [
        (|answer| answer["id"] = 77.into(), "another question"),
        (|answer| *answer = json!({ "id": answer["id"] }), "neither a result nor an error"),
        (|answer| answer["error"] = json!([[[]]]), "error 0: no message"),
    ];
    for (change, said) in cases {
        chain.spoiled(move |_, answer| change(answer));
        let refused = chain.round(&path, None).expect_err(said).to_string();
        assert!(refused.contains(said), "{said}: {refused}");
    }
}

#[test]
fn numbers_blocks_and_contracts_are_read_strictly() {
    refuses(&[
        ("eth_chainId", |result| *result = "0x5".into(), "is of the EVM chain 5, and the contract on 31337"),
        ("eth_getBlockByNumber", |result| *result = Value::Null, "no block of the EVM chain is final"),
        ("eth_getBlockByNumber", |result| result["hash"] = "0x11".into(), "no block with number and hash"),
        ("eth_getBlockByNumber", |result| result["number"] = "0x1".into(), "another block 1 than"),
        ("eth_getCode", |result| *result = "0x".into(), "there is no contract at 0x"),
        ("eth_call", |result| *result = hex(&[7; 32]).into(), "not that of this ledger"),
        ("eth_call", |result| *result = hex(&[7; 33]).into(), "no word"),
        ("eth_chainId", |result| *result = "0x".into(), "eth_chainId is refused: no number"),
        ("eth_chainId", |result| *result = "5".into(), "eth_chainId is refused: no number"),
        ("eth_chainId", |result| *result = "0x+5".into(), "eth_chainId is refused: no number"),
        ("eth_chainId", |result| *result = "0x11111111111111111".into(), "eth_chainId is refused: no number"),
        ("eth_chainId", |result| *result = "-0x5".into(), "eth_chainId is refused: no number"),
    ]);
}

#[test]
fn events_are_those_that_were_asked_for() {
    refuses(&[
        ("eth_getLogs", |result| *result = "0x".into(), "no list"),
        ("eth_getLogs", |result| result[1] = result[0].clone(), "out of order, twice"),
        ("eth_getLogs", |result| result[1]["blockNumber"] = "0x99".into(), "of other blocks"),
        ("eth_getLogs", |result| result[0]["removed"] = true.into(), "was removed"),
        ("eth_getLogs", |result| result.as_array_mut().unwrap().truncate(1), "and its calls lead to"),
        (
            "eth_getLogs",
            |result| drop(result.as_array_mut().unwrap().remove(0)),
            "is refused here: the proof is refused",
        ),
        (
            "eth_getLogs",
            |result| result[0]["blockHash"] = hex(&[7; 32]).into(),
            "another block 1 than a moment ago",
        ),
        ("eth_getLogs", |result| result[0]["address"] = json!({}), "no event of the contract"),
        ("eth_getLogs", |result| result[0]["topics"] = json!({}), "no event of the contract"),
        ("eth_getLogs", |result| result[0]["data"] = json!({}), "no event of the contract"),
        ("eth_getLogs", |result| result[0]["blockHash"] = json!({}), "no event of the contract"),
        ("eth_getLogs", |result| result[0]["logIndex"] = json!({}), "no event of the contract"),
        ("eth_getLogs", |result| result[0]["transactionHash"] = json!({}), "no event of the contract"),
    ]);
}

#[test]
fn calls_are_those_of_their_events() {
    refuses(&[
        ("eth_getTransactionByHash", |result| *result = Value::Null, "another block 1 than a moment ago"),
        ("eth_getTransactionByHash", |result| result["to"] = hex(&[7; 20]).into(), "one to another address"),
        ("eth_getTransactionByHash", |result| result["input"] = "0x123".into(), "no transaction in a block"),
        ("eth_getTransactionByHash", |result| result["input"] = "0x1234".into(), "no call of the contract"),
    ]);
}

/// One answer about the last final block holds nobody up for ever.
#[test]
fn final_blocks_that_there_never_were_are_forgotten() {
    let chain = Chain::new();
    let path = chain.follower("a");
    chain.mine(&[(1, 2, 5)]);
    chain.round(&path, None).unwrap();
    let mut followed = fs::read(path.join("followed")).unwrap();
    followed[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    for transfer in [None, Some((2, 3, 7))] {
        fs::write(path.join("followed"), &followed).unwrap();
        chain.mine(transfer.as_slice());
        let found = chain.round(&path, None).unwrap();
        assert_eq!(found.applied, transfer.iter().count() as u64);
        assert!(!found.reorganised);
    }
    assert_eq!(height(&path), 2);
    chain.mine(&[(3, 1, 2)]);
    assert_eq!(chain.round(&path, None).unwrap().applied, 1);
}
