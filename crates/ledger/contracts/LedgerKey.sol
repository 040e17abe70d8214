// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Groth16Bn254} from "./Groth16Bn254.sol";

/// The key of a ledger's batches, on one chain and in one contract.
///
/// Public inputs are the domain, the constants of the chain, and two, three or five that differ from batch to batch. What the first ones add is a point that is computed when
/// the contract is deployed.
abstract contract LedgerKey is Groth16Bn254 {
    bytes32 private constant DOMAIN_TAG = "tenfold ledger v2 contract";

    /// The chain, or the address under which the code runs, is not that of the deployment.
    error WrongChain();
    /// The caller is a contract, or an account with code.
    error NotDirect();
    /// The gas that is left does not surely reach for the precompiles, whose failures could not be told from those of a proof.
    error TooLittleGas();

    /// More than a proof's check takes: pairings 181,000, of which a call is given 63/64 of what is left, and up to five multiplications and additions, 30,750.
    uint256 private constant PROOF_GAS = 230_000;
    /// The same with a commitment: pairings 215,000, and two multiplications and additions, 12,300.
    uint256 private constant COMMITTED_PROOF_GAS = 245_000;

    /// What every signature and proof begins with, an element of the field: keccak256(DOMAIN_TAG | rules | chain id | address) >> 8.
    uint256 public immutable domain;

    uint256 private immutable CHAIN;
    address private immutable SELF;
    /// The number of public inputs that differ from batch to batch.
    uint256 private immutable INPUTS;
    // IC_0 and what domain and constants add to it.
    uint256 private immutable CONSTANT_X;
    uint256 private immutable CONSTANT_Y;
    uint256 private immutable IC0_X;
    uint256 private immutable IC0_Y;
    uint256 private immutable IC1_X;
    uint256 private immutable IC1_Y;
    uint256 private immutable IC2_X;
    uint256 private immutable IC2_Y;
    uint256 private immutable IC3_X;
    uint256 private immutable IC3_Y;
    uint256 private immutable IC4_X;
    uint256 private immutable IC4_Y;

    /// `key` is that of `Groth16Bn254`, `ic` the points of 1, the domain, the constants, and the inputs that a batch has, two to five but not four; `rules` the
    /// domain of the rules without a contract, `constants` the public inputs that never change.
    constructor(
        uint256[18] memory key,
        uint256[2][] memory ic,
        uint256 rules,
        uint256[] memory constants,
        uint256 inputs
    ) Groth16Bn254(key) {
        uint256 first = 2 + constants.length;
        if (ic.length != first + inputs) revert InvalidKey();
        INPUTS = inputs;
        for (uint256 i = 0; i < ic.length; i++) {
            if (ic[i][0] | ic[i][1] == 0) revert InvalidKey();
        }
        uint256 own = uint256(keccak256(abi.encode(DOMAIN_TAG, rules, block.chainid, address(this)))) >> 8;
        (uint256 x, uint256 y) = _addMultiple(ic[0][0], ic[0][1], ic[1][0], ic[1][1], own);
        for (uint256 i = 0; i < constants.length; i++) {
            if (constants[i] >= R) revert NotReduced();
            (x, y) = _addMultiple(x, y, ic[2 + i][0], ic[2 + i][1], constants[i]);
        }
        // Multiples by 1, of points that no constant has shown to be on the curve yet.
        for (uint256 i = first; i < ic.length; i++) {
            _addMultiple(x, y, ic[i][0], ic[i][1], 1);
        }
        domain = own;
        CHAIN = block.chainid;
        SELF = address(this);
        (CONSTANT_X, CONSTANT_Y) = (x, y);
        (IC0_X, IC0_Y) = (ic[first][0], ic[first][1]);
        (IC1_X, IC1_Y) = (ic[first + 1][0], ic[first + 1][1]);
        if (inputs > 2) (IC2_X, IC2_Y) = (ic[first + 2][0], ic[first + 2][1]);
        if (inputs > 3) {
            (IC3_X, IC3_Y) = (ic[first + 3][0], ic[first + 3][1]);
            (IC4_X, IC4_Y) = (ic[first + 4][0], ic[first + 4][1]);
        }
    }

    /// Reverts unless this is where the contract was deployed, the call is the transaction itself, and the proof is one for these inputs, which the caller has
    /// found to be below `R`: the first ones, as many as a batch has. `d` is the commitment, if the key has committed cells.
    ///
    /// What a batch publishes is read from transactions. A call by a contract is in none, hence whoever copies a pending batch could have it accepted and unseen.
    /// Of an account with code (EIP-7702) that is the sender too, since it can call itself.
    function _requireProof(uint256[5] memory inputs, uint256[2] memory d, uint256[8] calldata proof)
        internal
        view
    {
        if (block.chainid != CHAIN || address(this) != SELF) revert WrongChain();
        if (msg.sender != tx.origin || msg.sender.code.length != 0) revert NotDirect();
        if (gasleft() < (COMMITMENT ? COMMITTED_PROOF_GAS : PROOF_GAS)) revert TooLittleGas();
        uint256 x = CONSTANT_X;
        uint256 y = CONSTANT_Y;
        (x, y) = _addMultiple(x, y, IC0_X, IC0_Y, inputs[0]);
        (x, y) = _addMultiple(x, y, IC1_X, IC1_Y, inputs[1]);
        if (INPUTS > 2) (x, y) = _addMultiple(x, y, IC2_X, IC2_Y, inputs[2]);
        if (INPUTS > 3) {
            (x, y) = _addMultiple(x, y, IC3_X, IC3_Y, inputs[3]);
            (x, y) = _addMultiple(x, y, IC4_X, IC4_Y, inputs[4]);
        }
        _requirePairing(x, y, d, proof);
    }

    /// Whether the call has one encoding: its last argument's bytes are right behind the other arguments, padded with zeros to a word, and end the call.
    function _isCanonical(bytes calldata last, uint256 offset) internal pure returns (bool canonical) {
        assembly ("memory-safe") {
            let padded := and(add(last.length, 31), not(31))
            canonical := eq(last.offset, offset)
            canonical := and(canonical, eq(calldatasize(), add(offset, padded)))
            // What pads the last word, and the zeros beyond the call.
            canonical := and(canonical, iszero(calldataload(add(offset, last.length))))
        }
    }
}
