"""Draws docs/learning.svg: how much a table knows of Restricted Removal after so many games with itself.

python -m benchmarks.learning docs/learning.svg
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from benchmarks.curves import picture

EXAMPLE = Path(__file__).parent.parent / "examples" / "tabular_learner.py"


def drawn() -> str:
    """The picture of what the example prints."""
    learn = runpy.run_path(str(EXAMPLE))["learn"]
    course = [(played, 100 * share) for played, share in learn(games=6_000, every=250)]
    perfect = next(played for played, share in course if share == 100)
    return picture(
        "A table learns Restricted Removal, 2 to 12",
        f"The share of positions in which the win is kept rises and is 100 % from {perfect} games on.",
        ("games with itself", "% of the positions where a win can be thrown away in which it is kept"),
        {"value-keeping moves": course},
        (range(0, 6_001, 1_000), range(0, 101, 20)),
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(drawn(), encoding="utf-8")
