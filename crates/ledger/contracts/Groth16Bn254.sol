// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

/// Verifies Groth16 proofs over BN254 with the precompiles of EIP-196 and EIP-197.
///
/// The key is in immutables, hence in the code: reading a word of it costs a PUSH32. The equation is
///
///     e(A, B) e(alpha, -beta) e(X, -gamma) e(C, -delta) = 1,    X = IC_0 + sum x_i IC_i,
///
/// and of a key with committed cells e(D, -eta) is a factor too. Their commitment D has to be hashed into the challenges among the public inputs by derived
/// contracts. The points of the second group are negated when the key is exported, so that the proof's points reach the precompile as they came. It checks
/// that their coordinates are below the modulus, that they are on their curves and that B is in the subgroup. A scalar x_i is not checked by the
/// precompiles: derived contracts refuse those that are not below `R`, or a statement would have as many encodings as fit into 256 bits.
abstract contract Groth16Bn254 {
    /// The order of the groups.
    uint256 internal constant R = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;
    /// 2^256 modulo the order.
    uint256 private constant SHIFT = 0x0e0a77c19a07df2f666ea36f7879462e36fc76959f60cd29ac96341c4ffffffb;

    /// A public input that is not below the order.
    error NotReduced();
    /// The equation does not hold, or a point of the proof is the identity or none at all. Also a precompile without gas for its work, unless derived
    /// contracts make sure of that.
    error InvalidProof();
    /// The key has the identity, or what is no point.
    error InvalidKey();

    uint256 private immutable ALPHA_X;
    uint256 private immutable ALPHA_Y;
    // The second group: x = x0 i + x1, as the precompile reads it.
    uint256 private immutable BETA_X0;
    uint256 private immutable BETA_X1;
    uint256 private immutable BETA_Y0;
    uint256 private immutable BETA_Y1;
    uint256 private immutable GAMMA_X0;
    uint256 private immutable GAMMA_X1;
    uint256 private immutable GAMMA_Y0;
    uint256 private immutable GAMMA_Y1;
    uint256 private immutable DELTA_X0;
    uint256 private immutable DELTA_X1;
    uint256 private immutable DELTA_Y0;
    uint256 private immutable DELTA_Y1;
    uint256 private immutable ETA_X0;
    uint256 private immutable ETA_X1;
    uint256 private immutable ETA_Y0;
    uint256 private immutable ETA_Y1;
    /// The circuit has committed cells.
    bool internal immutable COMMITMENT;

    /// `key` is alpha, -beta, -gamma, -delta, -eta, of which the last one is zeros where there are no committed cells. Points outside of their groups are refused
    /// by the precompile.
    constructor(uint256[18] memory key) {
        ALPHA_X = key[0];
        ALPHA_Y = key[1];
        BETA_X0 = key[2];
        BETA_X1 = key[3];
        BETA_Y0 = key[4];
        BETA_Y1 = key[5];
        GAMMA_X0 = key[6];
        GAMMA_X1 = key[7];
        GAMMA_Y0 = key[8];
        GAMMA_Y1 = key[9];
        DELTA_X0 = key[10];
        DELTA_X1 = key[11];
        DELTA_Y0 = key[12];
        DELTA_Y1 = key[13];
        ETA_X0 = key[14];
        ETA_X1 = key[15];
        ETA_Y0 = key[16];
        ETA_Y1 = key[17];
        COMMITMENT = _hasCommitment(key);
        uint256[24] memory pairs;
        bool identity = key[0] | key[1] == 0;
        for (uint256 i = 0; i < 4; i++) {
            pairs[6 * i] = key[0];
            pairs[6 * i + 1] = key[1];
            uint256 any = 0;
            for (uint256 j = 0; j < 4; j++) {
                pairs[6 * i + 2 + j] = key[2 + 4 * i + j];
                any |= key[2 + 4 * i + j];
            }
            identity = identity || (any == 0 && i < 3);
        }
        bool known;
        assembly ("memory-safe") {
            known := staticcall(gas(), 8, pairs, 0x300, 0, 0x20)
            known := and(known, eq(returndatasize(), 0x20))
        }
        if (identity || !known) revert InvalidKey();
    }

    /// Whether a key has eta.
    function _hasCommitment(uint256[18] memory key) internal pure returns (bool has) {
        has = key[14] | key[15] | key[16] | key[17] != 0;
    }

    /// `(x, y) + scalar (px, py)`. Reverts if a point is none.
    function _addMultiple(uint256 x, uint256 y, uint256 px, uint256 py, uint256 scalar)
        internal
        view
        returns (uint256 sumX, uint256 sumY)
    {
        bool good;
        assembly ("memory-safe") {
            let m := mload(0x40)
            mstore(m, px)
            mstore(add(m, 0x20), py)
            mstore(add(m, 0x40), scalar)
            good := staticcall(gas(), 7, m, 0x60, m, 0x40)
            good := and(good, eq(returndatasize(), 0x40))
            mstore(add(m, 0x40), x)
            mstore(add(m, 0x60), y)
            good := and(good, staticcall(gas(), 6, m, 0x80, m, 0x40))
            good := and(good, eq(returndatasize(), 0x40))
            sumX := mload(m)
            sumY := mload(add(m, 0x20))
        }
        if (!good) revert InvalidProof();
    }

    /// Reverts unless the equation holds for `X = (x, y)`. `proof` is A, B, C: x and y of A, x0, x1, y0 and y1 of B, x and y of C; `d` is D, if the key has committed
    /// cells.
    function _requirePairing(uint256 x, uint256 y, uint256[2] memory d, uint256[8] calldata proof) internal view {
        uint256[30] memory pairs;
        uint256 size = 0x300;
        bool good = true;
        if (COMMITMENT) {
            size = 0x3c0;
            good = d[0] | d[1] != 0;
            pairs[24] = d[0];
            pairs[25] = d[1];
            pairs[26] = ETA_X0;
            pairs[27] = ETA_X1;
            pairs[28] = ETA_Y0;
            pairs[29] = ETA_Y1;
        }
        pairs[6] = ALPHA_X;
        pairs[7] = ALPHA_Y;
        pairs[8] = BETA_X0;
        pairs[9] = BETA_X1;
        pairs[10] = BETA_Y0;
        pairs[11] = BETA_Y1;
        pairs[12] = x;
        pairs[13] = y;
        pairs[14] = GAMMA_X0;
        pairs[15] = GAMMA_X1;
        pairs[16] = GAMMA_Y0;
        pairs[17] = GAMMA_Y1;
        pairs[20] = DELTA_X0;
        pairs[21] = DELTA_X1;
        pairs[22] = DELTA_Y0;
        pairs[23] = DELTA_Y1;
        assembly ("memory-safe") {
            // A and B, and behind the third pair C.
            calldatacopy(pairs, proof, 0xc0)
            calldatacopy(add(pairs, 0x240), add(proof, 0xc0), 0x40)
            good := and(good, iszero(iszero(or(mload(pairs), mload(add(pairs, 0x20))))))
            let b := or(mload(add(pairs, 0x40)), mload(add(pairs, 0x60)))
            b := or(b, or(mload(add(pairs, 0x80)), mload(add(pairs, 0xa0))))
            good := and(good, iszero(iszero(b)))
            good := and(good, iszero(iszero(or(mload(add(pairs, 0x240)), mload(add(pairs, 0x260))))))
            good := and(good, staticcall(gas(), 8, pairs, size, 0, 0x20))
            good := and(good, eq(returndatasize(), 0x20))
            good := and(good, eq(mload(0), 1))
        }
        if (!good) revert InvalidProof();
    }

    /// 512 bits of two hashes of the seed and the numbers 0 and 1, modulo the order: within 2^-256 of uniform.
    function _challenge(bytes32 seed) internal pure returns (uint256 challenge) {
        uint256 low;
        assembly ("memory-safe") {
            mstore(0, seed)
            mstore(0x20, 0)
            challenge := keccak256(0, 0x40)
            mstore(0x20, 1)
            low := keccak256(0, 0x40)
        }
        challenge = addmod(mulmod(challenge, SHIFT, R), low, R);
    }
}
