"""Where and with what a run took place."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
from importlib import metadata
from pathlib import Path

from certify.claims.record import Environment

DISTRIBUTIONS = {
    "certify": "certify-numerics",
    "flint": "python-flint",
    "sympy": "sympy",
    "numpy": "numpy",
    "torch": "torch",
}
PACKAGE = Path(__file__).resolve().parent.parent


def environment() -> Environment:
    """Versions, commit, processor."""
    commit, dirty = checkout()
    return Environment(
        versions=versions(),
        platform=platform.platform(),
        cpu=_cpu(),
        cores=cores(),
        commit=commit,
        dirty=dirty,
    )


def version(distribution: str) -> str | None:
    """The version of an installed distribution; None where it is not installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def code() -> str:
    """A digest of the source of certify and of its proofs, and the versions of what they compute with."""
    digest = hashlib.sha256(repr(versions()).encode())
    for package in (PACKAGE, PACKAGE.parent / "proofs"):
        for file in sorted(package.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def versions() -> dict[str, str | None]:
    """Of Python and of what certify computes with; nothing is imported to find them."""
    return {"python": platform.python_version(), **{name: version(distribution) for name, distribution in DISTRIBUTIONS.items()}}


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checkout() -> tuple[str | None, bool | None]:
    """The commit that certify runs from and whether its files have changed since; None where git does not track them."""
    commit = _git("ls-files", "--error-unmatch", "__init__.py") and _git("rev-parse", "HEAD")
    changes = _git("status", "--porcelain") if commit else None
    return commit or None, None if changes is None else bool(changes)


def _git(*arguments: str) -> str | None:
    command = ["git", "-C", str(PACKAGE), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"})
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(iter(models), platform.processor() or platform.machine())
