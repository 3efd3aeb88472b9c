"""Bad input ends with 4 and its own words; a mistake of the code is an internal error, whichever exception it raises."""

import pytest

from certify.cli import main
from certify.exact import enclose
from certify.exact.errors import NotAccepted
from certify.learning import files
from certify.studies.figures import catalogue as figures
from certify.studies.tables import catalogue as tables

COMMANDS = [
    (enclose, "enclose", ["enclose", "--nu", "3", "--x", "1"]),
    (files, "load", ["state", "state.npz"]),
    (files, "load", ["tolerance", "state.npz", "--loss", "1e-8"]),
    (tables, "build", ["table", "3"]),
    (figures, "build", ["figure", "2"]),
]


@pytest.mark.parametrize(
    ("error", "code", "says"), [(NotAccepted("no"), 4, "certify: no\n"), (ValueError("no"), 3, "internal error: ValueError: no")]
)
@pytest.mark.parametrize(("module", "name", "words"), COMMANDS)
def test_only_refusals_are_bad_input(module, name, words, error, code, says, monkeypatch, capsys, tmp_path):
    def fails(*args, **kwargs):
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, name, fails)
    assert main(words) == code
    assert says in capsys.readouterr().err
