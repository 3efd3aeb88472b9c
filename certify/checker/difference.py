#!/usr/bin/env python3
"""Independent checker of rounding bounds for differences of the potential: one file, standard library only.

To run it: python difference.py certificate.json ...  A certificate holds a straight-line program with inputs a, b, nu, the polynomials D_k,
what is assumed of each operation, constants, and a bisection. Established here, in integers and rationals, is that in binary32 and binary64

    |computed - (F(b) - F(a))| <= k*u*|s(b) - s(a)| + (c + d*nu)*w,      s(x) = sqrt(x^2 + nu^2),
    F = s - nu*log(nu + s) - log(s)/2 + sum_k D_k(nu/s)/nu^k,

for all a, b in [0, max/4] and nu in [nu_min, max/4], w being the most that underflow adds to the error of one operation. DIFFERENCE.md says
what is assumed of underflow, what is checked, and why that suffices. Exit: 0 accepted, 1 refused, 4 unreadable.
"""

import functools, hashlib, itertools, json, math, re, sys  # noqa: E401, I001
from collections import namedtuple
from fractions import Fraction
from typing import Any

FORMAT, MAX_NODES, MAX_ORDER, MAX_BYTES, MAX_WORK = "certify.rounding.difference/1", 1000, 20, 1 << 24, 2 * 10**6
MAX_TERMS, MAX_BITS, MAX_POWER = 1 << 13, 2000, 200
BITS, ONE, SLICES = 24, 1 << 64, 8  # u <= 2^-BITS; real numbers are scaled by ONE; parts of [0, 1] on which underflow is looked at
CONSTANT = Fraction(501, 1000)  # ulps: a constant is rounded to the format, perhaps by way of binary64
ROUNDED = ("add", "sub", "mul", "div", "hypot", "log1p")
OPERATIONS = {"neg": 1, "log1p": 1, "select": 3} | dict.fromkeys(("add", "sub", "mul", "div", "hypot", "min", "max", "less"), 2)
NUMBER, FROM = re.compile(r"-?\d{1,99}(?:/\d{1,99})?", re.ASCII), re.compile(r"\[(\d+(?:/\d+)?), oo\)", re.ASCII)
Established = namedtuple("Established", "statements lemmas")

class Refused(ValueError):
    """The certificate does not establish its theorem; the message says where."""

def require(condition, message):
    if not condition:
        raise Refused(message)

def rational(text):
    require(type(text) is str and NUMBER.fullmatch(text), f"not a rational number: {str(text)[:80]}")
    require((number := Fraction(text)) == 0 or 2**60 >= abs(number) >= Fraction(1, 2**60), f"a number is too large or too small: {text}")
    return number

# ---- programs: nodes (op, arguments or value), the last of them the output ----------------------------------------------------------

def read(nodes, outputs):
    require(0 < len(nodes) <= MAX_NODES and len(outputs) == 1, "a program has nodes, not too many, and one output")
    program = []
    for place, node in enumerate(nodes):
        op, args, value = node["op"], node.get("args", []), node.get("value", "")
        if op in ("input", "constant"):
            require(not args and (op == "constant" or value in ("a", "b", "nu")), f"node {place}: the inputs are a, b and nu")
            program.append((op, rational(value) if op == "constant" else value))
        else:
            require(OPERATIONS.get(op) == len(args) and not value, f"node {place}: no operation {op} on {len(args)} arguments")
            require(all(type(k) is int and 0 <= k < place for k in args), f"node {place}: the arguments are earlier nodes")
            program.append((op, *args))
    require(type(outputs[0]) is int and 0 <= outputs[0] < len(program), "the output is a node")
    return program, outputs[0]

def decided(program, output, low, strict):
    """The program where input ``low`` is the smaller one, strictly or not, as nodes over low, high and nu without choices; and its sign."""
    names: Any = {"a": 1, "b": 1, low: 0, "nu": 2}
    places, nodes = [], [("input", name) for name in ("low", "high", "nu")]
    for place, (op, *args) in enumerate(program):
        known: Any = names[args[0]] if op == "input" else args if op == "constant" else [places[k] for k in args]
        if op in ("min", "max", "less"):
            pair = [("low", "high")[arg] if type(arg) is int and arg < 2 else "" for arg in known]
            require(sorted(pair) == ["high", "low"], f"node {place}: {op} is of a and b")
            known = strict and pair == ["low", "high"] if op == "less" else known[pair.index("low" if op == "min" else "high")]
        elif op == "select":
            require(type(known[0]) is bool, f"node {place}: a choice is between a < b and b < a")
            known = known[1] if known[0] else known[2]
        elif op != "input":
            require(bool not in map(type, known), f"node {place}: the outcome of a comparison is for choices only")
            known = nodes.append((op, *known)) or len(nodes) - 1
        places.append(known)
    return pruned(nodes, places[output])

def pruned(nodes, output):
    sign = 1
    while nodes[output][0] == "neg":
        sign, output = -sign, nodes[output][1]
    needed = {output}
    for place in range(output, -1, -1):
        needed |= set(arguments(nodes[place])) if place in needed else set()
    new = {old: place for place, old in enumerate(sorted(needed))}
    return tuple((op, *(map(new.get, args) if arguments((op, *args)) else args)) for op, *args in map(nodes.__getitem__, new)), sign

def arguments(node):
    return node[1:] if node[0] not in ("input", "constant") else ()

# ---- the program as a function: a fraction of polynomials {powers: coefficient} -----------------------------------------------------
# in low, high, nu, s0, s1, L1 = log((nu + s1)/(nu + s0)) and L0 = log(s1/s0), where low^2 = s0^2 - nu^2 and high^2 = s1^2 - nu^2.

LOW, HIGH, NU, S0, S1, L1, L0 = ({tuple(int(k == place) for k in range(7)): Fraction(1)} for place in range(7))
UNITY = {(0,) * 7: Fraction(1)}

def plus(p, q, factor: Any = 1):
    return {f: c for f in {**p, **q} if (c := p.get(f, 0) + factor * q.get(f, 0))}

def times(p, q):
    total, small = {}, all(max(c.numerator.bit_length(), c.denominator.bit_length()) <= MAX_BITS for c in (*p.values(), *q.values()))
    require(small and len(p) * len(q) <= MAX_TERMS, "the program is too large as a function")
    for (f, c), (g, d) in itertools.product(p.items(), q.items()):
        for powers, e in reduced(list(map(int.__add__, f, g)), c * d):
            total[powers] = total.get(powers, 0) + e
    return {f: c for f, c in total.items() if c}

def reduced(powers, c):
    """The term without squares of low and high."""
    for place in (0, 1):
        if powers[place] == 2:
            for root, sign in ((3 + place, 1), (2, -1)):
                term = [n * (k != place) + 2 * (k == root) for k, n in enumerate(powers)]
                yield from reduced(term, sign * c)
            return
    yield tuple(powers), c

def reciprocal(n, d):
    (powers, c), *others = n.items()
    return (d, n) if others or powers[0] or powers[1] else (times(d, {tuple(-k for k in powers): 1 / c}), UNITY)

def function(program):
    """The exact output, a fraction."""
    values, leaves = [], {"low": LOW, "high": HIGH, "nu": NU}
    for op, *args in program:
        if op in ("input", "constant"):
            values.append((leaves[args[0]] if op == "input" else plus({}, UNITY, args[0]), UNITY))
            continue
        (n, d), (m, e) = values[args[0]], values[args[-1]]
        if op in ("add", "sub"):
            sign = 1 if op == "add" else -1
            values.append((plus(n, m, sign), d) if d == e else (plus(times(n, e), times(m, d), sign), times(d, e)))
        elif op in ("mul", "div"):
            m, e = (m, e) if op == "mul" else reciprocal(m, e)
            values.append((times(n, m), times(d, e)))
        elif op == "hypot":
            values.append((S1 if program[leg(program, args)][1] == "high" else S0, UNITY))
        else:
            values.append((plus({}, n, -1), d) if op == "neg" else (logarithm(n, d), UNITY))
    return values[-1]

def leg(program, args):
    """Of the arguments of a hypot the one that is not nu."""
    names = {program[k][1]: k for k in args}
    require(names.keys() in ({"low", "nu"}, {"high", "nu"}), "hypot is of nu and of the smaller or the larger of a and b")
    return next(k for name, k in names.items() if name != "nu")

def logarithm(n, d):
    for atom, base, top in ((L1, plus(NU, S0), plus(NU, S1)), (L0, S0, S1)):
        if times(plus(n, d), base) == times(d, top):
            return atom
    raise Refused("a logarithm is not of (nu + s1)/(nu + s0), nor of s1/s0")

def potential(debye):
    """F(high) - F(low)."""
    total = plus(plus(plus(S1, S0, -1), times(NU, L1), -1), L0, Fraction(-1, 2))
    for k, coefficients in enumerate(debye, 1):
        for j, c in enumerate(map(rational, coefficients)):
            down = k + 2 * j
            total = plus(total, {(0, 0, 2 * j, 0, -down, 0, 0): c, (0, 0, 2 * j, -down, 0, 0, 0): -c})
    return total

# ---- the sweeps over a box ------------------------------------------------------------------------------------------------------------
# With t = nu/s0, q = s0/s1, eps = 1/nu, D = s1 - s0 and X = (low + high)/s1, a quantity is a unit D^i*X^j*t^k*q^l*eps^m times a number from
# an interval. There nu = 1/eps, s0 = 1/(eps*t), s1 = 1/(eps*t*q), (high - low)*X = D*(1 + q), and D <= s1.

NONE, GAP, ORDER, SMALL, LARGE = (0,) * 5, (1, 0, 0, 0, 0), (0, 0, 0, 0, -1), (0, 0, -1, 0, -1), (0, 0, -1, -1, -1)  # 1, D, nu, s0, s1
RECIPROCALS, WHOLE = ((0, 0, 1, 0, 1), (0, 0, 1, 1, 1)), (ONE, ONE)

def up(number):
    return -(-number.numerator * ONE // number.denominator)

def by(a, b):
    (p, q), (r, s) = a, b
    if p >= 0 and r >= 0:
        return p * r >> 64, -(-q * s >> 64)
    ends = p * r, p * s, q * r, q * s
    return min(ends) >> 64, -(-max(ends) >> 64)

def inverse(a):
    require(a[0] > 0, "division by an interval that is not positive")
    return ONE * ONE // a[1], -(-ONE * ONE // a[0])

def leg_of(cosine):
    """sqrt(1 - cosine^2)."""
    low, high = (max(ONE * ONE - end * end, 0) for end in reversed(cosine))
    return math.isqrt(low), min(math.isqrt(high) + 1, ONE)

def negative(a):
    return -a[1], -a[0]

def from_zero(a):
    return min(a[0], 0), max(a[1], 0)

def joined(unit, other, sign=1):
    return tuple(n + sign * m for n, m in zip(unit, other, strict=True))

def widened(a, error):
    return a[0] + (-abs(a[0]) * error >> 64), a[1] - (-abs(a[1]) * error >> 64)

def exact(program, op, args, ulps):
    """Whether a result is exact, underflow aside: a constant of BITS bits at most, a correctly rounded product with a power of two."""
    if op == "constant":
        n, d = abs(args[0].numerator), args[0].denominator
        return d & (d - 1) == 0 and (n // (n & -n or 1)).bit_length() <= BITS
    factors = [program[k][1] for k in args if program[k][0] == "constant"] if (op, ulps.get(op)) == ("mul", Fraction(1, 2)) else []
    return op in ("input", "neg") or any(c and all(n & (n - 1) == 0 for n in (abs(c.numerator), c.denominator)) for c in factors)

def relative_errors(program, ulps):
    """Of all nodes: an ulp is at most 2u times the number."""
    return [0 if exact(program, op, args, ulps) else up(2 * ulps.get(op, CONSTANT) / 2**BITS) for op, *args in program]

class Sweep:
    """The values of all nodes over a box (t, q, eps), and how the output depends on them. Errors are relative here: see Underflow."""
    def __init__(self, program, errors, box):
        self.program, self.errors, self.box, self.values, self.slopes, self.powers, self.normal = program, [*errors], box, [], {}, {}, set()
        for place, (op, *args) in enumerate(program):
            self.values.append(self.rounded(place, op, *getattr(self, op)(place, *args)))

    def rounded(self, place, op, unit, value):
        return unit, widened(value, self.errors[place])

    def passed(self, unit, value):
        return unit, value

    def power(self, powers):
        """t^k*q^l*eps^m."""
        if powers not in self.powers:
            require(0 <= min(powers) <= max(powers) <= MAX_POWER, "a quantity is not bounded in the unit that it is needed in")
            self.powers[powers] = functools.reduce(by, itertools.chain(*map(itertools.repeat, self.box, powers)), WHOLE)
        return self.powers[powers]

    def total(self, parts):
        (unit, value), *others = parts
        for other, part in others:
            require(unit[:2] == other[:2], "a sum of quantities that are not in proportion to the difference alike")
            least = tuple(map(min, unit, other))
            value, part = (by(v, self.power(joined(u, least, -1)[2:])) for u, v in ((unit, value), (other, part)))
            unit, value = least, (value[0] + part[0], value[1] + part[1])
        return unit, value

    def of_both(self, args):
        """Whether the arguments are low and high."""
        return {self.program[k] for k in args} == {("input", "low"), ("input", "high")}

    def input(self, place, name):
        t, q, _ = self.box
        return (ORDER, WHOLE) if name == "nu" else (SMALL, leg_of(t)) if name == "low" else (LARGE, leg_of(by(t, q)))

    def constant(self, place, c):
        return NONE, (c.numerator * ONE // c.denominator, up(c))

    def hypot(self, place, *args):
        return SMALL if self.program[leg(self.program, args)][1] == "low" else LARGE, WHOLE

    def add(self, place, *args):
        return self.sum_of_both() if self.of_both(args) else self.total([self.values[k] for k in args])

    def sub(self, place, x, y):
        if self.of_both((x, y)):
            unit, value = self.gap()
            return unit, value if self.program[x][1] == "high" else negative(value)
        (unit, value), second = self.values[x], self.values[y]
        return self.total([(unit, value), (second[0], negative(second[1]))])

    def mul(self, place, x, y):
        return joined(self.values[x][0], self.values[y][0]), by(self.values[x][1], self.values[y][1])

    def neg(self, place, x):
        return self.values[x][0], negative(self.values[x][1])

    def div(self, place, x, y):
        unit, value = joined(self.values[x][0], self.values[y][0], -1), by(self.values[x][1], inverse(self.values[y][1]))
        if unit in RECIPROCALS and value[0] > ONE - (ONE >> 10):  # at least sqrt(8)/max: subnormal results are within 3/2 u as well
            self.normal.add(place)
            self.errors[place] = -(-3 * self.errors[place] // 2)
        return unit, value

    def gap(self):
        """high - low."""
        _, (low, high), _ = self.box
        return (1, -1, 0, 0, 0), (ONE + low, ONE + high)

    def sum_of_both(self):
        return (0, 1, -1, -1, -1), WHOLE

    def log1p(self, place, x):
        """log(1 + z), z = D/s0*g: as 1 + z = f/q with f = q + (1 - q)*g, the slope is q/f, and 2/(2 + z) <= log(1 + z)/z <= (1 + q/f)/2."""
        (unit, (low, high)), (p, q) = self.values[x], self.box[1]
        require(unit == joined(GAP, SMALL, -1) and low > 0, "the argument of a logarithm is not the difference over something like s0")
        least, most = (tuple(g + (end * (ONE - g) >> 64) for end in (p, q)) for g in (low, high))
        self.slopes[place] = (0, 0, 0, 1, 0), inverse((min(least), max(most) + 1))
        above = min(ONE, ONE + -(-(q << 64) // least[1]) + 1 >> 1)
        below = (2 * p << 64) // (2 * p + ((ONE - p) * high >> 64) + 1)
        return unit, by((low, high), (below, above))

    def partials(self, place):
        """The derivatives of a node by its arguments."""
        op, *args = self.program[place]
        parts = [self.values[k] for k in args]
        if op in ("add", "sub", "neg"):
            return [(NONE, negative(WHOLE) if op == "neg" or (op, n) == ("sub", 1) else WHOLE) for n in range(len(args))]
        if op in ("mul", "log1p"):
            return parts[::-1] if op == "mul" else [self.slopes[place]]
        reverse = joined(NONE, parts[1][0], -1), inverse(parts[1][1])
        return [reverse, (joined(reverse[0], self.values[place][0]), negative(by(reverse[1], self.values[place][1])))]

    def adjoints(self):
        """For every node, from the last one on, the derivative of the output by it, with and without the uses that it may be fused with."""
        uses = {len(self.program) - 1: [(NONE, WHOLE, False)]}
        for place in range(len(self.program) - 1, -1, -1):
            op, *args = self.program[place]
            if op == "input":
                continue
            yield place, op, args, self.total([(unit, from_zero(value) if fused else value) for unit, value, fused in uses[place]])
            if op in ("constant", "hypot"):
                continue
            unit, value = self.passed(*self.total([part[:2] for part in uses[place]]))
            value = widened(value, self.errors[place])
            for k, (other, part) in zip(args, self.partials(place), strict=True):
                fused = op in ("add", "sub") and self.program[k][0] == "mul"
                uses.setdefault(k, []).append((joined(unit, other), by(value, part), fused))

    def bound(self):
        """A bound of the error over D."""
        bound = 0
        for place, _, _, (unit, value) in self.adjoints():
            if self.errors[place]:
                unit, value = joined(unit, self.values[place][0]), by(value, self.values[place][1])
                require(unit[:2] == GAP[:2], "an error is not in proportion to the difference")
                bound += -(-max(map(abs, by(value, self.power(unit[2:])))) * self.errors[place] >> 64)
        return bound

class Underflow(Sweep):
    """The values with underflow too, and what one error of size w at each node, beside the relative ones, does to the output.

    A result exceeds the exact one, relative errors aside, by 8 least positive numbers at most, that is by less than 2^-BITS*32/s1, which is
    below 2^-10 units whose powers are at most 1. What is at least 2^-10 of a unit whose powers are at most 0 is no subnormal number.
    """
    def gap(self):
        return GAP, WHOLE

    def sum_of_both(self):
        return self.total([self.values[self.program.index(("input", name))] for name in ("low", "high")])

    def log1p(self, place, x):
        unit, value = self.values[x]
        require(value[0] >= 0, "the argument of a logarithm may be negative")
        self.slopes[place] = NONE, (0, ONE)
        return unit, (0, value[1])

    def rounded(self, place, op, unit, value):
        value = widened(value, self.errors[place])
        if op not in ROUNDED or (max(unit) <= 0 and value[0] > ONE >> 10):
            self.normal.add(place)
        if place not in self.normal:
            if op != "sub" or unit != GAP:
                unit, value = self.passed(unit, value)
                if max(unit) > 1:
                    unit, value = NONE, by(value, self.power(unit[2:]))
                signed = self.errors[place] > ONE >> BITS  # correct rounding keeps signs
                value = value[0] - (signed or value[0] < 0) * (ONE >> 10), value[1] + (signed or value[1] > 0) * (ONE >> 10)
            value = from_zero(value)
        self.fits(*self.passed(unit, value))
        return unit, value

    def fits(self, unit, value):
        """Nothing overflows: s1 is at most max/sqrt(8)."""
        large = -min(unit)
        require(large <= 1, "a quantity may overflow")
        limit = max(map(abs, by(value, self.power(joined(unit, LARGE, -1)[2:] if large == 1 else unit[2:]))))
        require(limit <= (181 * (ONE >> 6) if large == 1 else ONE << 60), "a quantity may overflow")

    def passed(self, unit, value):
        """With s1 in place of D."""
        return joined(joined(unit, GAP, -1), LARGE) if unit[0] == 1 else unit, value

    def coefficients(self):
        """c and d such that the effect is at most (c + d*nu)*w."""
        found = [0, 0]
        for place, op, args, (unit, value) in self.adjoints():
            if place not in self.normal:
                if unit[0] and op == "div" and self.program[args[0]][0] == "add" and self.of_both(self.program[args[0]][1:]):
                    unit, value = joined(unit, GAP, -1), (5 * value[0], 5 * value[1])  # as it underflows, high - low <= low + high < 5
                unit, value = self.passed(unit, value)
                found[unit[4] < 0] += max(map(abs, by(value, self.power((*unit[2:4], unit[4] + (unit[4] < 0))))))
        return found

# ---- the theorem ------------------------------------------------------------------------------------------------------------------------

class Theorem:
    def __init__(self, program: Any, debye, nu, profile, k, underflow):
        require(all(len(each) <= MAX_ORDER + 1 for each in [debye, *debye]), "too many D_k, or of too many coefficients")
        require(profile.keys() == {"name", "ulps", "monotone"} and type(profile["name"]) is str, "not a profile")
        match: Any = FROM.fullmatch(nu)
        require(match and 8 * Fraction(match[1]) >= 1, f"the range of nu is [nu_min, oo), nu_min >= 1/8: {nu}")
        self.eps, self.ulps = 1 / Fraction(match[1]), {op: rational(text) for op, text in profile["ulps"].items()}
        require(all(Fraction(1, 2) <= ulps <= 1000 for ulps in self.ulps.values()), "a bound is below half an ulp, or above 1000")
        self.k, self.underflow = rational(k), [rational(underflow[place]) for place in (0, 1)]
        nodes, output = read(**program)
        cases = [decided(nodes, output, low, strict) for low, strict in (("a", True), ("b", True), ("a", False))]  # the last is for a = b
        require(cases[0][1] == 1 and cases[1][1] == -1, "the sign is not that of b - a")
        self.programs = {case: relative_errors(case, self.ulps) for case, _ in cases}
        for case, errors in self.programs.items():
            require({op for op, *_ in case if op in ROUNDED} <= self.ulps.keys(), "the profile has no bound for an operation")
            n, d = function(case)
            require(n == times(potential(debye), d), "the program is not F(b) - F(a)")
            self.look_at_underflow(case, errors)

    def look_at_underflow(self, program, errors):
        parts = [(ONE * n // SLICES, ONE * (n + 1) // SLICES) for n in range(SLICES)]
        for box in itertools.product(parts, parts, [(0, up(self.eps))]):
            c, d = (Fraction(c, ONE) for c in Underflow(program, errors, box).coefficients())
            require(c <= self.underflow[0] and d <= self.underflow[1], f"underflow may add {float(c):.4g} w + {float(d):.4g} nu*w")

    def error(self, box):
        """A bound of the errors, as a multiple of u*D, on a box of t, q and the share of eps."""
        ends = [(ONE * low >> depth, ONE * high >> depth) for low, high, depth in box[:2]]
        low, high, depth = box[2]
        ends.append((math.floor(self.eps * low * ONE / 2**depth), math.ceil(self.eps * high * ONE / 2**depth)))
        return max(Fraction(Sweep(program, errors, ends).bound() << BITS, ONE) for program, errors in self.programs.items())

def tile(tree, work, holds):
    """Walk a bisection tree of the unit cube in preorder: -1, -2, -3 halve along t, q, the share of eps, lower half first; 0 must hold."""
    require(len(tree) * work <= MAX_WORK, "the tree takes more work than this checker grants")
    boxes = [((0, 1, 0),) * 3]
    for label in tree:
        require(boxes, "the tree has more entries than it needs")
        box = boxes.pop()
        if label in (-1, -2, -3):
            boxes += halves(box, -1 - label)[::-1]
        else:
            require(label == 0 and holds(box), f"the bound does not hold where {words(box)}")
    require(not boxes, "the tree does not tile the box")

def halves(box, axis):
    low, high, depth = box[axis]
    require(depth < 60, "the tree is too deep")
    return [(*box[:axis], half, *box[axis + 1 :]) for half in ((2 * low, low + high, depth + 1), (low + high, 2 * high, depth + 1))]

def words(box):
    ends = [f"[{Fraction(low, 1 << depth)}, {Fraction(high, 1 << depth)}]" for low, high, depth in box]
    return f"nu/s0 in {ends[0]}, s0/s1 in {ends[1]}, share of 1/nu in {ends[2]}"

def statements(theorem):
    profile, (c, d) = theorem["profile"], theorem["underflow"]
    spelt = (node.get("value") or f"{node['op']}({', '.join(f'v{a}' for a in node['args'])})" for node in theorem["program"]["nodes"])
    yield "the program " + "; ".join(f"v{place} = {text}" for place, text in enumerate(spelt))
    for k, coefficients in enumerate(theorem["debye"], 1):
        yield f"with D_{k}(t) = " + " + ".join(f"({c})*t^{k + 2 * j}" for j, c in enumerate(coefficients))
    terms = "".join(f" + D_{k}(nu/s)/nu^{k}" for k in range(1, len(theorem["debye"]) + 1))
    yield f"with F(x) = s - nu*log(nu + s) - log(s)/2{terms}, s(x) = sqrt(x^2 + nu^2)"
    bounds = ", ".join(f"{op} {ulps}" for op, ulps in profile["ulps"].items())
    yield f"under profile {profile['name']!r}: results within so many ulps of the exact ones, 1/2 being correctly rounded: {bounds}"
    yield "constants are within 501/1000 ulp; a product may be fused with the sum or difference that it enters; w is the most that"
    yield "underflow adds to the error of one operation: at most the least normal number, and at most 8 least positive ones or the result"
    claimed = f"|computed v{theorem['program']['outputs'][0]} - (F(b) - F(a))| <= {theorem['k']} u |s(b) - s(a)| + ({c} + {d} nu) w"
    yield f"{claimed} in binary32 (u = 2^-24) and binary64 (u = 2^-53)"
    yield f"for all floats a, b in [0, max/4] and nu in {theorem['nu']} up to max/4 (up to max/8 and not subnormal, where those become 0)"

canonical = functools.partial(json.dumps, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

def digest(certificate):
    return "sha256:" + hashlib.sha256(canonical({key: certificate[key] for key in certificate if key != "digest"}).encode()).hexdigest()

def plain(value):
    if type(value) in (list, dict):
        return all(map(plain, value)) and (type(value) is list or all(map(plain, value.values())))
    return type(value) is int or (type(value) is str and value.isascii() and value.isprintable())

def check(certificate):
    """Re-establish a certificate; return what it establishes and the lemmas that it cites (none), or raise Refused."""
    try:
        require(plain(certificate), "a certificate has only printable ASCII strings, integers, lists and objects in it")
        require(certificate["digest"] == digest(certificate), "the digest does not belong to the content")
        return establish(**certificate)
    except Exception as error:
        raise Refused((str(error) if isinstance(error, Refused) else f"malformed: {type(error).__name__}: {error}")[:400]) from None

def establish(format, claim, theorem, proof, lemmas, digest):
    require(format == FORMAT and type(claim) is str, f"unknown format; this checker reads {FORMAT}")
    require(proof.keys() == {"tree"} and lemmas == [], "a proof is a tree, and cites nothing")
    stated = Theorem(**theorem)
    tile(proof["tree"], sum(map(len, stated.programs)), lambda box: stated.error(box) <= stated.k)
    return Established(list(statements(theorem)), lemmas)

def unique(pairs):
    return require(len(dict(pairs)) == len(pairs), "a field is given twice") or dict(pairs)

def main(paths, code=0):
    for path in paths:
        try:
            with open(path, "rb") as file:
                require(len(content := file.read(MAX_BYTES + 1)) <= MAX_BYTES, "the file is too large")
            established, lemmas = check(json.loads(str(content, "utf-8"), object_pairs_hook=unique))
            print("\n  ".join([f"{path!a}: ACCEPTED", *established, *(f"cited: {lemma}" for lemma in lemmas)]))
        except Refused as error:
            print(f"{path!a}: REFUSED: {error}")
            code = max(code, 1)
        except (OSError, ValueError, RecursionError) as error:
            print(f"{path!a}: not readable as JSON: {ascii(error)[:120]}", file=sys.stderr)
            code = 4
    return code if paths else 4

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
