#!/usr/bin/env python3
"""Independent checker of certificates. Standard library only; copied out of its project it still runs: python checker.py certificate.json …

It trusts nothing but the wording of the theorem and the cited lemmas, both of which it prints; all arithmetic is in integers and rationals.
A certificate states a theorem about symbols, gives a chart that makes them rational functions of a few variables, and proves the
theorem in steps. Each step is re-established by one rule:
  evaluation   an identity of rational functions holds if it holds on a grid with more points per variable than the degree
  bernstein    a polynomial is positive on the unit box if its Bernstein coefficients are, on every leaf of a bisection tree
  intervals    an expression is positive on the unit box if its rational interval value is, on every leaf of a bisection tree
  combination  a sum of nonnegative multiples of nonnegative expressions is nonnegative, and positive if one term is
  induction    relations that hold for the first member of a sequence, and for the next one where they hold for one, hold for all
  barrier      a function that the solution of a differential equation cannot cross bounds it (cited: comparison lemma)
  enclosure    an upper and a lower barrier give a two-sided bound
  integration  a bound of the derivative bounds differences (cited: mean value inequality)
Degrees and evaluation counts are computed here from the expressions, never taken from the certificate. Exit: 0 accepted, 1 refused, 4 unreadable.
"""

import ast
import copy
import hashlib
import itertools
import json
import math
import operator
import sys
from collections import namedtuple
from fractions import Fraction

FORMAT, MAX_GRID, MAX_EXPONENT, MAX_TEXT = "certify.certificate/1", 1_000_000, 400, 100_000
LEMMAS = {
    "barrier": "comparison lemma: let y' = f(x, y), 0 < y < c, y -> 0 at 0, and at every x > 0 either B' > f(x, B) or B > c. If B > 0 at 0, or if B -> 0 "
    "at 0, f decreases in y > 0 and B > 0, then y < B (a first contact needs B' <= f(x, B) and B < c; y - B >= 0 would grow towards 0). Below: likewise, 0 for c",
    "integration": "mean value inequality: |Y' - F'| < U on (0, oo), Y and F continuous on [0, oo) give |[Y(b) - Y(a)] - [F(b) - F(a)]| <= U*|b - a|",
}
# How a chart variable v runs over a symbol's whole interval, continuously, the symbols before it held fixed: expression, v's and the symbol's interval.
MAPS = {
    "itself": ("{v}", None, None),
    "multiple": ("({c})*{v}", "(0, 1]", "(0, {c}]"),
    "reciprocal": ("({c})/{v}", "(0, 1]", "[{c}, oo)"),
    "stereographic": ("({c})*(2*{v}/(1 - {v}**2))", "(0, 1)", "(0, oo)"),
}
WORDS = {
    "identity": "{left} = {right}",
    "positive": "one at least of {any_of} is > 0",
    "nonnegative": "one at least of {any_of} is >= 0",
    "induction": "for the sequences [first, next] {state}, as long as {goes_on} > 0, for every k: {phases}[k mod {period}]",
    "barrier": "{solution} is {side} {function}",
    "bound": "|{solution} - ({candidate})| < {radius}",
    "difference bound": "|[Y(b) - Y(a)] - [F(b) - F(a)]| <= ({radius})*|b - a| for all a, b >= 0, where Y' = {solution}, F = {potential}",
}
RELATIONS = {"positive": ">", "nonnegative": ">="}
Established = namedtuple("Established", "statements lemmas")


class Refused(ValueError):
    """The certificate does not establish its theorem; the message says where."""


def require(condition, message):
    if not condition:
        raise Refused(message)


# An expression is an integer, a symbol (string) or a tuple (op, a, b); the exponent of "**" is a positive integer, "log" has b = 1.
SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
EXACT = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": Fraction, "**": operator.pow}


def build(op, a, b):
    """The expression a op b, with the simplifications that derivatives need."""
    if (op == "*" and 0 in (a, b)) or (op in ("/", "**") and a == 0):
        return 0
    if (op in ("+", "-") and b == 0) or (op in ("*", "/", "**") and b == 1):
        return a
    return 1 if op == "**" and b == 0 else b if (op, a) in (("+", 0), ("*", 1)) else (op, a, b)


def substitute(node, values):
    if isinstance(node, tuple):
        return build(node[0], substitute(node[1], values), substitute(node[2], values))
    return values.get(node, node) if isinstance(node, str) else node


def level(interval):
    """2 for an interval of positive numbers, 1 for nonnegative ones, else 0."""
    low = Fraction(interval[1:].split(",")[0]) if interval else -1
    return 0 if low < 0 else 2 if low > 0 or interval[0] == "(" else 1


def interval(op):
    def apply(a, b):
        a, b = (v if isinstance(v, tuple) else (v, v) for v in (a, b))
        require(op != "/" or b[0] > 0 or b[1] < 0, "division by an interval that contains zero")
        ends = [EXACT[op](p, q) for p in a for q in b]
        return (0 if op == "**" and b[0] % 2 == 0 and a[0] < 0 < a[1] else min(ends)), max(ends)

    return apply


INTERVAL = {op: interval(op) for op in EXACT}


class Setting:
    """The theorem's symbols and what they stand for in the chart's variables."""

    def __init__(self, theorem, chart):
        self.domain, self.solutions = theorem["domain"], theorem.get("solutions", {})
        self.meaning, self.roots, self.starts, self.variables = {}, {}, {}, dict.fromkeys(theorem.get("derivatives", {}), "")
        self.slopes = {f: {v: self.parse(d) for v, d in slopes.items()} for f, slopes in theorem.get("derivatives", {}).items()}
        for name, text in theorem.get("where", {}).items():
            if text.startswith("sqrt(") and text.endswith(")"):
                self.roots[name] = self.parse(text[5:-1])
            else:
                self.meaning[name] = self.parse(text)
        require(set(self.domain) == set(chart["symbols"]) and set(self.roots) == set(chart["roots"]), "the chart must give every symbol and root")
        for name, interval in self.domain.items():
            self.meaning[name] = self.run_over(name, interval, **chart["symbols"][name])
        self.meaning |= {name: self.parse(text) for name, text in chart["roots"].items()}
        names = [*self.domain, *theorem.get("where", {}), *self.solutions, *self.slopes, *(v for v in self.variables if v not in self.slopes)]
        require(len(set(names)) == len(names), "a name has two meanings")
        for root, radicand in self.roots.items():
            require(self.sign(self.meaning[root]) == 2, f"the chart's {root} is not positive by its form")
            require(self.equal(("**", root, 2), radicand), f"the chart's {root} is not the root of its radicand")

    def run_over(self, symbol, target, map, variable, scale):
        """The symbol's expression in a new chart variable."""
        expression, own, covered = (text and text.format(v=variable, c=scale) for text in MAPS[map])
        require(covered in (None, target), f"the map {map} covers {covered}, not {target}")
        require(variable.isidentifier() and variable not in self.variables, "each symbol brings in a variable of its own")
        require(self.sign(self.parse(scale)) == 2, f"the scale {scale} is not positive by its form")
        self.variables[variable] = own or target
        self.starts |= {symbol: variable} if map == "stereographic" else {}
        return self.parse(expression)

    def parse(self, text):
        require(isinstance(text, str) and len(text) < MAX_TEXT, "an expression must be a string of reasonable length")
        return self.convert(ast.parse(text, mode="eval").body)

    def convert(self, node):
        match node:
            case ast.Constant(value=n) if type(n) is int:
                return n
            case ast.Name(id=name):
                return name
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return build("-", 0, self.convert(a))
            case ast.BinOp(left=a, op=op, right=b) if type(op) in SYMBOLS:
                a, b = self.convert(a), self.convert(b)
                require(type(op) is not ast.Pow or (isinstance(b, int) and 0 < b <= MAX_EXPONENT), "an exponent must be a small positive integer")
                return build(SYMBOLS[type(op)], a, b)
            case ast.Call(func=ast.Name(id="log"), args=[a], keywords=[]):
                return ("log", self.convert(a), 1)
            case ast.Call(func=ast.Name(id="diff"), args=[a, ast.Name(id=v)], keywords=[]):
                return self.diff(self.convert(a), v)
        raise Refused(f"not in the language of expressions: {ast.unparse(node)[:80]}")

    def diff(self, node, v):
        """The derivative with respect to the symbol v of the domain, the other symbols of the domain held fixed."""
        if not isinstance(node, tuple):
            return self.slope(node, v) if isinstance(node, str) else 0
        op, a, b = node
        da, db = self.diff(a, v), self.diff(b, v)
        match op:
            case "*":
                return build("+", build("*", da, b), build("*", a, db))
            case "/":
                return build("-", build("/", da, b), build("/", build("*", a, db), build("**", b, 2)))
            case "**":
                return build("*", build("*", b, build("**", a, b - 1)), da)
            case "log":
                return build("/", da, a)
        return build(op, da, db)

    def slope(self, name, v):
        if name in self.domain or name in self.solutions:
            return int(name == v)
        if name in self.slopes:
            return self.slopes[name][v]
        if name in self.roots:
            return build("/", self.diff(self.roots[name], v), ("*", 2, name))
        derived = f"d {name} / d {v}"
        self.meaning[derived] = self.diff(self.meaning[name], v)
        return self.meaning[derived] and derived

    def value(self, node, point, operations=EXACT):
        """The value where the chart's variables are ``point``, which also remembers the symbols met."""
        if isinstance(node, tuple):
            require(node[0] != "log", "a logarithm has no rational value: only its derivative may enter")
            return operations[node[0]](self.value(node[1], point, operations), self.value(node[2], point, operations))
        if isinstance(node, str) and node not in point:
            point[node] = self.value(self.meaning[node], point, operations)
        return point[node] if isinstance(node, str) else node

    def shape(self, node, sizes):
        """Numerator and denominator as products {factor: power}; ``sizes`` collects each factor's degrees."""
        if not isinstance(node, tuple):
            if node in self.variables:
                sizes[node, "factor"] = {node: 1}
                return {(node, "factor"): 1}, {}
            if isinstance(node, str) and node not in sizes:
                sizes[node] = self.shape(self.meaning[node], sizes)
            return sizes[node] if isinstance(node, str) else ({}, {})
        op, a, b = node
        (p, q), (r, s) = self.shape(a, sizes), self.shape(b, sizes)
        if op == "**":
            return merge(*[p] * b), merge(*[q] * b)
        if op in "*/":
            above, below = (merge(p, r), merge(q, s)) if op == "*" else (merge(p, s), merge(q, r))
            return tuple({f: k - min(k, other.get(f, 0)) for f, k in side.items()} for side, other in ((above, below), (below, above)))
        common = {f: max(q.get(f, 0), s.get(f, 0)) for f in {**q, **s}}
        lifted = [degree(merge(up, common, {f: -k for f, k in down.items()}), sizes) for up, down in ((p, q), (r, s))]
        sizes[node] = {v: max(size.get(v, 0) for size in lifted) for v in {**lifted[0], **lifted[1]}}
        return {node: 1}, common

    def vanishes(self, node, fixed=()):
        """Whether the expression is identically zero, by evaluation on a grid that its degrees make large enough."""
        size = degree(self.shape(node, sizes := {})[0], sizes)
        counts = {v: size.get(v, 0) + 1 for v in self.variables if v not in dict(fixed)}
        require(math.prod(counts.values()) <= MAX_GRID, "the identity needs too many evaluations")
        for first in (2, 211, 1009):  # another grid, should the first meet a pole
            grid = itertools.product(*(range(first, first + count) for count in counts.values()))
            try:
                return all(self.value(node, {**dict(zip(counts, point)), **dict(fixed)}) == 0 for point in grid)
            except ZeroDivisionError:
                continue
        raise Refused("the identity has a pole on every grid tried")

    def equal(self, left, right):
        return self.vanishes(build("-", left, right))

    def sign(self, node):
        """2 if the expression is > 0 by its form, 1 if it is >= 0, 0 if its form does not say."""
        match node:
            case int(n):
                return 2 if n > 0 else int(n == 0)
            case str(name):
                known = self.domain.get(name, self.variables.get(name, "(0, oo)" if name in self.roots else None))
                return self.sign(self.meaning[name]) if known is None else level(known)
            case ("-", 1, str(v)) | ("-", 1, ("**", str(v), _)):
                return 2 * (self.variables.get(v) == "(0, 1)")
            case (op, a, b):
                first, second = self.sign(a), self.sign(b)
                kinds = {"+": max(first, second) * (min(first, second) > 0), "*": min(first, second), "/": first * (second == 2)}
                return max(first, 1 - b % 2) if op == "**" else kinds.get(op, 0)

    def positive(self, text):
        node = self.parse(text)
        require(self.sign(node) == 2, f"the factor {text} is not positive by its form")
        return node

    def extended(self, free):
        """The same setting with further free variables and their intervals."""
        other = copy.copy(self)
        other.variables, other.meaning = {**self.variables, **free}, dict(self.meaning)
        require(len(other.variables) == len(self.variables) + len(free) and not set(free) & {*self.meaning, *self.slopes}, "a name has two meanings")
        return other

    def parts(self, node):
        """All subexpressions, definitions opened."""
        if isinstance(node, str) and node not in {**self.domain, **self.roots, **self.variables}:
            yield from self.parts(self.meaning[node])
            return
        yield node
        for part in node[1:] if isinstance(node, tuple) else ():
            yield from self.parts(part)

    # The rules: each takes a statement, its evidence and the statements before it.

    def evaluation(self, statement, _evidence, _steps):
        require(statement["kind"] == "identity", "evaluation establishes identities")
        require(self.equal(self.parse(statement["left"]), self.parse(statement["right"])), f"not an identity: {words(statement)}")

    def bernstein(self, statement, evidence, _steps):
        self.agree(statement, evidence, [horner(table, list(self.variables)) for table in evidence["polynomials"]])
        tile(evidence["tree"], [to_bernstein(table, len(self.variables)) for table in evidence["polynomials"]], halve_bernstein, lambda p: min(p[1]) >= (statement["kind"] == "positive"))

    def intervals(self, statement, evidence, _steps):
        forms = [self.parse(form) for form in evidence["forms"]]
        self.agree(statement, evidence, forms)
        pieces = [(form, ((0, 1),) * len(self.variables)) for form in forms]
        tile(evidence["tree"], pieces, halve_box, lambda p: self.value(p[0], dict(zip(self.variables, p[1])), INTERVAL)[0] > 0)

    def agree(self, statement, evidence, forms):
        """Each expression of the statement, times a factor positive by its form, is the form that is shown to be positive."""
        require(statement["kind"] in RELATIONS, "this rule establishes inequalities")
        require(set(self.variables.values()) <= {"(0, 1]", "(0, 1)"}, "this rule needs a chart on the unit box")
        require(len(statement["any_of"]) == len(evidence["multipliers"]) == len(forms) > 0, "one form for each expression is needed")
        for text, multiplier, form in zip(statement["any_of"], evidence["multipliers"], forms):
            require(self.equal(build("*", self.positive(multiplier), self.parse(text)), form), f"({multiplier})*({text}) is not the form given")

    def combination(self, statement, evidence, steps):
        relation = RELATIONS[statement["kind"]]
        known = [(self.parse(step["any_of"][0]), RELATIONS[step["kind"]]) if len(step.get("any_of", ())) == 1 else None for step in steps]
        require(len(statement["any_of"]) == 1, "a combination is of single inequalities")
        self.follows(self.parse(statement["any_of"][0]), relation, evidence["terms"], known)

    def follows(self, target, relation, terms, known):
        """target relation 0 because target = sum of coefficient*fact; the fact of number -1 is 1 > 0."""
        total, positive = 0, False
        for text, index in terms:
            (fact, kind), factor = known[index] if index >= 0 else (1, ">"), self.parse(text)
            require(kind == "=" or (relation != "=" and self.sign(factor)), f"the coefficient {text} is not >= 0 by its form")
            positive = positive or (kind == ">" and self.sign(factor) == 2)
            total = build("+", total, build("*", factor, fact))
        require(positive or relation != ">", "no term of the sum is positive")
        require(self.equal(target, total), "the expression is not the sum given")

    def induction(self, statement, evidence, _steps):
        """Phases are lists of relations; phase k mod period holds at the k-th member. Symbols that a phase bounds directly have that sign in its step."""
        state, phases = statement["state"], [[self.relation(text) for text in phase] for phase in statement["phases"]]
        first, then = ({name: self.parse(pair[i]) for name, pair in state.items()} for i in (0, 1))
        require(not set(state) & {*self.domain, *self.roots, *self.meaning} and evidence["first"] and phases, "a member of the state has another meaning")
        for (target, relation), terms in zip(phases[0], evidence["first"], strict=True):
            self.follows(substitute(target, first), relation, terms, [])
        for k, (phase, proofs) in enumerate(zip(phases, evidence["next"], strict=True)):
            known = phase + [(self.parse(text), ">") for text in statement["goes_on"]]
            signs = {fact: "(0, oo)" if kind == ">" else "[0, oo)" for fact, kind in known if kind != "="}
            here = self.extended({name: signs.get(name, "") for name in state})
            for (target, relation), terms in zip(phases[(k + 1) % len(phases)], proofs, strict=True):
                here.follows(substitute(target, then), relation, terms, known)

    def relation(self, text):
        left, kind, zero = text.rsplit(" ", 2)
        require(zero == "0" and kind in (">", ">=", "="), f"not a relation: {text}")
        return self.parse(left), kind

    def barrier(self, statement, evidence, steps):
        solution, side, wall = self.solutions[statement["solution"]], statement["side"], self.parse(statement["function"])
        x, start, upper = solution["variable"], self.parse(evidence["start"]), side == "below"
        require(side in ("below", "above") and x in self.starts, f"the barrier must be on one side, and {x} run from 0")
        for node in self.parts(wall):
            if isinstance(node, tuple) and node[0] == "/":
                require(self.sign(node[2]) == 2 and x not in self.parts(node[2]), f"the barrier may be singular at {x} = 0")
        require(all(self.sign(substitute(radicand, {x: 0})) == 2 for radicand in self.roots.values()), f"a root may vanish at {x} = 0")
        require(self.vanishes(build("-" if upper else "+", wall, start), fixed=[(self.starts[x], 0)]), f"the barrier does not start at {evidence['start']}")
        require(self.sign(start) == 2 or (start == 0 and self.damped(statement["solution"]) and (not upper or self.sign(wall) == 2)), "the start is not strict")
        residual = build("-", self.diff(wall, x), substitute(self.parse(solution["equation"]), {statement["solution"]: wall}))
        escape = build("-", wall, self.parse(solution["below"]) if upper else 0)
        needed = [residual, escape] if upper else [build("-", 0, residual), build("-", 0, escape)]
        shown, factors = steps[evidence["inequality"]], evidence["factors"]
        require(shown["kind"] == "positive" and 0 < len(shown["any_of"]) == len(factors) <= 2, "no such inequality")
        for text, factor, target in zip(shown["any_of"], factors, needed):
            require(self.equal(self.parse(text), build("*", self.positive(factor), target)), f"{text} is not the inequality needed")

    def damped(self, name):
        """Whether the equation's right-hand side decreases in the solution, the damping -df/dy being positive by its form."""
        damping, field = (self.parse(self.solutions[name][key]) for key in ("damping", "equation"))
        here = self.extended({name: "(0, oo)"})
        return here.sign(damping) == 2 and here.equal(build("-", 0, damping), here.diff(field, name))

    def enclosure(self, statement, evidence, steps):
        candidate, radius = self.parse(statement["candidate"]), self.parse(statement["radius"])
        for side, op in (("below", "+"), ("above", "-")):
            step = steps[evidence[side]]
            require((step["kind"], step.get("side"), step.get("solution")) == ("barrier", side, statement["solution"]), f"no barrier {side}")
            require(self.equal(self.parse(step["function"]), (op, candidate, radius)), f"the barrier {side} is not candidate {op} radius")

    def integration(self, statement, evidence, steps):
        bound, identity, radius = steps[evidence["bound"]], steps[evidence["identity"]], statement["radius"]
        require((statement["kind"], bound["kind"], identity["kind"]) == ("difference bound", "bound", "identity"), "needs a bound and an identity")
        require((statement["solution"], radius) == (bound["solution"], bound["radius"]), "integration keeps solution and radius")
        x = self.solutions[bound["solution"]]["variable"]
        require(self.diff(self.parse(radius), x) == 0, f"the radius must not depend on {x}")
        derivative = f"diff({statement['potential']}, {x})"
        require((identity["left"], identity["right"]) == (derivative, bound["candidate"]), "the potential's derivative is not the candidate")

    RULES = ("evaluation", "bernstein", "intervals", "combination", "induction", "barrier", "enclosure", "integration")


def merge(*products):
    return {f: sum(product.get(f, 0) for product in products) for f in {f: None for product in products for f in product}}


def degree(product, sizes):
    return merge(*({v: k * d for v, d in sizes[f].items()} for f, k in product.items() if k))


def horner(table, names):
    """The expression of a nested list of integer coefficients: that of u**i*v**j at [i][j]."""
    require(isinstance(table, list) and table if names else type(table) is int, "a polynomial is nested lists of integers, one level per variable")
    total = 0 if names else table
    for part in reversed(table if names else []):
        total = build("+", build("*", total, names[0]), horner(part, names[1:]))
    return total


def along(p, axis, rows):
    """Multiply every line of the array (shape, flat list) along an axis by a matrix."""
    (shape, flat), result = p, list(p[1])
    stride = math.prod(shape[axis + 1 :])
    for block in range(0, len(flat), stride * shape[axis]):
        for first in range(block, block + stride):
            line = slice(first, block + stride * shape[axis], stride)
            result[line] = [sum(map(operator.mul, row, flat[line])) for row in rows]
    return shape, result


def to_bernstein(table, dimension):
    """Bernstein coefficients on the unit box: sum over i <= k of C(k, i)/C(n, i)*a_i along each axis, times a positive integer."""
    shape, flat = [len(table)], table
    while len(shape) < dimension:
        shape.append(len(flat[0]))
        require(all(len(part) == shape[-1] for part in flat), "the table of coefficients is ragged")
        flat = [entry for part in flat for entry in part]
    p = shape, flat
    for axis, size in enumerate(shape):
        scale = math.lcm(*(math.comb(size - 1, i) for i in range(size)))
        p = along(p, axis, [[math.comb(k, i) * (scale // math.comb(size - 1, i)) for i in range(k + 1)] for k in range(size)])
    return p


def halve_bernstein(p, axis):
    """de Casteljau at 1/2, times 2**n: the coefficients of the lower and of the upper half."""
    n = p[0][axis] - 1
    lower = [[math.comb(k, i) << (n - k) for i in range(k + 1)] for k in range(n + 1)]
    return along(p, axis, lower), along(p, axis, [[0] * (n + 1 - len(row)) + row[::-1] for row in lower[::-1]])


def halve_box(p, axis):
    (form, box), (low, high) = p, p[1][axis]
    middle = Fraction(low + high) / 2
    return [(form, (*box[:axis], half, *box[axis + 1 :])) for half in ((low, middle), (middle, high))]


def tile(tree, pieces, halve, holds):
    """Walk the bisection tree in preorder: -1-a halves along axis a, lower half first; k >= 0 is a leaf on which piece k must hold."""
    labels, stack = iter(tree), [pieces]
    while stack:
        pieces, label = stack.pop(), next(labels, None)
        require(type(label) is int, "the tree does not tile the box")
        if label >= 0:
            require(holds(pieces[label]), "a leaf of the tree does not show positivity")
        else:
            halves = [halve(piece, -1 - label) for piece in pieces]
            stack += [[half[1] for half in halves], [half[0] for half in halves]]
    require(next(labels, None) is None, "the tree has more entries than it needs")


def words(statement):
    return WORDS[statement["kind"]].format(**statement, period=len(statement.get("phases", ())))


def context(theorem):
    yield from (f"for every {name} in {interval}" for name, interval in theorem["domain"].items())
    yield from (f"with {name} = {text}" for name, text in theorem.get("where", {}).items())
    yield from (f"with d{f}/d{v} = {d}" for f, slopes in theorem.get("derivatives", {}).items() for v, d in slopes.items())
    for y, s in theorem.get("solutions", {}).items():
        yield f"with {y} = {s['is']}: d{y}/d{s['variable']} = {s['equation']}, {y} -> 0 at 0, 0 < {y} < {s['below']} (cited: {s['source']})"


def digest(certificate):
    body = {key: value for key, value in certificate.items() if key != "digest"}
    return "sha256:" + hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


def check(certificate):
    """Re-establish a certificate; return what it establishes and the lemmas that it cites, or raise Refused."""
    try:
        return establish(certificate)
    except Refused:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError, SyntaxError) as error:
        raise Refused(f"malformed: {type(error).__name__}: {str(error)[:120]}") from None


def establish(certificate):
    require(set(certificate) == {"format", "claim", "theorem", "proof", "lemmas", "digest"}, "these are not the fields of a certificate")
    require(certificate["format"] == FORMAT, f"unknown format; this checker reads {FORMAT}")
    require(certificate["digest"] == digest(certificate), "the digest does not belong to the content")
    theorem, proof, steps, lemmas = certificate["theorem"], certificate["proof"], [], []
    setting = Setting(theorem, proof["chart"])
    for number, step in enumerate(proof["steps"]):
        rule = step["evidence"]["rule"]
        require(rule in Setting.RULES, f"step {number}: unknown rule {rule}")
        try:
            getattr(setting, rule)(step["statement"], step["evidence"], steps)
        except Refused as error:
            raise Refused(f"step {number} ({rule}): {error}") from None
        lemmas += [LEMMAS[rule]] if rule in LEMMAS and LEMMAS[rule] not in lemmas else []
        steps.append(step["statement"])
    missing = [words(statement) for statement in theorem["statements"] if statement not in steps]
    require(theorem["statements"] and not missing, f"not established: {missing}")
    require(certificate["lemmas"] == lemmas, "the cited lemmas are not those used")
    return Established([*context(theorem), *map(words, theorem["statements"])], lemmas)


def main(paths):
    code = 0 if paths else 4
    for path in paths:
        try:
            with open(path, encoding="utf-8") as file:
                established = check(json.load(file))
        except Refused as error:
            print(f"{path}: REFUSED: {error}")
            code = max(code, 1)
        except (OSError, ValueError, RecursionError) as error:
            print(f"{path}: not readable as JSON: {error}", file=sys.stderr)
            code = 4
        else:
            print("\n  ".join([f"{path}: ACCEPTED", *established.statements, *(f"cited: {lemma}" for lemma in established.lemmas)]))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
