// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Groth16Bn254} from "./Groth16Bn254.sol";

/// Orders the proven batches of a ledger whose state is held by replicas, not by this contract.
///
/// What it guarantees alone: each accepted batch has a proof, for this chain id, this contract, this place in the sequence and these published bytes, that
/// *some* values of cells are turned into others by signed transactions. What it does not: that the values before are those of the ledger. It does not
/// hold them, takes their hash (`claim`) and the products over them from the caller, and accepts a batch that starts from invented balances.
/// **Replicas compute `claim` and both products from their own state and the published bytes, and ignore a batch whose are others**; no replica
/// pairs anything for that. So nothing but replicas may rely on an event of this contract: a contract that pays out needs the mode with a root.
///
/// Anybody may submit, hence anybody who pays for it can have a worthless batch accepted, after which a batch proven for the head before has to be
/// proven again. A prover whom that concerns sends transactions that builders do not show.
///
///     prefix   keccak256(TAG | domain | constants)                        domain   keccak256(DOMAIN_TAG | rules | chain id | address) >> 8
///     context  keccak256(state | kind | published)                        kind 0: keccak256 of the payload, 1: the versioned hash of a blob
///     seed     keccak256(prefix | context | claim | digest)
///     state'   height + 1 (64 bits) | the upper 192 bits of keccak256(seed | productBefore | productAfter)
///
/// All are words of 32 bytes. 192 bits of the head: another history with the same head costs 2^96 hashes to whoever chooses both, 2^192 otherwise.
contract LedgerReplicas is Groth16Bn254 {
    bytes32 private constant TAG = "tenfold ledger v2 challenges";
    bytes32 private constant DOMAIN_TAG = "tenfold ledger v2 contract";
    /// Selector, thirteen words before the payload's length, and that.
    uint256 private constant PAYLOAD = 4 + 14 * 32;

    /// The chain, or the address under which the code runs, is not that of the deployment.
    error WrongChain();
    /// The call is not the one encoding of its arguments.
    error NotCanonical();
    /// The transaction does not carry exactly one blob.
    error NotOneBlob();

    /// A batch was accepted, and is the one with this height.
    event Batch(uint64 indexed height, bytes24 head);

    /// What every signature and proof begins with: an element of the field.
    uint256 public immutable domain;

    uint256 private immutable CHAIN;
    address private immutable SELF;
    bytes32 private immutable PREFIX;
    // IC_0 and what domain and constants add to it.
    uint256 private immutable CONSTANT_X;
    uint256 private immutable CONSTANT_Y;
    uint256 private immutable ALPHA_IC_X;
    uint256 private immutable ALPHA_IC_Y;
    uint256 private immutable GAMMA_IC_X;
    uint256 private immutable GAMMA_IC_Y;
    uint256 private immutable BEFORE_IC_X;
    uint256 private immutable BEFORE_IC_Y;
    uint256 private immutable AFTER_IC_X;
    uint256 private immutable AFTER_IC_Y;
    uint256 private immutable DIGEST_IC_X;
    uint256 private immutable DIGEST_IC_Y;

    /// Height (64 bits), head (192 bits).
    uint256 private state;

    /// `key` is that of `Groth16Bn254`, `ic` the points of 1, the domain, the constants, and the five inputs that a batch has; `rules` the domain of the
    /// rules without a contract, `constants` the public inputs that never change, `genesis` a digest of the state at the beginning.
    constructor(
        uint256[14] memory key,
        uint256[2][] memory ic,
        uint256 rules,
        uint256[] memory constants,
        bytes32 genesis
    ) Groth16Bn254(key) {
        uint256 fixedInputs = 1 + constants.length;
        if (ic.length != 1 + fixedInputs + 5) revert InvalidKey();
        for (uint256 i = 0; i < ic.length; i++) {
            if (ic[i][0] | ic[i][1] == 0) revert InvalidKey();
        }
        uint256 own = uint256(keccak256(abi.encode(DOMAIN_TAG, rules, block.chainid, address(this)))) >> 8;
        (uint256 x, uint256 y) = _addMultiple(ic[0][0], ic[0][1], ic[1][0], ic[1][1], own);
        for (uint256 i = 0; i < constants.length; i++) {
            if (constants[i] >= R) revert NotReduced();
            (x, y) = _addMultiple(x, y, ic[2 + i][0], ic[2 + i][1], constants[i]);
        }
        domain = own;
        CHAIN = block.chainid;
        SELF = address(this);
        bytes32 prefix = keccak256(abi.encodePacked(TAG, own, constants));
        PREFIX = prefix;
        (CONSTANT_X, CONSTANT_Y) = (x, y);
        (ALPHA_IC_X, ALPHA_IC_Y) = (ic[1 + fixedInputs][0], ic[1 + fixedInputs][1]);
        (GAMMA_IC_X, GAMMA_IC_Y) = (ic[2 + fixedInputs][0], ic[2 + fixedInputs][1]);
        (BEFORE_IC_X, BEFORE_IC_Y) = (ic[3 + fixedInputs][0], ic[3 + fixedInputs][1]);
        (AFTER_IC_X, AFTER_IC_Y) = (ic[4 + fixedInputs][0], ic[4 + fixedInputs][1]);
        (DIGEST_IC_X, DIGEST_IC_Y) = (ic[5 + fixedInputs][0], ic[5 + fixedInputs][1]);
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
        uint256 digest,
        uint256 productBefore,
        uint256 productAfter,
        uint256[8] calldata proof,
        bytes calldata payload
    ) external {
        bool canonical;
        assembly ("memory-safe") {
            let padded := and(add(payload.length, 31), not(31))
            canonical := eq(payload.offset, PAYLOAD)
            canonical := and(canonical, eq(calldatasize(), add(PAYLOAD, padded)))
            // What pads the last word, and zeros beyond.
            canonical := and(canonical, iszero(calldataload(add(PAYLOAD, payload.length))))
        }
        if (!canonical) revert NotCanonical();
        _accept(0, keccak256(payload), claim, [digest, productBefore, productAfter], proof);
    }

    /// Accepts a batch whose payload is the transaction's one blob, or reverts.
    function submitBlob(
        bytes32 claim,
        uint256 digest,
        uint256 productBefore,
        uint256 productAfter,
        uint256[8] calldata proof
    ) external {
        if (msg.data.length != 4 + 12 * 32) revert NotCanonical();
        bytes32 hash = blobhash(0);
        if (hash == 0 || blobhash(1) != 0) revert NotOneBlob();
        _accept(1, hash, claim, [digest, productBefore, productAfter], proof);
    }

    function _accept(
        uint256 kind,
        bytes32 published,
        bytes32 claim,
        uint256[3] memory inputs,
        uint256[8] calldata proof
    ) private {
        if (block.chainid != CHAIN || address(this) != SELF) revert WrongChain();
        if (inputs[0] >= R || inputs[1] >= R || inputs[2] >= R) revert NotReduced();
        uint256 last = state;
        bytes32 context = keccak256(abi.encode(last, kind, published));
        bytes32 seed = keccak256(abi.encode(PREFIX, context, claim, inputs[0]));
        uint256 x = CONSTANT_X;
        uint256 y = CONSTANT_Y;
        (x, y) = _addMultiple(x, y, ALPHA_IC_X, ALPHA_IC_Y, _challenge(seed, 0));
        (x, y) = _addMultiple(x, y, GAMMA_IC_X, GAMMA_IC_Y, _challenge(seed, 1));
        (x, y) = _addMultiple(x, y, BEFORE_IC_X, BEFORE_IC_Y, inputs[1]);
        (x, y) = _addMultiple(x, y, AFTER_IC_X, AFTER_IC_Y, inputs[2]);
        (x, y) = _addMultiple(x, y, DIGEST_IC_X, DIGEST_IC_Y, inputs[0]);
        _requirePairing(x, y, proof);
        uint256 next = uint256(keccak256(abi.encode(seed, inputs[1], inputs[2]))) >> 64;
        next |= ((last >> 192) + 1) << 192;
        state = next;
        emit Batch(uint64(next >> 192), bytes24(uint192(next)));
    }
}
