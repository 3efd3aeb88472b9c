"""What claims, verdicts and exceptions say is fit to print, or refused where it enters."""

import pytest

from certify import Outcome, Reason, Verdict, claim
from certify.claims.claim import Claim
from certify.claims.text import REPLACEMENT, clipped, line, one_line


def declare(id: str = "x.y", **parts) -> Claim:
    words = {"statement": "", "domain": "", "source": "", "grade": "measured"}
    return claim(id, **{**words, **parts})(lambda: Verdict.measured(""))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" a\n\tb\r\v c ", "a b c"),
        ("ν → ∞", "ν → ∞"),
        ("a\x1b[31m\0\x7f\ud800\u202e", f"a{REPLACEMENT}[31m{REPLACEMENT * 4}"),
        ("", ""),
    ],
)
def test_a_line(text, expected):
    assert line(text) == expected
    assert line(text).isprintable()


def test_long_text_loses_its_middle():
    assert clipped("x" * 300) == "x" * 300
    assert len(clipped("x" * 10**6)) <= 300
    assert clipped(f"first{'x' * 400}last").startswith("first")
    assert clipped(f"first{'x' * 400}last").endswith("last")


def test_exceptions_that_cannot_say_what_they_are():
    class Wordless(Exception):
        def __str__(self) -> str:
            raise ValueError

    assert one_line(Wordless()) == "Wordless"
    assert one_line(KeyError("a\nb")) == r"KeyError: 'a\nb'"


@pytest.mark.parametrize("id", ["", "Ratio", "a b", "../x", "a/b", ".", "a..b", "a.", "é", "٣", "a\n", "a" * 101, 5, None])
def test_ids_that_are_none(id):
    with pytest.raises(ValueError, match="claim id"):
        declare(id)


@pytest.mark.parametrize("grade", ["best", "error", "refuted", "not run", "Proved"])
def test_grades_that_are_none(grade):
    with pytest.raises(ValueError, match=grade):
        declare(grade=grade)


def test_a_grade_is_an_outcome():
    with pytest.raises(ValueError, match="grade 'measured' is not one of"):
        Claim("x.y", "", "", "", lambda: Verdict.measured(""), "measured")  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [5, None, ["x"], b"x"])
@pytest.mark.parametrize("field", ["statement", "domain", "source"])
def test_words_are_text(field, value):
    with pytest.raises(ValueError, match=f"its {field} is a"):
        declare(**{field: value})


def test_words_stand_on_one_line():
    assert declare(statement="a\n   b\x1b").statement == f"a b{REPLACEMENT}"


@pytest.mark.parametrize(
    ("constants", "complaint"),
    [
        ({"C": 0.1}, "is a float"),
        ({"C": float("nan")}, "is a float"),
        ({"C": "x"}, "not a number"),
        ({"C": True}, "not a number"),
        ({"C": 10**1001}, "more than 1000 digits"),
        ({"a b": 1}, "identifier"),
        ({"seed": 1}, "other than profile, seed"),
        ({"profile": 1}, "other than profile, seed"),
    ],
)
def test_constants_are_exact_and_have_names(constants, complaint):
    with pytest.raises(ValueError, match=complaint):
        declare(constants=constants)


@pytest.mark.parametrize("theorem", [lambda: 5, lambda: None])
def test_a_theorem_is_a_theorem(theorem):
    with pytest.raises(TypeError, match="not a Theorem"):
        declare(theorem=theorem).formal()


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"outcome": "measured"}, "an Outcome"),
        ({"summary": 5}, "in words"),
        ({"facts": 5}, "names to values"),
        ({"outcome": Outcome.REFUTED, "witness": "x = 1"}, "names to values"),
        ({"outcome": Outcome.UNDECIDED, "reason": "why"}, "a member of Reason"),
        ({"outcome": Outcome.UNDECIDED, "reason": Reason.PRECISION, "box": 5}, "names to values"),
    ],
)
def test_verdicts_of_wrong_parts(parts, complaint):
    with pytest.raises(ValueError, match=complaint):
        Verdict(**{"outcome": Outcome.MEASURED, "summary": "", **parts})
