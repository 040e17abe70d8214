"""Files: header, parameters, claims (notes: Formats)."""

import struct
from dataclasses import dataclass, field

from fields import binary_pair, prime_pair
from hashes import Hash
from tape import Invalid, check, read


class Reader:
    def __init__(self, data):
        self.rest = data

    def bytes(self, count):
        check(len(self.rest) >= count, "the file is cut short")
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def u8(self):
        return self.bytes(1)[0]

    def u32(self):
        return struct.unpack("<I", self.bytes(4))[0]

    def sized(self):
        return self.bytes(struct.unpack("<Q", self.bytes(8))[0])

    def elements(self, field, count):
        return [read(field, self.bytes(field.size)) for _ in range(count)]

    def finish(self):
        check(not self.rest, "bytes behind the end")


@dataclass
class Level:
    log_columns: int
    log_inv_rate: int
    queries: int
    grinding: int
    fold_grinding: int


@dataclass
class Params:
    """The parameters of all schemes; a field that a scheme lacks has its neutral value."""

    scheme: str
    encoded: bytes
    hash: Hash
    pair: object
    multiplicity: int = 0
    log_size: int = 0
    polynomials: int = 1
    max_forms: int = 1
    hidden_openings: int = 0
    log_parts: int = 0
    level: Level = None
    inner: str = "recursion"
    levels: list = field(default_factory=list)
    steps: list = field(default_factory=list)
    entry_bits: int = 0
    extension: bool = False
    deep: bool = False
    log_columns: int = 0
    log_final: int = 0
    queries: int = 0
    grinding: int = 0
    log_leaf_fibres: int = 0

    def digest(self):
        return self.hash.labelled(f"tenfold {self.scheme} params v1", self.encoded)

    def log_packed(self):
        return (8 * self.pair.base_size // self.entry_bits).bit_length() - 1 if self.entry_bits else 0

    def variables(self):
        return self.log_size + self.log_packed()

    def tail(self):
        shown = self.level.queries << {"chain": (self.steps or [0])[0], "two chains": 1, "recursion": 0}[self.inner]
        return self.hidden_openings * shown + 1 if self.hidden_openings else 0


def level_of(r):
    return Level(*(r.u32() for _ in range(5)))


def cut(r):
    """The number of the fields, and log2 of the parts and of the fibres of a leaf, which stand behind it if it has several."""
    number, log_parts, log_leaf_fibres = r.u8(), 0, 0
    if number & 0x80:
        log_parts = r.u8()
        check(1 <= log_parts <= 4, "no such parts of leaves")
    if number & 0x40:
        log_leaf_fibres = r.u8()
        check(1 <= log_leaf_fibres <= 4, "no such fibres of leaves")
    return number & 0x3f, log_parts, log_leaf_fibres


def pip(data, r):
    number, log_parts, log_leaf_fibres = cut(r)
    check(log_leaf_fibres == 0, "leaves of several fibres are over binary fields only")
    pair, hash = prime_pair(number), Hash(r.u8())
    params = Params("pip", data, hash, pair, *(r.u32() for _ in range(5)), log_parts, level_of(r))
    kind = r.u8()
    check(kind <= 2, "no such inner argument")
    params.inner = ["recursion", "chain", "two chains"][kind]
    if kind == 0:
        params.levels = [level_of(r) for _ in range(r.u8())]
    if kind == 1:
        params.steps = [r.u32() for _ in range(r.u8())]
    return params


def deepfold(data, r):
    params = Params("deepfold", data, None, prime_pair(r.u8()))
    params.hash, params.deep, params.multiplicity = Hash(r.u8()), r.u8() == 1, r.u32()
    params.log_size, params.log_columns, log_inv_rate, params.queries, params.grinding = (r.u32() for _ in range(5))
    params.max_forms, params.log_final = r.u32(), r.u32()
    params.level = Level(params.log_columns, log_inv_rate, params.queries, params.grinding, 0)
    return params


def over_binary(scheme, data, r):
    number, log_parts, log_leaf_fibres = cut(r)
    pair, entries, hash = binary_pair(number), r.u8(), Hash(r.u8())
    params = Params(scheme, data, hash, pair, *(r.u32() for _ in range(5)), log_parts, level_of(r))
    check(entries <= 5, "no such entries")
    params.entry_bits, params.extension = [0, 1, 8, 32, 64, 0][entries], entries == 5
    count, params.log_leaf_fibres = r.u8(), log_leaf_fibres
    if scheme == "ligerito":
        check(log_leaf_fibres == 0, "leaves of several fibres are those of a chain")
        params.levels = [level_of(r) for _ in range(count)]
    else:
        params.inner, params.steps = "chain", [r.u32() for _ in range(count)]
        check(params.steps and params.steps[0] <= 4, "the first fold binds at most four variables")
    return params


def params_of(scheme, data):
    r = Reader(data)
    try:
        params = pip(data, r) if scheme == 0 else deepfold(data, r) if scheme == 1 else over_binary(SCHEMES[scheme], data, r)
    except AssertionError as error:
        raise Invalid(str(error)) from error
    r.finish()
    return params


SCHEMES = {0: "pip", 1: "deepfold", 2: "ligerito", 4: "air"}


@dataclass
class File:
    """What stands before the body, and the body."""

    kind: int
    params: Params
    params_digest: bytes
    statement: bytes
    body: bytes

    @classmethod
    def read(cls, data):
        r = Reader(data)
        check(r.bytes(6) == b"TNFD\x01\x00", "no file of this version")
        kind, scheme, encoded = r.u8(), r.u8(), r.sized()
        check(kind in (0, 1, 2, 5) and scheme in SCHEMES, "a file of another kind")
        params = params_of(scheme, encoded)
        file = cls(kind, params, r.bytes(32), r.bytes(32), r.sized())
        r.finish()
        check(file.params_digest == params.digest()[:32], "another digest of the parameters")
        return file


@dataclass
class Commitment:
    root: bytes
    out_of_domain: list


def commitment(params, data):
    r, count = Reader(data), params.polynomials if params.multiplicity else 0
    result = Commitment(r.bytes(params.hash.size), r.elements(params.pair.E, count))
    r.finish()
    return result


@dataclass
class Claims:
    forms: list
    values: list
    context: bytes

    @classmethod
    def read(cls, params, data):
        r, E = Reader(data), params.pair.E
        forms, variables, polynomials = r.u32(), r.u32(), r.u32()
        check(1 <= forms <= (1 if params.hidden_openings else params.max_forms), "the number of forms")
        check((variables, polynomials) == (params.variables(), params.polynomials), "claims that do not fit")
        flat = [r.elements(E, 2 * variables) for _ in range(forms)]
        values = [r.elements(E, polynomials) for _ in range(forms)]
        result = cls([list(zip(f[::2], f[1::2])) for f in flat], values, r.sized())
        r.finish()
        return result

    def digest(self, hash, commitment):
        join = lambda elements: b"".join(x.write() for x in elements)
        forms = b"".join(hash.labelled("form", join(x for pair in form for x in pair)) for form in self.forms)
        values = b"".join(hash.labelled("values", join(v)) for v in self.values)
        return hash.labelled("tenfold claims v1", commitment, forms, values, self.context)
