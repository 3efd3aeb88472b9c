"""Files are complete or absent; a run's folder belongs to one run at a time."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from certify import check, run
from certify.claims import checking, files, lock
from certify.claims.exits import BadInput, NothingSelected
from certify.claims.files import read, write_atomically
from certify.claims.folder import decode_report, opened
from certify.claims.runner import Runner
from certify.claims.verdict import Outcome

PLANTED = Path(__file__).resolve().parent.parent / "planted"
HONEST = str(PLANTED / "honest.py")


def run_square(directory, **options):
    return run(f"{HONEST}::planted.square", output_dir=str(directory), pool=ThreadPoolExecutor, jobs=1, **options)


def test_writing_replaces_and_follows_links(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    write_atomically(target, "old")
    link.symlink_to(target)
    write_atomically(link, "new\n")
    assert target.read_text() == "new\n"
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~os.umask(os.umask(0o22))


@pytest.mark.parametrize("name", ["missing/file", ".", "\0", "x" * 300, "/dev/null"])
def test_what_cannot_be_written(tmp_path, name):
    with pytest.raises(BadInput, match="cannot write"):
        write_atomically(os.path.join(tmp_path, name), "x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch, step):
    target = tmp_path / "target"
    target.write_text("old")

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files.os, step, full)
    with pytest.raises(BadInput, match="No space left on device"):
        write_atomically(target, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["target"]
    assert target.read_text() == "old"


def test_a_read_only_file_stays(tmp_path, monkeypatch):
    target = tmp_path / "target"
    target.write_text("old")
    monkeypatch.setattr(files.os, "access", lambda *_: False)
    with pytest.raises(BadInput, match="read-only"):
        write_atomically(target, "new")
    assert target.read_text() == "old"


def test_what_cannot_be_read(tmp_path, monkeypatch):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "", "/dev/zero", "none", "\0"):
        with pytest.raises(BadInput, match=r"cannot read .*(not a regular file|No such file|null)"):
            read(os.path.join(tmp_path, name))
    monkeypatch.setattr(files, "LARGEST", 2)
    (tmp_path / "long").write_text("abc")
    with pytest.raises(BadInput, match="it has 3 bytes, at most 2"):
        read(tmp_path / "long")


@pytest.mark.parametrize("name", ["report.json", "report.md", "report.html", "junit.xml", "certificates/planted.square.json"])
@pytest.mark.parametrize("obstacle", [os.mkdir, os.mkfifo])
def test_what_could_not_be_written_later_is_refused_at_once(tmp_path, monkeypatch, name, obstacle):
    (tmp_path / "certificates").mkdir()
    obstacle(tmp_path / name)
    monkeypatch.setattr(Runner, "run", lambda *_: pytest.fail("a claim was run"))
    with pytest.raises(BadInput, match=f"cannot write .*{name}.*not a regular file"):
        run_square(tmp_path)
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize(
    "options", [{"constants": {"K": 1}}, {"constants": {"C": "x"}}, {"constants": {"C": 0.5}}, {"jobs": 0}, {"profile": "slow"}]
)
def test_a_request_that_cannot_be_served_leaves_no_folder(tmp_path, options):
    with pytest.raises(BadInput):
        run(f"{HONEST}::planted.square", output_dir=str(tmp_path / "out"), **options)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_name_is_no_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="empty"):
        run_square("")
    with pytest.raises(BadInput, match="cannot read"):
        check([""])
    assert list(tmp_path.iterdir()) == []


def test_a_run_leaves_these_files(tmp_path):
    report = run_square(tmp_path / "new" / "folder")
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    files = ("report.json", "report.md", "report.html", "junit.xml", "certificates/planted.square.json")
    assert names == {f"new/folder/{name}" for name in files}
    assert decode_report((tmp_path / "new/folder/report.json").read_bytes()) == report


def test_two_runs_in_one_folder(tmp_path):
    with opened(str(tmp_path), {}), pytest.raises(BadInput, match="another run is writing"):
        run_square(tmp_path)
    run_square(tmp_path)
    assert not (tmp_path / lock.LOCK).exists()


def test_a_lock_left_by_a_killed_run_is_no_obstacle(tmp_path):
    (tmp_path / lock.LOCK).touch()
    assert run_square(tmp_path).weakest is Outcome.PROVED


def test_a_lock_file_that_was_removed_meanwhile_does_not_count(tmp_path):
    descriptor = os.open(tmp_path / "lock", os.O_CREAT)
    (tmp_path / "lock").unlink()
    with pytest.raises(BadInput, match="another run"):
        lock._take(descriptor, tmp_path / "lock")
    os.close(descriptor)


def test_the_folder_must_be_a_folder(tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/certify"), tmp_path / "\0", tmp_path / ("a/" * 1500)):
        with pytest.raises(BadInput, match="cannot make the folder"):
            run_square(path)


def test_proofs_are_kept_unless_forced(tmp_path):
    first = run_square(tmp_path, seed=1)
    again = run_square(tmp_path, seed=2)
    forced = run_square(tmp_path, seed=2, force=True)
    assert (first.run.resumed, again.run.resumed, forced.run.resumed) == ((), ("planted.square",), ())
    assert again.claims == first.claims
    assert forced.claims[0].facts["seed"] == 2


def test_a_certificate_that_no_longer_holds_is_removed(tmp_path):
    run_square(tmp_path)
    certificate = tmp_path / "certificates" / "planted.false.json"
    (tmp_path / "certificates" / "planted.square.json").rename(certificate)
    run(f"{PLANTED}/faulty.py::planted.false", output_dir=str(tmp_path), pool=ThreadPoolExecutor)
    assert not certificate.exists()


def test_checking_a_runs_folder(tmp_path):
    run_square(tmp_path)
    [checked] = check([str(tmp_path), HONEST])
    assert (checked.accepted, checked.claim) == (True, "planted.square")
    [checked] = check([str(tmp_path / "certificates")], standalone=True)
    assert checked.accepted
    with pytest.raises(BadInput, match="unknown claim 'planted.square'"):
        check([str(tmp_path)])


def test_a_certificate_that_the_checker_refuses_is_not_accepted(tmp_path):
    run_square(tmp_path)
    file = tmp_path / "certificates" / "planted.square.json"
    file.write_text(file.read_text().replace("x**2", "x**3"))
    for options in ({"standalone": True}, {}):
        checked = check([str(file), HONEST], **options)
        assert [(entry.accepted, entry.claim, entry.established) for entry in checked] == [(False, "planted.square", ())]
        assert checked[0].refusal


def test_many_processes_say_what_one_says(tmp_path):
    run_square(tmp_path)
    content = (tmp_path / "certificates" / "planted.square.json").read_text()
    for number in range(2 * checking.SHARE):
        (tmp_path / f"{number}.json").write_text(content.replace("x**2", "x**3") if number == 5 else content)
    files = [str(tmp_path / f"{number}.json") for number in range(2 * checking.SHARE)]
    alone, shared = (check([*files, HONEST], jobs=jobs) for jobs in (1, 2))
    assert shared == alone
    assert [Path(checked.path).stem for checked in shared if not checked.accepted] == ["5"]


def test_a_proof_without_its_certificate_is_refused(tmp_path):
    run_square(tmp_path)
    (tmp_path / "certificates" / "planted.square.json").unlink()
    [checked] = check([str(tmp_path), HONEST])
    assert not checked.accepted
    assert "missing, though the report says proved" in (checked.refusal or "")


def test_a_proof_with_another_certificate_than_reported_is_refused(tmp_path):
    run_square(tmp_path)
    report = tmp_path / "report.json"
    report.write_text(report.read_text().replace('"digest": "sha256:', '"digest": "sha256:0'))
    accepted, refused = sorted(check([str(tmp_path), HONEST]), key=lambda checked: not checked.accepted)
    assert accepted.accepted
    assert "not the one that the report names" in (refused.refusal or "")


def test_a_folder_that_may_not_be_entered(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(BadInput, match=r"cannot read .*report.json': Permission denied"):
        check([str(tmp_path)])


def test_what_cannot_be_checked(tmp_path):
    with pytest.raises(NothingSelected, match="no certificate"):
        check([str(tmp_path)])
    (tmp_path / "report.json").write_text('{"complete": true}')
    with pytest.raises(BadInput, match="not a report"):
        check([str(tmp_path)])
    for content in ("", "[]", "{}"):
        (tmp_path / "file.json").write_text(content)
        with pytest.raises(BadInput, match="not"):
            check([str(tmp_path / "file.json")])
    with pytest.raises(BadInput, match="cannot read"):
        check([str(tmp_path / "missing.json")])
