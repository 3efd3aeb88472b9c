"""The map from the paper to claims, its errata, and the page that is generated from both."""

import json
import re
from pathlib import Path

import pytest

from certify.claims.registry import load
from certify.cli import main
from certify.exact.truth import Truth
from certify.report.paper import map_table
from certify.studies.errata import entries
from certify.studies.errata.entries import ERRATA, corrections
from certify.studies.errata.erratum import Erratum, Evidence
from certify.studies.paper import NOT_YET, items, trace
from certify.studies.points import all_of

PAGE = Path(__file__).resolve().parents[2] / "reports" / "paper.md"
PLACE = re.compile(r"(Theorem|Sections?|Appendix|Table|Figure) (?!.*(extended|; beyond the paper))")
CLAIMS = load().claims
STATUS = re.compile(r"not yet|definition|schematic|cited: DLMF [0-9.]+")


@pytest.fixture
def certify(capsys):
    def certify(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()

    return certify


def test_every_claim_named_is_registered():
    assert {id for item in items() for id in item.claims} <= set(CLAIMS)
    assert {id for erratum in ERRATA for id in erratum.claims} <= set(CLAIMS)


def test_every_claim_about_a_place_of_the_paper_is_in_the_map():
    """A claim's source begins with the place in the paper, unless it goes beyond what stands there."""
    about = {id for id, entry in CLAIMS.items() if PLACE.match(entry.claim.source)}
    assert about - {id for item in items() for id in item.claims} == set()


def test_an_item_has_claims_or_a_status():
    for item in items():
        assert STATUS.fullmatch(item.status), item
        assert item.status == NOT_YET or not item.claims, item


def test_the_paper_is_all_there():
    """Theorems 1 and 2, Tables 1 to 8 and Figures 1 to 11, each once; every equation and statement at one place."""
    listed = items()
    names = [item.item for item in listed if item.kind in ("theorem", "table", "figure")]
    expected = [f"Theorem {n}" for n in (1, 2)] + [f"Table {n}" for n in range(1, 9)] + [f"Figure {n}" for n in range(1, 12)]
    assert sorted(names) == sorted([*expected, "Softmax obstruction"])
    assert len({(item.place, item.item) for item in listed}) == len(listed)


def test_text_has_a_line_for_every_item_and_claim(certify):
    code, out, err = certify("list", "--by", "paper")
    assert (code, err) == (0, "")
    found = trace([entry for _, entry in sorted(CLAIMS.items())])
    lines = [line for line in out.splitlines() if line.strip()]
    assert len(lines) == sum(max(1, len(traced.claims)) for traced in found.items) + len(found.beyond) + 1
    assert any(line.split()[:4] == ["Section", "4.2", "Theorem", "2"] and "ratio.cubic  " in line for line in lines)


def test_json_says_claim_grade_and_file(certify):
    data = json.loads(certify("list", "--by", "paper", "--format", "json", "ratio.cubic", "table.3")[1])
    theorem, table = next(entry for entry in data["items"] if entry["item"] == "Theorem 2"), data["items"][-1]
    assert theorem["claims"] == [{"id": "ratio.cubic", "grade": "proved", "file": "proofs/ratio/cubic.py"}]
    assert (table["item"], table["claims"][0]["grade"]) == ("Table 3", "enclosed")
    assert {entry["item"] for entry in data["items"]} == {"Theorem 2", "display 6", "Table 3"}
    assert data["beyond"] == []
    assert all("status" not in entry for entry in data["items"])


def test_a_report_shows_what_was_reached(certify, tmp_path):
    folder = str(tmp_path / "out")
    assert main(["run", "-q", "identity.riccati", "--set", "shift=2", "-o", folder]) == 1
    certify("list")
    code, out, _ = certify("list", "--by", "paper", "--report", str(folder), "identity.*")
    assert code == 0
    assert "identity.riccati     refuted with shift = 2  " in out
    assert "identity.derivative  not run" in out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--by", "author"], 4, "author"),
        (["--report", "report.json"], 4, "--report belongs to --by paper"),
        (["--by", "paper", "--report", "missing.json"], 4, "cannot read 'missing.json'"),
        (["--by", "paper", "--report", __file__], 4, f"{__file__!r} is not a report"),
        (["--by", "paper", "no.such.*"], 5, "no claim matches"),
        (["--by", "paper", "table.1"], 4, "unknown claim"),
    ],
)
def test_bad_input_is_one_line(certify, arguments, code, words):
    got, out, err = certify("list", *arguments)
    assert (got, out, err.count("\n")) == (code, "", 1)
    assert words in err


def test_every_erratum_is_borne_out_by_its_evidence():
    found = corrections()
    assert len(found) == len(ERRATA)
    for erratum, evidence in found:
        assert evidence.confirmed is Truth.YES, erratum.place
        assert evidence.lines


def test_evidence_that_bears_nothing_out_is_said_to(certify, monkeypatch):
    planted = Erratum("Nowhere", "one", "two", ("ratio.cubic",), lambda: Evidence(("1 = 1",), Truth.NO))
    monkeypatch.setattr(entries, "ERRATA", (planted,))
    code, out, _ = certify("list", "--by", "paper", "ratio.cubic", "--format", "markdown")
    assert code == 1
    assert "the evidence does not confirm this: no" in out
    assert json.loads(certify("list", "--by", "paper", "ratio.cubic", "--format", "json")[1])["errata"][0]["confirmed"] == "no"
    assert certify("list", "--by", "paper", "table.3", "--format", "json")[0] == 0


def test_all_of():
    assert all_of([]) is Truth.YES
    assert all_of([Truth.YES, Truth.UNKNOWN]) is Truth.UNKNOWN
    assert all_of([Truth.UNKNOWN, Truth.NO]) is Truth.NO


def test_the_page_of_record_is_up_to_date():
    """Otherwise: certify list --by paper --format markdown -o reports/paper.md."""
    page = PAGE.read_text(encoding="utf-8")
    assert map_table(trace([entry for _, entry in sorted(CLAIMS.items())])) in page
    for number, erratum in enumerate(ERRATA, 1):
        assert f"### {number}. {erratum.place}\n" in page
