#!/usr/bin/env python3
"""Independent checker of certificates: one file, standard library only. To run it: python checker.py certificate.json ...

It trusts nothing but the wording of the theorem and the cited lemmas, which it prints; all arithmetic is exact. A certificate states a
theorem about symbols, gives a chart that makes them rational functions of a few variables, and proves it in steps. Each is established by
one rule, a method of Setting, which takes no degree or count from the certificate; FORMAT.md says why that suffices. Exit: 0, 1 refused, 4.
"""

import ast, copy, functools, hashlib, itertools, json, math, operator, re, sys  # noqa: E401, I001
from collections import namedtuple
from fractions import Fraction
from typing import Any

MAX_NAMES, MAX_TEXT, MAX_EXPONENT, MAX_BITS, MAX_SIZE, MAX_BYTES, MAX_WORK = 500, 20_000, 400, 20_000, 1 << 24, 1 << 24, 10**8
LEMMAS = {
    "barrier": "comparison lemma: let y' = f(x, y), 0 < y < c, y -> 0 at 0, and B be differentiable. If at every x > 0 B' > f(x, B) or "
    "B > c, and either B has a limit > 0 at 0, or B -> 0, B > 0 and f decreases in y > 0, then y < B. If at every x > 0 B' < f(x, B) or "
    "B < 0, and either B has a limit < 0 at 0, or B -> 0 and f decreases in y > 0, then y > B. (First contact; or y - B grows towards 0.)",
    "integration": "mean value inequality: if |Y' - F'| < G' on (0, oo), and Y, F and G are continuous on [0, oo), then "
    "|[Y(b) - Y(a)] - [F(b) - F(a)]| <= |G(b) - G(a)|",
}
# How a chart variable v runs over a symbol's interval i, with c > 0 in the symbols before it: its expression, v's interval, what i must be.
MAPS = {
    "itself": ("{v}", "{i}", "{i}"), "multiple": ("({c})*{v}", "(0, 1]", "(0, {c}]"), "reciprocal": ("({c})/{v}", "(0, 1]", "[{c}, oo)"),
    "stereographic": ("({c})*(2*{v}/(1 - {v}**2))", "(0, 1)", "(0, oo)"), "odds": ("({c})*({v}/(1 - {v}))", "(0, 1)", "(0, oo)"),
}
RELATIONS = {"positive": ">", "nonnegative": ">="}
WORDS = {
    "identity": "{left} = {right}, wherever both are defined", "positive": "{any_of} > 0", "nonnegative": "{any_of} >= 0",
    "supremum": "{low} <= {symbol} <= {high}", "induction": "let {sequences}{condition}; then at every member{alternately} {relations}",
    "barrier": "{solution} is {side} {function}", "bound": "|{solution} - ({candidate})| < {radius}",
    "difference bound": "{change} <= |G(b) - G(a)| for a, b >= 0, where Y' = {solution}, Y is continuous, F = {potential}, G = {majorant}",
    "oscillation bound": "{change} <= {radius} for all a, b >= 0, where Y' = {solution}, Y is continuous, and F = {potential}",
}
# Which kinds of statements each rule establishes; its method takes the fields of the statement and of the evidence by name.
RULES = dict.fromkeys(("bernstein", "intervals"), tuple(RELATIONS)) | {"combination": (*RELATIONS, "barrier")}
RULES |= {"evaluation": ("identity",), "cases": ("positive",)} | {rule: (rule,) for rule in ("supremum", "induction", "barrier")}
RULES |= {"enclosure": ("bound",), "integration": ("difference bound",), "oscillation": ("oscillation bound",)}
UNIT = {"(0, 1]", "(0, 1)", "[0, 1]"}  # intervals of the unit box
FIELDS = {kind: dict.fromkeys(set(re.findall(r"{(\w+)}", text)) - {"change"}, str) for kind, text in WORDS.items()}
FIELDS |= {"positive": {"any_of": list}, "nonnegative": {"any_of": list}, "induction": {"state": dict, "goes_on": list, "phases": list}}
LEVELS, SOLUTION = ("defined", ">= 0", "> 0"), {"variable", "equation", "below", "damping", "is", "source"}
NAME = re.compile(r"(?!(?:log|diff|sqrt|sup|oo)\Z)[A-Za-z]\w*", re.ASCII)
TOKENS = re.compile(r"(?:[A-Za-z]\w*\b|\d+\b|[-+*/() ]|,(?! *[)]))*", re.ASCII)
INTERVAL = re.compile(r"(?:\(-oo|[(\[](-?\d+(?:/\d+)?)), (?:oo\)|(-?\d+(?:/\d+)?)[)\]])", re.ASCII)
Interval, Established = namedtuple("Interval", "low high"), namedtuple("Established", "statements lemmas")
ONE = {-1: (1, ">")}  # the fact that combinations know by the number -1
NO_VALUE = "a logarithm has no rational value: only its derivative may enter"
canonical = functools.partial(json.dumps, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
FORMAT, LEFT = "certify.certificate/1", [MAX_WORK]  # units of work that may still be done: one is an operation on small numbers

class Refused(ValueError):
    """The certificate does not establish its theorem; the message says where."""

def require(condition, message):
    if not condition:
        raise Refused(message)

def spend(units):
    LEFT[0] -= units
    require(LEFT[0] >= 0, "the proof takes more work than this checker grants")

def plain(value):
    if type(value) in (list, dict):
        return all(map(plain, value)) and (type(value) is list or all(map(plain, value.values())))
    return type(value) is int or (type(value) is str and value.isascii() and value.isprintable())

class Node(tuple):
    """An expression that is no integer and no symbol (string): (op, a, b), where b is a positive integer in "**", and 1 in "log"."""
    def __init__(self, _parts):
        self.key = super().__hash__()  # found once, since expressions share large parts

    def __hash__(self):
        return self.key

SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
FUNCTIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": Fraction, "**": operator.pow}

def build(op, a, b):
    """The expression a op b, with the simplifications that derivatives need."""
    if (op == "*" and 0 in (a, b)) or (op == "/" and a == 0):
        return 0
    if (op in ("+", "-") and b == 0) or (op in ("*", "/", "**") and b == 1):
        return a
    return 1 if op == "**" and b == 0 else b if (op, a) in (("+", 0), ("*", 1)) else Node((op, a, b))

def substitute(node, values):
    if isinstance(node, tuple):
        return spend(10) or Node((node[0], substitute(node[1], values), substitute(node[2], values)))
    return values.get(node, node) if isinstance(node, str) else node

def exactly(op, a, b):
    if Interval in (type(a), type(b)):
        return on_intervals(op, a, b)
    require(op != "**" or b * (a.numerator.bit_length() + a.denominator.bit_length()) <= MAX_BITS, "a number has too many digits")
    result = FUNCTIONS[op](a, b)
    require((bits := result.numerator.bit_length() + result.denominator.bit_length()) <= MAX_BITS, "a number has too many digits")
    spend(1 + bits // 64)
    return result

def on_intervals(op, a, b):
    a, b = (v if isinstance(v, Interval) else Interval(v, v) for v in (a, b))
    require(op != "/" or b.low > 0 or b.high < 0, "division by an interval that contains zero")
    ends = [exactly(op, p, q) for p in a for q in b]
    return Interval(0 if op == "**" and b.low % 2 == 0 and a.low < 0 < a.high else min(ends), max(ends))

def level(interval):
    """2 if the numbers of the interval, whose ends are rational, are > 0, 1 if they are >= 0, else 0."""
    match = INTERVAL.fullmatch(interval)
    low, high = (None if end is None else Fraction(end) for end in (match.groups() if match else ("0", "0")))
    require(low is None or high is None or low < high, f"not a nonempty interval with rational ends: {interval}")
    return 0 if low is None or low < 0 else 2 if low > 0 or interval[0] == "(" else 1

class Setting:
    """The theorem's symbols, what they stand for in the chart's variables, and levels (see ``sign``), in ``shown`` by steps."""
    def __init__(self, domain, where, derivatives, solutions, symbols, roots):
        self.domain, self.names, self.meaning, self.roots, self.starts, self.solutions = domain, set(), {}, {}, {}, {}
        self.suprema, self.variables, self.levels = {}, dict.fromkeys([*derivatives, *solutions], ""), dict.fromkeys(derivatives, 0)
        self.facts, self.shown, self.own = dict(ONE), {}, [entry["variable"] for entry in symbols.values()]
        names = [*domain, *where, *derivatives, *solutions, *self.own]
        require(len(set(names)) == len(names) <= MAX_NAMES and all(map(NAME.fullmatch, names)), "a name has two meanings, or is no name")
        require(domain.keys() == symbols.keys(), "the chart must give every symbol of the domain, and nothing else")
        for name, target in domain.items():
            self.meaning[name] = self.run_over(name, target, **symbols[name])
            self.names.add(name)
        self.names |= set(derivatives)
        self.slopes = {f: {v: self.parse(text) for v, text in slopes.items()} for f, slopes in derivatives.items()}
        require(all(slopes.keys() <= domain.keys() for slopes in derivatives.values()), "derivatives are along symbols of the domain")
        for name, text in where.items():
            match self.tree(text):
                case ast.Call(func=ast.Name(id="sqrt"), args=[radicand], keywords=[]):
                    self.roots[name], self.levels[name] = self.convert(radicand, self.names), 2
                case ast.Call(func=ast.Name(id="sup"), args=[_, *_] as parts, keywords=[]):
                    self.suprema[name] = [self.convert(part, self.names) for part in parts]
                case definition:
                    self.meaning[name] = self.convert(definition, self.names)
            self.names.add(name)
        require(self.roots.keys() == roots.keys(), "the chart must give every square root, and nothing else")
        for name, radicand in self.roots.items():
            self.meaning[name] = self.form(roots[name], least=2)
            require(self.sign(radicand) >= 0 and self.equal(("**", name, 2), radicand), f"{name} is not the root of its radicand")
        for name, facts in solutions.items():
            require(facts.keys() == SOLUTION and all(type(fact) is str for fact in facts.values()), f"the facts on {name} are not the six")
            field, damping = (self.parse(facts[key], {*self.names, name}) for key in ("equation", "damping"))
            self.solutions[name] = facts["variable"], field, self.parse(facts["below"]), damping
            require(facts["variable"] in domain and self.levels[facts["variable"]] == 2, f"the variable of {name} is no symbol > 0")
            self.slopes[name], self.levels[name] = {facts["variable"]: field}, 2
        self.names |= set(solutions)

    def run_over(self, symbol, target, map, variable, scale):
        expression, own, covered = (text.format(v=variable, c=scale, i=target) for text in MAPS[map])
        require(covered == target, f"the map {map} covers {covered}, not {target}")
        self.parse(scale, least=2)
        self.variables[variable], self.levels[variable], self.levels[symbol] = own, level(own), level(own)
        self.starts |= {symbol: variable} if map in ("stereographic", "odds") else {}  # where both go to 0 together
        return self.parse(expression, {*self.names, variable})

    def extended(self, levels, free=()):
        """The same setting with these levels, none that steps have shown, and with further free symbols."""
        other, variables = copy.copy(self), {**self.variables, **dict.fromkeys(free, "")}
        other.names, other.variables, other.levels, other.shown = {*self.names, *free}, variables, {**self.levels, **levels}, {}
        return spend(len(other.names) + len(other.levels)) or other

    def closed(self, x):
        """The same setting for x >= 0: an expression that is defined there by its form is smooth there."""
        require(x in self.starts and x == list(self.domain)[-1], f"{x} must run from 0 to oo with all else held fixed: put it last")
        other = self.extended({x: 1, **dict.fromkeys(self.slopes, -1)})
        require(all(other.sign(radicand) == 2 for radicand in self.roots.values()), f"a root may vanish at {x} = 0")
        return other

    def parse(self, text, names=None, least=-1):
        """The expression, in the theorem's symbols unless others are allowed, if its form gives it this sign at least."""
        node = self.convert(self.tree(text), self.names if names is None else names)
        require(least < 0 or self.sign(node) >= least, f"{text} is not {LEVELS[least]} by its form")
        return node

    def tree(self, text):
        require(len(text) <= MAX_TEXT and TOKENS.fullmatch(text), f"not an expression: {text[:80]}")
        return spend(50 + len(text)) or ast.parse(text.strip(), mode="eval").body

    def form(self, text, least=-1):
        """An expression of the evidence, into which the chart's variables may enter."""
        return self.parse(text, {*self.names, *self.variables}, least)

    def convert(self, node, names):
        match node:
            case ast.Constant(value=leaf) | ast.Name(id=leaf) if type(leaf) is int or leaf in names:
                return leaf
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return Node(("-", 0, self.convert(a, names)))
            case ast.BinOp(left=a, op=op, right=b) if type(op) in SYMBOLS:
                a, b = self.convert(a, names), self.convert(b, names)
                require(type(op) is not ast.Pow or (type(b) is int and 0 < b <= MAX_EXPONENT), "an exponent must be a small integer > 0")
                return Node((SYMBOLS[type(op)], a, b))
            case ast.Call(func=ast.Name(id="log"), args=[a], keywords=[]):
                return Node(("log", self.convert(a, names), 1))
            case ast.Call(func=ast.Name(id="diff"), args=[a, ast.Name(id=v)], keywords=[]) if v in self.domain:
                slope = self.diff(a := self.convert(a, names), v)
                return slope if self.sign(a) >= 0 else Node(("/", slope, ("-", 2, 1)))  # a divisor whose sign is not known by its form
        raise Refused(f"not an expression, or not in symbols known here: {ast.unparse(node)[:80]}")

    def diff(self, node, v):
        """The derivative with respect to the symbol v, the other free symbols held fixed."""
        spend(20)
        if not isinstance(node, tuple):
            return self.slope(node, v) if isinstance(node, str) else 0
        op, a, b = node
        da, db = self.diff(a, v), self.diff(b, v)
        if op == "/":
            return build("-", build("/", da, b), build("/", build("*", a, db), build("**", b, 2)))
        if op in ("**", "log"):
            return build("*", build("*", b, build("**", a, b - 1)), da) if op == "**" else build("/", da, a)
        return build("+", build("*", da, b), build("*", a, db)) if op == "*" else build(op, da, db)

    def slope(self, name, v):
        if name == v or name in self.domain or name in self.suprema:
            return int(name == v)
        if name in self.slopes or name in self.roots:
            return self.slopes[name][v] if name in self.slopes else build("/", self.diff(self.roots[name], v), ("*", 2, name))
        derived = f"d {name} / d {v}"
        self.meaning[derived] = self.diff(self.meaning[name], v)
        return self.meaning[derived] and derived

    def value(self, node, known) -> Any:
        """The value for these values of the chart's variables: a number, or an interval where one of these is."""
        if isinstance(node, tuple):
            require(node[0] != "log", NO_VALUE)
            return exactly(node[0], self.value(node[1], known), self.value(node[2], known))
        if isinstance(node, str) and node not in known:
            known[node] = self.value(self.meaning[node], known)
        return known[node] if isinstance(node, str) else node

    def equal(self, left, right, /, **fixed):
        """Whether two expressions are the same rational function of the variables that are not fixed."""
        return left == right or Functions(self, fixed).zero(build("-", left, right))

    def sign(self, node):
        """2 if the form of an expression says that it is defined and > 0, 1 if that it is >= 0, 0 if that it is defined, else -1."""
        spend(5)
        known = self.shown.get(node, self.levels.get(node))
        if known is not None or not isinstance(node, tuple):
            return known if known is not None else self.sign(self.meaning[node]) if isinstance(node, str) else (node > 0) + (node >= 0)
        match node:
            case ("-", 1, str(v) | ("**", str(v), _)) if self.variables.get(v) == "(0, 1)":
                return 2
        op, first, second = node[0], self.sign(node[1]), self.sign(node[2])
        least = min(first, second)
        if op == "**":
            return max(first, 1 - node[2] % 2) if least >= 0 else -1
        if op in ("/", "log"):
            return -1 if (second if op == "/" else first) != 2 else first if op == "/" else 0
        return max(first, second) if op == "+" and least > 0 else least if op == "*" else min(least, 0)

    # The rules: each takes the statements before, by their numbers, and the fields of its statement and of its evidence.
    def evaluation(self, _steps, kind, left, right):
        require(self.equal(self.parse(left), self.parse(right)), "not an identity")

    def bernstein(self, _steps, kind, any_of, multipliers, polynomials, tree):
        own = [v for v, interval in self.variables.items() if interval in UNIT]
        self.agree(any_of, multipliers, [polynomial(table, own) for table in polynomials])
        tile(tree, lambda k: polynomials[k], halves, lambda _, table: least(table, len(own)) >= (kind == "positive"))

    def intervals(self, _steps, kind, any_of, multipliers, forms, tree):
        nodes, own = [self.form(text) for text in forms], [v for v, interval in self.variables.items() if interval in UNIT]
        self.agree(any_of, multipliers, nodes)
        value = lambda k, box: self.value(nodes[k], dict(zip(own, box, strict=True)))  # noqa: E731
        tile(tree, lambda _: [Interval(0, 1)] * len(own), bisect, lambda k, box: on_intervals("*", 1, value(k, box)).low > 0)

    def agree(self, any_of, multipliers, forms):
        """Each expression, times a factor positive by its form, is the form that is shown to be positive on the unit box."""
        for text, multiplier, form in zip(any_of, multipliers, forms, strict=True):
            product = build("*", self.form(multiplier, least=2), self.parse(text, least=0))
            require(self.equal(product, form), f"({multiplier})*({text}) is not the form given")

    def fact(self, statement) -> Any:
        """A statement of one inequality as an expression and its relation to 0; otherwise None."""
        match statement:
            case {"kind": kind, "any_of": [text], **rest} if kind in RELATIONS and not rest:
                return self.parse(text, least=0), RELATIONS[kind]
            case {"kind": "barrier", "solution": y, "side": "below" | "above" as side, "function": text, **rest} if y in self.solutions:
                wall = require(not rest, "a field that is none") or self.parse(text, least=0)
                return ("-", wall, y) if side == "below" else ("-", y, wall), ">"

    def combination(self, _steps, terms, **statement):
        self.follows(terms, self.facts, *self.fact(statement))

    def shows(self, number, expression, relations=(">", ">=")):
        shown, relation = self.facts[number]
        require(relation in relations and self.equal(shown, expression), f"step {number} does not show what it is to show")

    def follows(self, terms, known, target, relation):
        """target relation 0, because target = sum of coefficient*fact."""
        total, strict = 0, False
        for text, index in terms:
            fact, kind = known[index]
            require(kind == "=" or relation != "=", "an equation follows from equations only")
            factor = self.form(text, least=int(kind != "="))
            strict = strict or (kind == ">" and self.sign(factor) == 2)
            total = build("+", total, build("*", factor, fact))
        require(strict or relation != ">", "no term of the sum is positive")
        require(self.equal(target, total), "the expression is not the sum given")

    def cases(self, steps, kind, any_of, inequality, cases):
        """Every alternative of an earlier step implies one of these, by the definitions of suprema: symbol - expression >= 0."""
        facts = [(("-", name, part), ">=") for name, parts in self.suprema.items() for part in parts]
        shown, targets = steps[inequality], dict(enumerate(self.parse(text, least=0) for text in any_of))
        require(shown["kind"] == "positive", "the cases are not those of an inequality")
        for text, (index, terms) in zip(shown["any_of"], cases, strict=True):
            self.follows(terms, ONE | dict(enumerate([(self.parse(text, least=0), ">"), *facts])), targets[index], ">")

    def supremum(self, steps, kind, symbol, low, high, variable, inequalities, point):
        """No expression exceeds the upper bound, one reaches the lower one at a point: from here on the symbol runs between them."""
        bounds, parts = [self.parse(text, set()) for text in (low, high)], self.suprema[symbol]
        least, at = self.value(bounds[0], {}), {v: self.value(self.parse(text, set()), {}) for v, text in point.items()}
        require(set(self.variables.values()) <= {*UNIT, ""} and symbol not in self.meaning, "no chart on the unit box, or found before")
        require(NAME.fullmatch(variable) and variable not in {*self.names, *self.variables}, "a name has two meanings, or is no name")
        for part, number in zip(parts, inequalities, strict=True):
            require(self.sign(part) >= 0, "an expression of the supremum may be undefined")
            self.shows(number, ("-", bounds[1], part))
        require(at.keys() == set(self.own) and all(0 < number < 1 for number in at.values()), "the point is not inside the box")
        require(max(self.value(part, dict(at)) for part in parts) >= least, f"{low} is not reached at the point")
        self.variables[variable], self.levels[variable], self.levels[symbol] = "[0, 1]", 1, (least > 0) + (least >= 0)
        self.meaning[symbol] = ("+", bounds[0], ("*", ("-", bounds[1], bounds[0]), variable))

    def induction(self, _steps, kind, state, goes_on, phases, first, next):
        """Phase k mod period holds at the k-th members of the sequences."""
        names = {*self.names, *state}
        require(not state.keys() & {*self.names, *self.variables}, "a name has two meanings")
        require(all(map(NAME.fullmatch, state)) and all(type(part) is list for part in (*state.values(), *phases)), "no name, or no list")
        begin = {name: self.parse(text, least=0) for name, (text, _) in state.items()}
        then = {name: self.parse(text, names) for name, (_, text) in state.items()}
        facts = [[self.relation(text, names) for text in phase] for phase in phases]
        more = [(self.parse(text, names), ">") for text in goes_on]
        require(facts and facts[0], "there must be a relation to begin with")
        for (target, relation), terms in zip(facts[0], first, strict=True):
            self.follows(terms, ONE, substitute(target, begin), relation)
        for k, (phase, proofs) in enumerate(zip(facts, next, strict=True)):
            here = self.granted(state, phase) and self.granted(state, phase + more)
            require(all(here.sign(node) >= 0 for node in then.values()), f"a next member after phase {k} is not defined by its form")
            for (target, relation), terms in zip(facts[(k + 1) % len(facts)], proofs, strict=True):
                here.follows(terms, ONE | dict(enumerate(phase + more)), substitute(target, then), relation)

    def relation(self, text, names):
        left, kind, zero = text.rsplit(" ", 2)
        require(zero == "0" and kind in (">", ">=", "="), f"not a relation: {text}")
        return self.parse(left, names), kind

    def granted(self, state, facts):
        """The setting at members for which the facts hold: each must be defined, by the signs of those that are so anyway."""
        free = self.extended(dict.fromkeys(state, 0), state)
        here = free.extended({fact: 2 if kind == ">" else 1 for fact, kind in facts if kind != "=" and free.sign(fact) >= 0})
        require(all(here.sign(fact) >= 0 for fact, _ in facts), "a relation is not defined by the form of its denominators")
        return here

    def barrier(self, steps, kind, solution, side, function, inequality, factors, start):
        (x, field, ceiling, damping), upper = self.solutions[solution], {"below": True, "above": False}[side]
        closed, wall, distance = self.closed(x), self.parse(function), self.parse(start)
        require(closed.sign(wall) >= 0, f"the barrier may be singular at {x} = 0")
        require(self.equal(wall, distance if upper else ("-", 0, distance), **{self.starts[x]: 0}), f"it does not start at {start}")
        if distance == 0:
            require(self.extended({}).sign(damping) == 2, "the damping is not > 0 by its form, whatever the solution is")
            require(self.equal(("-", 0, damping), self.diff(field, solution)), "the damping is not that of the equation")
        require(closed.sign(distance) == 2 or (distance == 0 and (not upper or self.sign(wall) == 2)), "it does not start where it must")
        residual = build("-", self.diff(wall, x), substitute(field, {solution: wall}))
        shown, needed = steps[inequality], (residual, build("-", wall, ceiling if upper else 0))
        require(shown["kind"] == "positive" and 0 < len(shown["any_of"]) == len(factors) <= 2, "no such inequality")
        for text, factor, target in zip(shown["any_of"], factors, needed, strict=False):
            product = build("*", self.form(factor, least=2), target if upper else ("-", 0, target))
            require(self.equal(self.parse(text), product), f"{text} is not the inequality needed")

    def enclosure(self, steps, kind, solution, candidate, radius, below, above):
        width, error = self.parse(radius, least=0), ("-", self.parse(solution, least=0), self.parse(candidate, least=0))
        self.shows(below, ("-", width, error), ">")
        self.shows(above, ("+", width, error), ">")

    def integration(self, steps, kind, solution, potential, majorant, bound, potential_slope, majorant_slope):
        x, shown = self.solutions[solution][0], steps[bound]
        require((shown["kind"], shown["solution"]) == ("bound", solution), "no bound of this solution")
        for text, number, part in ((potential, potential_slope, "candidate"), (majorant, majorant_slope, "radius")):
            found = {"kind": "identity", "left": f"diff({text}, {x})", "right": shown[part]}
            require(steps[number] == found, f"the derivative of {text} is not the {part}")
            require(self.closed(x).sign(self.parse(text)) >= 0, f"{text} may be singular at {x} = 0")

    def oscillation(self, steps, kind, solution, potential, radius, difference, rest, inequalities):
        """Y - F = (Y - F - rest) + rest, and the differences of either part are at most the length of its range."""
        shown, x = steps[difference], self.solutions[solution][0]
        require((shown["kind"], shown["solution"]) == ("difference bound", solution), "no difference bound of this solution")
        require(shown["potential"] == f"({potential}) + ({rest})", "the potential is not F + rest")
        require(self.closed(x).sign(self.parse(potential)) >= 0, f"{potential} may be singular at {x} = 0")
        rest, majorant, length = self.parse(rest, least=0), self.parse(shown["majorant"], least=0), 0
        for number, part, op in zip(inequalities, (rest, rest, majorant, majorant), "-+-+", strict=True):
            distance, _ = self.facts[number]
            require(self.equal(self.diff((op, part, distance), x), 0), f"step {number} does not show an end of a range")
            length = build("+", length, distance)
        require(self.equal(self.parse(radius, least=0), length), "the radius is not the sum of the lengths of the ranges")

def merge(*products):
    powers = {}
    for f, k in itertools.chain.from_iterable(product.items() for product in products):
        powers[f] = powers.get(f, 0) + k
    return spend(len(powers)) or {f: k for f, k in powers.items() if k}

class Functions:
    """Rational functions: each is a number times a product {k: power} of polynomials with integer coefficients, number k of ``factors``,
    which are variables, and sums given as pairs of an integer and a product of polynomials before.
    """
    def __init__(self, setting, fixed):
        self.setting, self.factors, self.divisors = setting, {}, set()
        self.known = {variable: (number, {}) for variable, number in fixed.items()}

    def function(self, node) -> Any:
        spend(4)
        if isinstance(node, str) and node not in self.known:
            own, meaning = node in self.setting.variables, self.setting.meaning
            self.known[node] = (1, {self.factors.setdefault(node, len(self.factors)): 1}) if own else self.function(meaning[node])
        if not isinstance(node, tuple):
            return (node, {}) if isinstance(node, int) else self.known[node]
        op, (m, p), (n, q) = node[0], self.function(node[1]), self.function(node[2])
        require(op != "log", NO_VALUE)
        if op in ("+", "-"):
            return self.sum((m, p), (n if op == "+" else -n, q))
        if op == "/":
            require(n != 0, "division by zero")
            self.divisors |= {f for f, k in q.items() if k > 0}
            q = {f: -k for f, k in q.items()}
        number = exactly(op, m, n)
        return number, {} if number == 0 else {f: n * k for f, k in p.items()} if op == "**" else merge(p, q)

    def sum(self, *terms):
        """The sum of two functions, with the factors common to both in front."""
        (m, p), (n, q) = terms
        if p == q or 0 in (m, n):
            number = exactly("+", m, n)
            return number, {} if number == 0 else p or q
        without = {f: -min(p.get(f, 0), q.get(f, 0)) for f in {**p, **q}}
        unit = Fraction(math.gcd(m.numerator * n.denominator, n.numerator * m.denominator), m.denominator * n.denominator)
        sides = [(int(number / unit), merge(product, without)) for number, product in terms]
        bracket = tuple((number, tuple(sorted(side.items()))) for number, side in sides)
        return unit, merge({f: -k for f, k in without.items()}, {self.factors.setdefault(bracket, len(self.factors)): 1})

    def zero(self, node):
        """Whether it is 0 everywhere: if a polynomial f is 0 at a number above the sum of its integer coefficients without signs, f = 0."""
        number, product = self.function(node)
        above, point = {f for f, k in product.items() if k > 0}, dict.fromkeys(self.setting.variables, 1)
        for v in (v for v in reversed(point) if v in self.factors):
            most = self.values(point, abs)
            point[v] = 1 << max((most[f] for f in above | self.divisors), default=0).bit_length()
        values = self.values(point, int)
        require(all(values[f] for f in self.divisors), "division by zero")
        return number == 0 or not all(values[f] for f in above)

    def values(self, point, sign):
        """The values of the polynomials, or bounds of them if ``sign`` is abs, which takes the integers in them for positive."""
        values = []
        for content in self.factors:
            value = point[content] if isinstance(content, str) else 0
            for number, product in () if isinstance(content, str) else content:
                for f, k in product:
                    bits = k * values[f].bit_length()
                    require(bits <= MAX_SIZE, "the identity is too large")
                    spend(1 + bits * math.isqrt(bits + number.bit_length()) // (1 << 14))
                    number *= values[f] ** k
                value += sign(number)
            values.append(value)
        return values

def polynomial(table, variables):
    """The expression, entry i, j, ... of whose table is the coefficient of u**i*v**j*..."""
    if spend(10) or not variables:
        return require(type(table) is int, "a polynomial is a table of integers") or table
    parts = [polynomial(part, variables[1:]) for part in reversed(table)]
    return functools.reduce(lambda higher, part: ("+", part, ("*", variables[0], higher)), parts)

def along(table, axis, change):
    """A table after a change of all its lines along one axis."""
    if spend(10) or axis > 0:
        return [along(part, axis - 1, change) for part in table]
    if isinstance(table[0], list):
        return [list(row) for row in zip(*(along(column, 0, change) for column in zip(*table, strict=True)), strict=True)]
    spend(len(table) * (len(table) + 64) * (max(map(int.bit_length, table)) + 512) >> 14)
    return change(table)

def shifted(line):
    """The coefficients of p(v + 1) from those of p."""
    row, coefficients = line[::-1], []
    while row:
        row = list(itertools.accumulate(row))
        coefficients.append(row.pop())
    return coefficients

def halves(table, axis):
    """Positive multiples of a polynomial as it is on the lower half of the unit box, and on the upper half."""
    lower = along(table, axis, lambda line: list(map(operator.lshift, line, reversed(range(len(line))))))
    return lower, along(lower, axis, shifted)

def least(table, dimension):
    """The least of the Bernstein coefficients on the unit box, times binomials: for v = 1/(1 + y) they are those of (1 + y)**n*p in y."""
    for axis in range(dimension):
        table = along(table, axis, lambda line: shifted(line[::-1]))
    for _ in range(dimension - 1):
        table = itertools.chain.from_iterable(table)
    return min(table)

def bisect(box, axis):
    low, high = spend(len(box)) or box[axis]
    middle = exactly("/", exactly("+", low, high), 2)
    return [(*box[:axis], half, *box[axis + 1 :]) for half in (Interval(low, middle), Interval(middle, high))]

def tile(tree, whole, halve, holds):
    """Walk a tree in preorder: -1-a halves along axis a, lower half first; on a leaf k >= 0, holds(k, its part of whole(k)) must hold."""
    parts = [whole]
    for label in tree:
        require(parts, "the tree has more entries than it needs")
        part = spend(50) or parts.pop()
        if label < 0:
            both = functools.cache(lambda k, part=part, axis=-1 - label: halve(part(k), axis))
            parts += [lambda k, both=both, half=half: both(k)[half] for half in (1, 0)]
        else:
            require(holds(label, part(label)), "a leaf of the tree does not show positivity")
    require(not parts, "the tree does not tile the box")

def words(statement):
    change, any_of = "|[Y(b) - Y(a)] - [F(b) - F(a)]|", f" {RELATIONS.get(statement['kind'])} 0 or ".join(statement.get("any_of", ()))
    phases, state, goes_on = (statement.get(key, ()) for key in ("phases", "state", "goes_on"))
    more = {
        "sequences": "; ".join(f"{name} = {first}, then {then}" for name, (first, then) in dict(state).items()),
        "condition": "".join(f", as long as {text} > 0" for text in goes_on), "alternately": ", alternately," if len(phases) > 1 else "",
        "relations": "; or ".join(" and ".join(phase) for phase in phases),
    }
    return WORDS[statement["kind"]].format(**statement | more | {"change": change, "any_of": any_of})

def context(theorem):
    yield from (f"for every {name} in {interval}" for name, interval in theorem["domain"].items())
    for name, text in theorem["where"].items():
        yield f"with {name} = {text}" + (", the supremum over all of these" if re.match(r" *sup\b", text) else "")
    yield from (f"with d{f}/d{v} = {slope}" for f, slopes in theorem["derivatives"].items() for v, slope in slopes.items())
    for y, s in theorem["solutions"].items():
        yield f"with {y} = {s['is']}: d{y}/d{s['variable']} = {s['equation']}, {y} -> 0 at 0, 0 < {y} < {s['below']} (cited: {s['source']})"

def digest(certificate):
    return "sha256:" + hashlib.sha256(canonical({key: certificate[key] for key in certificate if key != "digest"}).encode()).hexdigest()

def check(certificate):
    """Re-establish a certificate; return what it establishes and the lemmas that it cites, or raise Refused."""
    LEFT[0], place = MAX_WORK, []
    try:
        require(plain(certificate), "a certificate has only printable ASCII strings, integers, lists and objects in it")
        require(certificate["digest"] == digest(certificate), "the digest does not belong to the content")
        return establish(place, **certificate)
    except Exception as error:
        what = str(error) if isinstance(error, Refused) else f"malformed: {type(error).__name__}: {error}"
        raise Refused(": ".join([*place[-1:], what[:400]])) from None

def establish(place, format, claim, theorem, proof, lemmas, digest):
    require(format == FORMAT and type(claim) is str, f"unknown format; this checker reads {FORMAT}")
    require(proof.keys() == {"chart", "steps"} and proof["chart"].keys() == {"symbols", "roots"}, "a proof is a chart and steps")
    given, steps, cited = {key: part for key, part in theorem.items() if key != "statements"}, {}, []
    setting = Setting(**given, **proof["chart"])
    for number, step in enumerate(proof["steps"]):
        require(step.keys() == {"statement", "evidence"}, f"step {number} is not a statement and evidence")
        statement, evidence = step["statement"], dict(step["evidence"])
        rule = evidence.pop("rule")
        place.append(f"step {number} ({rule})")
        require(statement["kind"] in RULES[rule], f"this rule does not establish the kind {statement['kind']}")
        typed = {field: type(part) for field, part in statement.items() if field != "kind"}
        require(typed == FIELDS[statement["kind"]], "a field of the statement is missing, unknown or of another type")
        getattr(setting, rule)(steps, **statement, **evidence)
        steps[number] = statement
        if fact := setting.fact(statement):
            setting.facts[number], expression = fact, fact[0]
            setting.shown[expression] = max(setting.sign(expression), 2 if fact[1] == ">" else 1)
        cited += [LEMMAS[rule]] if rule in LEMMAS and LEMMAS[rule] not in cited else []
    place.clear()
    established, statements = set(map(canonical, steps.values())), theorem["statements"]
    missing = [statement for statement in statements if canonical(statement) not in established]
    require(statements and not missing, f"not established: {missing}")
    require(lemmas == cited, "the cited lemmas are not those used")
    return Established([*context(theorem), *map(words, statements)], lemmas)

def unique(pairs):
    return require(len(dict(pairs)) == len(pairs), "a field is given twice") or dict(pairs)

def main(paths):
    code = 0 if paths else 4
    for path in paths:
        try:
            with open(path, "rb") as file:
                require(len(content := file.read(MAX_BYTES + 1)) <= MAX_BYTES, "the file is too large")
            statements, lemmas = check(json.loads(str(content, "utf-8"), object_pairs_hook=unique))
            print("\n  ".join([f"{path!a}: ACCEPTED", *statements, *(f"cited: {lemma}" for lemma in lemmas)]))
        except Refused as error:
            print(f"{path!a}: REFUSED: {error}")
            code = max(code, 1)
        except (OSError, ValueError, RecursionError) as error:
            print(f"{path!a}: not readable as JSON: {ascii(error)[:120]}", file=sys.stderr)
            code = 4
    return code

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
