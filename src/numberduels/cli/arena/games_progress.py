"""The progress bar of a run."""

from __future__ import annotations

from numberduels.cli.progress import ProgressBar


class GamesProgressBar(ProgressBar):
    """A progress bar that counts games; without a terminal it prints a line now and then."""

    threaded = False  # the workers are forked while it is visible
    seldom = 60.0
    done = total = 0

    def __init__(self, about: str) -> None:
        super().__init__(about, "games", lines=True)
        self._announced = not self.seen  # then the lines are enough

    def update(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        super().update(done, total)
