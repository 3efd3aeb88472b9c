"""The checker of rounding certificates: what a theorem says, at its edges; the bisection; its words; files."""

import json
from fractions import Fraction
from typing import Any

import pytest
from small_rounding import BASE, ROOT, SQUARES, ULPS, accepts, refuses, sealed, theorem

from certify.checker import rounding as checker

QUOTIENT = f"{ROOT} div:3,4"
WHOLE = ((Fraction(0), Fraction(1)),) * 2
BOTH = {"binary32": {"x_max": 60, "nu_max": 30}, "binary64": {"x_max": 500, "nu_max": 400}}


def stated(text: str = QUOTIENT, function: str = "x/s", **changes: Any) -> checker.Theorem:
    return checker.Theorem(**theorem(text, function, **changes))


# Bounds at their edges ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formats", [theorem("")["formats"], BOTH])
def test_the_least_bound_is_accepted_and_no_smaller_one(formats):
    """In multiples of u*2^-48: what is found on the only leaf, and what x > x_max adds."""
    claim = stated(formats=formats)
    least = claim.leaf(WHOLE)[0] + claim.beyond("binary32")
    accepts(QUOTIENT, k=str(Fraction(least, 2**48)), formats=formats)
    refuses("the bound does not hold in the cell", QUOTIENT, k=str(Fraction(2 * least - 1, 2**49)), formats=formats)
    assert Fraction(3, 2) < Fraction(least, 2**48) < Fraction(3, 2) + Fraction(1, 2**20)  # 1 of hypot, 1/2 of the quotient


def test_the_largest_value_is_accepted_and_no_smaller_one():
    loose = {"profile": {"name": "", "ulps": ULPS | {"div": "1"}, "monotone": []}, "k": "4"}
    size = stated(**loose).leaf(WHOLE)[1]
    assert size > 1
    accepts(QUOTIENT, largest=str(size), **loose)
    refuses("the bound does not hold", QUOTIENT, largest=str(size - Fraction(1, 2**72)), **loose)
    accepts(QUOTIENT, largest="1")
    refuses("the bound does not hold", QUOTIENT, largest=str(1 - Fraction(1, 2**72)))
    refuses("the bound does not hold", QUOTIENT, largest="0")


def test_a_leaf_is_where_its_box_says(monkeypatch):
    """x/s = 2m/(1 + m^2) on m in [1/3, 1/2]."""
    claim, seen = stated(nu="[2, 10]"), []
    forward = claim.sweep.forward
    monkeypatch.setattr(claim.sweep, "forward", lambda *sides: seen.extend(sides) or forward(*sides))
    claim.leaf(((Fraction(1, 3), Fraction(1, 2)), (Fraction(1, 4), Fraction(1, 2))))
    x, t, eps = seen
    one = 1 << claim.bits
    for side, low, high in ((x, "3/5", "4/5"), (t, "3/5", "4/5"), (eps, "1/5", "3/10")):
        assert side == (int(Fraction(low) * one), -int(-Fraction(high) * one // 1))


@pytest.mark.parametrize(("x_max", "underflow"), [(60, 256), (50, 1), (52, 1), (53, 2), (61, 512)])
def test_what_underflow_may_cost(x_max, underflow):
    """2 lambda 2^(x_max + 1) / (u 2^-48), for what scales like 1/s; less than one unit otherwise."""
    assert Fraction(2 ** (x_max + 2), 2**126) / Fraction(1, 2**72) <= underflow
    claim = stated(formats={"binary32": {"x_max": x_max, "nu_max": 30}, "binary64": BOTH["binary64"]})
    assert [claim.sweep.slack[d] for d in (-1, 0, 1, 2)] == [underflow, 1, 1, 1]


@pytest.mark.parametrize("gap", [20, 24, 30])
def test_beyond_x_max(gap):
    """x/s is between 1 - T^2 and 1, nu/s is at most T = 2^-gap, and nu/s^2 = t/s at most T/s."""
    formats = {"binary32": {"x_max": 60, "nu_max": 60 - gap}, "binary64": {"x_max": 400, "nu_max": 400 - gap}}
    for text, function, width, more in (
        (QUOTIENT, "x/s", 2 ** (2 * gap), {}),
        (f"{ROOT} div:1,4", "nu/s", 2**gap, {}),
        (f"{ROOT} div:1,4 -3 mul:5,6", "-3*nu/s", Fraction(2**gap, 3), {}),
        (f"{ROOT} 1 div:5,4 mul:1,6 mul:7,6", "nu/s**2", 2**gap, {"unit": "1/s"}),
        (f"{ROOT} 1 div:5,4 mul:1,6 mul:7,6 -3 mul:8,9", "-3*nu/s**2", Fraction(2**gap, 3), {"unit": "1/s"}),
        (f"{ROOT} 1 div:5,4", "1/s", 1, {"unit": "1/s"}),
        (f"{QUOTIENT} mul:5,5", "x*x/(s*s)", 1 / (2 * Fraction(1, 4**gap) - Fraction(1, 16**gap)), {}),
    ):
        claim = stated(text, function, formats=formats, **more)
        for name, digits in (("binary32", 24), ("binary64", 53)):
            exact = Fraction(2 ** (digits + 48)) / width
            assert exact <= claim.beyond(name) <= exact + 1 + Fraction(2 ** (digits + 8), 2**gap)


@pytest.mark.parametrize(
    ("unit", "ends", "width"), [("1/s", (-4, -3), 4), ("1/s", (3, 4), 4), ("1/s", (-3, 4), 7), ("1", (-4, -3), 1), ("1", (-3, 4), 7)]
)
def test_how_far_the_function_is_from_that_at_x_max(unit, ends, width, monkeypatch):
    """x is in [1 - T^2, 1], nu in [0, T], and 1/nu up to 1/3, in finer numbers."""
    claim, seen = stated(f"{ROOT} 1 div:5,4", "1/s", unit="1/s", nu="[3, 5]"), []
    claim.degree, fine = 0 if unit == "1" else -1, 1 << 60
    value = tuple(end * fine for end in ends)
    monkeypatch.setattr(checker.Sweep, "forward", lambda self, *sides: seen.extend([self.bits, self.rounds, *sides]) or {6: (value,)})
    assert claim.beyond("binary32") == width
    value = value[0], value[1] + 1
    assert claim.beyond("binary32") == (width if ends == (-4, -3) and unit == "1/s" else width + 1)
    one = 1 << 132
    assert seen[:5] == [132, False, (one - one // 2**60, one), (0, one // 2**30), (0, -(-one // 3))]


def test_the_farthest_format_counts():
    formats = {"binary32": {"x_max": 60, "nu_max": 30}, "binary64": {"x_max": 60, "nu_max": 30}}
    claim = stated(formats=formats, k="2")
    assert claim.most == 2 * 2**48 - claim.beyond("binary64") < 2 * 2**48 - claim.beyond("binary32")
    assert claim.bits == 48 + 24
    assert stated(formats={"binary64": BOTH["binary64"]}).bits == 48 + 53


# Theorems ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "nu", ["[1, oo)", "[1, 1]", "[3/2, 7/3]", "[1/65536, 1/65536]", "[1/65536, oo)", "[1048576, oo)", "[1048576, 1048577]", "[1, 1048577]"]
)
def test_ranges(nu):
    low, high = nu[1:-1].split(", ")
    assert stated(nu=nu, k="10000").eps == (0 if high == "oo" else 1 / Fraction(high), 1 / Fraction(low))


@pytest.mark.parametrize("nu", ["[1/65537, oo)", "[1048577, oo)", "[2, 1]", "[1/65537, 1]", "[1048577, 1048578]"])
def test_ranges_too_far(nu):
    refuses("the range of nu is empty, or ends too far from 1", QUOTIENT, nu=nu)


@pytest.mark.parametrize(
    "nu",
    ["(1, oo)", "[1, oo]", "[1, 2)", "[-1, 2]", "[1,2]", "[1, 2] ", "[1.5, 2]", "[, 2]", "[1, ]", "oo", "[1/0, oo)", "[1, 1/0]", "[1, 0]"],
)
def test_what_is_no_range(nu):
    refuses("", QUOTIENT, nu=nu)


def test_the_words_about_ranges_and_units():
    refuses("nu has the range [a, oo) or [a, b]; the unit is 1, or 1/s without largest", QUOTIENT, nu="(1, oo)")
    for unit, largest in (("s", ""), ("1/s", "1"), ("", "")):
        refuses("the unit is 1, or 1/s without largest", QUOTIENT, unit=unit, largest=largest)


@pytest.mark.parametrize(
    ("nu", "exact"), [("[2, 2]", True), ("[1/4, 1/4]", True), ("[3, 3]", False), ("[2, 4]", False), ("[2, oo)", False)]
)
def test_one_order_that_is_a_power_of_two(nu, exact):
    assert stated(nu=nu).program.exact is exact


@pytest.mark.parametrize(
    ("name", "x_max", "nu_max", "accepted"),
    [
        ("binary32", 61, 20, True),
        ("binary32", 62, 20, False),
        ("binary32", 61, 41, True),
        ("binary32", 61, 42, False),
        ("binary32", 60, 19, False),
        ("binary64", 509, 489, True),
        ("binary64", 510, 400, False),
        ("binary16", 60, 30, False),
    ],
)
def test_formats(name, x_max, nu_max, accepted):
    formats = {name: {"x_max": x_max, "nu_max": nu_max}}
    if accepted:
        stated(formats=formats)
    else:
        refuses("x_max, nu_max" if name in checker.FORMATS else "the formats known here are binary32, binary64", QUOTIENT, formats=formats)


def test_other_formats():
    refuses("the formats known here are binary32, binary64", QUOTIENT, formats={})
    refuses("binary32: x_max, nu_max", QUOTIENT, formats={"binary32": {"x_max": 60, "nu_max": 30, "p": 24}})
    refuses("malformed: KeyError", QUOTIENT, formats={"binary32": {"x_max": 60, "nu": 30}})


# Cells -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ("0 1 0 1", "x/nu in [0, inf], nu in [2, 4]: x/(nu + s) in [0, 1], 1/nu in [1/4, 1/2]"),
        ("1/3 1/2 1/2 1", "x/nu in [0.75, 1.33333], nu in [2, 2.66667]: x/(nu + s) in [1/3, 1/2], 1/nu in [3/8, 1/2]"),
    ],
)
def test_a_refusal_names_the_cell(box, words):
    a, b, c, d = map(Fraction, box.split())
    with pytest.raises(checker.Refused) as refusal:
        stated(nu="[2, 4]", k="1/10").hold(((a, b), (c, d)))
    assert str(refusal.value) == f"the bound does not hold in the cell {words}"


def test_a_range_without_end_has_cells_without_end():
    with pytest.raises(checker.Refused, match=r"nu in \[4, inf\]: x/\(nu \+ s\) in \[0, 1/4\], 1/nu in \[0, 1/4\]$"):
        stated(k="1/10").hold(((Fraction(0), Fraction(1, 4)), (Fraction(0), Fraction(1, 4))))


@pytest.mark.parametrize("box", ["0 1/2 1/2 1", "1/2 1 1/2 1", "1/4 3/4 0 1", "0 1 1 1"])
def test_the_cell_in_which_the_function_differs_is_refused(box):
    """It differs at m = 1/2, 1/nu = 1."""
    a, b, c, d = map(Fraction, box.split())
    claim = stated(function="2*x/s")
    assert claim.differ == (Fraction(1, 2), 1)
    with pytest.raises(checker.Refused, match="^the program is not the function in the cell"):
        claim.hold(((a, b), (c, d)))


@pytest.mark.parametrize("box", ["0 1/4 1/2 1", "3/4 1 1/2 1", "0 1 0 1/2"])
def test_other_cells_hold(box):
    a, b, c, d = map(Fraction, box.split())
    stated(function="2*x/s").hold(((a, b), (c, d)))


# Bisections ------------------------------------------------------------------------------------------------------------------


class Boxes(list):
    hold = list.append


HALF = Fraction(1, 2)


@pytest.mark.parametrize(
    ("tree", "boxes"),
    [
        ([0], [((0, 1), (0, 1))]),
        ([-1, 0, 0], [((0, HALF), (0, 1)), ((HALF, 1), (0, 1))]),
        ([-2, 0, 0], [((0, 1), (0, HALF)), ((0, 1), (HALF, 1))]),
        ([-1, 0, -2, 0, 0], [((0, HALF), (0, 1)), ((HALF, 1), (0, HALF)), ((HALF, 1), (HALF, 1))]),
        ([-1, -1, 0, 0, 0], [((0, HALF / 2), (0, 1)), ((HALF / 2, HALF), (0, 1)), ((HALF, 1), (0, 1))]),
    ],
)
def test_bisections(tree, boxes):
    found = Boxes()
    checker.tile(tree, 1, found)
    assert found == boxes


@pytest.mark.parametrize(
    ("tree", "says"),
    [
        ([], "the tree does not tile the box"),
        ([-1, 0], "the tree does not tile the box"),
        ([0, 0], "the tree has another label, or more entries than it needs"),
        ([-1, 0, 0, 0], "the tree has another label, or more entries than it needs"),
        ([1], "the tree has another label, or more entries than it needs"),
        ([-3, 0, 0], "the tree has another label, or more entries than it needs"),
        ([-1] * 301, "the tree is too deep"),
    ],
)
def test_what_is_no_bisection(tree, says):
    with pytest.raises(checker.Refused, match=f"^{says}$"):
        checker.tile(tree, 1, Boxes())


def test_how_deep_a_bisection_is():
    with pytest.raises(checker.Refused, match="^the tree does not tile the box$"):
        checker.tile([-1] * 299, 1, Boxes())
    with pytest.raises(checker.Refused, match="^the tree is too deep$"):
        checker.tile([-1] * 300, 1, Boxes())


def test_how_much_work_a_bisection_is(monkeypatch):
    monkeypatch.setattr(checker, "MAX_WORK", 6)
    checker.tile([-1, 0, 0], 2, Boxes())
    with pytest.raises(checker.Refused, match="^the tree takes more work than this checker grants$"):
        checker.tile([-1, 0, 0], 3, Boxes())
    monkeypatch.setattr(checker, "MAX_WORK", 3 * 6 * 10)
    refuses("more work", QUOTIENT, tree=(-1, 0) * 15 + (0,))


# Words -----------------------------------------------------------------------------------------------------------------------


def test_the_words_of_a_theorem():
    bound, floats = "|computed v8 - f| <= 2 u and |computed v8| <= 3", "for all floats x >= 0 and nu in [2, oo)"
    where = {"s": checker.ROOT, "t": "2", "f": "x/(2*s)"}
    assert accepts(f"{QUOTIENT} 1/2 mul:5,6 sub:5,7", where=where, nu="[2, oo)", formats=BOTH, largest="3") == [
        "v0 = x", "v1 = nu", "v2 = x_max", "v3 = min(v0, v2)", "v4 = hypot(v3, v1)", "v5 = v3 / v4", "v6 = 1/2",
        "v7 = v5 * v6", "v8 = v5 - v7",
        "with s = sqrt(x**2 + nu**2)",
        "with t = 2",
        "with f = x/(2*s)",
        "under profile by hand: add within 1/2 ulp, sub within 1/2 ulp, mul within 1/2 ulp, div within 1/2 ulp, hypot within 1/2 ulp, "
        "sqrt within 1/2 ulp; 1/2 ulp: correctly rounded",
        "constants within 501/1000 ulp; what is below the least normal number may become 0; a product may be fused with the sum it enters",
        f"binary32, u = 2^-24, x_max = 2^60: {bound} {floats} up to 2^30",
        f"binary64, u = 2^-53, x_max = 2^500: {bound} {floats} up to 2^400",
    ]  # fmt: skip


def test_the_words_of_other_theorems():
    profile = {"name": "loose", "ulps": {"hypot": "1", "div": "1/2"}, "monotone": ["hypot"]}
    *_, assumed, _, bound = accepts(f"{ROOT} 1 div:5,4", "1/s", unit="1/s", profile=profile, k="4000000000000000000000")
    assert assumed == (
        "under profile loose: hypot within 1 ulp, div within 1/2 ulp, hypot(a, b) at least |a| and |b|; 1/2 ulp: correctly rounded"
    )
    floats = "for all floats x >= 0 and nu in [1, oo) up to 2^30"
    assert bound == f"binary32, u = 2^-24, x_max = 2^60: |computed v6 - f| <= 4000000000000000000000 u/hypot(min(x, x_max), nu) {floats}"


@pytest.mark.parametrize(
    ("text", "loose", "cites"),
    [
        (SQUARES, (), True),
        (SQUARES, ("mul",), False),
        (SQUARES, ("add",), False),
        (SQUARES, ("sqrt",), False),
        (SQUARES, ("div",), True),
        (BASE, (), False),
    ],
)
def test_the_lemma_about_squares_is_cited_where_it_is_used(text, loose, cites):
    claim = theorem(text, profile={"name": "", "ulps": ULPS | dict.fromkeys(loose, "1"), "monotone": []})
    assert checker.cited(claim) == [checker.SQUARES] * cites
    for op in ("mul", "add", "sqrt"):
        claim["profile"] = {"ulps": {name: ulps for name, ulps in ULPS.items() if name != op}}
        assert checker.cited(claim) == []


def test_other_citations_are_refused():
    claim = theorem(f"{SQUARES} div:3,7", k="4")
    assert checker.check(sealed(claim)).lemmas == [checker.SQUARES]
    for lemmas in ([], [checker.SQUARES] * 2, ["true"]):
        with pytest.raises(checker.Refused, match="^the cited lemmas are not those used$"):
            checker.check(sealed(claim, lemmas=lemmas))


# Certificates ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "certify.rounding/2"}, "unknown format; this checker reads certify.rounding/1"),
        ({"proof": {"tree": [0], "by": "hand"}}, "unknown format"),
        ({"proof": {}}, "unknown format"),
        ({"theorem": {}}, "malformed: TypeError: "),
    ],
)
def test_certificates_refused(change, says):
    with pytest.raises(checker.Refused) as refusal:
        checker.check(sealed(theorem(QUOTIENT), **change))
    assert str(refusal.value).startswith(says)


def test_a_file_with_its_lemma(tmp_path, capsys):
    (tmp_path / "cites").write_text(json.dumps(sealed(theorem(f"{SQUARES} div:3,7", k="4"))))
    assert checker.main([str(tmp_path / "cites")]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[1] == "  v0 = x"
    assert out.endswith(f"\n  cited: {checker.SQUARES}\n")
