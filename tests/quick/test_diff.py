"""``certify diff``: every kind of difference, and what fails on which."""

import json

import pytest

from certify.claims.folder import decode_report
from certify.claims.record import STRENGTH
from certify.claims.verdict import Outcome
from certify.cli import main
from certify.report.margins import Sense, margins
from reports import RECORD as FOLDER

RECORD = FOLDER / "report.json"


@pytest.fixture
def planted(tmp_path, capsys):
    """The report of record against itself with ``change(claims by id, report)`` made: exit code, changes by kind, what is on stderr."""

    def planted(change, *options):
        report = json.loads(RECORD.read_text())
        change({claim["id"]: claim for claim in report["claims"]}, report)
        recount(report)
        file = tmp_path / "report.json"
        file.write_text(json.dumps(report))
        code = main(["diff", str(RECORD), str(tmp_path), "--format", "json", *options])
        out = capsys.readouterr().out
        return code, [(each["kind"], each["claim"], each["what"]) for each in json.loads(out)["changes"]], json.loads(out)

    return planted


def recount(report):
    """Make a changed report one that could have been written."""
    outcomes = [Outcome(claim["outcome"]) for claim in report["claims"]]
    report["counts"] = {outcome.value: outcomes.count(outcome) for outcome in Outcome if outcome in outcomes}
    report["weakest"] = max({*outcomes} - {Outcome.NOT_RUN}, key=STRENGTH.__getitem__).value
    report["run"]["seconds"].update((claim["id"], None) for claim in report["claims"])


def put(id, **values):
    return lambda claims, report: claims[id].update(values)


def constant(id, name, value):
    return lambda claims, report: claims[id]["constants"].update({name: value})


def fact(id, name, value):
    return lambda claims, report: claims[id]["facts"].update({name: value})


def remove(id):
    return lambda claims, report: report["claims"].remove(claims[id])


def add(id):
    return lambda claims, report: report["claims"].append({**claims["ratio.cubic"], "id": id})


CHANGES = [
    (put("ratio.cubic", outcome="undecided"), ("regressed", "ratio.cubic", "outcome")),
    (put("ratio.cubic", outcome="refuted"), ("regressed", "ratio.cubic", "outcome")),
    (put("figure.7", outcome="refuted"), ("regressed", "figure.7", "outcome")),
    (constant("ratio.sharp", "C", "1/10"), ("regressed", "ratio.sharp", "C")),
    (constant("rounding.ratio.1", "nu_min", "2"), ("regressed", "rounding.ratio.1", "nu_min")),
    (constant("ratio.optimal", "low", "1/100"), ("regressed", "ratio.optimal", "low")),
    (fact("figure.5", "relations", 1), ("regressed", "figure.5", "relations")),
    (constant("ratio.sharp", "C", "1/100"), ("improved", "ratio.sharp", "C")),
    (put("figure.7", outcome="enclosed"), ("improved", "figure.7", "outcome")),
    (fact("figure.5", "relations", 81), ("improved", "figure.5", "relations")),
    (remove("ratio.cubic"), ("lost", "ratio.cubic", "outcome")),
    (put("ratio.cubic", outcome="not run"), ("lost", "ratio.cubic", "outcome")),
    (add("ratio.new"), ("new", "ratio.new", "outcome")),
    (put("ladder.optimal.8", outcome="proved"), ("new", "ladder.optimal.8", "outcome")),
    (put("ratio.cubic", statement="1 = 1"), ("restated", "ratio.cubic", "statement")),
    (put("ratio.cubic", domain="x = 1"), ("restated", "ratio.cubic", "domain")),
    (constant("identity.riccati", "shift", "2"), ("restated", "identity.riccati", "shift")),
    (fact("rounding.observed.float16", "largest error", "0.9"), ("moved", "rounding.observed.float16", "largest error")),
    (fact("figure.7", "relations", 1), ("moved", "figure.7", "relations")),
]
FAILS = {"regressed": {"regressed"}, "lost": {"lost"}}


@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_a_change_is_named(planted, change, expected):
    code, found, _ = planted(change)
    assert (code, found) == (0, [expected])


@pytest.mark.parametrize("option", ["regressed", "lost", "any"])
@pytest.mark.parametrize(("change", "expected"), CHANGES)
def test_what_fails(planted, change, expected, option):
    code, _, _ = planted(change, "--fail-on", option)
    assert code == (1 if option == expected[0] or (option == "any" and expected[0] != "moved") else 0)


def test_numbers_are_exact_and_have_a_sense(planted):
    _, _, data = planted(constant("ratio.sharp", "C", "1/10"))
    assert data["changes"][0] | {"before": "4173/50000", "after": "1/10", "sense": "less is stronger"} == data["changes"][0]


def test_margins_of_another_statement_are_not_compared(planted):
    def change(claims, report):
        claims["ratio.sharp"].update(statement="another")
        claims["ratio.sharp"]["constants"]["C"] = "1/10"

    _, found, _ = planted(change)
    assert found == [("restated", "ratio.sharp", "statement"), ("restated", "ratio.sharp", "C")]


def test_times_are_neutral_and_the_environment_is_shown(planted):
    def change(claims, report):
        report["run"].update(seconds=dict.fromkeys(claims, 1e6), started="2000-01-01T00:00:00+00:00", jobs=64)
        report["environment"]["versions"]["torch"] = "9.9"

    code, found, data = planted(change, "--fail-on", "any")
    assert (code, found) == (0, [])
    assert [*data["environment"]] == ["torch"]
    assert data["environment"]["torch"]["after"] == "9.9"


def test_nothing_differs_from_itself(capsys):
    assert main(["diff", str(RECORD.parent), str(RECORD), "--fail-on", "any"]) == 0
    assert capsys.readouterr().out.startswith("no differences; ")


def test_text_and_markdown(planted, tmp_path, capsys):
    planted(put("ratio.cubic", outcome="refuted"))
    for format, words in (("text", "proved → refuted"), ("markdown", "| regressed | ratio.cubic | outcome | proved | refuted |")):
        assert main(["diff", str(RECORD), str(tmp_path), "--format", format]) == 0
        assert words in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "certify.report/1"}', "nul", "\xff", '{"format": "certify.report/2"}'])
def test_what_is_no_report_is_one_line(tmp_path, capsys, content):
    file = tmp_path / "bad.json"
    file.write_text(content)
    assert main(["diff", str(RECORD), str(file)]) == 4
    err = capsys.readouterr().err
    assert "is not a report" in err
    assert err.count("\n") == 1
    assert main(["diff", str(tmp_path / "absent"), str(RECORD)]) == 4


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.update(weakest="proved"),
        lambda report: report["counts"].update(proved=1000),
        lambda report: report["claims"].append(report["claims"][0]),
        lambda report: report["run"]["seconds"].pop("ratio.cubic"),
    ],
)
def test_a_report_that_contradicts_itself_is_none(tmp_path, capsys, change):
    report = json.loads(RECORD.read_text())
    change(report)
    (tmp_path / "report.json").write_text(json.dumps(report))
    for command in (["diff", str(RECORD), str(tmp_path)], ["report", str(tmp_path)], ["check", str(tmp_path)]):
        assert main(command) == 4
        err = capsys.readouterr().err
        assert "a report" in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("value", ["1e999999999", "x", "1/0", True, None, "9" * 2000, [1]])
def test_what_is_no_number_is_no_margin(value):
    records = {record.id: record for record in decode_report(RECORD.read_bytes()).claims}
    record = records["figure.5"]
    record.facts.update(relations=value, margin="1/8")
    assert {name: margin.sense for name, margin in margins(record).items()} == {"margin": Sense.MORE}
