"""What a run of the quick tests says at its start: how many, and how long they took here the last time."""

from __future__ import annotations

import pytest

KEPT = "numberduels/quick-run"
"""The place in pytest's cache, which is in this checkout."""


def is_whole_quick_run(config: pytest.Config) -> bool:
    """Whether these are all the quick tests, as `make test` runs them."""
    option = config.option
    whole = not (option.keyword or option.maxfail or getattr(option, "lf", False))
    return (
        whole and option.markexpr == "not long" and config.args_source == pytest.Config.ArgsSource.TESTPATHS
    )


def text(config: pytest.Config) -> str:
    """What will be run, where, and how long it takes."""
    processes = getattr(config.option, "numprocesses", None) or 1
    where = f"in random order, on {processes} process{'es' if processes > 1 else ''}"
    cache = getattr(config, "cache", None)
    last = cache.get(KEPT, None) if cache else None
    if not last:
        return f"the quick tests {where}: about one minute on two quiet cores"
    return f"{last['tests']:,} quick tests {where}: {last['seconds']:.0f} s in the last run here"


def remember(config: pytest.Config, tests: int, seconds: float) -> None:
    """Keep what the next run says."""
    if cache := getattr(config, "cache", None):
        cache.set(KEPT, {"tests": tests, "seconds": seconds})
