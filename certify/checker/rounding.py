#!/usr/bin/env python3
"""Independent checker of rounding certificates: one file, standard library only. To run it: python rounding.py certificate.json ...

A certificate gives a floating-point program, the function that it computes, what is assumed of each operation, and a bound k, in units of
u, of its rounding errors. Which operations round, and by how much, is found out here; both sweeps are done on every box of a bisection, in
integers; program and function agree at so many rational points that they are the same. ROUNDING.md says what exactly is checked and why
that suffices. Exit: 0 accepted, 1 refused, 4 unreadable.
"""

import ast, hashlib, itertools, json, math, re, sys  # noqa: E401, I001
from collections import Counter, namedtuple
from fractions import Fraction

FORMAT, GUARD = "certify.rounding/1", 48  # the sweeps compute in multiples of u*2^-GUARD
MAX_NODES, MAX_TEXT, MAX_EXPONENT, MAX_BITS, MAX_BYTES, MAX_WORK = 5000, 20_000, 100, 4096, 1 << 26, 2 * 10**6
FORMATS = {"binary32": (24, 127), "binary64": (53, 1023)}  # significant bits p, u = 2^-p; normal numbers are from 2^(1-e) to below 2^(e+1)
HALF, CONSTANT, ROOT = Fraction(1, 2), Fraction(501, 1000), "sqrt(x**2 + nu**2)"
ARGUMENTS = {"input": 0, "constant": 0, "sqrt": 1, **dict.fromkeys(("min", "hypot", "add", "sub", "mul", "div"), 2)}
FREE, LENGTHS = ("input", "constant", "min"), ["nu", "x'"]
INFIX, SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}, {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}
RULES = {"add": (lambda a, da, b, db: a + b, lambda a, da, b, db: da + db), "neg": (lambda a, da: -a, lambda a, da: -da),
    "sub": (lambda a, da, b, db: a - b, lambda a, da, b, db: da - db), "diff": (lambda a, da: da, None),
    "mul": (lambda a, da, b, db: a * b, lambda a, da, b, db: da * b + a * db),
    "div": (lambda a, da, b, db: a / b, lambda a, da, b, db: (da - a / b * db) / b),
    "power": (lambda a, da, n, _: a**n, lambda a, da, n, _: n * a ** (n - 1) * da)}  # values and derivatives along x
SQUARES = (
    "the correctly rounded square root of the correctly rounded square of a binary floating-point number x is |x|, but for overflow and "
    "underflow (S. Boldo, Stupid is as stupid does: taking the square root of the square of a floating-point number, ENTCS 317, 2015)")
NUMBER, NAME = re.compile(r"-?\d+(?:/\d+)?", re.ASCII), re.compile(r"(?!(?:x|nu|sqrt|diff|u|x_max|v\d+)\Z)[A-Za-z]\w*", re.ASCII)
TOKENS, RANGE = re.compile(r"(?:[A-Za-z]\w*\b|\d+\b|[-+*/(), ])*", re.ASCII), re.compile(r"\[([\d/]+), (?:oo\)|([\d/]+)\])", re.ASCII)
Established = namedtuple("Established", "statements lemmas")
# A node of degree d is s^d times a number; lift: the powers of 1/s by which its arguments, or its product, are multiplied to have it;
# ulps: what its rounding costs, None: nothing; capped: the computed value is at most 1, the quotient of two floats a <= b.
Node = namedtuple("Node", "op args degree lift ulps value capped", defaults=((), None, None, False))

class Refused(ValueError):
    """The certificate does not establish its theorem; the message says where."""

def require(condition, message):
    if not condition:
        raise Refused(message)

def plain(value):
    if type(value) in (list, dict):
        return all(map(plain, value)) and (type(value) is list or all(map(plain, value.values())))
    return type(value) is int or (type(value) is str and value.isascii() and value.isprintable())

def rational(text):
    require(len(text) <= 500 and NUMBER.fullmatch(text), f"not a rational number: {text[:80]}")
    return Fraction(text)

def power_of_two(number):
    return all(n > 0 and n & (n - 1) == 0 for n in (abs(number.numerator), number.denominator))

class Program:
    """What scales how, and which operations round; ``above``: for nodes > 0, those that are never larger, as computed."""
    def __init__(self, program, profile, digits, exact, unit):
        nodes, [self.output] = program["nodes"], program["outputs"]
        require(len(nodes) <= MAX_NODES and set(profile) == {"name", "ulps", "monotone"} and type(profile["name"]) is str, "no profile")
        self.unit, self.digits, self.exact, self.nodes, self.above = unit, digits, exact, [], {}
        self.ulps = {op: rational(text) for op, text in profile["ulps"].items()}
        require(all(ulps >= HALF for ulps in self.ulps.values()), "no operation that rounds is within less than half an ulp")
        require(profile["monotone"] in ([], ["hypot"]), "hypot alone may be assumed to be at least its arguments")
        self.monotone = profile["monotone"] == ["hypot"] or self.ulps.get("hypot") == HALF
        self.squares = all(self.ulps.get(op) == HALF for op in ("mul", "add", "sqrt"))
        for place, node in enumerate(nodes):
            op, args, value = node["op"], node.get("args", []), node.get("value", "")
            require(node.keys() <= {"op", "args", "value"} and bool(value) != bool(args), f"node {place}: not a node")
            require(len(args) == ARGUMENTS.get(op) and all(a in range(place) for a in args), f"node {place}: no operation on earlier nodes")
            require(op in FREE or op in self.ulps, f"node {place}: the profile has no bound for {op}")
            self.nodes.append(self.read(place, op, tuple(args), value, [self.nodes[a] for a in args]))
        uses = Counter(a for node in self.nodes for a in node.args)
        require(self.output in range(len(nodes)) and self.nodes[self.output].degree == unit, "the output does not scale as the bound does")
        fused = {a for node in self.nodes if node.op in ("add", "sub", "squares") for a in node.args if self.nodes[a].op == "mul"}
        require(all(uses[a] == 1 for a in fused), "a product that is added has another use, in which it may be rounded otherwise")

    def read(self, place, op, args, value, parts):
        degrees, ulps, names = [part.degree for part in parts], self.ulps.get(op), [part.op for part in parts]
        require(op == "min" or None not in degrees, f"node {place}: x and x_max may be used in min(x, x_max) only")
        match op:
            case "input" | "min":
                require(value in ("x", "x_max", "nu") or names == ["x", "x_max"], f"node {place}: not x, x_max, nu, min(x, x_max)")
                self.above |= {place: {place}} if value in ("", "nu") else {}
                return Node(value or "x'", (), 1 if place in self.above else None)
            case "constant":
                number, size = rational(value), abs(rational(value))
                require(number == 0 or Fraction(1, 2**60) < size < 2**60, f"node {place}: a constant that is too far from 1")
                odd = size.numerator // (size.numerator & -size.numerator or 1)
                exact = size.denominator & (size.denominator - 1) == 0 and odd.bit_length() <= self.digits
                return Node(op, (), 0, (), None if exact else CONSTANT, number)
            case "hypot" | "sqrt":
                roots = args if op == "hypot" else [self.nodes[a].args[0] for a in parts[0].args] if names == ["squares"] else []
                require(sorted(self.nodes[a].op for a in roots) == LENGTHS, f"node {place}: not a root of squares of min(x, x_max), nu")
                self.above[place] = {place, *(roots if (self.squares if op == "sqrt" else self.monotone) else ())}
                return Node(op, args, 1, (), ulps)
            case "add" | "sub":
                degree, lift = max(degrees), tuple(max(degrees) - d for d in degrees)
                legs = sorted(self.nodes[a].op for part in parts for a in {*part.args}) if (op, *names) == ("add", "mul", "mul") else []
                require(max(lift) <= 1, f"node {place}: a sum of quantities that scale too differently")
                if op == "add" and ulps == HALF and self.above.keys() >= {*args}:
                    self.above[place] = {place}.union(*(self.above[a] for a in args))
                return Node("squares" if legs == LENGTHS else op, args, degree, lift, ulps)
        natural = degrees[0] + (degrees[1] if op == "mul" else -degrees[1])
        degree = natural if op == "div" and names[0] == "constant" else max(natural, self.unit)
        near = -1 <= degree <= 2 and degree - natural <= 2
        require(near, f"node {place} scales like s^{natural}: it may overflow, or is too far from a number")
        shifts = any((part.op == "nu" and self.exact) or (part.op == "constant" and power_of_two(part.value)) for part in parts)
        capped = op == "div" and ulps == HALF and args[0] in self.above.get(args[1], ())
        return Node(op, args, degree, (degree - natural,), None if op == "mul" and ulps == HALF and shifts else ulps, None, capped)

def times(a, b, bits):
    """The product of intervals whose ends are integers, multiples of 2^-bits, rounded outward."""
    (p, q), (r, s) = a, b
    ends = (p * r, q * s) if p >= 0 and r >= 0 else sorted((p * r, p * s, q * r, q * s))
    return ends[0] >> bits, -(-ends[-1] >> bits)

def over(a, b, bits):
    require(b[0] > 0, "division by an interval that is not positive")
    return min((a[0] << bits) // end for end in b), -min((-a[1] << bits) // end for end in b)

def scaled(number, bits):
    return (number.numerator << bits) // number.denominator, -((-number.numerator << bits) // number.denominator)

def magnitude(a, cap=None):
    return max(-a[0], a[1] if cap is None else min(a[1], cap))

def binade(size, ulps):
    """A power of two: results up to this size are off by ulps*2u times it. If correctly rounded, they are exact where they are one."""
    return 1 << max((size - (ulps == HALF)).bit_length() - 1, 0)

class Sweep:
    """The program on boxes, in multiples of 2^-bits; ``slack``: what underflow may cost a node of each degree, None for exact values."""
    def __init__(self, program, bits, slack):
        self.program, self.bits, self.one, self.rounds, self.slack = program, bits, 1 << bits, slack is not None, slack or Counter()

    def roundoff(self, ulps, size):
        return -(-2 * ulps.numerator * size // (ulps.denominator << self.program.digits))

    def error(self, ulps, size, degree, f):
        """Of results up to this size, over s^degree: 2*ulps*u relatively, and by the binade of the result where that is known."""
        if ulps is None or not self.rounds:
            return 0
        if degree in (0, 2) or f[0] <= 0:
            return self.roundoff(ulps, binade(size, ulps) if degree == 0 else size)
        (a, b), (c, d) = ((self.one, f[0]), (f[1], self.one)) if degree > 0 else ((f[1], self.one), (self.one, f[0]))
        return min(self.roundoff(ulps, size), -(-self.roundoff(ulps, binade(-(-size * a // b), ulps)) * c // d))

    def value(self, node, arguments, f, lengths):
        """The exact result on enclosures of the arguments, a bound for computed arguments or None, and the partial derivatives."""
        bits, one, parts = self.bits, (self.one, self.one), [argument[0] for argument in arguments]
        match node.op:
            case "constant":
                return scaled(node.value, bits), None, ()
            case "hypot":
                return one, None, ((0, self.one), (0, self.one))
            case "squares":
                width = self.rounds * self.roundoff(self.program.ulps["mul"], self.one) + 4 * self.slack[2]
                return (self.one - width, self.one + width), None, (one, one)
            case "sqrt":
                value = math.isqrt(parts[0][0] << bits), math.isqrt(parts[0][1] << bits) + 1
                return value, None, (over(one, (2 * value[0], 2 * value[1]), bits),)
            case "add" | "sub":
                factors = [f if power else one for power in node.lift]
                (a, b), (c, d) = map(times, parts, factors, (bits, bits))
                if node.op == "add":
                    return (a + c, b + d), None, factors
                cap = arguments[0][2] if c >= 0 == node.degree and node.ulps == HALF else None
                return (a - d, b - c), cap, (factors[0], (-factors[1][1], -factors[1][0]))
            case "mul":
                value, factors, cap = times(parts[0], parts[1], bits), parts[::-1], None
            case "div":
                value, inverse, cap = over(parts[0], parts[1], bits), over(one, parts[1], bits), self.one if node.capped else None
                low, high = times(value, inverse, bits)
                factors = inverse, (-high, -low)
            case name:
                return lengths.get(name, (0, 0)), None, ()
        lift = times(f, f, bits) if node.lift[0] == 2 else f if node.lift[0] else one
        return times(value, lift, bits), cap, [times(each, lift, bits) for each in factors]

    def forward(self, x, t, eps):
        """Of every node: the enclosure of value/s^degree, its error, its cap, its partial derivatives."""
        f, swept = times(t, eps, self.bits), []
        for place, node in enumerate(self.program.nodes):
            (low, high), cap, factors = self.value(node, [swept[a] for a in node.args], f, {"x'": x, "nu": t})
            error, d = self.error(node.ulps, magnitude((low, high), cap), node.degree, f), node.degree or 0
            wide, keeps = error + self.slack[node.degree] * (node.op != "constant"), node.ulps in (None, HALF)  # which keeps signs
            low = max(low - wide, 0) if keeps and low >= 0 else low - wide
            swept.append(((low, min(high + wide, 0) if keeps and high <= 0 else high + wide), error, cap, factors))
            fits = magnitude(swept[place][0]) >> self.bits < (8 if d == 2 else 1 << 60)
            require(fits, f"node {place}, which scales like s^{d}, may overflow")
        return swept

    def backward(self, swept):
        """The sum of sup|adjoint|*error over all nodes, and of what underflow may cost at every use of one."""
        nodes, out = self.program.nodes, self.program.output
        adjoints, total = {out: (self.one, self.one)}, self.one * self.slack[nodes[out].degree]
        for place in range(out, -1, -1):
            if place in adjoints:
                total += magnitude(adjoints[place]) * swept[place][1]
                for a, factor in zip(nodes[place].args, swept[place][3], strict=True):
                    passed, former = times(adjoints[place], factor, self.bits), adjoints.get(a, (0, 0))
                    adjoints[a] = passed[0] + former[0], passed[1] + former[1]
                    total += magnitude(passed) * self.slack[nodes[a].degree]
        return -(-total >> self.bits)

class Theorem:
    def __init__(self, program, where, nu, formats, profile, k, unit, largest):
        require(formats and formats.keys() <= FORMATS.keys(), f"the formats known here are {', '.join(FORMATS)}")
        if not (ends := RANGE.fullmatch(nu)) or not (unit == "1" or (unit, largest) == ("1/s", "")):
            raise Refused("nu has the range [a, oo) or [a, b]; the unit is 1, or 1/s without largest")
        least, most = rational(ends[1]), rational(ends[2]) if ends[2] else None
        self.formats, self.degree, self.bits = formats, 0 if unit == "1" else -1, GUARD + min(FORMATS[name][0] for name in formats)
        require(Fraction(1, 2**16) <= least <= (most or least) and least <= 2**20, "the range of nu is empty, or ends too far from 1")
        self.eps = (Fraction(0) if most is None else 1 / most, 1 / least)
        for name, each in formats.items():
            low, high = each["nu_max"], each["x_max"]
            require(len(each) == 2 and 20 <= low <= high - 20 and 2 * high + 4 < FORMATS[name][1], f"{name}: x_max, nu_max")
        self.program = Program(program, profile, self.bits - GUARD, least == most and power_of_two(least), self.degree)
        self.sweep = Sweep(self.program, self.bits, Counter({d: self.underflow(d) for d in (-1, 0, 1, 2)}))
        self.largest = None if largest == "" else rational(largest)
        self.most = scaled(rational(k), GUARD)[0] - max(map(self.beyond, formats))
        self.differ = Graph(self.program.nodes, where).differ(self.program.output, self.eps)

    def underflow(self, degree):
        """What a result below the least normal number is off by, and once more where it is used: over s^degree, in units of any format."""
        powers = (3 - FORMATS[name][1] + FORMATS[name][0] + GUARD + each["x_max"] for name, each in self.formats.items())
        return math.ceil(Fraction(2) ** max(powers)) if degree < 0 else 1

    def beyond(self, name):
        """How far the function at x > x_max is from that at x_max, both with nu/s <= t, in units of this format's u*2^-GUARD."""
        gap = self.formats[name]["x_max"] - self.formats[name]["nu_max"]
        bits = self.bits + 2 * gap
        one, t, eps = 1 << bits, 1 << (bits - gap), scaled(self.eps[1], bits)[1]
        low, high = Sweep(self.program, bits, None).forward((one - (t * t >> bits), one), (0, t), (0, eps))[self.program.output][0]
        width = high - low if self.degree == 0 else max(high, 0) - min(low, 0)
        return -(-width << (FORMATS[name][0] + GUARD) >> bits)

    def leaf(self, box):
        """On a box of m = x/(nu + s) and of the share of eps: a bound of the errors, in units, and one of the computed values."""
        x, t = zip(*(((2 * m / (1 + m * m)), (1 - m * m) / (1 + m * m)) for m in box[0]), strict=True)
        sides = x, t[::-1], [self.eps[0] + (self.eps[1] - self.eps[0]) * share for share in box[1]]
        swept = self.sweep.forward(*((scaled(a, self.bits)[0], scaled(b, self.bits)[1]) for a, b in sides))
        return self.sweep.backward(swept), Fraction(magnitude(*swept[self.program.output][::2]), 1 << self.bits)

    def hold(self, box):
        """Refuse a box on which the bound is missed, an operation may overflow, or program and function differ."""
        (a, b), (c, d) = box[0], [self.eps[0] + (self.eps[1] - self.eps[0]) * share for share in box[1]]
        try:
            bound, size = self.leaf(box)
            require(bound <= self.most and (self.largest is None or size <= self.largest), "the bound does not hold")
            outside = self.differ is None or any(not low <= each <= high for (low, high), each in zip(box, self.differ, strict=True))
            require(outside, "the program is not the function")
        except Refused as error:
            ends = 2 * a / (1 - a * a), 2 * b / (1 - b * b) if b < 1 else math.inf, 1 / d, 1 / c if c else math.inf
            cell = "x/nu in [{:.6g}, {:.6g}], nu in [{:.6g}, {:.6g}]".format(*map(float, ends))
            raise Refused(f"{error} in the cell {cell}: x/(nu + s) in [{a}, {b}], 1/nu in [{c}, {d}]") from None

class Graph:
    """Program and definitions as one list of expressions, on the curve x = nu*2m/(1 - m^2), s = nu*(1 + m^2)/(1 - m^2), 0 < m < 1."""
    def __init__(self, nodes, where):
        self.nodes = [(node.value,) if node.op == "constant" else (node.op.replace("squares", "add"), *node.args) for node in nodes]
        x, s = {"nu": 1, "m": 1, "1 - m**2": -1}, {"nu": 1, "1 + m**2": 1, "1 - m**2": -1}
        self.leaves = {"x": x, "x'": x, "nu": {"nu": 1}, "s": s, "hypot": s, "sqrt": s}  # x' for x <= x_max
        self.sloped = set()  # those whose derivatives are used
        require(where and next(iter(where.items())) == ("s", ROOT), f"the first definition is s = {ROOT}")
        self.names = {"x": self.add("x"), "nu": self.add("nu")}
        for name, text in where.items():
            require(NAME.fullmatch(name), f"not a name, or one with another meaning: {name[:80]}")
            require(len(text) <= MAX_TEXT and TOKENS.fullmatch(text), f"not an expression: {text[:80]}")
            self.names[name] = self.add("s") if name == "s" else self.convert(ast.parse(text.strip(), mode="eval").body)

    def add(self, *node):
        require(len(self.nodes) < MAX_TEXT, "the definitions are too long")
        return self.nodes.append(node) or len(self.nodes) - 1

    def convert(self, node):
        match node:
            case ast.Constant(value=leaf) if type(leaf) is int:
                return self.add(Fraction(leaf))
            case ast.Name(id=name) if name in self.names:
                return self.names[name]
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return self.add("neg", self.convert(a))
            case ast.BinOp(left=a, op=ast.Pow(), right=ast.Constant(value=n)) if type(n) is int and 0 < n <= MAX_EXPONENT:
                return self.add("power", self.convert(a), self.add(n))
            case ast.Call(func=ast.Name(id="diff"), args=[ast.Name(id=name), ast.Name(id="x")], keywords=[]) if name in self.names:
                return self.add("diff", self.names[name])
            case ast.BinOp(left=a, op=op, right=b) if type(op) in SYMBOLS:
                return self.add(SYMBOLS[type(op)], self.convert(a), self.convert(b))
        raise Refused(f"not an expression, or not in symbols defined before: {ast.unparse(node)[:80]}")

    def degrees(self, place):
        """Of the numerator in m and nu, every expression being a product {factor: power} of polynomials."""
        sizes, shapes = {"m": (1, 0), "1 + m**2": (2, 0), "1 - m**2": (2, 0), "nu": (0, 1)}, []
        for number, (op, *args) in enumerate(self.nodes):
            a, b, *_ = [*(shapes[each] for each in args), {}, {}]
            shape = self.leaves.get(op, {})
            if op in ("mul", "div", "neg"):
                shape = {g: a.get(g, 0) + (-1 if op == "div" else 1) * b.get(g, 0) for g in a | b}
            elif op in ("add", "sub"):  # the powers common to both, times a polynomial
                shape = {g: min(a.get(g, 0), b.get(g, 0)) for g in a | b}
                rests = [[sum((part.get(g, 0) - n) * sizes[g][i] for g, n in shape.items()) for i in (0, 1)] for part in (a, b)]
                sizes[str(number)], shape[str(number)] = (max(rests[0][0], rests[1][0]), max(rests[0][1], rests[1][1])), 1
            elif op == "power":
                shape = {g: n * self.nodes[args[1]][0] for g, n in a.items()}
            elif op == "diff":  # d/dx = (1 - m^2)^2/(2*nu*(1 + m^2)) d/dm, which lowers the powers of what m is in, times a polynomial
                inner = [g for g in a if sizes[g][0]]
                sizes[str(number)] = max(sum(sizes[g][0] for g in inner) - 1, 0), sum(sizes[g][1] for g in inner)
                shape = {**a, str(number): 1, "1 - m**2": a.get("1 - m**2", 0) + 2}
                shape = {g: shape.get(g, 0) - [*inner, "nu", "1 + m**2"].count(g) for g in {*shape, "nu", "1 + m**2"}}
            shapes.append({g: n for g, n in shape.items() if n})
        return [sum(n * sizes[g][i] for g, n in shapes[place].items() if n > 0) for i in (0, 1)]

    def values(self, m, nu):
        """Of all expressions, each with its derivative along x if that is used."""
        x, s, found = 2 * nu * m / (1 - m * m), nu * (1 + m * m) / (1 - m * m), []
        leaves = {"nu": (nu, 0), **dict.fromkeys(("x", "x'", "x_max"), (x, 1)), **dict.fromkeys(("s", "hypot", "sqrt"), (s, x / s))}
        for place, (op, *args) in enumerate(self.nodes):
            parts, (value, slope) = [part for a in args for part in found[a]], RULES.get(op, (None, None))
            found.append((value(*parts), slope(*parts) if place in self.sloped else None) if value else leaves.get(op, (op, 0)))
            require(all(n.bit_length() <= MAX_BITS for n in found[-1][0].as_integer_ratio()), "a value is too large to be evaluated")
        return found

    def differ(self, one, eps):
        """A point m, share of eps where this is not the last definition; None if at more points than the degrees allow there is none."""
        across, along = self.degrees(self.add("sub", one, other := [*self.names.values()][-1]))
        require((across + 1) * (along + 1) * len(self.nodes) <= MAX_WORK, "the degrees are too large")
        self.nodes.pop()
        for place, (op, *args) in [*enumerate(self.nodes)][::-1]:
            self.sloped |= {*args} if op == "diff" or place in self.sloped else set()
        for i, j in itertools.product(range(2, across + 3), range(1, along + 2)):
            values = self.values(Fraction(1, i), 1 / (eps[0] + (eps[1] - eps[0]) / j))
            if values[one][0] != values[other][0]:
                return Fraction(1, i), Fraction(1, j)
        return None

def tile(tree, work, stated):
    """Walk a bisection tree of the unit square in preorder: -1, -2 halve along m, along the share of eps, lower half first; 0 must hold."""
    require(len(tree) * work <= MAX_WORK, "the tree takes more work than this checker grants")
    boxes = [((Fraction(0), Fraction(1)),) * 2]
    for label in tree:
        require(boxes and label in (0, -1, -2), "the tree has another label, or more entries than it needs")
        box = boxes.pop()
        if label:
            low, high = box[-1 - label]
            middle = (low + high) / 2
            require(middle.denominator < 1 << 300, "the tree is too deep")
            boxes += [(half, box[1]) if label == -1 else (box[0], half) for half in ((middle, high), (low, middle))]
        else:
            stated.hold(box)
    require(not boxes, "the tree does not tile the box")

def context(theorem):
    """The program, the function and the assumptions, in mathematics."""
    for place, node in enumerate(theorem["program"]["nodes"]):
        op, args = node["op"], [f"v{a}" for a in node.get("args", ())]
        yield f"v{place} = " + (node.get("value") or (f" {INFIX[op]} ".join(args) if op in INFIX else f"{op}({', '.join(args)})"))
    yield from (f"with {name} = {text}" for name, text in theorem["where"].items())
    bounds = [f"{op} within {ulps} ulp" for op, ulps in theorem["profile"]["ulps"].items()]
    bounds += [f"{op}(a, b) at least |a| and |b|" for op in theorem["profile"]["monotone"]]
    yield f"under profile {theorem['profile']['name']}: {', '.join(bounds)}; 1/2 ulp: correctly rounded"
    yield "constants within 501/1000 ulp; what is below the least normal number may become 0; a product may be fused with the sum it enters"

def words(theorem):
    """The bound in each format."""
    out, unit = f"computed v{theorem['program']['outputs'][0]}", {"1": "u", "1/s": "u/hypot(min(x, x_max), nu)"}[theorem["unit"]]
    bound = f"|{out} - {list(theorem['where'])[-1]}| <= {theorem['k']} {unit}"
    bound += f" and |{out}| <= {theorem['largest']}" if theorem["largest"] else ""
    for name, each in theorem["formats"].items():
        floats = f"for all floats x >= 0 and nu in {theorem['nu']} up to 2^{each['nu_max']}"
        yield f"{name}, u = 2^-{FORMATS[name][0]}, x_max = 2^{each['x_max']}: {bound} {floats}"

def cited(theorem):
    """The lemmas without which the bound would be larger."""
    correct = [rational(theorem["profile"]["ulps"].get(op, "1")) == HALF for op in ("mul", "add", "sqrt")]
    return [SQUARES] if any(node["op"] == "sqrt" for node in theorem["program"]["nodes"]) and all(correct) else []

def digest(certificate):
    content = {key: certificate[key] for key in certificate if key != "digest"}
    return "sha256:" + hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()

def check(certificate):
    """Re-establish a certificate; return what it establishes and the lemmas that it cites, or raise Refused."""
    try:
        require(plain(certificate), "a certificate has only printable ASCII strings, integers, lists and objects in it")
        require(certificate["digest"] == digest(certificate), "the digest does not belong to the content")
        return establish(**certificate)
    except Exception as error:
        raise Refused((str(error) if isinstance(error, Refused) else f"malformed: {type(error).__name__}: {error}")[:400]) from None

def establish(format, claim, theorem, proof, lemmas, digest):
    require(format == FORMAT and type(claim) is str and proof.keys() == {"tree"}, f"unknown format; this checker reads {FORMAT}")
    stated = Theorem(**theorem)
    require(lemmas == cited(theorem), "the cited lemmas are not those used")
    tile(proof["tree"], len(stated.program.nodes), stated)
    return Established([*context(theorem), *words(theorem)], lemmas)

def unique(pairs):
    return require(len(dict(pairs)) == len(pairs), "a field is given twice") or dict(pairs)

def main(paths, code=0):
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
    return code if paths else 4

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
