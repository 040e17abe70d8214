// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {LedgerKey} from "./LedgerKey.sol";

/// Orders the proven batches of a ledger whose state is held by replicas, not by this contract.
///
/// What it guarantees alone: each accepted batch came with a proof that fits this chain id, this contract, this place in the sequence, these published bytes,
/// and the claim and quotient of the call; and the call is a transaction itself. What it does not: anything about values of cells. It does not hold them, takes
/// their hash (`claim`) and the quotient of the products over them from the caller, and a claim that is the hash of nothing is accepted, with a quotient chosen to
/// fit, as is a batch that starts from invented balances.
/// **Replicas compute `claim` and `quotient` from their own state and the published bytes, and ignore a batch whose are others**; no replica
/// pairs anything for that. What is left is a proof that signed transactions turn the replicas' values into those after the batch. So nothing but replicas may
/// rely on an event of this contract: a contract that pays out needs the mode with a root.
///
/// Any account without code may submit, hence anybody who pays for it and proves something can have a worthless batch accepted, after which a batch proven for
/// the head before has to be proven again. A prover whom that concerns sends transactions that builders do not show.
///
///     prefix   keccak256(TAG | domain | constants)                        domain   keccak256(DOMAIN_TAG | rules | chain id | address) >> 8
///     context  keccak256(state | kind | published)                        kind 0: keccak256 of the payload, 1: the versioned hash of a blob
///     seed     keccak256(prefix | context | claim | binding)
///     state'   height + 1 (64 bits) | the upper 192 bits of keccak256(seed | quotient)
///
/// The binding of committed cells is, by the key, their digest and zero or the coordinates of a commitment to them.
///
/// All are words of 32 bytes. 192 bits of the head: another history with the same head costs 2^96 hashes to whoever chooses both, 2^192 otherwise.
contract LedgerReplicas is LedgerKey {
    bytes32 private constant TAG = "tenfold ledger v3 challenges";
    /// Selector, thirteen words before the payload's length, and that.
    uint256 private constant PAYLOAD = 4 + 14 * 32;

    /// The call is not the one encoding of its arguments.
    error NotCanonical();
    /// The transaction does not carry exactly one blob.
    error NotOneBlob();

    /// A batch was accepted, and is the one with this height.
    event Batch(uint64 indexed height, bytes24 head);

    bytes32 private immutable PREFIX;

    /// Height (64 bits), head (192 bits).
    uint256 private state;

    /// As `LedgerKey`; `genesis` is a digest of the state at the beginning.
    constructor(
        uint256[18] memory key,
        uint256[2][] memory ic,
        uint256 rules,
        uint256[] memory constants,
        bytes32 genesis
    ) LedgerKey(key, ic, rules, constants, _hasCommitment(key) ? 2 : 3) {
        bytes32 prefix = keccak256(abi.encodePacked(TAG, domain, constants));
        PREFIX = prefix;
        state = uint256(keccak256(abi.encode(prefix, genesis))) >> 64;
    }

    /// The number of accepted batches.
    function height() external view returns (uint64) {
        return uint64(state >> 192);
    }

    /// The hash of all accepted batches.
    function head() external view returns (bytes24) {
        return bytes24(uint192(state));
    }

    /// Accepts a batch whose payload is calldata, or reverts.
    function submit(
        bytes32 claim,
        uint256[2] calldata binding,
        uint256 quotient,
        uint256[8] calldata proof,
        bytes calldata payload
    ) external {
        if (!_isCanonical(payload, PAYLOAD)) revert NotCanonical();
        _accept(0, keccak256(payload), claim, binding, quotient, proof);
    }

    /// Accepts a batch whose payload is the transaction's one blob, or reverts.
    function submitBlob(
        bytes32 claim,
        uint256[2] calldata binding,
        uint256 quotient,
        uint256[8] calldata proof
    ) external {
        if (msg.data.length != 4 + 12 * 32) revert NotCanonical();
        bytes32 hash = blobhash(0);
        if (hash == 0 || blobhash(1) != 0) revert NotOneBlob();
        _accept(1, hash, claim, binding, quotient, proof);
    }

    function _accept(
        uint256 kind,
        bytes32 published,
        bytes32 claim,
        uint256[2] memory binding,
        uint256 quotient,
        uint256[8] calldata proof
    ) private {
        // Of a commitment the precompile refuses coordinates that are not reduced.
        if (quotient >= R || (!COMMITMENT && (binding[0] >= R || binding[1] != 0))) revert NotReduced();
        uint256 last = state;
        bytes32 context = keccak256(abi.encode(last, kind, published));
        bytes32 seed = keccak256(abi.encode(PREFIX, context, claim, binding));
        _requireProof([_challenge(seed), quotient, binding[0], 0, 0], binding, proof);
        uint256 next = uint256(keccak256(abi.encode(seed, quotient))) >> 64;
        next |= ((last >> 192) + 1) << 192;
        state = next;
        emit Batch(uint64(next >> 192), bytes24(uint192(next)));
    }
}
