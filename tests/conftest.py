"""Workers of pytest-xdist share the cores: each has one thread for arithmetic, as threads that wait for one another spin."""

import os

if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
