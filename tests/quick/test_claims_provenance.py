"""Where a run took place."""

import subprocess
from importlib import metadata

from certify.claims import provenance


def test_versions_are_those_installed():
    assert provenance.environment().versions["flint"] == metadata.version("python-flint")
    assert provenance.version("no-such-distribution") is None


def test_the_commit_is_that_of_the_files(monkeypatch, tmp_path):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x"]
    monkeypatch.setattr(provenance, "PACKAGE", tmp_path)
    assert provenance.checkout() == (None, None)
    (tmp_path / "__init__.py").touch()
    subprocess.run([*git, "init", "-q"], check=True)
    assert provenance.checkout() == (None, None)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    assert provenance.checkout() == (head, False)
    (tmp_path / "__init__.py").write_text("x = 1")
    assert provenance.checkout() == (head, True)


def test_without_git(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert provenance.checkout() == (None, None)
