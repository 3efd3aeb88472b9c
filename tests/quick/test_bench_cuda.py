"""The path that a CUDA device takes, walked on the CPU: events, statistics, capture and replay are stand-ins, the numbers real."""

from __future__ import annotations

import contextlib
import time

import pytest
import torch
from torch.overrides import TorchFunctionMode

from certify.bench import alone, limits, scaling, session, summary, table
from certify.bench.settings import Settings
from certify.bench.state import inputs
from certify.bench.structured import Captured, Structured
from certify.claims.exits import BadInput, Exit

SIZES = {"batch": 4, "classes": 12, "dim": 16, "warmups": 1, "repeats": 2}


class OnTheCpu(TorchFunctionMode):
    """Takes every device named cuda for the CPU."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        args = tuple("cpu" if isinstance(value, str) and value == "cuda" else value for value in args)
        kwargs = {name: "cpu" if isinstance(value, str) and value == "cuda" else value for name, value in (kwargs or {}).items()}
        return func(*args, **kwargs)


class Event:
    def __init__(self, enable_timing):
        assert enable_timing

    def record(self):
        self.at = time.perf_counter()

    def synchronize(self):
        pass

    def elapsed_time(self, other):
        return 1e3 * (other.at - self.at)


class Stream:
    def wait_stream(self, other):
        assert isinstance(other, Stream)


class Graph:
    """Replays by running again, into the tensors of the capture."""

    captured: Captured

    def replay(self):
        outputs = self.captured.outputs
        assert outputs is not None
        for kept, value in zip(outputs, self.captured.inner.run(), strict=True):
            kept.copy_(value)


class Replayed(Captured):
    def capture(self):
        super().capture()
        self.graph.captured = self


@pytest.fixture
def device(monkeypatch):
    """A device of imagination."""
    stand_ins = {
        "is_available": lambda: True,
        "mem_get_info": lambda: (1 << 40, 1 << 40),
        "get_device_name": lambda: "Imaginary 1000",
        "current_device": lambda: 0,
        "synchronize": lambda: None,
        "reset_peak_memory_stats": lambda: None,
        "memory_allocated": lambda: 100,
        "max_memory_allocated": lambda: 1124,
        "Event": Event,
        "Stream": Stream,
        "current_stream": Stream,
        "stream": lambda stream: contextlib.nullcontext(),
        "CUDAGraph": Graph,
        "graph": lambda graph: contextlib.nullcontext(),
    }
    for name, value in stand_ins.items():
        monkeypatch.setattr(torch.cuda, name, value)
    captured = {"eager, CUDA graph": lambda given: Replayed(Structured(given))}
    made = lambda given: {name: lambda make=make: make(given) for name, make in captured.items()}  # noqa: E731
    monkeypatch.setattr(table, "variants", made)
    monkeypatch.setattr(scaling, "variants", made)
    monkeypatch.setattr(alone, "compiled", lambda realization: realization.difference)
    monkeypatch.setattr(scaling, "DIMENSIONS", (8, 16))
    monkeypatch.setattr(scaling, "CLASSES", (5, 50))
    monkeypatch.setattr(limits, "SQUARE", {"cuda": 64})
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    with OnTheCpu():
        yield


def test_the_whole_run(device):
    record = session.run(Settings(device="cuda", **SIZES))
    assert summary.failures(record) == []
    assert summary.outcome(record) is Exit.HOLDS
    assert record["environment"]["device"] == "Imaginary 1000"
    assert record["environment"]["cublas_workspace"] == ":16:8"
    (structured,) = [row for row in record["parts"]["table"]["found"]["rows"] if row["name"] == table.STRUCTURED]
    assert structured["variant"] == "eager, CUDA graph"
    assert structured["peak_bytes"] == 1024
    assert all(entry["holds"] for entry in structured["checks"])
    assert "Imaginary 1000" in summary.text(record)


def test_a_replay_is_the_run_from_the_restored_state(device):
    given = inputs(Settings(**SIZES))
    captured, plain = Replayed(Structured(given)), Structured(given)
    expected = plain.run()
    for _ in range(3):
        captured.restore()
        assert all(torch.equal(a, b) for a, b in zip(captured.run(), expected, strict=True))


def test_what_does_not_fit_is_refused(device, monkeypatch):
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda: (1 << 20, 1 << 40))
    with pytest.raises(BadInput, match="cuda has 1 MiB free"):
        session.run(Settings(device="cuda", batch=32, classes=1000, dim=1024))
