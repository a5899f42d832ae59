"""One game in numbers, from its start to its end: what the environments for one game share."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from numberduels.envs.encoding import Encoding, Flags, Numbers
from numberduels.rooms import Room
from numberduels.rows import REWARDS, RUNNING, standing

RESET = "no game is going on: reset the environment first"


class Episode:
    """A game between a start and an end, dealt before anything else.

    >>> from numberduels.registry import room
    >>> episode = Episode(room("summation-duel"), room("summation-duel").game(size=4, target=6))
    >>> episode.deal(Random(1))
    >>> for action in (3, 1):
    ...     episode.play(action)
    >>> episode.rewards
    (-1, 1)
    """

    def __init__(self, room: Room, game: Any, limit: int | None = None) -> None:
        self.room = room
        self.game = game
        self.encoding = Encoding(game, limit)

    def deal(self, rng: Random) -> None:
        """Begin a game."""
        self.state = self.game.start(rng)
        self.ply = 0
        self.how = RUNNING
        self.over = False
        self._last: tuple[Numbers, Flags] | None = None
        if self.encoding.story:
            self._story = self.encoding.opening(self.state)

    @property
    def terminated(self) -> bool:
        """Whether the game has come to its end."""
        return self.how != RUNNING

    @property
    def truncated(self) -> bool:
        """Whether the game was broken off at the limit of moves."""
        return self.over and self.how == RUNNING

    @property
    def rewards(self) -> tuple[int, int]:
        """What both seats get for how the game stands."""
        return REWARDS[self.how]

    def play(self, action: Any) -> None:
        """Make the move that an action means; IllegalMove leaves everything as it was."""
        self.make(self.encoding.letter(action))

    def make(self, move: Any) -> None:
        """Make a move; IllegalMove leaves everything as it was."""
        encoding = self.encoding
        self.state = state = self.game.play(self.state, move)
        if encoding.story:
            self._story[encoding.chapter(self.ply)] = encoding.index[move] + 1
        self.ply += 1
        outcome = self.game.outcome(state)
        if outcome is not None:
            self.how = standing(outcome)
            self.over = True
        elif self.ply == encoding.limit:
            self.over = True

    def look(self) -> tuple[Numbers, Flags]:
        """The position as numbers, and 1 for every legal action; none when the game is over or broken off."""
        try:
            last = self._last
        except AttributeError:
            raise ResetNeeded(RESET) from None
        if last is not None:
            view, mask = last
            return view.copy(), mask.copy()
        encoding = self.encoding
        view, mask = encoding.look(self.state)
        if encoding.story:
            view = np.concatenate((view, self._story))
        if self.over:  # which every agent is going to look at
            if self.how == RUNNING:
                mask[:] = 0
            self._last = view.copy(), mask.copy()
        return view, mask

    def text(self) -> str:
        """The position as a person reads it: the board and whose turn it is, or how the game ended."""
        self.look()  # or be told that there is nothing to see
        words = self.room.speak(self.game)
        board = words.board(self.state)
        if self.terminated:
            return board + words.closing(self.state).lstrip("\n")
        if self.truncated:
            return f"{board}The game is broken off after {self.ply} moves: unfinished.\n"
        # All that is asked but the prompt itself, and nothing that the board has said already.
        asked = words.ask(self.state).splitlines()[:-1]
        return board + "".join(f"{line}\n" for line in asked if line not in board.splitlines())
