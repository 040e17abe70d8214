"""What PIP_FRI and Ligerito share: the column sumcheck, the mask of a hiding opening, the recursion (notes: PIP_FRI, Hiding)."""

from forms import Claim, bind_low, dot, evaluate, expand, point
from hashes import NODE
from tape import Tape, check, open_rows, sumcheck


class Stage:
    """A committed matrix: the code of its columns, its width in data elements, and its queries."""

    def __init__(self, log_rows, tail, width, variables, level, log_leaf=0, log_parts=0):
        self.log_rows, self.tail, self.width, self.variables = log_rows, tail, width, variables
        self.log_leaf, self.log_parts = log_leaf, log_parts
        self.log_domain = log_rows + level.log_inv_rate
        self.queries, self.grinding, self.fold_grinding = level.queries, level.grinding, level.fold_grinding

    def open_leaves(self, pair, tape, root, leaves):
        """The leaves at sorted positions, as their rows."""
        size = self.width * pair.base_size
        rows = lambda leaf: [leaf[i:i + size] for i in range(0, len(leaf), size)]
        digest = lambda leaf: parts_digest(tape.hash, rows(leaf), self.log_parts, self.width, pair.base_size)
        opened = open_rows(tape, root, self.log_domain - self.log_leaf, size << self.log_leaf, leaves, digest)
        return [row for leaf in opened for row in rows(leaf)]


def parts_digest(hash, rows, log_parts, width, size):
    """The digest of a leaf, or part of one: its rows have so many elements of so many bytes, and are cut in halves of columns again and again."""
    if log_parts == 0:
        return hash.leaf(b"".join(rows))
    left = width // 2
    halves = ([row[:left * size] for row in rows], left), ([row[left * size:] for row in rows], width - left)
    return hash(NODE, b"".join(parts_digest(hash, half, log_parts - 1, columns, size) for half, columns in halves))


def stages(params, pair, tail):
    """The first matrix, and one for each level of the recursion."""
    columns = params.polynomials << params.level.log_columns
    log_rows = params.log_size - params.level.log_columns
    width = columns * (pair.degree if params.extension else 1) + pair.degree * params.hidden_openings
    log_leaf = min(params.steps[0] + params.log_leaf_fibres, log_rows) if pair.binary and params.steps else 0
    if params.steps and not pair.binary and params.log_parts:
        log_leaf = min(params.steps[0], 4)
    result = [Stage(log_rows, tail, width, (columns - 1).bit_length(), params.level, log_leaf, params.log_parts)]
    for level in params.levels:
        log_rows -= level.log_columns
        result.append(Stage(log_rows, 0, pair.degree << level.log_columns, level.log_columns, level))
    return result


def out_of_domain_form(params, pair, root):
    tape = Tape(params.hash, f"tenfold {params.scheme} commit v1", params.digest(), root)
    return point(pair.E, tape.challenges("out-of-domain point", params.log_size, pair.E))


def all_claims(params, pair, commitment, claims):
    """(form, one value for each polynomial), that of the commitment first."""
    given = list(zip(claims.forms, claims.values))
    if params.multiplicity == 0:
        return given
    return [(out_of_domain_form(params, pair, commitment.root), commitment.out_of_domain)] + given


def column_sumcheck(params, pair, stage, tape, claims):
    """One claim about one combination of the columns, and its weights."""
    field, fragments = pair.E, params.level.log_columns
    gamma = tape.challenge("batch columns", field)
    power, value, scaled = field.one(), field.zero(), []
    for form, values in claims:
        scalars = []
        for v in values:
            scalars.append(power)
            value, power = value + power * v, power * gamma
        scaled.append((form, scalars))
    r, value = sumcheck(tape, field, stage.variables, stage.fold_grinding, value)
    polynomials, forms = expand(field, point(field, r[fragments:])), []
    for form, scalars in scaled:
        factor, rows = bind_low(field, form, r[:fragments])
        forms.append((factor * dot(field, scalars, polynomials), rows))
    weights = expand(field, point(field, r))[:params.polynomials << fragments]
    return by_columns(params, pair, weights), Claim(pair, forms, value)


def by_columns(params, pair, weights):
    """Weights of the columns from those of fragments, whose entries take several columns if they are of the challenge field."""
    return [w * b for w in weights for b in pair.basis()] if params.extension else weights


def masked(params, pair, stage, tape, claims):
    """The hiding form: a mask in place of the sumcheck."""
    field, fragments = pair.E, params.level.log_columns
    mask = tape.receive("mask", 1)[0]
    check(mask < params.hidden_openings and len(claims) == 1, "no such mask")
    tape.grind("fold grinding", stage.fold_grinding)
    r = tape.challenges("combine columns", stage.variables, field)
    beside = tape.challenge("columns beside the mask", field)
    weights = expand(field, point(field, r), beside)[:params.polynomials << fragments]
    (value,) = tape.elements("masked value", 1, field)
    tape.grind("fold grinding", stage.fold_grinding)
    alpha = tape.challenge("mask and claims", field)
    form, values = claims[0]
    columns, scalar = expand(field, form[:fragments]), field.one()
    for p, v in enumerate(values):
        scalar = scalar * alpha
        value = value + scalar * v
        for k, c in enumerate(columns):
            weights[p << fragments | k] = weights[p << fragments | k] + scalar * c
    weights = by_columns(params, pair, weights)
    for i in range(params.hidden_openings):
        weights += [b if i == mask else field.zero() for b in pair.basis()]
    return weights, Claim(pair, [(field.one(), form[fragments:])], value)


def combined(pair, row, weights):
    size = pair.base_size
    return dot(pair.E, [pair.read_base(row[i:i + size]) for i in range(0, len(row), size)], weights)


def opened(pair, stage, tape, root, weights, positions):
    """Points and combined values of the rows at positions; their leaves may have other rows beside them."""
    leaves = sorted({i >> stage.log_leaf for i in positions})
    places = [leaf << stage.log_leaf | i for leaf in leaves for i in range(1 << stage.log_leaf)]
    rows = dict(zip(places, stage.open_leaves(pair, tape, root, leaves)))
    return [(pair.point(stage.log_domain, i), combined(pair, rows[i], weights)) for i in positions]


def above(pair, x, log_rows, tail):
    """What the coefficients above the data add at a point."""
    high = x
    for _ in range(log_rows):
        high = pair.halved(high)
    return pair.factor(high) * evaluate(pair, tail, x)


def queried(pair, stage, tape, root, weights, tail):
    tape.grind("query grinding", stage.grinding)
    positions = tape.positions("positions", stage.log_domain, stage.queries)
    rows = opened(pair, stage, tape, root, weights, positions)
    return [(x, value - above(pair, x, stage.log_rows, tail)) for x, value in rows]


def recursion(params, pair, stages, tape, root, weights, claim):
    field = pair.E
    tail = tape.elements("tail", stages[0].tail, field)
    for before, stage in zip(stages, stages[1:]):
        next_root, outside = tape.root("root"), None
        if params.multiplicity:
            z = tape.challenges("out-of-domain point", before.log_rows, field)
            outside = tape.elements("out-of-domain value", 1, field)[0]
        rows = queried(pair, before, tape, root, weights, tail)
        gamma = tape.challenge("batch", field)
        scalar = gamma
        if outside is not None:
            claim.add_form(scalar, point(field, z), outside)
            scalar = scalar * gamma
        for x, value in rows:
            claim.add_point(scalar, x, value)
            scalar = scalar * gamma
        r, value = sumcheck(tape, field, stage.variables, stage.fold_grinding, claim.value)
        claim.bind(r, value)
        weights = [w * b for w in expand(field, point(field, r)) for b in pair.basis()]
        root, tail = next_root, []
    last = stages[-1]
    message = tape.elements("final message", 1 << last.log_rows, field)
    check(claim.holds(message), "the final message does not satisfy the claims")
    for x, value in queried(pair, last, tape, root, weights, tail):
        check(evaluate(pair, message, x) == value, "the final message disagrees with a row")
