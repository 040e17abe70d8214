// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {LedgerKey} from "./LedgerKey.sol";

/// Holds the root of a ledger's state, and replaces it by the root after a proven batch.
///
/// What it guarantees alone, if the genesis root is that of a state (whose balances together are below 2^64 and whose keys are points of the curve): the
/// root is at all times that of a state to which the signed transactions of accepted batches lead, and the published blocks have all cells that they
/// changed. So other contracts may rely on what is under the root, and whoever has read all blocks holds the state: each is in the input of a transaction to
/// this contract, because nothing but an account without code may submit.
///
///     block     m (2 bytes) | m keys: x 32, y 32 | w words of 30 bytes, two cells each
///     r         keccak256(CONTEXT | root before | root after | digest | block) mod R
///     print     (K r^slots + C) mod R, where C is Horner's value at r of the words and K that of the coordinates
///
/// A block has one encoding: no more words than slots (or keys could be passed off as cells), a first word that is not zero, reduced coordinates, a first key
/// whose y is not zero. Every y is even: who opens an account signs the x of its key alone. What the cells say is checked by the circuit, which computes the fingerprint from the cells that it has changed.
contract LedgerRoot is LedgerKey {
    /// Selector, eleven words before the block's length, and that.
    uint256 private constant BLOCK = 4 + 12 * 32;

    /// The call or the block is not the one encoding of what it says.
    error NotCanonical();
    /// The batch changes nothing.
    error Unchanged();

    /// A batch was accepted.
    event Batch(uint256 root);

    /// The root of the state.
    uint256 public root;

    bytes32 private immutable CONTEXT;
    uint256 private immutable SLOTS;

    /// As `LedgerKey`; `slots` is the number of transactions that a batch has room for, a power of two; `genesis` the first root.
    constructor(
        uint256[18] memory key,
        uint256[2][] memory ic,
        uint256 rules,
        uint256[] memory constants,
        uint32 slots,
        uint256 genesis
    ) LedgerKey(key, ic, rules, constants, 5) {
        // Its challenges are bound by a digest.
        if (_hasCommitment(key)) revert InvalidKey();
        if (slots == 0 || slots & (slots - 1) != 0) revert InvalidKey();
        if (genesis >= R) revert NotReduced();
        // The domain's 31 bytes, the lowest first.
        bytes memory reversed = new bytes(31);
        for (uint256 i = 0; i < 31; i++) {
            reversed[i] = bytes1(uint8(domain >> (8 * i)));
        }
        CONTEXT = keccak256(abi.encodePacked("tenfold ledger v1 root mode", reversed, slots));
        SLOTS = slots;
        root = genesis;
    }

    /// Accepts a batch, or reverts. `data` is its block.
    function submit(uint256 post, uint256 digest, uint256[8] calldata proof, bytes calldata data) external {
        if (!_isCanonical(data, BLOCK)) revert NotCanonical();
        if (post >= R || digest >= R) revert NotReduced();
        uint256 pre = root;
        if (post == pre) revert Unchanged();
        bytes32 context = CONTEXT;
        uint256 r;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, context)
            mstore(add(m, 0x20), pre)
            mstore(add(m, 0x40), post)
            mstore(add(m, 0x60), digest)
            calldatacopy(add(m, 0x80), data.offset, data.length)
            r := mod(keccak256(m, add(0x80, data.length)), R)
        }
        _requireProof([pre, post, digest, r, _fingerprint(data, r)], [uint256(0), 0], proof);
        root = post;
        emit Batch(post);
    }

    /// The fingerprint of a block at `r`. Reverts if it is not the one encoding of its cells.
    function _fingerprint(bytes calldata data, uint256 r) private view returns (uint256 print) {
        if (data.length < 2) revert NotCanonical();
        uint256 slots = SLOTS;
        bool good;
        assembly ("memory-safe") {
            let keys := shr(240, calldataload(data.offset))
            let at := add(data.offset, 2)
            let words := add(at, mul(keys, 64))
            let end := add(data.offset, data.length)
            // Fewer bytes than the keys make this length huge, and more words than there are slots.
            let length := sub(end, words)
            good := and(iszero(mod(length, 30)), iszero(gt(length, mul(30, slots))))
            if good {
                // The first key's y, and the first word.
                good := or(iszero(keys), iszero(iszero(calldataload(add(at, 0x20)))))
                good := and(good, or(iszero(length), iszero(iszero(shr(16, calldataload(words))))))
                for {} lt(at, words) { at := add(at, 0x40) } {
                    let x := calldataload(at)
                    let y := calldataload(add(at, 0x20))
                    good := and(good, and(and(lt(x, R), lt(y, R)), iszero(and(y, 1))))
                    print := addmod(mulmod(print, r, R), x, R)
                    print := addmod(mulmod(print, r, R), y, R)
                }
                if keys {
                    let power := r
                    for { let i := 1 } lt(i, slots) { i := mul(i, 2) } { power := mulmod(power, power, R) }
                    print := mulmod(print, power, R)
                }
                let sum := 0
                for {} lt(at, end) { at := add(at, 30) } {
                    sum := addmod(mulmod(sum, r, R), shr(16, calldataload(at)), R)
                }
                print := addmod(print, sum, R)
            }
        }
        if (!good) revert NotCanonical();
    }
}
