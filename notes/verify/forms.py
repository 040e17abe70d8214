"""Linear forms of product shape: lists of factors (a, b), the lowest variable first (notes: Linear forms)."""

from fields import total


def point(field, z):
    return [(field.one() - x, x) for x in z]


def expand(field, form, scalar=None):
    table = [field.one() if scalar is None else scalar]
    for a, b in form:
        table = [w * a for w in table] + [w * b for w in table]
    return table


def apply(field, form, table):
    for a, b in form:
        table = [a * table[i] + b * table[i + 1] for i in range(0, len(table), 2)]
    return table[0]


def dot(field, xs, ys):
    return total((x * y for x, y in zip(xs, ys)), field.zero())


def bind_low(field, form, r):
    """The scalar and the form that are left when the lowest variables are bound to r."""
    scalar = field.one()
    for (a, b), x in zip(form, r):
        scalar = scalar * (a + x * (b - a))
    return scalar, form[len(r):]


def evaluate(pair, message, x):
    """The codeword of a message at a point of its code; a message of any length."""
    if not message:
        return pair.E.zero()
    values = list(message)
    while len(values) > 1:
        factor, odd = pair.factor(x), values[1::2] + [pair.E.zero()] * (len(values) % 2)
        values = [low + high * factor for low, high in zip(values[::2], odd)]
        x = pair.halved(x)
    return values[0]


class Claim:
    """<message, sum of scaled forms + sum of scaled rows of code points> = value."""

    def __init__(self, pair, forms, value):
        self.pair, self.forms, self.points, self.value = pair, forms, [], value

    def add_form(self, scalar, form, value):
        self.forms.append((scalar, form))
        self.value = self.value + scalar * value

    def add_point(self, scalar, x, value):
        self.points.append((scalar, x))
        self.value = self.value + scalar * value

    def bind(self, r, value):
        pair, field = self.pair, self.pair.E
        bound = [(scalar, *bind_low(field, form, r)) for scalar, form in self.forms]
        self.forms = [(scalar * factor, rest) for scalar, factor, rest in bound]
        for x in r:
            step = lambda p: field.one() + x * (pair.factor(p) - field.one())
            self.points = [(scalar * step(p), pair.halved(p)) for scalar, p in self.points]
        self.value = value

    def holds(self, message):
        values = [scalar * apply(self.pair.E, form, message) for scalar, form in self.forms]
        values += [scalar * evaluate(self.pair, message, p) for scalar, p in self.points]
        return total(values, self.pair.E.zero()) == self.value
