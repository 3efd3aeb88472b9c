"""The record of mutation testing: which mutants count, what the record says of itself, and that it is of the present checkers."""

import importlib.util
import json
from collections import Counter
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
REPORTS = TESTS.parent / "reports"
specification = importlib.util.spec_from_file_location("mutation", TESTS / "mutation.py")
assert specification
assert specification.loader
mutation = importlib.util.module_from_spec(specification)
specification.loader.exec_module(mutation)

RECORD = json.loads((REPORTS / "mutation.json").read_text(encoding="utf-8"))
FILE = "certify/checker/checker.py"
CHECK = 'require(a > 0 and b, f"{a} is not > 0") or b\n'


@pytest.mark.parametrize(
    ("mutant", "message"),
    [
        ('require(a > 0 and b, f"XX{a} is not > 0XX") or b', True),
        ("require(a > 0 and b, None) or b", True),
        ('require(a >= 0 and b, f"{a} is not > 0") or b', False),
        ('require(a > 0 or b, f"{a} is not > 0") or b', False),
        ('require(None, f"{a} is not > 0") or b', False),
        ('require(f"{a} is not > 0") or b', False),
        ('require(a > 0 and b, f"{a} is not > 0") and b', False),
        ('require(a > 0 and b, f"{a} is not > 0") or "b"', False),
    ],
)
def test_only_the_words_of_a_refusal_are_a_message(mutant, message):
    assert (mutation.judgement(mutant) == mutation.judgement(CHECK)) is message


def test_a_refusal_by_itself_has_a_message_too():
    assert mutation.judgement('raise Refused("a")') == mutation.judgement("raise Refused(None)") != mutation.judgement("raise Other(None)")


MODULE = """
def x_half__mutmut_orig(a):
    require(a % 2 == 0, "odd")
    return a // 2

def x_half__mutmut_1(a):
    require(a % 2 == 0, "XXoddXX")
    return a // 2

def x_half__mutmut_2(a):
    require(a % 2 == 0, "odd")
    return a // 3

class Box:
    def xǁBoxǁside__mutmut_orig(self):
        return self.a

    def xǁBoxǁside__mutmut_1(self):
        return None
"""


def run(folder: Path, codes: list) -> Path:
    place = folder / "mutants" / FILE
    place.parent.mkdir(parents=True)
    place.write_text(MODULE)
    names = ["x_half__mutmut_1", "x_half__mutmut_2", "xǁBoxǁside__mutmut_1"]
    keys = [f"certify.checker.checker.{name}" for name in names]
    place.with_name("checker.py.meta").write_text(json.dumps({"exit_code_by_key": dict(zip(keys, codes, strict=True))}))
    return folder


def test_mutants_are_read_with_what_they_change(tmp_path):
    assert mutation.read(run(tmp_path, [0, 1, 33]), FILE) == [
        ("half", 1, False, True, 'require(a % 2 == 0, "odd")', 'require(a % 2 == 0, "XXoddXX")'),
        ("half", 2, True, False, "return a // 2", "return a // 3"),
        ("Box.side", 1, False, False, "return self.a", "return None"),
    ]


@pytest.mark.parametrize("code", [None, 2, 34, -11])
def test_a_run_that_has_not_decided_all_is_no_result(code, tmp_path):
    with pytest.raises(SystemExit, match="not decided"):
        mutation.read(run(tmp_path, [0, 1, code]), FILE)


@pytest.mark.parametrize("file", mutation.FILES)
def test_the_record_is_of_the_present_file(file):
    assert RECORD[file]["sha256"] == mutation.digest(TESTS.parent / file), f"{file} has changed: rerun mutmut: see tests/README"


@pytest.mark.parametrize("file", mutation.FILES)
def test_the_record_adds_up(file):
    data = RECORD[file]
    assert data["file"] == file
    totals = {key: sum(row[key] for row in data["functions"].values()) for key in mutation.COLUMNS}
    assert totals == {key: data[key] for key in mutation.COLUMNS}
    assert data["mutants"] - data["messages"] == data["judged"] == data["killed"] + data["survived"]
    assert data["survived"] == len(data["survivors"])
    assert data["equivalent"] == sum(bool(survivor["equivalent"]) for survivor in data["survivors"])
    survived = Counter({name: row["survived"] for name, row in data["functions"].items()})
    assert Counter(survivor["function"] for survivor in data["survivors"]) == +survived
    assert data["score"] == mutation.percent(data["killed"], data["judged"])


def test_the_page_says_what_the_record_says():
    assert RECORD.keys() == set(mutation.FILES)
    assert (REPORTS / "mutation.md").read_text(encoding="utf-8") == mutation.markdown(RECORD)


@pytest.mark.parametrize("file", mutation.FILES)
def test_the_tests_kill_nineteen_mutants_of_twenty(file):
    assert 20 * RECORD[file]["killed"] >= 19 * RECORD[file]["judged"]
