"""Where claims are declared: a module of a shipped package, or a file that the user named."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import re
import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from certify.claims import toml
from certify.claims.exits import BadInput
from certify.claims.text import line

PACKAGES = ("proofs", "certify.studies.claims")
"""Those that are shipped; code from elsewhere runs only where the user names it."""
SUFFIXES = (".py", ".toml")


@dataclass(frozen=True)
class Origin:
    """A module by its dotted name, or a file by its path; ``name`` is how messages call it, ``family`` the first word of its ids.

    Two are equal if they load the same code.
    """

    module: str
    path: str | None = None
    name: str = field(default="", compare=False)
    family: str = field(default="", compare=False)

    def load(self) -> ModuleType:
        """Import it, once per process. Raises whatever its code raises; what it prints goes to stderr."""
        if self.module in sys.modules:
            return sys.modules[self.module]
        if self.path is not None and self.path.endswith(".toml"):
            return sys.modules.setdefault(self.module, toml.module(self.module, self.path, self.name))
        process = os.getpid()
        with redirect_stdout(sys.stderr):
            found = importlib.import_module(self.module) if self.path is None else _execute(self.module, self.path)
        if os.getpid() != process:
            os._exit(0)  # a child that its code has forked, and that is to do nothing else
        return found

    @property
    def shipped(self) -> bool:
        """Whether it belongs to this project."""
        return self.path is None and self.module.startswith(tuple(f"{package}." for package in PACKAGES))

    @property
    def stem(self) -> str:
        """An id made from the name, for a module that cannot tell its own claims."""
        if self.family:
            return f"{self.family}.not_imported"
        if self.path is None:
            return self.module.partition(".")[2] or self.module
        return re.sub(r"[^a-z0-9_]", "_", Path(self.path).stem.lower())[:80] or "file"


def module_origin(name: str) -> Origin:
    """The origin of an importable module."""
    return Origin(name, name=name)


def file_origin(path: str) -> Origin:
    """The origin of a claim file. Raises BadInput unless it is a file that can be read."""
    real = "" if "\0" in path else os.path.realpath(path)
    if not os.path.isfile(real):
        raise BadInput(f"claim file {path!r}: {'not a regular file' if os.path.exists(real) else 'no such file'}")
    if not os.access(real, os.R_OK):
        raise BadInput(f"claim file {path!r}: it cannot be read")
    tag = hashlib.sha256(real.encode(errors="surrogateescape")).hexdigest()[:16]
    return Origin(f"certify_claim_file_{tag}", real, line(path))


def _execute(name: str, path: str) -> ModuleType:
    """Run a file as a module of that name, without leaving compiled files beside it."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None  # the path ends in .py
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(compile(Path(path).read_bytes(), path, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module
