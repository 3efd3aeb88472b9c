"""Global state that an audited function may touch, put back afterwards."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import mpmath
import numpy as np
import torch


@contextmanager
def preserved() -> Iterator[None]:
    """Restore torch's default dtype, grad mode, random states and threads, NumPy's and Python's, and mpmath's precision."""
    dtype, threads, generator = torch.get_default_dtype(), torch.get_num_threads(), torch.get_rng_state()
    deterministic, warn_only = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    anomaly, legacy, python = torch.is_anomaly_enabled(), np.random.get_state(), random.getstate()
    digits = mpmath.mp.prec
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"), torch.enable_grad():
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.set_default_dtype(dtype)
        torch.set_rng_state(generator)
        torch.use_deterministic_algorithms(deterministic, warn_only=warn_only)
        torch.autograd.set_detect_anomaly(anomaly)
        np.random.set_state(legacy)
        random.setstate(python)
        mpmath.mp.prec = digits
        if torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
