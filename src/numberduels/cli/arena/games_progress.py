"""The progress bar of a run."""

from __future__ import annotations

from numberduels.cli.progress import ProgressBar


class GamesProgressBar(ProgressBar):
    """A progress bar that counts games; without a terminal it prints a line now and then."""

    threaded = False  # the workers are forked while it is visible
    done = total = 0

    def __init__(self, about: str) -> None:
        super().__init__(about, "games", lines=True)

    def update(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        super().update(done, total)
