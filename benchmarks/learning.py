"""Draws docs/learning.svg: how much a table knows of Restricted Removal after many games with itself.

python -m benchmarks.learning docs/learning.svg
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "tabular_learner.py"


def main(path: str) -> None:
    """Draw what the example prints."""
    from matplotlib import pyplot

    learn = runpy.run_path(str(EXAMPLE))["learn"]
    course = [(played, 100 * share) for played, share in learn(games=6_000, every=250)]
    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    axes.plot(*zip(*course, strict=True))
    axes.set_title("A table learns Restricted Removal, 2 to 12")
    axes.set_xlabel("games with itself")
    axes.set_ylabel("value-keeping moves, %")
    axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main(sys.argv[1])
