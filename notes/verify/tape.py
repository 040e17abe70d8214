"""The verifier's transcript and the opening of rows (notes: The transcript, Merkle trees)."""

import struct

from hashes import GRIND, NODE, SQUEEZE, TRANSCRIPT, sized

STATEMENT, PUBLIC, SEND, CHALLENGE, POSITIONS, WORK, NONCE = range(7)


class Invalid(Exception):
    """The proof is refused."""


def check(holds, reason):
    if not holds:
        raise Invalid(reason)


class Tape:
    def __init__(self, hash, protocol, params_digest, statement, proof=b""):
        self.hash, self.rest, self.log = hash, proof, []
        self.state = hash.labelled("tenfold transcript v1", bytes([hash.number]), protocol.encode(), params_digest)
        self.step(STATEMENT, "statement", statement)

    def step(self, kind, label, data):
        message = self.state + bytes([kind]) + sized(label.encode()) + sized(data)
        self.state = self.hash(TRANSCRIPT, message)

    def hint(self, label, length):
        check(len(self.rest) >= length, "the proof is too short")
        data, self.rest = self.rest[:length], self.rest[length:]
        self.log.append((label, length))
        return data

    def receive(self, label, length):
        data = self.hint(label, length)
        self.step(SEND, label, data)
        return data

    def root(self, label):
        return self.receive(label, self.hash.size)

    def elements(self, label, count, field):
        data = self.receive(label, count * field.size)
        return [read(field, data[i:i + field.size]) for i in range(0, len(data), field.size)]

    def draw(self, kind, label, count, width, request=b""):
        self.step(kind, label, struct.pack("<QQ", count, width) + request)
        blocks = range(-(-count * width // self.hash.size))
        data = b"".join(self.hash.numbered(SQUEEZE, self.state, struct.pack("<Q", i)) for i in blocks)
        return [data[i * width:(i + 1) * width] for i in range(count)]

    def challenges(self, label, count, field):
        return [field.uniform(data) for data in self.draw(CHALLENGE, label, count, field.draw)]

    def challenge(self, label, field):
        return self.challenges(label, 1, field)[0]

    def positions(self, label, log_size, count):
        draws = self.draw(POSITIONS, label, count, 8, struct.pack("<Q", log_size))
        return sorted({int.from_bytes(data, "little") & (1 << log_size) - 1 for data in draws})

    def grind(self, label, bits):
        if bits:
            self.step(WORK, label, struct.pack("<I", bits))
            nonce = self.hint(label, 8)
            digest = self.hash.numbered(GRIND, self.state, nonce)
            check(int.from_bytes(digest, "big") >> 8 * len(digest) - bits == 0, "proof of work is too weak")
            self.step(NONCE, label, nonce)

    def finish(self):
        check(not self.rest, "the proof is too long")


def read(field, data):
    try:
        return field.read(data)
    except AssertionError as error:
        raise Invalid("field element is not canonical") from error


def open_rows(tape, root, log_leaves, row_bytes, positions, digest=None):
    """Rows at sorted positions, checked against a root; leaves that have parts have another digest than the hash's."""
    data = tape.hint("rows", row_bytes * len(positions))
    rows = [data[i:i + row_bytes] for i in range(0, len(data), row_bytes)]
    known, count = list(positions), 0
    for _ in range(log_leaves):
        parents = sorted({i // 2 for i in known})
        count, known = count + 2 * len(parents) - len(known), parents
    size = tape.hash.size
    data = tape.hint("paths", size * count)
    siblings = [data[i:i + size] for i in range(0, len(data), size)]
    digest = digest or tape.hash.leaf
    nodes = {i: digest(row) for i, row in zip(positions, rows)}
    for _ in range(log_leaves):
        above = {}
        for i in sorted(nodes):
            if i // 2 not in above:
                sibling = nodes[i ^ 1] if i ^ 1 in nodes else siblings.pop(0)
                pair = nodes[i] + sibling if i % 2 == 0 else sibling + nodes[i]
                above[i // 2] = tape.hash(NODE, pair)
        nodes = above
    check(nodes == {0: root} and not siblings, "an opening does not lead to the root")
    return rows


def sumcheck(tape, field, rounds, grinding, claim):
    """Returns the challenges and the claim that is left."""
    challenges = []
    for _ in range(rounds):
        constant, quadratic = tape.elements("sumcheck round", 2, field)
        tape.grind("fold grinding", grinding)
        r = tape.challenge("sumcheck challenge", field)
        linear = claim - constant - constant - quadratic
        claim = constant + r * (linear + r * quadratic)
        challenges.append(r)
    return challenges, claim
