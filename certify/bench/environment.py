"""Where a measurement took place: device, driver, versions, clocks, commit. No host names, no paths."""

from __future__ import annotations

import contextlib
import os
import platform
import subprocess
from importlib import metadata
from typing import Any

import numpy as np
import torch

CLOCKS = ("driver_version", "clocks.sm", "clocks.max.sm", "clocks.mem", "power.limit")


def environment(device: str) -> dict[str, Any]:
    """Plain data for the record."""
    commit, dirty = _checkout()
    return {
        "device": device_name(device),
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "threads": torch.get_num_threads(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__, **_accelerator(device)},
        "cublas_workspace": os.environ.get("CUBLAS_WORKSPACE_CONFIG") if device == "cuda" else None,
        "gpu": _gpu() if device == "cuda" else None,
        "commit": commit,
        "dirty": dirty,
    }


def device_name(device: str) -> str:
    """The GPU's or the processor's model."""
    return torch.cuda.get_device_name() if device == "cuda" else _cpu()


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            found = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        found = []
    return found[0] if found else platform.processor() or platform.machine()


def _accelerator(device: str) -> dict[str, str]:
    if device != "cuda":
        return {}
    found = {"cuda": str(torch.version.cuda)}
    with contextlib.suppress(metadata.PackageNotFoundError):
        found["triton"] = metadata.version("triton")
    return found


def _gpu() -> dict[str, str] | None:
    """What the driver's tool says of the current device; None where there is no such tool."""
    query = ["nvidia-smi", f"--query-gpu={','.join(CLOCKS)}", "--format=csv,noheader", f"--id={torch.cuda.current_device()}"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return None
    values = [value.strip() for value in done.stdout.strip().split(",")]
    return dict(zip(CLOCKS, values, strict=True)) if done.returncode == 0 and len(values) == len(CLOCKS) else None


def _checkout() -> tuple[str | None, bool | None]:
    """The commit, where the library that knows how to find it is there."""
    try:
        from certify.claims.provenance import checkout
    except ImportError:
        return None, None
    return checkout()
