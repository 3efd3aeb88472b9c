"""What is shipped is complete: the wheel is built from the sdist, installed into an environment of its own, and works there."""

import os
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("certify", "proofs")


def build(target: str, source: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (archive,) = folder.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return archive


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The folder into which the sdist is unpacked."""
    folder = tmp_path_factory.mktemp("sdist")
    with tarfile.open(build("sdist", ROOT, folder)) as archive:
        archive.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return source


@pytest.fixture(scope="module")
def environment(unpacked, tmp_path_factory):
    """An environment with the wheel, which borrows nothing but its requirements from this one."""
    folder = tmp_path_factory.mktemp("environment")
    wheel = build("wheel", unpacked, folder)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", str(wheel)]
    subprocess.run([sys.executable, "-m", "pip", "--python", str(folder / "venv"), *install], check=True)
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder / "venv"


def run(environment: Path, folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run([environment / "bin" / program, *arguments], cwd=folder, env=clean, capture_output=True, text=True, timeout=120)


def shipped(folder: Path) -> set[str]:
    """The files of the packages, other than compiled ones."""
    files = (file for package in PACKAGES for file in (folder / package).rglob("*") if file.is_file())
    return {str(file.relative_to(folder)) for file in files if "__pycache__" not in file.parts}


def test_the_sdist_has_what_it_takes_to_build_and_to_test(unpacked):
    assert shipped(unpacked) == shipped(ROOT)
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "pyproject.toml"):
        assert (unpacked / name).is_file()
    for name in (".ci/run", "tests/quick/test_wheel.py", "reports/paper.md"):
        assert (unpacked / name).is_file()


def test_the_wheel_has_every_file_of_the_packages(environment):
    (site,) = (environment / "lib").glob("python*/site-packages")
    assert shipped(site) == shipped(ROOT)
    assert {path.name for path in site.iterdir() if path.suffix not in (".dist-info", ".pth")} == set(PACKAGES)


def test_a_claim_is_proved_and_checked_where_the_wheel_is_installed(environment, tmp_path):
    where = run(environment, tmp_path, "python", "-c", "import certify, proofs; print(certify.__file__, proofs.__file__)")
    assert where.stdout.count(str(environment)) == 2
    done = run(environment, tmp_path, "certify", "run", "ratio.cubic", "-o", "out")
    assert done.returncode == 0, done.stderr
    (checker,) = environment.glob("lib/python*/site-packages/certify/checker/checker.py")
    replayed = run(environment, tmp_path, "python", "-I", str(checker), "out/certificates/ratio.cubic.json")
    assert replayed.returncode == 0
    assert "ACCEPTED" in replayed.stdout


def test_the_module_is_the_command(environment, tmp_path):
    as_module, as_command = (run(environment, tmp_path, *words, "list") for words in (("python", "-m", "certify"), ("certify",)))
    assert (as_module.returncode, as_module.stderr) == (0, "")
    assert as_module.stdout == as_command.stdout
    assert run(environment, tmp_path, "python", "-m", "certify", "init", "own").returncode == 0
    assert (tmp_path / "own" / "claims.toml").is_file()
