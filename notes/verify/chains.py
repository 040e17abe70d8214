"""Inner arguments that fold words, and DeepFold (notes: PIP_FRI, Air-FRI, DeepFold)."""

from forms import apply, evaluate, expand, point
from matrix import above, combined, opened
from tape import check, open_rows, read, sumcheck


def at(pair, log_domain, squarings, position):
    """The point at a position of a domain that was squared so many times."""
    x = pair.point(log_domain + squarings, position << squarings)
    for _ in range(squarings):
        x = pair.halved(x)
    return x


def fold(pair, values, x, factors):
    """The value a even + b odd, variable by variable, of the neighbours that start at the point x."""
    points = pair.neighbours(x, len(factors))
    for a, b in factors:
        parts = [pair.parts(*values[i:i + 2], points[i]) for i in range(0, len(values), 2)]
        values, points = [a * even + b * odd for even, odd in parts], [pair.halved(point) for point in points[::2]]
    return values[0]


def word_element(pair, data):
    """An element of a word: over a binary field in the tower's bytes."""
    return pair.from_flat(data) if pair.binary else read(pair.E, data)


def word(pair, tape, root, log_domain, squarings, links, variables, log_leaf=None):
    """Opens the leaves that links point into, compares, and returns the fibres with their first points. A leaf has one fibre, or some."""
    log_leaf = variables if log_leaf is None else log_leaf
    leaves = sorted({i >> log_leaf for i in links})
    size = pair.E.size
    rows = dict(zip(leaves, open_rows(tape, root, log_domain - log_leaf, size << log_leaf, leaves)))
    result = {}
    for fibre in sorted({i >> variables for i in links}):
        row, first = rows[fibre >> log_leaf - variables], fibre << variables
        first_in_leaf = first % (1 << log_leaf)
        values = [word_element(pair, row[i * size:][:size]) for i in range(first_in_leaf, first_in_leaf + (1 << variables))]
        for i in range(1 << variables):
            position = first | i
            check(position not in links or links[position] == values[i], "a word is not the fold of the one before")
        result[fibre] = (values, at(pair, log_domain, squarings, first))
    return result


def one_chain(params, pair, stage, tape, root, weights, claim):
    field, steps = pair.E, params.steps
    check(steps, "a chain without folds")
    tail = tape.elements("tail", stage.tail, field)
    value, bound, roots, folds = claim.value, [], [], []
    for i, variables in enumerate(steps):
        if i:
            roots.append(tape.root("root"))
        r, value = sumcheck(tape, field, variables, stage.fold_grinding, value)
        bound += r
        folds.append(point(field, r))
    message = tape.elements("final message", 1 << stage.log_rows - len(bound), field)
    claim.bind(bound, value)
    check(claim.holds(message), "the final message does not satisfy the claims")
    tape.grind("query grinding", stage.grinding)
    fibres = tape.positions("positions", stage.log_domain - steps[0], stage.queries)
    positions = [f << steps[0] | i for f in fibres for i in range(1 << steps[0])]
    rows = opened(pair, stage, tape, root, weights, positions)
    values = [v - above(pair, x, stage.log_rows, tail) for x, v in rows]
    width = 1 << steps[0]
    links = {f: fold(pair, values[i * width:][:width], rows[i * width][0], folds[0]) for i, f in enumerate(fibres)}
    squarings = steps[0]
    for next_root, factors in zip(roots, folds[1:]):
        log_leaf = min(len(factors) + params.log_leaf_fibres, stage.log_rows - squarings) if params.log_leaf_fibres else None
        leaves = word(pair, tape, next_root, stage.log_domain - squarings, squarings, links, len(factors), log_leaf)
        links = {leaf: fold(pair, values, x, factors) for leaf, (values, x) in leaves.items()}
        squarings += len(factors)
    for position, value in links.items():
        x = at(pair, stage.log_domain - squarings, squarings, position)
        check(evaluate(pair, message, x) == value, "the final message is not the fold of the last word")


def two_chains(params, pair, stage, tape, root, form, claimed):
    field, folds = pair.E, stage.log_rows
    columns, rows_form = expand(field, form[:params.level.log_columns]), form[params.level.log_columns:]
    value_roots = [tape.root("value root") for _ in range(folds - 1)]
    tape.grind("fold grinding", stage.fold_grinding)
    weights = expand(field, point(field, tape.challenges("combine columns", stage.variables, field)))
    proximity_roots, alphas = [], []
    for i in range(folds):
        if i:
            proximity_roots.append(tape.root("proximity root"))
        tape.grind("fold grinding", stage.fold_grinding)
        alphas.append(tape.challenge("fold", field))
    (constant,) = tape.elements("constant", 1, field)
    tape.grind("query grinding", stage.grinding)
    fibres = tape.positions("positions", stage.log_domain - 1, stage.queries)
    positions = [2 * f + i for f in fibres for i in range(2)]
    rows = stage.open_leaves(pair, tape, root, positions)
    values, proximity = {}, {}
    for i, f in enumerate(fibres):
        x, two = pair.point(stage.log_domain, 2 * f), rows[2 * i:2 * i + 2]
        values[f] = fold(pair, [combined(pair, row, columns) for row in two], x, rows_form[:1])
        proximity[f] = fold(pair, [combined(pair, row, weights) for row in two], x, [(field.one(), alphas[0])])
    for i in range(folds - 1):
        log_domain, squared = stage.log_domain - i - 1, alphas[i] * alphas[i]
        carried = word(pair, tape, value_roots[i], log_domain, i + 1, values, 1)
        near = word(pair, tape, proximity_roots[i], log_domain, i + 1, proximity, 1)
        values = {leaf: fold(pair, v, x, [rows_form[i + 1]]) for leaf, (v, x) in carried.items()}
        swept = {leaf: [p + squared * f for p, f in zip(near[leaf][0], v)] for leaf, (v, _) in carried.items()}
        proximity = {leaf: fold(pair, v, near[leaf][1], [(field.one(), alphas[i + 1])]) for leaf, v in swept.items()}
    check(all(v == claimed for v in values.values()), "the value chain does not end in the value")
    check(all(v == constant for v in proximity.values()), "the proximity chain does not end in its constant")


def deepfold(params, pair, stage, tape, root, claims):
    """Claims are (form, value), that of the commitment first."""
    field, columns, weights = pair.E, params.log_columns, [pair.E.one()]
    if columns:
        partials = []
        for form, value in claims:
            partial = tape.elements("partial evaluations", 1 << columns, field)
            check(apply(field, form[:columns], partial) == value, "the partial evaluations do not add up")
            partials.append((form[columns:], partial))
        combination = point(field, tape.challenges("combine columns", columns, field))
        weights = expand(field, combination)
        claims = [(form, apply(field, combination, partial)) for form, partial in partials]
    rounds, roots, challenges = stage.log_rows - params.log_final, [root], []
    for i in range(rounds):
        if i:
            roots.append(tape.root("root"))
            if params.deep:
                z = tape.challenges("deep point", stage.log_rows - i, field)
                claims.append((point(field, z), tape.elements("deep value", 1, field)[0]))
        sums = [form[0][0] + form[0][1] for form, _ in claims]
        sent = tape.elements("slopes", sum(1 if s != field.zero() else 2 for s in sums), field)
        r, halved = tape.challenge("fold", field), []
        for ((a, b), *rest), value in claims:
            slope = sent.pop(0)
            if a + b != field.zero():
                even = (value - b * slope) * (a + b).inverse()
            else:
                even = sent.pop(0)
                check(a * even + b * (even + slope) == value, "the halves do not add up to the claim")
            halved.append((rest, even + r * slope))
        claims = halved
        challenges.append(r)
    message = tape.elements("final message", 1 << params.log_final, field)
    check(all(apply(field, form, message) == value for form, value in claims), "the final message misses a claim")
    tape.grind("query grinding", params.grinding)
    leaves = tape.positions("positions", stage.log_domain - 1, params.queries)
    rows = open_rows(tape, root, stage.log_domain - 1, 2 * stage.width * pair.base_size, leaves)
    links = {}
    for leaf, row in zip(leaves, rows):
        two = [combined(pair, half, weights) for half in (row[:len(row) // 2], row[len(row) // 2:])]
        links[leaf] = fold(pair, two, pair.point(stage.log_domain, 2 * leaf), point(field, challenges[:1]))
    for i in range(1, rounds):
        opened_leaves = word(pair, tape, roots[i], stage.log_domain - i, i, links, 1)
        links = {leaf: fold(pair, v, x, point(field, [challenges[i]])) for leaf, (v, x) in opened_leaves.items()}
    for position, value in links.items():
        x = at(pair, stage.log_domain - rounds, rounds, position)
        check(evaluate(pair, message, x) == value, "the final message is not the fold of the last word")
