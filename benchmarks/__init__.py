"""Benchmarks: each module measures one thing and prints a table."""

from __future__ import annotations

import os

# NumPy's matrix products run in one thread: several would be counted as more processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
