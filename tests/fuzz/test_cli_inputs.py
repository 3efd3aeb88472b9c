"""Any command line: an exit code of the closed set, at most one line on stderr, never a traceback."""

import contextlib
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.claims.exits import Exit
from certify.cli import main

PLANTED = Path(__file__).resolve().parent.parent / "planted"
FEW = settings(max_examples=60, deadline=None)

anything = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
numbers = st.one_of(
    st.sampled_from(["0", "1", "10/9", "255", "1e5", "1e300", "1e-300", "0.1", "-1", "1/0", "nan", "inf", "1e99999999"]),
    st.fractions(max_denominator=1000).map(str),
    st.floats().map(repr),
    anything,
)
formats = st.sampled_from(["text", "json", "markdown", "latex"])


def call(arguments: list[str]) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return code, out.getvalue(), err.getvalue()


def behaves(arguments: list[str]) -> int:
    code, out, err = call(arguments)
    assert code in set(Exit), (arguments, code)
    assert code != Exit.ERROR, (arguments, err)
    assert "Traceback" not in err
    if code in (Exit.BAD_INPUT, Exit.NOTHING_SELECTED):
        assert out == ""
        assert err.startswith("certify: ")
        assert err.count("\n") == 1
    return code


def options(**values: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """Some of the options, each with a value."""
    pairs = [st.just([]) | value.map(lambda text, name=name: [f"--{name}", text]) for name, value in values.items()]
    return st.tuples(*pairs).map(lambda parts: [word for part in parts for word in part])


@FEW
@given(options(nu=numbers, p=numbers, x=numbers, to=numbers, resultant=numbers, digits=st.integers(0, 80).map(str), format=formats))
def test_enclose(arguments):
    behaves(["enclose", *arguments])


@FEW
@given(st.floats(0, 1e8), st.floats(0, 1e300), st.floats(0, 1e300), st.floats(0, 1, exclude_max=True))
def test_enclose_answers_every_question_in_its_domain(nu, x, to, resultant):
    words = ["enclose", "--nu", repr(nu), "--x", repr(x), "--to", repr(to), "--resultant", repr(resultant)]
    code, out, err = call([*words, "--digits", "15", "--format", "json"])
    assert (code, err) == (0, ""), words
    assert {"R", "R′", "ΔΦ", "κ"} <= {entry["symbol"] for entry in json.loads(out)["quantities"]}


@FEW
@given(
    st.sampled_from(["list", "explain"]),
    st.lists(st.one_of(anything, st.sampled_from(["ratio.*", "identity.riccati", "[", "?", "*"])), max_size=3),
    options(format=formats),
)
def test_list_and_explain(command, selectors, arguments):
    behaves([command, *selectors, *arguments])


@FEW
@given(
    st.lists(anything.map(lambda text: f"zz{text}".replace("*", "")), min_size=1, max_size=2),
    options(set=anything, jobs=st.integers(-2, 2).map(str), seed=numbers, profile=anything, format=formats),
)
def test_run_without_a_claim_to_run(selectors, arguments):
    assert behaves(["run", *selectors, *arguments]) in (Exit.BAD_INPUT, Exit.NOTHING_SELECTED)


@FEW
@given(st.one_of(anything, numbers.map(lambda number: f"C={number}")))
def test_settings_of_a_run(setting):
    """Values that parse reach a claim that has no such constant, so nothing is run."""
    assert behaves(["run", "identity.riccati", "--set", setting]) == Exit.BAD_INPUT


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
fields = ("claim", "theorem", "proof", "lemmas", "digest")
imitations = st.fixed_dictionaries(
    {"format": st.just("certify.certificate/1")},
    optional={field: plain | st.just("ratio.cubic") for field in fields},
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "certificate.json"


@FEW
@given(content=st.binary(max_size=20) | st.one_of(plain, imitations).map(lambda data: json.dumps(data).encode()))
def test_check(file, content):
    file.write_bytes(content)
    assert behaves(["check", str(file)]) in (Exit.BAD_INPUT, Exit.REFUTED)
    assert behaves(["check", "--standalone", str(file)]) in (Exit.BAD_INPUT, Exit.REFUTED)


@FEW
@given(content=st.binary(max_size=20) | plain.map(lambda data: json.dumps(data).encode()))
def test_check_of_a_report(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("report")
    (folder / "report.json").write_bytes(content)
    assert behaves(["check", str(folder)]) == Exit.BAD_INPUT


@FEW
@given(name=anything)
def test_output_files(tmp_path_factory, name):
    folder = tmp_path_factory.mktemp("output")
    with contextlib.chdir(folder):
        code = behaves(["list", "ratio.cubic", "-o", f"./{name}"])
    assert [path for path in folder.rglob("*") if path.is_file()] != [] if code == 0 else list(folder.iterdir()) == []


@FEW
@given(st.lists(anything | st.sampled_from(["run", "check", "--help", "-v", "--version", "-o"]), min_size=1, max_size=4))
def test_words(arguments):
    if arguments[0] != "run":
        behaves(arguments)
