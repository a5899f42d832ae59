"""PettingZoo's own tests of environments."""

from __future__ import annotations

import warnings

with warnings.catch_warnings():
    # Where pygame is installed, these make a game of PettingZoo's own by a way that PettingZoo deprecates.
    warnings.filterwarnings("ignore", "The old environment creation API", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

__all__ = ["api_test", "seed_test"]
