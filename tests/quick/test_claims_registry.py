"""Finding and selecting claims."""

from pathlib import Path

import pytest

from certify.claims import registry
from certify.claims.exits import BadInput, NothingSelected
from certify.claims.registry import load
from certify.claims.verdict import Outcome

PLANTED = Path(__file__).resolve().parent.parent / "planted"
HONEST = str(PLANTED / "honest.py")
CLAIM = """
from certify import Verdict, claim

@claim("{id}", statement="", domain="", source="", grade="measured")
def one():
    return Verdict.measured("{id}")
"""


ODD = """
class Odd(BaseException):
    pass

raise Odd("end")
"""


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch):
    monkeypatch.setattr(registry, "PACKAGES", ())


@pytest.fixture
def write(tmp_path):
    def write(name: str, content: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return str(path)

    return write


def ids(*selectors):
    return [entry.claim.id for entry in load(selectors).select(selectors)]


def test_shipped_claims_are_found(monkeypatch):
    monkeypatch.setattr(registry, "PACKAGES", ("proofs",))
    found = ids("ratio.*")
    assert "ratio.cubic" in found
    assert found == sorted(found)


def test_a_file_selects_its_claims():
    assert ids(HONEST) == ["planted.absent", "planted.enclosed", "planted.measured", "planted.square"]


def test_ids_and_globs_within_a_file():
    assert ids(f"{HONEST}::planted.square") == ["planted.square"]
    assert ids(f"{HONEST}::*.[am]*") == ["planted.absent", "planted.measured"]


def test_selectors_unite(write):
    other = write("other.py", CLAIM.format(id="other.one"))
    assert ids(f"{HONEST}::planted.square", other, "planted.a*", f"{HONEST}::planted.square") == [
        "other.one",
        "planted.absent",
        "planted.square",
    ]


def test_one_file_named_twice_is_one(write, tmp_path, monkeypatch):
    write("here.py", CLAIM.format(id="here.one"))
    monkeypatch.chdir(tmp_path)
    assert ids("here.py", str(tmp_path / "here.py")) == ["here.one"]


def test_an_unknown_id_is_bad_input_with_suggestions():
    with pytest.raises(BadInput, match=r"unknown claim 'planted.sqare'; close: planted.square") as caught:
        ids(HONEST, "planted.sqare")
    assert not isinstance(caught.value, NothingSelected)


def test_a_group_suggests_its_members():
    with pytest.raises(BadInput, match="close: planted.absent, planted.enclosed"):
        ids(HONEST, "planted")


@pytest.mark.parametrize("pattern", ["nothing.*", f"{HONEST}::nothing.*"])
def test_a_pattern_without_match_selects_nothing(pattern):
    with pytest.raises(NothingSelected, match="no claim matches"):
        ids(pattern)


def test_a_file_without_claims_selects_nothing(write):
    with pytest.raises(NothingSelected):
        ids(write("empty.py", ""))


def test_a_missing_file_is_bad_input():
    with pytest.raises(BadInput, match="no such file"):
        ids("missing.py")


def test_a_shared_id_names_both_places(write):
    first, second = (write(f"{name}.py", CLAIM.format(id="twice.one")) for name in ("first", "second"))
    with pytest.raises(BadInput) as caught:
        load([first, second])
    assert first in str(caught.value)
    assert second in str(caught.value)


def test_an_imported_claim_stays_where_it_is_declared(write, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    write("package/__init__.py", "from package.home import one")
    write("package/home.py", CLAIM.format(id="home.one"))
    monkeypatch.setattr(registry, "PACKAGES", ("package",))
    monkeypatch.setattr(registry, "PACKAGE", tmp_path / "certify")
    [entry] = load().select(["home.one"])
    assert entry.origin.name == "package.home"


def test_another_package_of_a_shipped_name_hides_nothing_silently(write, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    write("shadowed/__init__.py", "")
    monkeypatch.setattr(registry, "PACKAGES", ("shadowed",))
    with pytest.raises(BadInput, match=r"shadowed' hides .*shadowed': run from another folder"):
        load()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1/0", "ZeroDivisionError"),
        ("def", "SyntaxError"),
        ("raise SystemExit", "SystemExit"),
        ("import no_such", "no_such"),
        (ODD, "Odd: end"),
    ],
)
def test_a_file_that_cannot_be_imported_is_an_error_of_its_own(write, content, message):
    [entry] = load([broken := write("Broken-file.py", content)]).select([broken])
    verdict = entry.claim.prove()
    assert entry.claim.id == "broken_file"
    assert verdict.outcome is Outcome.ERROR
    assert message in verdict.summary
    assert entry.trace is not None


def test_broken_files_hide_nothing(write):
    files = [write("a/one.py", "1/0"), write("b/one.py", "1/0"), write("c.py", CLAIM.format(id="one"))]
    assert ids(*files) == ["one", "one_2", "one_3"]
    assert load(files).claims["one"].trace is None


def test_what_a_file_prints_stays_off_stdout(write, capfd):
    load([write("loud.py", "print('noise')")])
    out, err = capfd.readouterr()
    assert (out, err) == ("", "noise\n")


def test_no_compiled_file_is_left(write, tmp_path):
    load([write("clean.py", CLAIM.format(id="clean.one"))])
    assert [path.name for path in tmp_path.iterdir()] == ["clean.py"]


def test_an_order_beyond_a_family_is_refused_with_its_range(write):
    files = [write(f"{n}.py", CLAIM.format(id=f"rung.{n}")) for n in range(3)]
    with pytest.raises(BadInput, match=r"unknown claim 'rung\.9'; there is rung\.n for n = 0 to 2"):
        load(files).select(["rung.9"])
