"""Programs at random: floats within the profile do not exceed the least bound that the checker of rounding certificates finds."""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from certify.checker import rounding as checker

WIDE = np.longdouble
POINTS, ROUNDS, PROGRAMS = 4000, 6, 90
LEAST_NORMAL = np.float32(2.0**-126)
LEAVES = [tuple((Fraction(i, n), Fraction(i + 1, n)) for i, n in ((i, 64), (j, 2))) for i, j in product(range(64), range(2))]
EXACT = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "hypot": lambda a, b: np.sqrt(a * a + b * b),
    "sqrt": np.sqrt,
    "min": np.minimum,
}
START = [("input", "x"), ("input", "nu"), ("input", "x_max"), ("min", 0, 2)]
ROOTS = ([("hypot", 3, 1)], [("mul", 3, 3), ("mul", 1, 1), ("add", 4, 5), ("sqrt", 6)])


class Drawn:
    """A theorem with the least k, times 2^48 u, that the checker finds on fixed boxes. Raises what the checker does where it is none."""

    def __init__(self, source: random.Random) -> None:
        self.nodes, self.ulps, self.monotone = self._program(source), self._profile(source), source.random() < 1 / 2
        self.least, most = Fraction(source.choice(["1/64", "1/2", "1", "7"])), source.choice(["oo)", None])
        theorem = {
            "program": {"nodes": [self._node(*node) for node in self.nodes], "outputs": [len(self.nodes) - 1]},
            "where": {"s": checker.ROOT, "f": self.texts[-1]},
            "nu": f"[{self.least}, {most or f'{3 * self.least}]'}",
            "formats": {"binary32": {"x_max": 60, "nu_max": 30}},
            "profile": {"name": "random", "ulps": self.ulps, "monotone": ["hypot"] if self.monotone else []},
            "k": str(10**9),
            "unit": "1",
            "largest": "",
        }
        stated = checker.Theorem(**theorem)
        found = [stated.leaf(box) for box in LEAVES]
        beyond = checker.scaled(Fraction(10**9), checker.GUARD)[0] - stated.most
        self.k = float(max(bound for bound, _ in found) + beyond) / 2**checker.GUARD
        self.largest, self.most = max(size for _, size in found), float(2**30 if most else 3 * self.least)

    def _program(self, source: random.Random) -> list[tuple]:
        nodes = [*START, *source.choice(ROOTS)]
        root = len(nodes) - 1
        self.texts = ["x", "nu", "x", "x", *["x*x", "nu*nu", "x*x + nu*nu"][: root - 4], "s"]
        constants = source.sample(["1", "1/2", "1/3", "5/24", "1000/7", "2"], 2)
        nodes += [("constant", value) for value in constants] + [("div", root + 1, root)]
        self.texts += [f"({value})" for value in constants] + [f"({constants[0]})/s"]
        usable = [1, 3, *range(root, len(nodes))]
        for _ in range(source.randint(2, 8)):
            op, a, b = source.choice(["add", "sub", "mul", "mul", "div"]), source.choice(usable), source.choice(usable[-3:])
            a, b = (a, b) if source.random() < 1 / 2 else (b, a)
            usable.append(len(nodes))
            nodes.append((op, a, b))
            self.texts.append(f"({self.texts[a]}) {checker.INFIX[op]} ({self.texts[b]})")
        return nodes

    def _profile(self, source: random.Random) -> dict[str, str]:
        correct = dict.fromkeys(("add", "sub", "mul", "div", "hypot", "sqrt"), "1/2")
        loose = {op: source.choice(["1/2", "1/2", "1", "3/2"]) for op in correct}
        return source.choice([correct, correct | {"hypot": "1"}, loose])

    def _node(self, op: str, *args: object) -> dict[str, object]:
        return {"op": op, "value": args[0]} if op in ("input", "constant") else {"op": op, "args": list(args)}

    def inputs(self, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Orders near the least one and spread, s just beside powers of two, x of every size."""
        low, high = np.log2(float(self.least)), np.log2(self.most)
        nu = np.exp2(np.where(generator.random(POINTS) < 0.4, low, generator.uniform(low, min(high, low + 6), POINTS)))
        nu = np.clip(nu, float(self.least), self.most).astype(np.float32)
        s = np.exp2(np.ceil(np.log2(nu * np.exp2(generator.exponential(2, POINTS))))) * (1 + np.exp2(-generator.uniform(1, 24, POINTS)))
        kinds = [np.sqrt(np.maximum(s * s - nu.astype(float) ** 2, 0)), nu * np.exp2(generator.uniform(-140, 3, POINTS))]
        kinds.append(np.exp2(generator.uniform(-149, 127.9, POINTS)))
        return np.choose(generator.choice(3, POINTS, p=[0.6, 0.2, 0.2]), kinds).astype(np.float32), nu

    def exact(self, x: np.ndarray, nu: np.ndarray) -> np.ndarray:
        inputs, values = {"x": x, "nu": nu, "x_max": np.full_like(x, np.inf)}, []
        for op, *args in self.nodes:
            if op in ("input", "constant"):
                values.append(inputs[args[0]] if op == "input" else self._constant(args[0], x))
            else:
                values.append(EXACT[op](*(values[a] for a in args)))
        return values[-1]

    def computed(self, x: np.ndarray, nu: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """By operations that are as wrong as the profile allows, in one direction or at random, perhaps flushed and fused."""
        inputs, values, products = {"x": x, "nu": nu, "x_max": np.full_like(x, 2.0**60)}, [], {}
        flushed, fused, side = generator.random() < 1 / 2, generator.random() < 1 / 2, generator.choice([-1, 0, 1])
        for place, (op, *args) in enumerate(self.nodes):
            if op in ("input", "constant"):
                values.append(inputs[args[0]] if op == "input" else self._constant(args[0], x).astype(np.float32))
                continue
            parts = [values[a].astype(WIDE) for a in args]
            if fused and op in ("add", "sub"):
                parts = [products.get(a, part) for a, part in zip(args, parts, strict=True)]
            value = EXACT[op](*parts)
            products |= {place: value} if op == "mul" else {}
            result = value.astype(np.float32) if op == "min" else self._rounded(value, float(Fraction(self.ulps[op])), side, generator)
            result = np.maximum(result, np.maximum(values[args[0]], values[args[1]])) if op == "hypot" and self.monotone else result
            values.append(np.where(np.abs(result) < LEAST_NORMAL, np.float32(0), result) if flushed else result)
        return values[-1]

    def _rounded(self, value: np.ndarray, ulps: float, side: int, generator: np.random.Generator) -> np.ndarray:
        nearest = value.astype(np.float32)
        if ulps == 1 / 2:
            return nearest
        ulp = np.exp2(np.maximum(np.floor(np.log2(np.maximum(np.abs(value), WIDE(2) ** -149))), -126) - 23)
        far = (value + (side or generator.choice([-1, 1], value.shape)) * ulps * ulp).astype(np.float32)
        for _ in range(2):
            far = np.where(np.abs(far - value) > ulps * ulp, np.nextafter(far, nearest), far)
        return far

    def _constant(self, text: str, x: np.ndarray) -> np.ndarray:
        value = Fraction(text)
        return np.full(x.shape, WIDE(value.numerator) / WIDE(value.denominator))


def exceeded(seed: int) -> tuple[int, int]:
    """Of how many programs a bound is exceeded, and the number of programs."""
    source, generator, tried, found = random.Random(seed), np.random.default_rng(seed), 0, 0
    for _ in range(PROGRAMS):
        try:
            drawn = Drawn(source)
        except (checker.Refused, ZeroDivisionError):
            continue
        tried += 1
        found += any(_exceeds(drawn, generator) for _ in range(ROUNDS))
    return found, tried


def _exceeds(drawn: Drawn, generator: np.random.Generator) -> bool:
    x, nu = drawn.inputs(generator)
    computed, exact = drawn.computed(x, nu, generator), drawn.exact(x.astype(WIDE), nu.astype(WIDE))
    error, size = np.abs(computed - exact).max() * WIDE(2) ** 24, np.abs(computed).max()
    return bool(error > drawn.k * (1 + 2**-30) or size > float(drawn.largest) * (1 + 2**-50))


sound_binade, sound_roundoff = checker.binade, checker.Sweep.roundoff
wide = pytest.mark.skipif(np.finfo(WIDE).nmant < 60, reason="nothing wider than binary64 to measure with")


@wide
@pytest.mark.parametrize("seed", range(4))
def test_no_floats_exceed_the_bound(seed):
    found, tried = exceeded(seed)
    assert found == 0
    assert tried >= PROGRAMS // 10


@wide
@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [
        (checker, "binade", lambda size, ulps: max(sound_binade(size, ulps) // 2, 1)),
        (checker, "CONSTANT", Fraction(1, 8)),
        (checker.Sweep, "roundoff", lambda sweep, ulps, size: sound_roundoff(sweep, ulps, size) // 2),
    ],
)
def test_planted_faults_in_the_checker_are_seen(owner, name, fault, monkeypatch):
    monkeypatch.setattr(owner, name, fault)
    assert any(exceeded(seed)[0] for seed in range(6))
