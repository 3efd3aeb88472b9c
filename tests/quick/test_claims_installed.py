"""Claims of installed packages run when they are named, and only then; files that end whoever imports them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from certify.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent
MODULE = """
import os, pathlib
pathlib.Path(os.environ["IMPORTED"]).touch()
from certify import Verdict, claim

@claim("brought.one", statement="1 = 1", domain="", source="a package", grade="measured")
def one():
    return Verdict.measured("ran")

@claim("brought.two", statement="1 = 1", domain="", source="a package", grade="measured")
def two():
    return Verdict.measured("ran")
"""


@pytest.fixture
def certify(tmp_path):
    """Run the command where a package with an entry point of the group ``certify.claims`` is installed; was its module imported?"""
    site, mark = tmp_path / "site", tmp_path / "imported"
    info = site / "bringer-1.5.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bringer\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[certify.claims]\nbrought = bringer_claims\n")

    def certify(*arguments: str, module: str = MODULE) -> tuple[int, str, str, bool]:
        (site / "bringer_claims.py").write_text(module)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), str(ROOT)]), "IMPORTED": str(mark)}
        done = subprocess.run([sys.executable, "-m", "certify", *arguments], env=environment, cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr, mark.exists()

    return certify


def test_a_package_that_is_not_named_is_not_imported(certify):
    code, out, err, imported = certify("list")
    assert (code, imported) == (0, False)
    assert "brought" not in out
    assert err == "certify: not listed, since nobody named them: the claims of bringer 1.5 (certify list brought)\n"


@pytest.mark.parametrize(("selector", "ids"), [("brought", {"brought.one", "brought.two"}), ("brought.o*", {"brought.one"})])
def test_a_package_that_is_named_is_run(certify, selector, ids):
    code, out, err, imported = certify("run", selector, "-q", "-j", "1", "--format", "json")
    assert (code, err, imported) == (0, "", True)
    assert {record["id"] for record in json.loads(out)["claims"]} == ids


@pytest.mark.parametrize("selector", ["brought", "brought.one"])
def test_a_package_that_cannot_be_imported_is_an_error_that_says_so(certify, selector):
    code, out, _, _ = certify("run", selector, "-q", module="1/0")
    assert code == 3
    assert "brought.not_imported" in out
    assert "bringer_claims cannot be imported: ZeroDivisionError" in out


@pytest.mark.parametrize("code", ["import os; os._exit(0)", "import os; os.kill(os.getpid(), 9)"])
def test_a_file_that_ends_the_process_is_refused_in_one_line(tmp_path, capsys, code):
    file = tmp_path / "ends.py"
    file.write_text(code)
    for command in ("list", "run", "explain", "check"):
        assert main([command, str(file), *(["out"] if command == "check" else [])]) == 4
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        if command != "check":  # which looks for certificates first
            assert "ends.py ends the process that imports it" in err
