"""The checker of differences: what a theorem says, at its edges; the bisection; its words; files."""

from fractions import Fraction

import pytest
from small_difference import CHOICES, SIGNED, ULPS, nodes, program, refuses, sealed, theorem

from certify.checker import difference as checker

CUBE = ((0, 1, 0),) * 3


def accepts(tree: tuple[int, ...] = (0,), **changes) -> list[str]:
    return checker.check(sealed(theorem(**changes), tree)).statements


# Bounds at their edges ---------------------------------------------------------------------------------------------------


def test_the_least_bound_is_accepted_and_no_smaller_one():
    least = checker.Theorem(**theorem()).error(CUBE)
    assert least.denominator <= 2**40
    accepts(k=str(least))
    refuses("the bound does not hold where", k=str(least - Fraction(1, 2**40)))


def test_what_underflow_adds_is_accepted_and_nothing_smaller(monkeypatch):
    """The largest c and d over the boxes."""
    found, coefficients = [], checker.Underflow.coefficients
    monkeypatch.setattr(checker.Underflow, "coefficients", lambda self: found.append(coefficients(self)) or found[-1])
    accepts()
    monkeypatch.undo()
    c, d = (Fraction(max(side), checker.ONE) for side in zip(*found, strict=True))
    accepts(underflow=[str(c), str(d)])
    refuses("underflow may add", underflow=[str(c - Fraction(1, checker.ONE)), str(d)])
    refuses("underflow may add", underflow=[str(c), str(d - Fraction(1, checker.ONE))])
    refuses(
        f"underflow may add {float(found[0][0] / checker.ONE):.4g} w + {float(found[0][1] / checker.ONE):.4g} nu*w", underflow=["0", "0"]
    )


def test_underflow_is_looked_at_everywhere(monkeypatch):
    boxes = []
    monkeypatch.setattr(checker.Underflow, "__init__", lambda self, program, errors, box: boxes.append(box))
    monkeypatch.setattr(checker.Underflow, "coefficients", lambda self: (0, 0))
    checker.Theorem(**theorem(nu="[3, oo)"))
    eighth, third = checker.ONE // 8, checker.up(Fraction(1, 3))
    sides = [(n * eighth, (n + 1) * eighth) for n in range(8)]
    assert boxes == [(t, q, (0, third)) for t in sides for q in sides]


def test_a_leaf_is_where_its_box_says(monkeypatch):
    boxes = []
    stated = checker.Theorem(**theorem(nu="[3, oo)"))
    monkeypatch.setattr(checker, "Sweep", lambda program, errors, box: boxes.append(box) or type("", (), {"bound": lambda self: 5 << 40})())
    assert stated.error(((1, 2, 1), (1, 3, 2), (1, 2, 2))) == 5
    assert boxes == [[(checker.ONE // 2, checker.ONE), (checker.ONE // 4, 3 * checker.ONE // 4), (checker.ONE // 12, checker.ONE // 6 + 1)]]


def test_every_order_of_a_and_b_counts():
    """A program that is another one where b < a: with one more rounding."""
    twice = SIGNED.replace(" neg:22 select:3,23,22", " 1 div:22,23 neg:24 select:3,25,22")
    first, second = (checker.Theorem(**theorem(text)) for text in (SIGNED, twice))
    assert len(first.programs) == 1
    assert len(second.programs) == 2
    assert second.error(CUBE) > first.error(CUBE)
    for other in ("select:3,22,25", "select:3,25,25"):
        refuses("the sign is not that of b - a", twice.replace("select:3,25,22", other))


# Theorems ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("nu", "eps"), [("[1/2, oo)", 2), ("[3/4, oo)", Fraction(4, 3))])
def test_ranges(nu, eps):
    assert checker.Theorem(**theorem(nu=nu)).eps == eps
    refuses("a quantity may overflow", nu="[1/8, oo)")


@pytest.mark.parametrize("nu", ["[1/9, oo)", "[0, oo)", "(1, oo)", "[1, 2]", "[1.5, oo)", "[1,oo)", "[-1, oo)", "[1, oo) "])
def test_ranges_refused(nu):
    refuses(f"the range of nu is [nu_min, oo), nu_min >= 1/8: {nu}", nu=nu)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"profile": {"name": "", "ulps": ULPS}}, "not a profile"),
        ({"profile": {"name": 1, "ulps": ULPS, "monotone": []}}, "not a profile"),
        ({"profile": {"name": "", "ulps": ULPS, "monotone": [], "more": ""}}, "not a profile"),
        ({"profile": {"name": "", "ulps": ULPS | {"fma": "499/1000"}, "monotone": []}}, "a bound is below half an ulp, or above 1000"),
        ({"profile": {"name": "", "ulps": ULPS | {"fma": "1001"}, "monotone": []}}, "a bound is below half an ulp, or above 1000"),
        ({"k": "1.5"}, "not a rational number: 1.5"),
        ({"underflow": ["40"]}, "malformed: IndexError"),
        ({"underflow": ["40", "3", "1"]}, "malformed: ValueError"),
        ({"program": program(SIGNED) | {"more": ""}}, "malformed: TypeError"),
        ({"more": ""}, "malformed: TypeError"),
    ],
)
def test_theorems_refused(change, says):
    refuses(says, **change)


def test_bounds_of_operations():
    accepts(profile={"name": "", "ulps": ULPS | {"fma": "1/2", "fms": "1000"}, "monotone": []})
    for op in ULPS:
        ulps = {name: bound for name, bound in ULPS.items() if name != op}
        refuses("the profile has no bound for an operation", profile={"name": "", "ulps": ulps, "monotone": []})


def test_how_many_coefficients():
    zeros = ["0"] * 21
    accepts(debye=[zeros] * 21)
    for debye in ([["0"]] * 22, [["0"], [*zeros, "0"]]):
        refuses("too many D_k, or of too many coefficients", debye=debye)


# Bisections ------------------------------------------------------------------------------------------------------------------

AXIS, LOWER, UPPER = (0, 1, 0), (0, 1, 1), (1, 2, 1)


@pytest.mark.parametrize(
    ("tree", "boxes"),
    [
        ([0], [(AXIS, AXIS, AXIS)]),
        ([-1, 0, 0], [(LOWER, AXIS, AXIS), (UPPER, AXIS, AXIS)]),
        ([-2, 0, 0], [(AXIS, LOWER, AXIS), (AXIS, UPPER, AXIS)]),
        ([-3, 0, 0], [(AXIS, AXIS, LOWER), (AXIS, AXIS, UPPER)]),
        ([-1, -3, 0, 0, -1, 0, 0], [(LOWER, AXIS, LOWER), (LOWER, AXIS, UPPER), ((2, 3, 2), AXIS, AXIS), ((3, 4, 2), AXIS, AXIS)]),
    ],
)
def test_bisections(tree, boxes):
    found = []
    checker.tile(tree, 1, lambda box: found.append(box) or True)
    assert found == boxes


@pytest.mark.parametrize(
    ("tree", "says"),
    [
        ([], "the tree does not tile the box"),
        ([-1, 0], "the tree does not tile the box"),
        ([0, 0], "the tree has more entries than it needs"),
        ([-1, 0, 0, 0], "the tree has more entries than it needs"),
        ([1], "the bound does not hold where"),
        ([-4, 0, 0], "the bound does not hold where"),
        ([-2] * 60, "the tree does not tile the box"),
        ([-2] * 61, "the tree is too deep"),
    ],
)
def test_what_is_no_bisection(tree, says):
    with pytest.raises(checker.Refused, match=f"^{says}"):
        checker.tile(tree, 1, lambda box: True)


def test_how_much_work_a_bisection_is(monkeypatch):
    monkeypatch.setattr(checker, "MAX_WORK", 6)
    checker.tile([-1, 0, 0], 2, lambda box: True)
    with pytest.raises(checker.Refused, match="^the tree takes more work than this checker grants$"):
        checker.tile([-1, 0, 0], 3, lambda box: True)
    length = sum(map(len, checker.Theorem(**theorem()).programs))
    monkeypatch.setattr(checker, "MAX_WORK", 3 * length)
    accepts((-1, 0, 0))
    monkeypatch.setattr(checker, "MAX_WORK", 3 * length - 1)
    refuses("more work", tree=(-1, 0, 0))


def test_a_refusal_names_the_box():
    where = "nu/s0 in [1/2, 1], s0/s1 in [0, 1], share of 1/nu in [1/4, 1/2]"
    with pytest.raises(checker.Refused) as refusal:
        checker.tile([-1, 0, -3, -3, 0, 0, 0], 1, lambda box: box != (UPPER, AXIS, (1, 2, 2)))
    assert str(refusal.value) == f"the bound does not hold where {where}"


# Words -----------------------------------------------------------------------------------------------------------------------


def test_the_words_of_a_theorem():
    stated = theorem(f"{CHOICES} 1/2 mul:5,6 neg:7", debye=[["1/8", "-5/24"], ["3"]], nu="[2, oo)", k="9/2", underflow=["40", "3"])
    stated["profile"] = {"name": "it's", "ulps": {"mul": "1/2", "add": "3"}, "monotone": []}
    choices = "v3 = less(v1, v0); v4 = max(v0, v1); v5 = min(v0, v1)"
    assert list(checker.statements(stated)) == [
        f"the program v0 = a; v1 = b; v2 = nu; {choices}; v6 = 1/2; v7 = mul(v5, v6); v8 = neg(v7)",
        "with D_1(t) = (1/8)*t^1 + (-5/24)*t^3",
        "with D_2(t) = (3)*t^2",
        "with F(x) = s - nu*log(nu + s) - log(s)/2 + D_1(nu/s)/nu^1 + D_2(nu/s)/nu^2, s(x) = sqrt(x^2 + nu^2)",
        'under profile "it\'s": results within so many ulps of the exact ones, 1/2 being correctly rounded: mul 1/2, add 3',
        "constants are within 501/1000 ulp; a product may be fused with the sum or difference that it enters; w is the most that",
        "underflow adds to the error of one operation: at most the least normal number, and at most 8 least positive ones or the result",
        "|computed v8 - (F(b) - F(a))| <= 9/2 u |s(b) - s(a)| + (40 + 3 nu) w in binary32 (u = 2^-24) and binary64 (u = 2^-53)",
        "for all floats a, b in [0, max/4] and nu in [2, oo) up to max/4 (up to max/8 and not subnormal, where those become 0)",
    ]
    assert accepts() == list(checker.statements(theorem()))


# Certificates ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "certify.rounding/1"}, "unknown format; this checker reads certify.rounding.difference/1"),
        ({"proof": {"tree": [0], "by": "hand"}}, "a proof is a tree, and cites nothing"),
        ({"proof": {}}, "a proof is a tree, and cites nothing"),
        ({"lemmas": ["true"]}, "a proof is a tree, and cites nothing"),
    ],
)
def test_certificates_refused(change, says):
    with pytest.raises(checker.Refused) as refusal:
        checker.check(sealed(theorem(), **change))
    assert str(refusal.value).startswith(says)


def test_what_is_established():
    established = checker.check(sealed(theorem()))
    assert established == checker.Established(list(checker.statements(theorem())), [])
    assert len(nodes(SIGNED)) == 25
