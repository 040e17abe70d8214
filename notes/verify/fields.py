"""Fields and codes (notes: Fields, Binary fields, Codes). Elements of a challenge field are instances of one class each; data
elements are lifted into it when they are read."""

from functools import lru_cache, reduce


class Element:
    """What prime extensions and binary fields share."""

    def __pow__(self, n):
        result, power = self.one(), self
        while n:
            if n & 1:
                result = result * power
            power, n = power * power, n >> 1
        return result

    def inverse(self):
        assert self != self.zero(), "zero has no inverse"
        return self ** (self.order() - 2)

    def __eq__(self, other):
        return self.v == other.v

    @classmethod
    def zero(cls):
        return cls.number(0)

    @classmethod
    def one(cls):
        return cls.number(1)


def prime(p, width, tail, wide):
    """F_p[X] / (X^d - sum of tail[i] X^i), d = len(tail); p has `width` bytes, a coefficient is drawn from `wide`."""
    degree = len(tail)

    class Prime(Element):
        size, draw = degree * width, degree * wide

        def __init__(self, v):
            self.v = tuple(v)

        @classmethod
        def number(cls, n):
            return cls([n % p] + [0] * (degree - 1))

        @classmethod
        def order(cls):
            return p**degree

        def __add__(self, other):
            return Prime((a + b) % p for a, b in zip(self.v, other.v))

        def __sub__(self, other):
            return Prime((a - b) % p for a, b in zip(self.v, other.v))

        def __mul__(self, other):
            product = [0] * (2 * degree - 1)
            for i, a in enumerate(self.v):
                if a:
                    for j, b in enumerate(other.v):
                        product[i + j] += a * b
            for k in range(2 * degree - 2, degree - 1, -1):
                for i, t in enumerate(tail):
                    product[k - degree + i] += product[k] * t
            return Prime(c % p for c in product[:degree])

        def write(self):
            return b"".join(c.to_bytes(width, "little") for c in self.v)

        @classmethod
        def read(cls, data):
            assert len(data) == cls.size
            parts = [int.from_bytes(data[i:i + width], "little") for i in range(0, len(data), width)]
            assert max(parts) < p, "not canonical"
            return cls(parts)

        @classmethod
        def uniform(cls, data):
            return cls(int.from_bytes(data[i:i + wide], "little") % p for i in range(0, len(data), wide))

    return Prime


def shifted(x, modulus, bits):
    """Reduces a polynomial over GF(2) by x^bits + modulus, which is short."""
    while x >> bits:
        high, x = x >> bits, x & (1 << bits) - 1
        m, i = modulus, 0
        while m:
            if m & 1:
                x ^= high << i
            m, i = m >> 1, i + 1
    return x


def carryless(a, b):
    """The product of two polynomials over GF(2), four bits at a time."""
    table = [0, a]
    for i in range(2, 16):
        table.append(table[i // 2] << 1 ^ (a if i & 1 else 0))
    result, shift = 0, 0
    while b:
        result ^= table[b & 15] << shift
        b, shift = b >> 4, shift + 4
    return result


def binary(bits, modulus, tail):
    """GF(2^bits)[y] / (y^d + sum of tail[i] y^i) over GF(2)[x] / (x^bits + modulus); coefficients end to end, lowest first."""
    degree = len(tail)

    class Binary(Element):
        size = draw = bits // 8 * degree

        def __init__(self, v):
            self.v = tuple(v)

        @classmethod
        def number(cls, n):
            return cls([n & 1] + [0] * (degree - 1))

        @classmethod
        def order(cls):
            return 1 << bits * degree

        def __add__(self, other):
            return Binary(a ^ b for a, b in zip(self.v, other.v))

        __sub__ = __add__

        def __mul__(self, other):
            product = [0] * (2 * degree - 1)
            for i, a in enumerate(self.v):
                for j, b in enumerate(other.v):
                    if a and b:
                        product[i + j] ^= carryless(a, b)
            product = [shifted(c, modulus, bits) for c in product]
            for k in range(2 * degree - 2, degree - 1, -1):
                for i, t in enumerate(tail):
                    if t:
                        product[k - degree + i] ^= shifted(carryless(product[k], t), modulus, bits)
            return Binary(product[:degree])

        def write(self):
            return b"".join(c.to_bytes(bits // 8, "little") for c in self.v)

        @classmethod
        def read(cls, data):
            assert len(data) == cls.size
            return cls(int.from_bytes(data[i:i + bits // 8], "little") for i in range(0, len(data), bits // 8))

        uniform = read

    return Binary


class PrimePair:
    """Data and challenges over a prime field, and the code of its two-power subgroup."""

    binary = False

    def __init__(self, name, p, width, tail, generator, root, adicity, base_degree=1):
        self.name, self.p, self.width = name, p, width
        self.E = prime(p, width, tail, {4: 16, 8: 16, 32: 48}[width])
        self.base_size = width * base_degree
        self.degree = len(tail) // base_degree
        self.generator, self.root, self.adicity = self.lift(generator), self.lift(root), adicity
        self.half = (self.E.one() + self.E.one()).inverse()

    def lift(self, coefficients):
        return self.E(tuple(coefficients) + (0,) * (len(self.E.zero().v) - len(coefficients)))

    def read_base(self, data):
        parts = [int.from_bytes(data[i:i + self.width], "little") for i in range(0, self.base_size, self.width)]
        assert max(parts) < self.p, "not canonical"
        return self.lift(parts)

    def basis(self):
        n = self.degree
        return [self.E([int(i == j) for j in range(n)]) for i in range(n)] if n > 1 else [self.E.one()]

    def point(self, log_domain, position):
        exponent = int(format(position, f"0{log_domain}b")[::-1], 2) if log_domain else 0
        return self.generator * (self.root ** (1 << self.adicity - log_domain)) ** exponent

    def factor(self, point):
        return point

    def halved(self, point):
        return point * point

    def neighbours(self, first, bits):
        """The points of the positions that fold into one, from the first one."""
        step = self.root ** (1 << self.adicity - bits)
        return [first * step ** int(format(i, f"0{bits}b")[::-1], 2) for i in range(1 << bits)]

    def parts(self, u, v, x):
        """The even and the odd part, at the halved point, of a word with the values u, v at x and the point behind it."""
        return self.half * (u + v), self.half * (u - v) * x.inverse()


class BinaryPair:
    """Data in a tower field, challenges in a polynomial basis, and the code over Cantor's basis."""

    binary = True

    def __init__(self, name, tower_bits, modulus, tail, images):
        self.name, self.bits = name, tower_bits
        self.E = binary(tower_bits, modulus, tail)
        self.base_size, self.degree = tower_bits // 8, len(tail)
        one = binary(tower_bits, modulus, (0,))
        x, *generators = [one([image]) for image in images]
        columns = [x**i for i in range(8)]
        for y in generators:
            columns += [column * y for column in columns]
        self.columns = [column.v[0] for column in columns]
        self.rows = invert(self.columns)

    def poly(self, tower):
        """The image of a tower element, an integer, in the polynomial basis."""
        return combine(self.columns, tower)

    def read_base(self, data):
        return self.lift(int.from_bytes(data, "little"))

    def lift(self, tower):
        return self.E([self.poly(tower)] + [0] * (self.degree - 1))

    def flat(self, element):
        """The bytes of an element's coefficients in the tower."""
        return b"".join(combine(self.rows, c).to_bytes(self.base_size, "little") for c in element.v)

    def from_flat(self, data):
        size = self.base_size
        return self.E(self.poly(int.from_bytes(data[i:i + size], "little")) for i in range(0, len(data), size))

    def basis(self):
        return [self.E([int(i == j) for j in range(self.degree)]) for i in range(self.degree)]

    def point(self, log_domain, position):
        return (1 << log_domain) + position

    @lru_cache(maxsize=None)
    def factor(self, point):
        return self.lift(combine(CANTOR, point))

    def halved(self, point):
        return point >> 1

    def neighbours(self, first, bits):
        return [first + i for i in range(1 << bits)]

    def parts(self, u, v, x):
        return u + self.factor(x) * (u + v), u + v


def combine(columns, x):
    """The sum over GF(2) of the columns whose bit in x is set."""
    result, i = 0, 0
    while x:
        if x & 1:
            result ^= columns[i]
        x, i = x >> 1, i + 1
    return result


def invert(columns):
    """The columns of the inverse of a square bit matrix."""
    reduced = {}
    for i, column in enumerate(columns):
        source = 1 << i
        for top, (c, s) in reduced.items():
            if column >> top & 1:
                column, source = column ^ c, source ^ s
        top = column.bit_length() - 1
        for other, (c, s) in list(reduced.items()):
            if c >> top & 1:
                reduced[other] = (c ^ column, s ^ source)
        reduced[top] = (column, source)
    return [reduced[i][1] for i in range(len(columns))]


def tower_product(a, b, bits):
    """The product in the tower GF(2^8) < GF(2^16) < ..., lower half at lower bits."""
    if bits == 8:
        return shifted(carryless(a, b), 0x1B, 8)
    half = bits // 2
    low, high = (1 << half) - 1, half
    a0, a1, b0, b1 = a & low, a >> high, b & low, b >> high
    top = tower_product(a1, b1, half)
    bottom = tower_product(a0, b0, half) ^ tower_product(top, 0x20 << half - 8, half)
    middle = tower_product(a0, b1, half) ^ tower_product(a1, b0, half) ^ top
    return bottom | middle << half


def cantor():
    """b_0 = 1, b_i^2 + b_i = b_(i-1) in GF(2^32), the root with bit 0 clear."""
    images = [tower_product(1 << i, 1 << i, 32) ^ 1 << i for i in range(1, 32)]
    basis = [1]
    for _ in range(31):
        rest, x, rows = basis[-1], 0, []
        for i, image in enumerate(images):
            source = 2 << i
            for top, c, s in rows:
                if image >> top & 1:
                    image, source = image ^ c, source ^ s
            rows.append((image.bit_length() - 1, image, source))
        for top, c, s in rows:
            if rest >> top & 1:
                rest, x = rest ^ c, x ^ s
        assert rest == 0
        basis.append(x)
    return basis


CANTOR = cantor()

KOALA, GOLD, MERSENNE = 2**31 - 2**24 + 1, 2**64 - 2**32 + 1, 2**61 - 1
BN254 = 21888242871839275222246405745257275088548364400416034343698204186575808495617


def prime_pair(number):
    """The pair of fields by its number in files of PIP_FRI and DeepFold."""
    if number <= 2:
        tail = [(3, 0, 0, 0), (1, 0, -1, 0, 0), (3,) + (0,) * 7][number]
        return PrimePair(f"koalabear{len(tail)}", KOALA, 4, tail, [3], [pow(3, KOALA >> 24, KOALA)], 24)
    if number <= 5:
        tail = [(0,), (7, 0), (1, 1, 0)][number - 3]
        return PrimePair(f"goldilocks{len(tail)}", GOLD, 8, tail, [7], [pow(7, GOLD >> 32, GOLD)], 32)
    if number == 6:
        root = prime(MERSENNE, 8, (-1, 0), 16)([4, 1]) ** (2**60 - 1)
        return PrimePair("mersenne61x2", MERSENNE, 8, (-1, 0), [3, 0], root.v, 62, base_degree=2)
    assert number == 7, "no such fields"
    return PrimePair("bn254", BN254, 32, (0,), [5], [pow(5, BN254 >> 28, BN254)], 28)


IMAGES64 = (0x033CE8BEDDC8A656, 0xE301B28CBCF19872, 0xEF369FBBB3BD406E, 0xBF6038AA457CE224)
IMAGES128 = (
    0x053D8555A9979A1CA13FE8AC5560CE0D, 0x8312948900893AE7751FFC33C7ED2178, 0x867E1F74850BC7A14CEC07B34C9C7C7A,
    0x11073D18BBD3640C52C1DC092088B570, 0xB2BDF6099437293974E0DB1333671C5E,
)


def binary_pair(number):
    """The pair of fields by its number in files of Ligerito and Air-FRI."""
    assert number <= 3, "no such fields"
    bits, modulus, tail, images = [
        (128, 0x87, (0,), IMAGES128),
        (64, 0x1B, (1, 1, 0), IMAGES64),
        (128, 0x87, (1 << 121, 1), IMAGES128),
        (64, 0x1B, (1, 0, 1, 0, 0), IMAGES64),
    ][number]
    return BinaryPair(["gf128", "gf192", "gf256", "gf320"][number], bits, modulus, tail, images)


def total(elements, zero):
    return reduce(lambda a, b: a + b, elements, zero)
