"""The wheel ships `certify`, `proofs` and their data, and works without the source tree."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which the wheel, built from the source tree, is unpacked."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed, folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


def test_the_wheel_has_the_packages_and_their_data(installed):
    assert {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")} == {"certify", "proofs"}
    for data in ("printed.json", "schemas/certificate.schema.json", "schemas/report.schema.json"):
        assert (installed / "certify" / "data" / data).is_file()


def test_a_claim_is_proved_and_checked_from_the_wheel(installed, tmp_path):
    done = run(installed, tmp_path, "-m", "certify", "run", "ratio.cubic", "-o", "out")
    assert done.returncode == 0, done.stderr
    checker = installed / "certify" / "checker" / "checker.py"
    replayed = run(installed, tmp_path, "-I", str(checker), "out/certificates/ratio.cubic.json")
    assert replayed.returncode == 0
    assert "ACCEPTED" in replayed.stdout
    where = run(installed, tmp_path, "-c", "import certify, proofs; print(certify.__file__, proofs.__file__)")
    assert where.stdout.count(str(installed)) == 2
