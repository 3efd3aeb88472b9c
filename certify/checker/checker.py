#!/usr/bin/env python3
"""Independent checker of certificates: one file, standard library only. To run it: python checker.py certificate.json ...

It trusts nothing but the wording of the theorem and the cited lemmas, which it prints; all arithmetic is in integers and rationals. A
certificate states a theorem about symbols, gives a chart that makes them rational functions of a few variables, and proves the theorem in
steps. Each step is re-established by one rule, a method of Setting, with degrees and evaluation counts found here, never taken from the
certificate. FORMAT.md says what exactly each rule checks and why that suffices. Exit: 0 accepted, 1 refused, 4 unreadable.
"""

import ast, copy, functools, hashlib, itertools, json, math, operator, re, sys  # noqa: E401, I001
from collections import namedtuple
from fractions import Fraction
from typing import Any

MAX_NAMES, MAX_TEXT, MAX_EXPONENT, MAX_BITS, MAX_GRID, MAX_BYTES, MAX_WORK = 500, 20_000, 400, 20_000, 10**6, 1 << 26, 5 * 10**7
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
    "barrier": "{solution} is {side} {function}", "bound": "|{solution} - ({candidate})| < {radius}",
    "slope bound": "|{solution}' - ({candidate})'| < {radius}, along the variable of {solution}", "supremum": "{low} <= {symbol} <= {high}",
    "difference bound": "{change} <= |G(b) - G(a)| for a, b >= 0, where Y' = {solution}, Y is continuous, F = {potential}, G = {majorant}",
    "oscillation bound": "{change} <= {radius} for all a, b >= 0, where Y' = {solution}, Y is continuous, and F = {potential}",
    "induction": "for the sequences [first, next] {state}, as long as {goes_on} > 0, for every k: {phases}[k mod {period}]",
}
# Which kinds of statements each rule establishes; its method takes the fields of the statement and of the evidence by name.
RULES = dict.fromkeys(("bernstein", "intervals", "combination"), tuple(RELATIONS)) | {"evaluation": ("identity",), "cases": ("positive",)}
RULES |= {rule: (rule,) for rule in ("supremum", "induction", "barrier")} | {"weakening": ("barrier",), "enclosure": ("bound",)}
RULES |= {"derivative": ("slope bound",), "integration": ("difference bound",), "oscillation": ("oscillation bound",)}
UNIT, UNKNOWN = {"(0, 1]", "(0, 1)", "[0, 1]"}, {str, tuple}  # intervals of the unit box; the types of expressions without a value
TYPES = {"any_of": list, "goes_on": list, "phases": list, "state": dict}  # the other fields of statements are strings
LEVELS, SOLUTION = ("defined", ">= 0", "> 0"), {"variable", "equation", "below", "damping", "is", "source"}
NAME = re.compile(r"(?!(?:log|diff|sqrt|sup|oo)\Z)[A-Za-z]\w*", re.ASCII)
TOKENS = re.compile(r"(?:[A-Za-z]\w*\b|\d+\b|[-+*/(), ])*", re.ASCII)
INTERVAL = re.compile(r"(?:\(-oo|[(\[](-?\d+(?:/\d+)?)), (?:oo\)|(-?\d+(?:/\d+)?)[)\]])", re.ASCII)
Interval, Established = namedtuple("Interval", "low high"), namedtuple("Established", "statements lemmas")
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

# An expression is an integer, a symbol (string) or a tuple (op, a, b); b is a positive integer in "**", and 1 in "log".
SYMBOLS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
FUNCTIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": Fraction, "**": operator.pow}

def build(op, a, b):
    """The expression a op b, with the simplifications that derivatives need."""
    if (op == "*" and 0 in (a, b)) or (op in ("/", "**") and a == 0):
        return 0
    if (op in ("+", "-") and b == 0) or (op in ("*", "/", "**") and b == 1):
        return a
    if op == "+" and isinstance(a, tuple) and a[0] == "-" and a[2] == b:  # (a - b) + b
        return a[1]
    return 1 if op == "**" and b == 0 else b if (op, a) in (("+", 0), ("*", 1)) else (op, a, b)

def symbols(node):
    return {node} if isinstance(node, str) else symbols(node[1]) | symbols(node[2]) if isinstance(node, tuple) else set()

def substitute(node, values):
    if isinstance(node, tuple):
        return spend(10) or (node[0], substitute(node[1], values), substitute(node[2], values))
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
    """The theorem's symbols, what they stand for in the chart's variables, and the levels (see ``sign``) of some of them."""
    def __init__(self, domain, where, derivatives, solutions, symbols, roots):
        self.domain, self.names, self.meaning, self.roots, self.starts, self.solutions = domain, set(), {}, {}, {}, {}
        self.suprema, self.variables, self.levels = {}, dict.fromkeys(derivatives, ""), dict.fromkeys(derivatives, 0)
        self.own = [entry["variable"] for entry in symbols.values()]
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
                    self.roots[name] = self.convert(radicand, self.names)
                case ast.Call(func=ast.Name(id="sup"), args=[_, *_] as parts, keywords=[]):
                    self.suprema[name] = [self.convert(part, self.names) for part in parts]
                case definition:
                    self.meaning[name] = self.convert(definition, self.names)
            self.names.add(name)
        require(self.roots.keys() == roots.keys(), "the chart must give every square root, and nothing else")
        for name, radicand in self.roots.items():
            self.meaning[name], self.levels[name] = self.form(roots[name], least=2), 2
            require(self.equal(("**", name, 2), radicand), f"the chart's {name} is not the root of its radicand")
        for name, facts in solutions.items():
            require(facts.keys() == SOLUTION and all(type(fact) is str for fact in facts.values()), f"the facts on {name} are not the six")
            field, damping = (self.parse(facts[key], {*self.names, name}) for key in ("equation", "damping"))
            self.solutions[name] = facts["variable"], field, self.parse(facts["below"]), damping
            require(facts["variable"] in domain, f"the variable of {name} is no symbol of the domain")

    def run_over(self, symbol, target, map, variable, scale):
        expression, own, covered = (text.format(v=variable, c=scale, i=target) for text in MAPS[map])
        require(covered == target, f"the map {map} covers {covered}, not {target}")
        self.parse(scale, least=2)
        self.variables[variable], self.levels[variable], self.levels[symbol] = own, level(own), level(own)
        self.starts |= {symbol: variable} if map in ("stereographic", "odds") else {}  # where both go to 0 together
        return self.parse(expression, {*self.names, variable})

    def extended(self, levels, free=()):
        """The same setting with these levels, and with further free symbols."""
        other, variables = copy.copy(self), {**self.variables, **dict.fromkeys(free, "")}
        other.names, other.variables, other.levels = {*self.names, *free}, variables, {**self.levels, **levels}
        return spend(len(other.names) + len(other.levels)) or other

    def closed(self, x):
        """The same setting for x >= 0: an expression that is defined there by its form is smooth there."""
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
        return spend(len(text)) or ast.parse(text.strip(), mode="eval").body

    def form(self, text, least=-1):
        """An expression of the evidence, into which the chart's variables may enter."""
        return self.parse(text, {*self.names, *self.variables}, least)

    def convert(self, node, names):
        match node:
            case ast.Constant(value=leaf) | ast.Name(id=leaf) if type(leaf) is int or leaf in names:
                return leaf
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return ("-", 0, self.convert(a, names))
            case ast.BinOp(left=a, op=op, right=b) if type(op) in SYMBOLS:
                a, b = self.convert(a, names), self.convert(b, names)
                require(type(op) is not ast.Pow or (type(b) is int and 0 < b <= MAX_EXPONENT), "an exponent must be a small integer > 0")
                return (SYMBOLS[type(op)], a, b)
            case ast.Call(func=ast.Name(id="log"), args=[a], keywords=[]):
                return ("log", self.convert(a, names), 1)
            case ast.Call(func=ast.Name(id="diff"), args=[a, ast.Name(id=v)], keywords=[]) if v in self.domain:
                return self.diff(self.convert(a, names), v)
        raise Refused(f"not an expression, or not in symbols known here: {ast.unparse(node)[:80]}")

    def diff(self, node, v):
        """The derivative with respect to the symbol v, the other free symbols held fixed."""
        spend(10)
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
        derived, meaning = f"d {name} / d {v}", self.meaning[name]
        inner = v if len(only := symbols(meaning)) != 1 else only.pop()  # the chain rule for a function of one symbol
        self.meaning[derived] = self.diff(meaning, v) if inner == v else build("*", self.diff(meaning, inner), self.slope(inner, v))
        return self.meaning[derived] and derived

    def value(self, node, point) -> Any:
        """The value where the chart's variables are ``point``: a number, or an interval where one of these is."""
        return self.reduced(node, self.meaning, dict(point), {})

    def shape(self, node, sizes):
        """The expression as a product {factor: power}; ``sizes`` collects the degrees of the factors, which are polynomials."""
        if not isinstance(node, tuple):
            if isinstance(node, str) and node not in self.variables and node not in sizes:
                sizes[node] = self.shape(self.meaning[node], sizes)
            return sizes.get(node, {node: 1}) if isinstance(node, str) else {}
        op, a, b = node
        if op == "polynomial":
            sizes[node] = {v: size - 1 for v, size in zip(self.variables, a, strict=True)}
            return {node: 1}
        p, q = self.shape(a, sizes), self.shape(b, sizes)
        if op in ("*", "/", "**"):
            return {f: b * k for f, k in p.items()} if op == "**" else merge(p, q if op == "*" else {f: -k for f, k in q.items()})
        spend(100)  # sums are looked up by their form
        common = {f: min(p.get(f, 0), q.get(f, 0)) for f in {**p, **q}}
        lifted = [degrees(merge(side, {f: -k for f, k in common.items()}), sizes) for side in (p, q)]
        sizes[node] = {v: max(side.get(v, 0) for side in lifted) for v in {**lifted[0], **lifted[1]}}
        return merge(common, {node: 1})

    def vanishes(self, node, /, **fixed):
        """Whether the expression is identically zero, by evaluation on a grid that its degrees make large enough."""
        product = self.shape(node, sizes := {})
        above = degrees({f: k for f, k in product.items() if k > 0}, sizes)
        counts = sorted(((above.get(v, 0) + 1, v) for v in self.variables if v not in fixed), reverse=True)
        require(math.prod(count for count, _ in counts) <= MAX_GRID, "the identity needs too many evaluations")
        return self.zero(node, self.meaning, fixed, [(v, range(101, 101 + count)) for count, v in counts])  # far from poles, as a rule

    def zero(self, node, meaning, known, axes):
        """Whether the expression is zero for the values known and all those of the axes, which are put in one axis after the other."""
        node = self.reduced(node, meaning, known, rest := {})
        return all(self.zero(node, rest, {axes[0][0]: number}, axes[1:]) for number in axes[0][1]) if axes else node == 0

    def reduced(self, node, meaning, known, rest):
        """The expression with the values known put in; ``rest`` takes the meaning of the symbols that they do not determine."""
        if type(node) is tuple:
            op, a, b = node
            require(op != "log", "a logarithm has no rational value: only its derivative may enter")
            if op == "polynomial":
                return contract(a, b, [known.get(v) for v in self.variables])
            a, b = self.reduced(a, meaning, known, rest), self.reduced(b, meaning, known, rest)
            return (op, a, b) if type(a) in UNKNOWN or type(b) in UNKNOWN else exactly(op, a, b)
        if type(node) is str and node not in known and node in meaning:
            value = self.reduced(meaning[node], meaning, known, rest)
            if type(value) in UNKNOWN:
                rest[node], value = value, node
            known[node] = value
        return known.get(node, node) if type(node) is str else node

    def equal(self, left, right):
        return left == right or self.vanishes(build("-", left, right))

    def sign(self, node):
        """2 if the form of an expression says that it is defined and > 0, 1 if that it is >= 0, 0 if that it is defined, else -1."""
        spend(1)
        if node in self.levels or not isinstance(node, tuple):
            known = self.levels.get(node, (node > 0) + (node >= 0) if isinstance(node, int) else None)
            return self.sign(self.meaning[node]) if known is None else known
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
        nodes = [("polynomial", *flatten(table, len(self.variables))) for table in polynomials]
        self.agree(any_of, multipliers, nodes)
        tile(tree, len(self.variables), lambda k, box: min(on_box(nodes[k], box)) >= (kind == "positive"))

    def intervals(self, _steps, kind, any_of, multipliers, forms, tree):
        nodes, one = [self.form(text) for text in forms], Interval(1, 1)
        self.agree(any_of, multipliers, nodes)
        tile(tree, len(self.variables), lambda k, box: self.value(("*", one, nodes[k]), zip(self.variables, box, strict=True)).low > 0)

    def agree(self, any_of, multipliers, forms):
        """Each expression, times a factor positive by its form, is the form that is shown to be positive on the unit box."""
        require(set(self.variables.values()) <= UNIT, "this rule needs a chart on the unit box")
        for text, multiplier, form in zip(any_of, multipliers, forms, strict=True):
            product = build("*", self.form(multiplier, least=2), self.parse(text, least=0))
            require(self.equal(product, form), f"({multiplier})*({text}) is not the form given")

    def combination(self, steps, kind, any_of, terms):
        known = {index: self.inequality(**steps[index]) for _, index in terms if index != -1}
        self.follows(*self.inequality(kind, any_of), terms, known)

    def inequality(self, kind, any_of):
        require(len(any_of) == 1, "a combination is of single inequalities")
        return self.parse(any_of[0], least=0), RELATIONS[kind]

    def follows(self, target, relation, terms, known):
        """target relation 0, because target = sum of coefficient*fact; the fact of number -1 is 1 > 0."""
        total, strict = 0, False
        for text, index in terms:
            fact, kind = (1, ">") if index == -1 else known[index]
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
            self.follows(targets[index], ">", terms, dict(enumerate([(self.parse(text, least=0), ">"), *facts])))

    def supremum(self, steps, kind, symbol, low, high, variable, inequalities, point):
        """No expression exceeds the upper bound, one reaches the lower one at a point: from here on the symbol runs between them."""
        bounds, parts = [self.parse(text, set()) for text in (low, high)], self.suprema[symbol]
        least, at = self.value(bounds[0], {}), {v: self.value(self.parse(text, set()), {}) for v, text in point.items()}
        require(symbol not in self.meaning and NAME.fullmatch(variable) and set(self.variables.values()) <= UNIT, "not as it must be")
        require(variable not in {*self.names, *self.variables, *self.solutions}, "a name has two meanings")
        for part, number in zip(parts, inequalities, strict=True):
            shown, _ = self.inequality(**steps[number])
            require(self.sign(part) >= 0 and self.equal(shown, ("-", bounds[1], part)), f"{high} is not shown to be an upper bound")
        require(at.keys() == set(self.own) and all(0 < number < 1 for number in at.values()), "the point is not inside the box")
        require(max(self.value(part, at) for part in parts) >= least, f"{low} is not reached at the point")
        self.variables[variable], self.levels[variable], self.levels[symbol] = "[0, 1]", 1, (least > 0) + (least >= 0)
        self.meaning[symbol] = ("+", bounds[0], ("*", ("-", bounds[1], bounds[0]), variable))

    def induction(self, _steps, kind, state, goes_on, phases, first, next):
        """Phase k mod period holds at the k-th members of the sequences."""
        names = {*self.names, *state}
        require(not state.keys() & {*self.names, *self.variables, *self.solutions}, "a name has two meanings")
        require(all(map(NAME.fullmatch, state)) and all(type(part) is list for part in (*state.values(), *phases)), "no name, or no list")
        begin = {name: self.parse(text, least=0) for name, (text, _) in state.items()}
        then = {name: self.parse(text, names) for name, (_, text) in state.items()}
        facts = [[self.relation(text, names) for text in phase] for phase in phases]
        more = [(self.parse(text, names), ">") for text in goes_on]
        require(facts and facts[0], "there must be a relation to begin with")
        for (target, relation), terms in zip(facts[0], first, strict=True):
            self.follows(substitute(target, begin), relation, terms, {})
        for k, (phase, proofs) in enumerate(zip(facts, next, strict=True)):
            self.given(state, phase)
            here = self.given(state, phase + more)
            require(all(here.sign(node) >= 0 for node in then.values()), f"a next member after phase {k} is not defined by its form")
            for (target, relation), terms in zip(facts[(k + 1) % len(facts)], proofs, strict=True):
                here.follows(substitute(target, then), relation, terms, dict(enumerate(phase + more)))

    def relation(self, text, names):
        left, kind, zero = text.rsplit(" ", 2)
        require(zero == "0" and kind in (">", ">=", "="), f"not a relation: {text}")
        return self.parse(left, names), kind

    def given(self, state, facts):
        """The setting at members for which the facts hold: each must be defined, by the signs of those that are so anyway."""
        free = self.extended(dict.fromkeys(state, 0), state)
        here = free.extended({fact: 2 if kind == ">" else 1 for fact, kind in facts if kind != "=" and free.sign(fact) >= 0})
        require(all(here.sign(fact) >= 0 for fact, _ in facts), "a relation is not defined by the form of its denominators")
        return here

    def barrier(self, steps, kind, solution, side, function, inequality, factors, start, positive=-1):
        (x, field, ceiling, damping), upper = self.solutions[solution], side == "below"
        require(side in ("below", "above") and x in self.starts, f"a solution is below or above its barrier, {x} from 0 to oo")
        require(x == list(self.domain)[-1], f"{x} must run with all other symbols held fixed: put it last in the domain")
        closed, wall, distance = self.closed(x), self.parse(function), self.parse(start)
        require(closed.sign(wall) >= 0, f"the barrier may be singular at {x} = 0")
        require(self.vanishes(("-" if upper else "+", wall, distance), **{self.starts[x]: 0}), f"the barrier does not start at {start}")
        if distance == 0:
            self.decreases(field, solution, damping)
        above = positive >= 0 and steps[positive] == {"kind": "positive", "any_of": [function]}
        strict = closed.sign(distance) == 2 or (distance == 0 and (not upper or above or self.sign(wall) == 2))
        require(strict, "the start, or a barrier that starts at 0, is not positive by its form, nor by an earlier step")
        residual = build("-", self.diff(wall, x), substitute(field, {solution: wall}))
        shown, needed = steps[inequality], (residual, build("-", wall, ceiling if upper else 0))
        require(shown["kind"] == "positive" and 0 < len(shown["any_of"]) == len(factors) <= 2, "no such inequality")
        for text, factor, target in zip(shown["any_of"], factors, needed, strict=False):
            product = build("*", self.form(factor, least=2), target if upper else ("-", 0, target))
            require(self.equal(self.parse(text), product), f"{text} is not the inequality needed")

    def wall(self, steps, number, side, solution):
        """The function of an earlier step that bounds the solution on this side."""
        function = steps[number].get("function", "")
        said = {"kind": "barrier", "solution": solution, "side": side, "function": function}
        require(steps[number] == said, f"step {number} does not say what {solution} is {side}")
        return self.parse(function)

    def weakening(self, steps, kind, solution, side, function, barrier, inequality):
        sharper, wall = self.wall(steps, barrier, side, solution), self.parse(function, least=0)
        gap = ("-", wall, sharper) if side == "below" else ("-", sharper, wall)
        require(self.equal(self.inequality(**steps[inequality])[0], gap), "the new function is not shown to be on its side")

    def enclosure(self, steps, kind, solution, candidate, radius, below, above):
        for side, op, number in (("below", "+", below), ("above", "-", above)):
            wall = (op, self.parse(candidate, least=0), self.parse(radius, least=0))
            require(self.equal(self.wall(steps, number, side, solution), wall), f"the barrier {side} is not candidate {op} radius")

    def derivative(self, steps, kind, solution, candidate, radius, below, above, positive, upper, lower):
        """f(x, B) < y' < f(x, b) where 0 < b < y < B, for the right-hand side f decreases in y > 0."""
        x, field, _, damping = self.solutions[solution]
        self.decreases(field, solution, damping)
        least, most = self.wall(steps, above, "above", solution), self.wall(steps, below, "below", solution)
        slope, width = self.diff(self.parse(candidate, least=0), x), self.parse(radius, least=0)
        margins = [("-", substitute(field, {solution: wall}), slope) for wall in (least, most)]
        for number, target in ((positive, least), (upper, ("-", width, margins[0])), (lower, ("+", width, margins[1]))):
            shown, relation = self.inequality(**steps[number])
            require(relation == ">" and self.equal(shown, target), f"step {number} is not the inequality needed")

    def decreases(self, field, solution, damping):
        here = self.extended({solution: 2}, [solution])
        shown = here.sign(damping) == 2 and here.equal(("-", 0, damping), here.diff(field, solution))
        require(shown, "the damping is not > 0 by its form, or not that of the equation")

    def integration(self, steps, kind, solution, potential, majorant, bound, potential_slope, majorant_slope):
        x, shown = self.solutions[solution][0], steps[bound]
        require((shown["kind"], shown["solution"]) == ("bound", solution), "no bound of this solution")
        for text, number, part in ((potential, potential_slope, "candidate"), (majorant, majorant_slope, "radius")):
            found = {"kind": "identity", "left": f"diff({text}, {x})", "right": shown[part]}
            require(steps[number] == found, f"the derivative of {text} is not the {part}")
            require(self.closed(x).sign(self.parse(text)) >= 0, f"{text} may be singular at {x} = 0")

    def oscillation(self, steps, kind, solution, potential, radius, difference, rest, rest_range, majorant_range, inequalities):
        """Y - F = (Y - F - rest) + rest, and the differences of either part are at most the length of its range."""
        shown, x = steps[difference], self.solutions[solution][0]
        require((shown["kind"], shown["solution"]) == ("difference bound", solution), "no difference bound of this solution")
        require(shown["potential"] == f"({potential}) + ({rest})" and self.parse(potential), "the potential is not F + rest")
        ends = [self.parse(text, least=0) for text in (*rest_range, *majorant_range)]
        require(all(self.diff(end, x) == 0 for end in ends), f"a range must not depend on {x}")
        parts = [self.parse(text, least=0) for text in (rest, rest, shown["majorant"], shown["majorant"])]
        gaps = [("-", *pair) for pair in ((parts[0], ends[0]), (ends[1], parts[1]), (parts[2], ends[2]), (ends[3], parts[3]))]
        for number, gap in zip(inequalities, gaps, strict=True):
            require(self.equal(self.inequality(**steps[number])[0], gap), f"step {number} does not show an end of a range")
        lengths = ("+", ("-", ends[1], ends[0]), ("-", ends[3], ends[2]))
        require(self.equal(self.parse(radius, least=0), lengths), "the radius is not the sum of the lengths of the ranges")

def merge(*products):
    powers = {}
    for f, k in itertools.chain.from_iterable(product.items() for product in products):
        powers[f] = powers.get(f, 0) + k
    spend(len(powers))
    return {f: k for f, k in powers.items() if k}

def degrees(product, sizes):
    return merge(*({v: k * d for v, d in (sizes[f] if isinstance(f, tuple) else {f: 1}).items()} for f, k in product.items()))

def flatten(table, dimension):
    """The sizes of nested lists along each axis, and their entries, which are integers, in one tuple."""
    sizes, flat = [], [table]
    for _ in range(dimension):
        sizes.append(len(flat[0]))
        require(all(type(part) is list and len(part) == sizes[-1] > 0 for part in flat), "a polynomial is a table of integers")
        flat = [entry for part in flat for entry in part]
    require(all(type(entry) is int for entry in flat), "a polynomial is a table of integers")
    return tuple(sizes), tuple(flat)

def contract(sizes, flat, numbers):
    """The polynomial, entry i, j, ... of whose table is the coefficient of u**i*v**j*..., where the variables have the values given."""
    for axis, (size, number) in enumerate(zip(sizes, numbers, strict=True)):
        if number is not None:
            bits = size * number.bit_length()
            require(bits <= MAX_BITS, "a number has too many digits")
            spend(1 + len(flat) * (64 + bits) // 512)
            powers, stride = [number**i for i in range(size)], math.prod(sizes[axis + 1 :])
            starts = (block + i for block in range(0, len(flat), size * stride) for i in range(stride))
            flat = tuple(sum(map(operator.mul, powers, flat[start : start + size * stride : stride])) for start in starts)
            sizes = (*sizes[:axis], 1, *sizes[axis + 1 :])
    return flat[0] if len(flat) == 1 else ("polynomial", sizes, flat)

def on_box(polynomial, box):
    """A polynomial's Bernstein coefficients on a box, each times the same positive integer."""
    _, sizes, flat = polynomial
    for size, (low, high) in zip(sizes, box, strict=True):  # each turn multiplies along the first axis, and puts it last
        rows, stride = from_powers(size - 1, low, high), len(flat) // size
        spend(len(flat) * (1 + size * max(map(int.bit_length, [*flat, *rows[-1]])) // 4096))
        flat = [sum(map(operator.mul, row, flat[first::stride])) for first in range(stride) for row in rows]
    return flat

@functools.lru_cache(64)
def from_powers(n, low, high):
    """Integer multiples of the Bernstein coefficients of 1, x, ..., x**n on [low, high]: number k of x**j is the polar form of x**j at k
    arguments high and n - k arguments low, the coefficient of t**j in (1 + high*t)**k*(1 + low*t)**(n - k) over C(n, j)."""
    unit, scale = math.lcm(low.denominator, high.denominator), math.lcm(*(math.comb(n, j) for j in range(n + 1)))
    require((n + 1) ** 3 * (unit.bit_length() + 3) <= 1 << 27, "the degree is too large, or the box too small")  # 16 MB
    spend((n + 1) ** 2)
    low, high, weights = int(low * unit), int(high * unit), [scale // math.comb(n, j) * unit ** (n - j) for j in range(n + 1)]
    rows, row = [], [math.comb(n, j) * low**j for j in range(n + 1)]
    for _ in range(n + 1):
        rows.append(list(map(operator.mul, weights, row)))
        quotient = list(itertools.accumulate(row[:-1], lambda q, c: c - low * q))  # by 1 + low*t
        row = [a + high * b for a, b in zip([*quotient, 0], [0, *quotient], strict=True)]  # times 1 + high*t
    return rows

def tile(tree, dimension, holds):
    """Walk a bisection tree of the unit box in preorder: -1-a halves along axis a, lower half first; k >= 0 must hold on its leaf."""
    boxes = [(Interval(0, 1),) * dimension]
    for label in tree:
        require(boxes, "the tree has more entries than it needs")
        box = boxes.pop()
        if label < 0:
            low, high = box[-1 - label]
            middle = exactly("/", exactly("+", low, high), 2)
            boxes += [(*box[: -1 - label], half, *box[-label:]) for half in (Interval(middle, high), Interval(low, middle))]
        else:
            require(holds(label, box), "a leaf of the tree does not show positivity")
    require(not boxes, "the tree does not tile the box")

def words(statement):
    any_of = f" {RELATIONS.get(statement['kind'])} 0 or ".join(statement.get("any_of", ()))
    more = {"any_of": any_of, "period": len(statement.get("phases", ())), "change": "|[Y(b) - Y(a)] - [F(b) - F(a)]|"}
    return WORDS[statement["kind"]].format(**statement | more)

def context(theorem):
    yield from (f"for every {name} in {interval}" for name, interval in theorem["domain"].items())
    for name, text in theorem["where"].items():
        yield f"with {name} = {text}" + (", the supremum over all of these" if re.match(r" *sup\b", text) else "")
    yield from (f"with d{f}/d{v} = {slope}" for f, slopes in theorem["derivatives"].items() for v, slope in slopes.items())
    for y, s in theorem["solutions"].items():
        yield f"with {y} = {s['is']}: d{y}/d{s['variable']} = {s['equation']}, {y} -> 0 at 0, 0 < {y} < {s['below']} (cited: {s['source']})"

canonical = functools.partial(json.dumps, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

def digest(certificate):
    return "sha256:" + hashlib.sha256(canonical({key: certificate[key] for key in certificate if key != "digest"}).encode()).hexdigest()

def check(certificate):
    """Re-establish a certificate; return what it establishes and the lemmas that it cites, or raise Refused."""
    LEFT[0], place = MAX_WORK, []
    from_powers.cache_clear()
    try:
        require(plain(certificate), "a certificate has only printable ASCII strings, integers, lists and objects in it")
        require(certificate["digest"] == digest(certificate), "the digest does not belong to the content")
        return establish(place, **certificate)
    except Exception as error:
        what = str(error) if isinstance(error, Refused) else f"malformed: {type(error).__name__}: {error}"
        raise Refused(": ".join([*place[-1:], what[:400]])) from None

def establish(place, format, claim, theorem, proof, lemmas, digest):
    require(format == FORMAT and type(claim) is str, f"unknown format; this checker reads {FORMAT}")
    require(proof.keys() == {"chart", "steps"}, "a proof is a chart and steps")
    given, steps, cited = {key: part for key, part in theorem.items() if key != "statements"}, {}, []
    setting = Setting(**given, **proof["chart"])
    for number, step in enumerate(proof["steps"]):
        require(step.keys() == {"statement", "evidence"}, f"step {number} is not a statement and evidence")
        statement, evidence = step["statement"], dict(step["evidence"])
        rule = evidence.pop("rule")
        place.append(f"step {number} ({rule})")
        require(statement["kind"] in RULES[rule], f"this rule does not establish the kind {statement['kind']}")
        require(all(type(part) is TYPES.get(field, str) for field, part in statement.items()), "a field has not the type it must have")
        getattr(setting, rule)(steps, **statement, **evidence)
        steps[number] = statement
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
