"""The checker alone: one file that runs anywhere, and survives any file that it is given."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from certify.checker import checker
from certify.claims.certificate import encode
from proofs.identity.derivative import derivative
from proofs.ratio.zero import zero

SOURCE = Path(checker.__file__)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with nothing but a copy of the checker, and certificates good and bad."""
    folder = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(SOURCE, folder / "checker.py")
    good = encode(zero.prove().certificate)
    (folder / "good.json").write_bytes(good)
    (folder / "identity.json").write_bytes(encode(derivative.prove().certificate))
    (folder / "bad.json").write_bytes(good.replace(b"5*x + 8", b"5*x + 9"))
    (folder / "twice.json").write_bytes(good.replace(b'{"claim":', b'{"claim":"another","claim":', 1))
    (folder / "number.json").write_bytes(b"3")
    (folder / "nan.json").write_bytes(b'{"format": NaN}')
    (folder / "text.json").write_bytes(b"no JSON")
    (folder / "binary.json").write_bytes(bytes(range(256)))
    (folder / "utf16.json").write_bytes(good.decode().encode("utf-16"))
    (folder / "empty.json").write_bytes(b"")
    (folder / "deep.json").write_bytes(b"[" * 100_000)
    (folder / "long.json").write_bytes(b"9" * 100_000)
    (folder / "folder.json").mkdir()
    return folder


def run(place: Path, *names: str, env: dict | None = None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-I", "-S", "checker.py", *names]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, env={**os.environ, **(env or {})}, timeout=60)


def test_it_imports_the_standard_library_only():
    tree = ast.parse(SOURCE.read_text())
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module.split(".")[0] for module in modules} <= sys.stdlib_module_names


def test_nothing_in_it_runs_what_a_certificate_says():
    names = {node.id for node in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(node, ast.Name)}
    assert not names & {"eval", "exec", "compile", "__import__", "globals", "setattr"}


def test_it_is_short_enough_to_be_read():
    lines = SOURCE.read_text().splitlines()
    assert len(lines) <= 600
    assert max(map(len, lines)) <= 140


def test_it_says_what_is_established_and_what_is_cited(place):
    done = run(place, "good.json")
    assert done.returncode == 0
    assert not done.stderr
    first, *lines = done.stdout.splitlines()
    assert first == "'good.json': ACCEPTED"
    assert "  for every x in (0, oo)" in lines
    assert "  R0 is below x*(4*x + 1)/(4*x**2 + 3*x + 2)" in lines
    assert lines[-1] == f"  cited: {checker.LEMMAS['barrier']}"


@pytest.mark.parametrize("name", ["bad.json", "twice.json", "number.json", "nan.json"])
def test_refused(place, name):
    done = run(place, name, "good.json")
    assert done.returncode == 1
    assert done.stdout.startswith(f"'{name}': REFUSED: ")
    assert "'good.json': ACCEPTED" in done.stdout


NO_JSON = ["text", "binary", "utf16", "empty", "deep", "long", "folder", "missing", "\udcff", "\n"]


@pytest.mark.parametrize("name", [f"{name}.json" for name in NO_JSON])
def test_unreadable(place, name):
    done = run(place, "bad.json", name, "good.json")
    assert done.returncode == 4
    assert "ACCEPTED" in done.stdout
    assert "not readable as JSON" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_nothing_to_check_is_no_success(place):
    assert run(place).returncode == 4


def test_too_large_a_file_is_refused_before_it_is_read(place, monkeypatch, capsys):
    monkeypatch.setattr(checker, "MAX_BYTES", 100)
    assert checker.main([str(place / "good.json")]) == 1
    assert "too large" in capsys.readouterr().out


def test_an_endless_file_is_refused(capsys, monkeypatch):
    monkeypatch.setattr(checker, "MAX_BYTES", 1000)
    assert checker.main([os.devnull]) == 4
    if Path("/dev/zero").exists():
        assert checker.main(["/dev/zero"]) == 1
    capsys.readouterr()


def test_several_certificates_in_one_run(place):
    done = run(place, "good.json", "identity.json")
    assert done.returncode == 0
    assert done.stdout.count("ACCEPTED") == 2


def test_terminals_without_unicode(place):
    text = (place / "good.json").read_text().replace("DLMF", "Ｄ")
    (place / "wide.json").write_text(text, encoding="utf-8")
    done = run(place, "wide.json", env={"LC_ALL": "C"})
    assert done.returncode == 1
    assert "ASCII" in done.stdout


def test_the_digest_is_one_that_other_tools_compute(place):
    data = json.loads((place / "good.json").read_text())
    assert checker.digest(data) == data["digest"]
    assert checker.digest(dict(reversed(data.items()))) == data["digest"]
