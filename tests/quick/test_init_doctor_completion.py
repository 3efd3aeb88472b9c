"""The commands for a start: an example that works, what is installed, completion."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from types import SimpleNamespace

import pytest

from certify.cli import cli, main
from certify.studies import installation


def test_init_writes_an_example_whose_claims_are_listed_and_overwrites_nothing(tmp_path, capsys):
    folder = tmp_path / "new"
    assert main(["init", str(folder)]) == 0
    assert "next: certify run claims.toml claims.py" in capsys.readouterr().out
    written = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert written == {file.name: file.read_bytes() for file in files("certify.data").joinpath("example").iterdir() if file.is_file()}
    assert main(["list", str(folder / "claims.toml"), str(folder / "claims.py")]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["example.cut", "example.softplus", "example.square"]
    (folder / "kernel.py").write_text("mine")
    (folder / "claims.py").unlink()
    assert main(["init", str(folder)]) == 4
    assert "already has claims.toml, kernel.py, workflow.yml" in capsys.readouterr().err
    assert (folder / "kernel.py").read_text() == "mine"
    assert not (folder / "claims.py").exists()


@pytest.mark.parametrize("folder", ["/dev/null/x", "\0", "/proc/none"])
def test_init_where_nothing_can_be_written_is_one_line(capsys, folder):
    assert main(["init", folder]) == 4
    assert capsys.readouterr().err.count("\n") == 1


def test_the_workflow_is_for_the_files_that_init_writes():
    text = files("certify.data").joinpath("example", "workflow.yml").read_text()
    (command,) = (line.partition("run: certify ")[2] for line in text.splitlines() if "run: certify" in line)
    words = command.split()
    assert set(words[1:3]) <= {file.name for file in files("certify.data").joinpath("example").iterdir()}
    cli.make_context("certify", words, resilient_parsing=False, obj={"verbose": False, "command": ""})


def test_doctor_tells_what_is_missing_and_what_waits_for_it(capsys, monkeypatch):
    def broken():
        raise OSError("libcuda: version 1 wanted")

    needs = (
        installation.Need("GPU", lambda: None, ("rounding.ratio.*", "nothing.*"), "", "buy one"),
        installation.Need("driver", broken, (), "option --x", "unseen"),
        installation.Need("tool", lambda: "/bin/tool", (), "check --with tool", "apt install tool"),
    )
    monkeypatch.setattr(installation, "NEEDS", needs)
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {need.name: next(line for line in lines if need.name in line) for need in needs}
    assert "not run" in rows["GPU"]
    assert "claims, rounding.ratio.* and nothing.*; buy one" in rows["GPU"]
    assert "OSError: libcuda: version 1 wanted" in rows["driver"]
    assert rows["tool"].startswith("ok ")


@pytest.mark.parametrize(("installed", "words"), [(None, "missing"), ("0.1", "0.1")])
def test_doctor_fails_where_a_requirement_is_not_met(capsys, monkeypatch, installed, words):
    monkeypatch.setattr(installation, "requires", lambda name: ["msgspec>=0.23", "extra>=1 ; extra == 'test'"])
    monkeypatch.setattr(installation, "version", lambda name: installed)
    monkeypatch.setattr(installation, "NEEDS", ())
    assert main(["doctor", "--format", "json"]) == 3
    data = json.loads(capsys.readouterr().out)
    (found,) = data["found"]
    assert (found["name"], found["found"], found["missing"]) == ("msgspec", installed, True)
    assert found["remedy"] == "pip install 'msgspec>=0.23'"
    assert main(["doctor"]) == 3
    assert words in capsys.readouterr().out


def test_doctor_without_an_installed_distribution(capsys, monkeypatch):
    def absent(name):
        raise installation.PackageNotFoundError(name)

    monkeypatch.setattr(installation, "requires", absent)
    monkeypatch.setattr(installation, "NEEDS", ())
    assert main(["doctor"]) == 3
    assert "pip install -e ." in capsys.readouterr().out


def test_every_glob_of_a_need_names_claims():
    from certify.claims.registry import load

    registry = load()
    for need in installation.NEEDS:
        for glob in need.claims:
            assert registry.select([glob])


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(capsys, shell):
    assert main(["completion", shell]) == 0
    assert f"_CERTIFY_COMPLETE={shell}_complete" in capsys.readouterr().out


def test_a_shell_in_which_the_script_was_evaluated_completes(tmp_path):
    """As the README says to set it up; the command itself is stood in for by one that runs this interpreter."""
    command = tmp_path / "certify"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m certify "$@"\n')
    command.chmod(0o755)
    asks = "COMP_WORDS=(certify run ratio.cub); COMP_CWORD=2; _certify_completion certify; echo ${COMPREPLY[@]}"
    script = f'eval "$(certify completion bash)"; {asks}'
    environment = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == ["ratio.cubic", "ratio.cubic.interval", "ratio.cubic.paper"], done.stderr


@pytest.mark.parametrize(("words", "expected"), [("certify doc", "plain,doctor"), ("certify run --prof", "plain,--profile")])
def test_commands_and_options_are_completed(monkeypatch, capsys, words, expected):
    for name, value in {"_CERTIFY_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    assert capsys.readouterr().out.split() == [expected]


def test_ids_are_completed_by_those_that_are_listed():
    from certify.commands.options import claims

    items = claims(SimpleNamespace(), SimpleNamespace(), "identity.r")  # pyright: ignore[reportArgumentType]
    assert [item.value for item in items] == ["identity.residual", "identity.riccati"]
    assert [item.type for item in claims(SimpleNamespace(), SimpleNamespace(), "./x")] == ["file"]  # pyright: ignore[reportArgumentType]
