"""What is recorded: exit codes, weakest link, plain data, schemas."""

import json
import math
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import msgspec
import pytest

from certify.claims import schemas
from certify.claims.exits import BadInput, Exit
from certify.claims.folder import decode_report, encode_report
from certify.claims.origin import file_origin
from certify.claims.record import ClaimRecord, Environment, Report, Run, counts, plain, reproduce, weakest
from certify.claims.verdict import GRADES, Outcome
from certify.claims.worker import Task, work
from certify.report.junit import junit
from certify.report.markdown import code, markdown
from certify.report.strength import strength

PLANTED = Path(__file__).resolve().parent.parent / "planted"
RUN = Run(
    command="certify run",
    profile="quick",
    seed=0,
    jobs=1,
    started="2020-01-01T00:00:00+00:00",
    finished=None,
    seconds={},
    resumed=(),
)
PLACE = Environment(versions={"certify": None}, platform="", cpu="", cores=1, commit=None, dirty=None)


def claim_record(id: str, outcome: Outcome, **parts) -> ClaimRecord:
    empty = dict.fromkeys(("statement", "domain", "source", "summary"), "")
    defaults = {**empty, "origin": "proofs.x", "grade": Outcome.PROVED, "reached": None}
    return ClaimRecord(id=id, outcome=outcome, **{**defaults, **parts})


def report(*outcomes: Outcome, complete: bool = True) -> Report:
    records = tuple(claim_record(f"x.{number}", outcome) for number, outcome in enumerate(outcomes))
    run = msgspec.structs.replace(RUN, seconds={record.id: 0.5 for record in records})
    return Report(
        complete=complete,
        weakest=weakest(records),
        counts=counts(records),
        claims=records,
        run=run,
        environment=PLACE,
    )


PROVED, ENCLOSED, NOT_RUN = Outcome.PROVED, Outcome.ENCLOSED, Outcome.NOT_RUN
UNDECIDED, ERROR, REFUTED = Outcome.UNDECIDED, Outcome.ERROR, Outcome.REFUTED


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        (GRADES, Exit.HOLDS),
        ((PROVED, NOT_RUN), Exit.HOLDS),
        ((NOT_RUN, NOT_RUN), Exit.UNDECIDED),
        ((PROVED, UNDECIDED, NOT_RUN), Exit.UNDECIDED),
        ((PROVED, UNDECIDED, ERROR), Exit.ERROR),
        ((ERROR, REFUTED, UNDECIDED), Exit.REFUTED),
    ],
)
def test_the_weakest_outcome_is_the_exit_code(outcomes, code):
    assert report(*outcomes).exit is code


def test_an_interruption_comes_first():
    assert report(REFUTED, complete=False).exit is Exit.INTERRUPTED


def test_a_report_says_how_strong_it_is():
    assert strength(report(PROVED, PROVED)) == "weakest link: proved (2 proved)"
    assert "weakest link: enclosed, x.1 (1 proved, 1 enclosed)" in strength(report(PROVED, ENCLOSED))
    assert "nothing was run" in strength(report(NOT_RUN))
    assert "partial" in strength(report(PROVED, complete=False))


def test_the_weakest_link_comes_first_in_the_overview():
    page = markdown(report(PROVED, REFUTED, UNDECIDED))
    rows = [line for line in page.splitlines() if line.startswith(("| proved", "| refuted", "| undecided"))]
    assert [row.split()[1] for row in rows] == ["refuted", "undecided", "proved"]


def test_junit_kinds():
    text = junit(report(*Outcome))
    assert 'tests="8" failures="2" errors="1" skipped="1"' in text


def test_junit_holds_no_forbidden_characters():
    bad = claim_record("x.0", REFUTED, summary="a\0b\x1b[31m\ud800 <&>", witness={"x": "\x08"})
    text = junit(msgspec.structs.replace(report(REFUTED), claims=(bad,)))
    assert not set(text) & set("\0\x1b\x08\ud800")
    assert "&lt;&amp;&gt;" in text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(2, 25), "2/25"),
        (2**53, str(2**53)),
        (-3, -3),
        (math.inf, "inf"),
        (0.5, 0.5),
        (True, True),
        ({1: (None, Fraction(1))}, {"1": [None, "1"]}),
        ({1, 2}, "{1, 2}"),
    ],
)
def test_plain(value, expected):
    assert plain(value) == expected


def test_nothing_can_be_injected_into_a_page_or_into_xml():
    origin = file_origin(str(PLANTED / "hostile.py"))
    records = tuple(work(Task(f"planted.{id}", origin, {}, "quick", 0)).record for id in ("breaks", "raises", "refutes"))
    run = msgspec.structs.replace(RUN, seconds=dict.fromkeys((record.id for record in records), 0.5))
    totals = {"weakest": weakest(records), "counts": counts(records)}
    hostile = msgspec.structs.replace(report(PROVED), claims=records, run=run, **totals)
    lines = markdown(hostile).splitlines()
    assert all(line.isprintable() for line in lines)
    assert [line for line in lines if line.startswith("# ")] == ["# Report"]
    assert len([line for line in lines if line.startswith("## ")]) == len(records) + 2
    assert not [line for line in lines if line.startswith(("# injected", "| a |"))]
    assert len(ElementTree.fromstring(junit(hostile)).findall(".//testcase")) == len(records)


def test_no_formula_is_a_tag_in_markdown():
    whole = report(PROVED)
    spelled = msgspec.structs.replace(whole.claims[0], statement="0 <x</b>", domain="i<m")
    shown = markdown(msgspec.structs.replace(whole, claims=(spelled,)))
    assert "- statement: $0 < x< /b>$\n" in shown
    assert "- domain: $i< m$\n" in shown


def test_code_is_fenced_by_more_backticks_than_it_has():
    assert code("a") == "`a`"
    assert code("`a`") == "`` `a` ``"
    assert code("``") == "``` `` ```"


def test_a_constant_that_is_not_there_cannot_be_perturbed():
    with pytest.raises(ValueError, match="x.0: a constant is perturbed that it does not have"):
        claim_record("x.0", PROVED, perturbed=("C",))
    data = json.loads(encode_report(report(PROVED)))
    data["claims"][0]["perturbed"] = ["C"]
    with pytest.raises(BadInput, match="does not have"):
        decode_report(json.dumps(data).encode())


def test_a_label_is_short():
    digits = "1" + "0" * 900
    record = claim_record("x.0", PROVED, constants={"C": digits}, perturbed=("C",))
    assert len(record.label) < 60
    assert digits in reproduce(record, RUN)


def test_how_to_check_one_claim_again():
    record = claim_record("x.y", PROVED, origin="my claims.py", constants={"C": "2/25", "D": "1"}, perturbed=("C",))
    assert reproduce(record, RUN) == "certify run 'my claims.py::x.y' --set C=2/25 --profile quick --seed 0"


@pytest.mark.parametrize("name", schemas.schemas())
def test_schemas_are_those_of_the_classes(name):
    assert (schemas.FOLDER / name).read_bytes() == schemas.schemas()[name], "run python -m certify.claims.schemas"


def schema(name: str) -> dict:
    return json.loads((schemas.FOLDER / f"{name}.schema.json").read_bytes())


def test_reports_are_of_their_schema():
    data = json.loads(encode_report(report(*Outcome)))
    jsonschema.validate(data, schema("report"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "weakest": "true"}, schema("report"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "extra": 1}, schema("report"))


@pytest.mark.parametrize("id", ["ratio.cubic", "identity.riccati"])
def test_certificates_are_of_their_schema(id):
    from certify.claims.registry import load

    [entry] = load().select([id])
    certificate = work(Task(id, entry.origin, {}, "quick", 0)).certificate
    assert certificate is not None
    data = json.loads(certificate)
    jsonschema.validate(data, schema("certificate"))
    for field in data:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**data, field: 5}, schema("certificate"))


def test_the_package_holds_no_other_schema():
    assert {path.name for path in Path(schemas.FOLDER).glob("*.json")} == set(schemas.schemas())
