"""Proofs of the schemes, from their files (notes: PIP_FRI, Ligerito, Air-FRI, DeepFold, Linear forms)."""

import struct

import chains
import matrix
from fields import total
from files import Claims, File, Reader, commitment
from forms import apply, dot, expand, point
from hashes import sized
from tape import Tape, check, sumcheck


def verify(data, weights=None):
    """Checks a proof file; weights are the canonical bytes of data elements. Returns file, claims and messages."""
    file = File.read(data)
    r, params = Reader(file.body), file.params
    committed = r.sized()
    check(file.kind in (1, 2, 5), "not a proof")
    if file.kind == 1:
        check(weights is None, "weights for a proof that has none")
        claims, proof = Claims.read(params, r.sized()), r.sized()
        r.finish()
        check(file.statement == claims.digest(params.hash, committed)[:32], "another digest of the statement")
        return file, claims, opening(params, committed, claims, proof)
    if file.kind == 5:
        check(weights is None, "weights for a proof that has none")
        return file, None, product(file, r, committed)
    check(weights is not None, "the weights are missing")
    return file, None, weighted(file, r, committed, weights)


def opening(params, committed, claims, proof):
    pair, hash = params.pair, params.hash
    root = commitment(params, committed)
    tape = Tape(hash, f"tenfold {params.scheme} open v1", params.digest(), claims.digest(hash, committed), proof)
    if params.entry_bits:
        claims = switched(params, tape, claims)
    all_claims = matrix.all_claims(params, pair, root, claims)
    stages = matrix.stages(params, pair, params.tail())
    if params.scheme == "deepfold":
        chains.deepfold(params, pair, stages[0], tape, root.root, [(f, v[0]) for f, v in all_claims])
    elif params.inner == "two chains":
        check(len(all_claims) == 1, "two chains prove one form")
        form, (value,) = all_claims[0]
        chains.two_chains(params, pair, stages[0], tape, root.root, form, value)
    else:
        reduce = matrix.masked if params.hidden_openings else matrix.column_sumcheck
        weights, claim = reduce(params, pair, stages[0], tape, all_claims)
        if params.inner == "chain":
            chains.one_chain(params, pair, stages[0], tape, root.root, weights, claim)
        else:
            matrix.recursion(params, pair, stages, tape, root.root, weights, claim)
    tape.finish()
    return tape.log


class Coordinates:
    """Coordinates of elements over the field of packed entries: runs of `bits` bits of their bytes in the tower."""

    def __init__(self, pair, bits):
        self.pair, self.bits = pair, bits
        self.of_data, self.of_challenges = (8 * n // bits for n in (pair.base_size, pair.base_size * pair.degree))

    def of(self, element):
        flat, mask = int.from_bytes(self.pair.flat(element), "little"), (1 << self.bits) - 1
        return [flat >> i * self.bits & mask for i in range(self.of_challenges)]

    def basis(self, u):
        size = self.pair.base_size * self.pair.degree
        return self.pair.from_flat((1 << u * self.bits).to_bytes(size, "little"))

    def transposed(self, parts):
        """For each coordinate u of the challenge field the data element whose coordinate v is coordinate u of part v."""
        rows = [self.of(part) for part in parts]
        return [self.pair.lift(sum(row[u] << v * self.bits for v, row in enumerate(rows))) for u in range(self.of_challenges)]

    def extension(self, form, r, rho):
        """The value at r of the weights sum_u rho_u form_u, by the left coordinates of a product of tensors."""
        field = self.pair.E
        left = [field.one()] + [field.zero()] * (self.of_challenges - 1)
        basis = [self.basis(u) for u in range(self.of_challenges)]
        for (a, b), x in zip(form, r):
            low, high = self.act(basis, a, left), self.act(basis, a + b, left)
            left = [l + h * x for l, h in zip(low, high)]
        return dot(field, left, rho)

    def act(self, basis, a, left):
        sums = [self.pair.E.zero()] * len(left)
        for element, value in zip(basis, left):
            for u, c in enumerate(self.of(element * a)):
                if c:
                    sums[u] = sums[u] + (value if c == 1 else self.pair.lift(c) * value)
        return sums


def switched(params, tape, claims):
    """Ring switching: claims about packed entries become one about a point of the entries of the alphabet."""
    pair, field, packed = params.pair, params.pair.E, params.log_packed()
    coordinates, sums = Coordinates(pair, params.entry_bits), []
    for form, (value,) in zip(claims.forms, claims.values):
        parts = tape.elements("parts", coordinates.of_data, field)
        check(dot(field, expand(field, form[:packed]), parts) == value, "the parts do not make the value")
        sums.append(coordinates.transposed(parts))
    count = coordinates.of_challenges
    drawn = tape.challenges("coordinates", (count - 1).bit_length(), field)
    rho, gamma = expand(field, point(field, drawn))[:count], tape.challenge("forms", field)
    powers = [gamma**i for i in range(len(sums))]
    claimed = total((g * dot(field, s, rho) for g, s in zip(powers, sums)), field.zero())
    r, left = sumcheck(tape, field, params.log_size, 0, claimed)
    (value,) = tape.elements("value at the point", 1, field)
    highs = [coordinates.extension(form[packed:], r, rho) for form in claims.forms]
    weight = dot(field, powers, highs)
    check(weight * value == left, "the value at the point does not make the sum")
    return Claims([point(field, r)], [[value]], b"")


def weighted(file, r, committed, weights):
    """Weighted sums of all columns: a sumcheck of their combination, then an opening at its point."""
    params, hash, pair, field = file.params, file.params.hash, file.params.pair, file.params.pair.E
    check(params.hidden_openings == 0 and not params.extension, "no weighted sums of these data")
    size, columns = pair.base_size, params.polynomials
    named, values, context, proof = r.bytes(hash.size), r.bytes(columns * size), r.sized(), r.sized()
    r.finish()
    check(named == hash.labelled("tenfold weights v1", weights), "other weights")
    statement = hash.labelled("tenfold weighted sum v1", committed, named, values, context)
    check(file.statement == statement[:32], "another digest of the statement")
    variables = params.variables()
    length = (2 * variables + columns) * field.size
    tape = Tape(hash, f"tenfold {params.scheme} weighted v1", params.digest(), statement, proof[:length])
    gamma = tape.challenge("columns", field) if columns > 1 else field.one()
    powers = [gamma**j for j in range(columns)]
    claimed = dot(field, powers, [pair.read_base(values[i:i + size]) for i in range(0, len(values), size)])
    z, left = sumcheck(tape, field, variables, 0, claimed)
    at_point = tape.elements("value at the point", columns, field)
    tape.finish()
    table = [pair.read_base(weights[i:i + size]) for i in range(0, len(weights), size)]
    check(len(table) <= 1 << variables, "more weights than entries")
    table += [field.zero()] * ((1 << variables) - len(table))
    check(dot(field, powers, at_point) * apply(field, point(field, z), table) == left, "the value at the point does not make the sum")
    run = hash.labelled("tenfold weighted run v1", statement, proof[:length])
    inner = Claims([point(field, z)], [at_point], b"tenfold weighted inner opening v1" + sized(context) + run)
    return tape.log + opening(params, committed, inner, proof[length:])


def product(file, r, committed):
    """An inner product of two columns: a sumcheck, then an opening at its point, and of the padding to zero."""
    params, hash, pair, field = file.params, file.params.hash, file.params.pair, file.params.pair.E
    check(params.scheme == "pip" and params.hidden_openings == 0, "no inner products of these data")
    head, context, proof = r.bytes(16 + pair.base_size), r.sized(), r.sized()
    r.finish()
    a, b, rows = struct.unpack("<IIQ", head[:16])
    variables, columns = params.log_size, params.polynomials
    check(a < columns and b < columns and 1 <= rows <= 1 << variables, "columns or rows that there are not")
    statement = hash.labelled("tenfold inner product v1", committed, head, context)
    check(file.statement == statement[:32], "another digest of the statement")
    length = (2 * variables + columns) * field.size
    tape = Tape(hash, "tenfold product v1", params.digest(), statement, proof[:length])
    z, left = sumcheck(tape, field, variables, 0, pair.read_base(head[16:]))
    values = tape.elements("values at the point", columns, field)
    padding = tape.challenges("padding", variables, field)
    tape.finish()
    check(values[a] * values[b] == left, "the values at the point do not make the product")
    forms, start = [point(field, z)], rows
    while start < 1 << variables:
        inside = (start & -start).bit_length() - 1
        bits = [(field.one(), field.zero()) if start >> v & 1 == 0 else (field.zero(), field.one()) for v in range(variables)]
        forms.append(point(field, padding)[:inside] + bits[inside:])
        start += 1 << inside
    zeros = [[field.zero()] * columns for _ in forms[1:]]
    run = hash.labelled("tenfold product run v1", statement, proof[:length])
    inner = Claims(forms, [values] + zeros, b"tenfold product inner opening v1" + sized(context) + run)
    return tape.log + opening(params, committed, inner, proof[length:])
