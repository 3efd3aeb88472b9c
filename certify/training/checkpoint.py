"""Where a run stands, on disk: tensors in safetensors, all else in JSON, the latter written last and naming the former.

Whatever moment a run is killed at, the folder holds the last complete state. ``result.json`` takes its place when the run has ended.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from certify.claims.exits import BadInput
from certify.claims.files import make_folder, read, write_atomically

STATE, RESULT, MODEL = "checkpoint.json", "result.json", "model.safetensors"


class Standing(NamedTuple):
    """``done`` of ``total`` updates, the tensors to go on from, and what has been recorded."""

    done: int
    total: int
    tensors: dict[str, Tensor]
    recorded: dict[str, Any]


class Folder:
    """The folder of one run. ``identity`` is what its results depend on: another one's state is refused, not overwritten."""

    def __init__(self, path: str | Path, identity: dict[str, Any]) -> None:
        self.path = Path(path)
        self.identity = {**identity, "torch": torch.__version__}

    def result(self) -> dict[str, Any] | None:
        """What the run came to, if it has ended; states that a crash at its very end has left are removed."""
        found = self._read(RESULT)
        if found is not None:
            self._forget()
        return found

    def standing(self) -> Standing | None:
        """The last complete state. Raises BadInput where it is another configuration's, or damaged."""
        found = self._read(STATE)
        if found is None:
            return None
        content = read(self.path / found["tensors"])
        try:
            if hashlib.sha256(content).hexdigest() != found["sha256"]:
                raise ValueError("its digest is another")
            return Standing(found["done"], found["total"], load(content), found["recorded"])
        except (SafetensorError, ValueError) as error:
            raise BadInput(f"{self.path / found['tensors']} is damaged ({error}): remove {self.path} to begin again") from None

    def refuse_others(self) -> None:
        """Raise BadInput where the folder holds another configuration, or what is damaged."""
        if self.result() is None:
            self.standing()

    def keep(self, standing: Standing) -> None:
        """Make this the state to go on from."""
        make_folder(self.path)
        content = save(standing.tensors)
        digest = hashlib.sha256(content).hexdigest()
        name = f"checkpoint-{digest[:16]}.safetensors"  # never that of other tensors, which would take the place of the last state's
        write_atomically(self.path / name, content)
        whole = {
            "identity": self.identity,
            "done": standing.done,
            "total": standing.total,
            "tensors": name,
            "sha256": digest,
            "recorded": standing.recorded,
        }
        write_atomically(self.path / STATE, dumps(whole))
        self._clear(name)

    def close(self, tensors: dict[str, Tensor], result: dict[str, Any]) -> None:
        """The run has ended: the model and the result, and no state to go on from."""
        make_folder(self.path)
        content = save(tensors)
        write_atomically(self.path / MODEL, content)
        model = {"model_sha256": hashlib.sha256(content).hexdigest()}
        write_atomically(self.path / RESULT, dumps({"identity": self.identity, **result, **model}))
        self._forget()

    def _read(self, name: str) -> dict[str, Any] | None:
        path = self.path / name
        if not path.exists():
            return None
        try:
            found = json.loads(read(path))
            identity = found["identity"]
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(f"{path} is damaged ({error}): remove {self.path} to begin again") from None
        if identity != self.identity:
            raise BadInput(f"{self.path} holds another configuration ({_differences(identity, self.identity)}): choose another folder")
        return found

    def _forget(self) -> None:
        (self.path / STATE).unlink(missing_ok=True)
        self._clear("")

    def _clear(self, kept: str) -> None:
        """Remove the tensors of all other states."""
        for path in self.path.glob("checkpoint-*.safetensors"):
            if path.name != kept:
                with suppress(OSError):
                    path.unlink()


def dumps(value: Any) -> str:
    """As files have it; floats in full."""
    return json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def _differences(there: dict[str, Any], here: dict[str, Any]) -> str:
    names = sorted(name for name in there.keys() | here.keys() if there.get(name) != here.get(name))
    return ", ".join(f"{name} = {there.get(name)!r} there, {here.get(name)!r} here" for name in names)
