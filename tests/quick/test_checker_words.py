"""What the checker says: the theorem that it has established in its words, where a certificate was refused, and its exit codes."""

import json
from pathlib import Path

import pytest
from small_certificates import (
    ITSELF,
    LEVELLED,
    ODDS,
    OSCILLATION,
    RELAX,
    UNIT,
    accepts,
    combination,
    identity,
    positive,
    run,
    sealed,
)

from certify.checker import checker
from certify.checker.checker import LEMMAS, Refused, check, digest, main, words

TWO_PHASES = [["a = 0", "b > 0"], ["b = 0"]]
STATEMENTS = [
    ({"kind": "identity", "left": "a", "right": "b"}, "a = b, wherever both are defined"),
    ({"kind": "positive", "any_of": ["a"]}, "a > 0"),
    ({"kind": "positive", "any_of": ["a", "b", "c"]}, "a > 0 or b > 0 or c > 0"),
    ({"kind": "nonnegative", "any_of": ["a", "b"]}, "a >= 0 or b >= 0"),
    ({"kind": "supremum", "symbol": "C", "low": "0", "high": "1"}, "0 <= C <= 1"),
    ({"kind": "barrier", "solution": "Y", "side": "below", "function": "f"}, "Y is below f"),
    ({"kind": "bound", "solution": "Y", "candidate": "f", "radius": "r"}, "|Y - (f)| < r"),
    (
        {"kind": "difference bound", "solution": "Y", "potential": "P", "majorant": "M"},
        "|[Y(b) - Y(a)] - [F(b) - F(a)]| <= |G(b) - G(a)| for a, b >= 0, where Y' = Y, Y is continuous, F = P, G = M",
    ),
    (
        {"kind": "oscillation bound", "solution": "Y", "potential": "P", "radius": "r"},
        "|[Y(b) - Y(a)] - [F(b) - F(a)]| <= r for all a, b >= 0, where Y' = Y, Y is continuous, and F = P",
    ),
    (
        {"kind": "induction", "state": {"a": ["0", "a + 1"]}, "goes_on": [], "phases": [["a >= 0"]]},
        "let a = 0, then a + 1; then at every member a >= 0",
    ),
    (
        {"kind": "induction", "state": {"a": ["0", "b"], "b": ["1", "a"]}, "goes_on": ["n", "m"], "phases": TWO_PHASES},
        "let a = 0, then b; b = 1, then a, as long as n > 0, as long as m > 0; "
        "then at every member, alternately, a = 0 and b > 0; or b = 0",
    ),
]


@pytest.mark.parametrize(("statement", "said"), STATEMENTS, ids=[said[:20] for _, said in STATEMENTS])
def test_statements_in_words(statement, said):
    assert words(statement) == said


def test_every_kind_of_statement_is_said():
    assert {statement["kind"] for statement, _ in STATEMENTS} == checker.WORDS.keys()


def test_the_theorem_in_words():
    """Everything that a statement depends on is said before it."""
    theorem = {
        "domain": {"p": "(0, oo)", "x": "(0, oo)"},
        "where": {"a": "x + 1", "superb": "2*a", "C": " sup(p/(1 + p), a/a)"},
        "derivatives": {"f": {"x": "g", "p": "0"}, "g": {}},
        "solutions": RELAX["solutions"],
    }
    chart = {"symbols": {"p": run("odds", "u"), "x": run("odds", "v")}}
    assert accepts(theorem, chart, identity("a", "x + 1"), combination("a", ("1", -1), ("x", -1))) == [
        "for every p in (0, oo)",
        "for every x in (0, oo)",
        "with a = x + 1",
        "with superb = 2*a",
        "with C =  sup(p/(1 + p), a/a), the supremum over all of these",
        "with df/dx = g",
        "with df/dp = 0",
        "with Y = the solution: dY/dx = 1 - 2*Y, Y -> 0 at 0, 0 < Y < 1 (cited: here)",
        "a = x + 1, wherever both are defined",
        "a > 0",
    ]


def test_a_lemma_is_cited_once_where_it_is_first_used():
    """Two barriers and an integration."""
    established = check(sealed(LEVELLED, ODDS, *OSCILLATION))
    assert established.lemmas == [LEMMAS["barrier"], LEMMAS["integration"]]


def test_statements_are_said_in_the_order_of_the_theorem_and_others_not():
    steps = [identity("x", "x"), identity("2*x", "x + x"), identity("1", "1")]
    theorem = {**UNIT, "statements": [steps[1][0], steps[0][0]]}
    assert accepts(theorem, ITSELF, *steps) == ["for every x in (0, 1]", *(words(steps[k][0]) for k in (1, 0))]


# Refusals ------------------------------------------------------------------------------------------------------------


def refusal(data: object) -> str:
    with pytest.raises(Refused) as caught:
        check(data)
    return str(caught.value)


def resealed(data: dict) -> dict:
    return {**data, "digest": digest(data)}


# FORMAT.md § 5
ESTABLISHES = {
    "evaluation": ["identity"],
    "bernstein": ["positive", "nonnegative"],
    "intervals": ["positive", "nonnegative"],
    "combination": ["positive", "nonnegative", "barrier"],
    "cases": ["positive"],
    "supremum": ["supremum"],
    "induction": ["induction"],
    "barrier": ["barrier"],
    "enclosure": ["bound"],
    "integration": ["difference bound"],
    "oscillation": ["oscillation bound"],
}


@pytest.mark.parametrize("rule", ESTABLISHES)
def test_a_rule_establishes_statements_of_its_kinds_only(rule):
    """Every step is refused here for want of evidence; of another kind it is refused for its kind."""
    for statement, _ in STATEMENTS:
        said = refusal(sealed(UNIT, ITSELF, (statement, {"rule": rule})))
        kind = statement["kind"]
        assert (said == f"step 0 ({rule}): this rule does not establish the kind {kind}") is (kind not in ESTABLISHES[rule])


def test_a_statement_is_the_same_in_any_order_of_its_members():
    statement, evidence = identity("x", "x")
    same = dict(reversed(statement.items()))
    data = sealed({**UNIT, "statements": [same]}, ITSELF, (statement, evidence))
    assert check(data).statements == [*accepts(UNIT, ITSELF, (statement, evidence))]
    assert check(dict(reversed(data.items()))) == check(data)


def test_a_refusal_names_the_step_and_the_rule():
    good, bad = positive("x", [1], [0], "1/v"), identity("x", "x + 1")
    assert refusal(sealed(UNIT, ITSELF, bad, good)) == "step 0 (evaluation): not an identity"
    assert refusal(sealed(UNIT, ITSELF, good, good, bad)) == "step 2 (evaluation): not an identity"
    assert refusal(sealed(UNIT, ITSELF, good, positive("x", [1], [1], "1/v"))).startswith("step 1 (bernstein): malformed: IndexError: ")


def test_a_refusal_after_the_last_step_names_none():
    missing = identity("x", "x + 1")[0]
    assert refusal(sealed({**UNIT, "statements": [missing]}, ITSELF, identity("x", "x"))) == f"not established: {[missing]}"
    assert refusal(resealed({**sealed(UNIT, ITSELF, identity("x", "x")), "lemmas": [""]})) == "the cited lemmas are not those used"


def test_a_refusal_before_the_first_step_names_none():
    data = sealed(UNIT, ITSELF, identity("x", "x"))
    assert refusal({**data, "claim": "another"}) == "the digest does not belong to the content"
    assert refusal(resealed({**data, "format": "other"})) == f"unknown format; this checker reads {checker.FORMAT}"
    assert refusal(sealed(UNIT, {}, identity("x", "x"))) == "the chart must give every symbol of the domain, and nothing else"
    assert refusal(None) == "a certificate has only printable ASCII strings, integers, lists and objects in it"


def test_a_refusal_is_short_whatever_the_certificate_says():
    """400 characters of what was wrong, and of an expression 80."""
    many = [identity("x", f"x + {k}")[0] for k in range(100)]
    assert len(refusal(sealed({**UNIT, "statements": many}, ITSELF, identity("x", "x")))) == 400
    for text, shown in (("x # " + "1" * 100, ("x # " + "1" * 100)[:80]), ("y + " + "1" * 100, "y")):
        assert refusal(sealed(UNIT, ITSELF, identity(text, "x"))).endswith(f": {shown}")


# Files ---------------------------------------------------------------------------------------------------------------

GOOD, BAD = sealed(UNIT, ITSELF, identity("x", "x")), sealed(UNIT, ITSELF, identity("x", "x + 1"))
CITING = sealed(LEVELLED, ODDS, *OSCILLATION)
ACCEPTED = "{!a}: ACCEPTED\n  for every x in (0, 1]\n  x = x, wherever both are defined\n"
REFUSED = "{!a}: REFUSED: step 0 (evaluation): not an identity\n"


@pytest.fixture
def place(tmp_path):
    files = {"good": GOOD, "bad": BAD, "citing": CITING}
    paths = {name: tmp_path / f"{name}.json" for name in files}
    for name, data in files.items():
        paths[name].write_text(json.dumps(data))
    (tmp_path / "text.json").write_text("no JSON")
    return {name: str(path) for name, path in paths.items()} | {"text": str(tmp_path / "text.json"), "none": str(tmp_path / "é.json")}


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ([], 4), (["good"], 0), (["good", "good"], 0), (["bad"], 1), (["bad", "good"], 1), (["good", "bad"], 1), (["text"], 4),
        (["text", "good"], 4), (["good", "text"], 4), (["bad", "text"], 4), (["text", "bad"], 4), (["none"], 4),
    ],
)  # fmt: skip
def test_exit_codes(place, names, code):
    """0 all accepted, 1 some refused, 4 some unreadable, or none named."""
    assert main([place[name] for name in names]) == code


def test_results_and_errors(place, capsys):
    main([place[name] for name in ("good", "bad", "text", "none")])
    said = capsys.readouterr()
    assert said.out == ACCEPTED.format(place["good"]) + REFUSED.format(place["bad"])
    first, second = said.err.splitlines()
    assert first.startswith(f"{place['text']!a}: not readable as JSON: JSONDecodeError(")
    assert second.startswith(f"{place['none']!a}: not readable as JSON: FileNotFoundError(")


def test_an_error_is_short_whatever_it_says(tmp_path, capsys):
    """Python's error would give all the bytes of the file."""
    path = str(tmp_path / "binary.json")
    Path(path).write_bytes(b"\xff" * 1000)
    assert main([path]) == 4
    prefix, error = capsys.readouterr().err.rstrip("\n").split(": not readable as JSON: ")
    assert (prefix, len(error)) == (ascii(path), 120)


def test_lemmas_are_printed_after_the_statements(place, capsys):
    assert main([place["citing"]]) == 0
    cited = [f"  cited: {LEMMAS[name]}" for name in ("barrier", "integration")]
    assert capsys.readouterr().out.splitlines()[-2:] == cited


def test_a_file_may_have_so_many_bytes_and_no_more(tmp_path, monkeypatch, capsys):
    path, content = tmp_path / "certificate.json", json.dumps(GOOD).encode()
    path.write_bytes(content)
    monkeypatch.setattr(checker, "MAX_BYTES", len(content))
    assert main([str(path)]) == 0
    path.write_bytes(content + b" ")
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == f"{str(path)!a}: REFUSED: the file is too large"


def test_a_file_is_utf_8_whatever_the_locale(tmp_path, capsys):
    path = tmp_path / "certificate.json"
    for encoding in ("utf-16", "latin-1"):
        path.write_bytes(json.dumps({**GOOD, "claim": "é"}, ensure_ascii=False).encode(encoding))
        assert main([str(path)]) == 4
        assert "not readable as JSON" in capsys.readouterr().err


def test_no_member_is_given_twice(tmp_path, capsys):
    path, text = tmp_path / "certificate.json", json.dumps(GOOD)
    for twice in (text.replace('"claim":', '"claim": "other", "claim":'), text.replace('"left":', '"left": "y", "left":')):
        path.write_text(twice)
        assert main([str(path)]) == 1
        assert capsys.readouterr().out == f"{str(path)!a}: REFUSED: a field is given twice\n"


# FORMAT.md § 6


@pytest.mark.parametrize(("rule", "lemma"), LEMMAS.items())
def test_the_format_has_the_cited_lemmas_word_for_word(rule, lemma):
    format = Path(checker.__file__).with_name("FORMAT.md").read_text(encoding="utf-8")
    assert f"`{rule}`: ```text {lemma} ```" in " ".join(format.split())
