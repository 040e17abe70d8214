"""The six hashes in their six roles (notes: Merkle trees). Standard library only."""

import hashlib
import struct

LEAF, NODE, TRANSCRIPT, DIGEST, SQUEEZE, GRIND = range(6)

CONTEXTS = [
    "tenfold 2026 merkle leaf v1",
    "tenfold 2026 merkle node v1",
    "tenfold 2026 transcript chain v1",
    "tenfold 2026 labelled digest v1",
    "tenfold 2026 transcript challenge v1",
    "tenfold 2026 proof of work v1",
]

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
MIX = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
CHUNK_START, CHUNK_END, PARENT, ROOT, KEYED, CONTEXT, MATERIAL = 1, 2, 4, 8, 16, 32, 64
MASK = 0xFFFFFFFF


def compress(value, block, counter, length, flags):
    """The compression function of BLAKE3, cut to the eight words of a chaining value."""
    s = [*value, *IV[:4], counter & MASK, counter >> 32, length, flags]
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(MIX + DIAGONALS):
            for word, (first, second) in ((block[2 * i], (16, 12)), (block[2 * i + 1], (8, 7))):
                s[a] = (s[a] + s[b] + word) & MASK
                x = s[d] ^ s[a]
                s[d] = (x >> first | x << 32 - first) & MASK
                s[c] = (s[c] + s[d]) & MASK
                x = s[b] ^ s[c]
                s[b] = (x >> second | x << 32 - second) & MASK
        block = [block[i] for i in ORDER]
    return tuple(s[i] ^ s[i + 8] for i in range(8))


def tree(key, message, flags, chunk=0, root=ROOT):
    """The chaining value of the subtree over a message that starts at a chunk."""
    if len(message) > 1024:
        left = 1024
        while 2 * left < len(message):
            left *= 2
        words = tree(key, message[:left], flags, chunk, 0) + tree(key, message[left:], flags, chunk + left // 1024, 0)
        return compress(key, words, 0, 64, flags | PARENT | root)
    blocks = [message[i:i + 64] for i in range(0, len(message), 64)] or [b""]
    value = key
    for i, block in enumerate(blocks):
        bits = flags | (CHUNK_START if i == 0 else 0) | (CHUNK_END | root if i == len(blocks) - 1 else 0)
        value = compress(value, struct.unpack("<16I", block.ljust(64, b"\0")), chunk, len(block), bits)
    return value


KEYS = [tree(tree(IV, name.encode(), CONTEXT), b"", MATERIAL) for name in CONTEXTS]


def keccak256(message):
    """Keccak-256 with its original padding."""
    padded = bytearray(message + b"\x01" + bytes(135 - len(message) % 136))
    padded[-1] |= 0x80
    lanes = [0] * 25
    for start in range(0, len(padded), 136):
        for i, word in enumerate(struct.unpack("<17Q", padded[start:start + 136])):
            lanes[i] ^= word
        lanes = permute(lanes)
    return struct.pack("<4Q", *lanes[:4])


def rotate(x, n):
    return (x << n | x >> 64 - n) & (1 << 64) - 1


def permute(a):
    """Keccak-f[1600]; lane (x, y) is a[x + 5 y]."""
    register = 1
    for _ in range(24):
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        a = [a[i] ^ c[(i + 4) % 5] ^ rotate(c[(i + 1) % 5], 1) for i in range(25)]
        x, y, lane, moved = 1, 0, a[1], list(a)
        for t in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            moved[x + 5 * y] = rotate(lane, (t + 1) * (t + 2) // 2 % 64)
            lane = a[x + 5 * y]
        a = [moved[i] ^ ~moved[i // 5 * 5 + (i + 1) % 5] & moved[i // 5 * 5 + (i + 2) % 5] for i in range(25)]
        for j in range(7):
            if register & 1:
                a[0] ^= 1 << (1 << j) - 1
            register = register << 1 ^ (0x171 if register & 0x80 else 0)
    return a


class Hash:
    """A hash by its number in files."""

    def __init__(self, number):
        assert 1 <= number <= 6, "no such hash"
        self.number, self.name = number, ["blake3", "sha256", "keccak256", "sha3-256", "sha3-384", "sha3-512"][number - 1]
        self.size = {5: 48, 6: 64}.get(number, 32)

    def __call__(self, role, message):
        if self.number == 1:
            return struct.pack("<8I", *tree(KEYS[role], message, KEYED))
        message = bytes([role]) + message
        if self.number == 3:
            return keccak256(message)
        function = {2: hashlib.sha256, 4: hashlib.sha3_256, 5: hashlib.sha3_384, 6: hashlib.sha3_512}[self.number]
        return function(message).digest()

    def numbered(self, role, state, number):
        """A block of a draw, a trial of work: a state and eight bytes, filled up with zeros to a multiple of 64."""
        message = state + number
        return self(role, message + bytes(-len(message) % 64))

    def labelled(self, label, *parts):
        return self(DIGEST, b"".join(sized(part) for part in (label.encode(), *parts)))

    def leaf(self, row):
        """Rows are filled up with zeros to whole blocks of BLAKE3, and hashed as they are by the others."""
        return self(LEAF, row + bytes(-len(row) % 64) if self.number == 1 else row)


def sized(data):
    return struct.pack("<Q", len(data)) + data
