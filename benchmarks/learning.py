"""Draws docs/learning.svg: how much a table knows of Restricted Removal after many games with itself.

python -m benchmarks.learning docs/learning.svg
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from numberduels.analysis.charts import BarChart, Panel

EXAMPLE = Path(__file__).parent.parent / "examples" / "tabular_learner.py"


def main(path: str) -> None:
    """Draw what the example prints."""
    learn = runpy.run_path(str(EXAMPLE))["learn"]
    course = [(played, round(100 * share)) for played, share in learn(games=6_000, every=250)]
    perfect = next(played for played, share in course if share == 100)
    chart = BarChart(
        title="A table learns Restricted Removal, 2 to 12",
        description=f"The share of won positions that stay won rises and is 100 % from {perfect} games on.",
        axis="games",
        columns=[played for played, _ in course],
        panels=[Panel("wins kept, %", [share for _, share in course])],
    )
    Path(path).write_text(chart.draw(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
