"""Rendering of the environments: as text or as an image."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled
from numpy.typing import NDArray

from numberduels.game.board import board_of
from numberduels.game.options import check_among
from numberduels.game.spec import GameSpec

MODES = ("ansi", "rgb_array")
"""Text, or an image; Gymnasium shows images in a window for `render_mode="human"`."""

FPS = 2
"""Moves a second in a video."""

NAME = 28
"""Characters of a player's name in an image."""

Frame = NDArray[np.uint8]
"""An image: rows of RGB pixels. All have the same size, as a video needs it."""


def check_render_mode(mode: str | None) -> None:
    """BadOption if there is no such mode; None is no rendering."""
    if mode is not None:
        check_among("render_mode", mode, MODES)


@dataclass(frozen=True, slots=True)
class View:
    """The data that a renderer needs to show a game."""

    spec: GameSpec
    game: Any
    state: Any
    played: Sequence[Hashable]
    truncated: bool = False
    names: tuple[str, str] = ("", "")
    """Names after `Player 1` and `Player 2` in an image; may be empty."""

    def text(self) -> str:
        """The position as a person reads it: the board and whose turn it is, or how the game ended."""
        game_text = self.spec.text_for(self.game)
        board = game_text.position(self.state)
        if self.game.outcome(self.state) is not None:
            return board + game_text.closing(self.state).lstrip("\n")
        if self.truncated:
            return f"{board}The game is broken off after {len(self.played)} moves: unfinished.\n"
        return board + game_text.heading(self.state) + game_text.status(self.state)

    def picture(self) -> Frame:
        """The position as an image; all images have the same size."""
        try:
            from numberduels.game.board_image import Scene, draw_image
        except ModuleNotFoundError:
            raise DependencyNotInstalled(
                "Pillow is not installed; pictures need it: pip install 'numberduels[envs]'"
            ) from None
        outcome = self.game.outcome(self.state)
        marked = self.game.turn(self.state)
        if outcome is not None:
            marked = outcome.winner
            status = "Tie" if marked is None else f"Player {marked + 1} wins"
        elif self.truncated:
            marked = None
            status = f"Unfinished after {len(self.played)} moves"
        else:
            status = f"Player {marked + 1} to move"
        first, second = (
            f"Player {number}: {name[:NAME]}" if name else f"Player {number}"
            for number, name in enumerate(self.names, 1)
        )
        board = board_of(self.game, self.state, self.played)
        scene = Scene(self.spec.title, status, board, (first, second), marked)
        return np.array(draw_image(scene), dtype=np.uint8)

    def render(self, mode: str | None) -> str | Frame | None:
        """The position in this mode: text, an image, or nothing."""
        if mode is None:
            return None
        return self.text() if mode == "ansi" else self.picture()
