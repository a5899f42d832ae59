"""What environments show: pictures of one size, drawn from the board, in the modes that libraries ask for."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled

from numberduels.envs import aec
from numberduels.envs.gymnasium_env import DuelEnv
from numberduels.game import board_image
from numberduels.game.board import Board, Tile
from numberduels.game.board_image import LAST, SEATS, TILE_STYLES, Scene, draw_image
from ours import OURS
from tables import table

from .variants import legal


@pytest.fixture
def scenes(monkeypatch: pytest.MonkeyPatch) -> list[Scene]:
    """The scenes that are drawn from now on."""
    found: list[Scene] = []

    def kept(scene: Scene) -> Any:
        found.append(scene)
        return draw_image(scene)

    monkeypatch.setattr(board_image, "draw_image", kept)
    return found


def count(frame: Any, colour: str) -> int:
    """How many pixels are of this colour."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return int((frame == np.array([red, green, blue], dtype=np.uint8)).all(axis=2).sum())


def play(name: str, *moves: Any, mode: str = "rgb_array", **options: Any) -> Any:
    """The picture after these moves."""
    env: Any = aec(name, render_mode=mode, **options)
    env.reset(seed=1)
    for move in moves:
        env.step(env.episode.encoding.action_of[move])
    return env.render()


# Pictures


@table("name", OURS)
def test_every_picture_of_a_game_has_one_size_and_every_move_changes_it(name: str) -> None:
    env: Any = DuelEnv(name, render_mode="rgb_array", seat="random", limit=6)
    _, info = env.reset(seed=3)
    before, over = env.render(), False
    while not over:
        assert before.shape == (360, 640, 3) and before.dtype == np.uint8
        _, _, terminated, truncated, info = env.step((legal(info["action_mask"]) or [0])[0])
        frame, over = env.render(), terminated or truncated
        assert (frame != before).any()
        before = frame


def test_tiles_tell_who_took_them_and_what_is_closed() -> None:
    start, one, two = (play("range-war", *moves) for moves in ([], [6], [6, 4]))
    assert count(start, TILE_STYLES["closed"].face) == 0 < count(one, TILE_STYLES["closed"].face)
    for seat in (0, 1):
        assert count(two, SEATS[seat]) - count(start, SEATS[seat]) > 1_000
    assert count(start, LAST) == 0 < count(one, LAST)
    locked, filled = play("restricted-removal", 6), play("number-collision", (3, 5))
    assert count(locked, TILE_STYLES["locked"].face) > 1_000 < count(filled, TILE_STYLES["filled"].face)


@table("tiles, label", [(0, ""), (1, "x" * 50), (10, "1"), (11, "1"), (1_000, "9999")])
def test_any_number_of_tiles_and_any_names_fit(tiles: int, label: str) -> None:
    board = Board((Tile(label, "open"),) * tiles)
    frame = np.array(draw_image(Scene("T" * 60, "S" * 50, board, ("a" * 50, "ж" * 50))))
    for margin in (frame[:, :20], frame[:, -20:]):
        assert len(np.unique(margin.reshape(-1, 3), axis=0)) == 1  # of one colour


def test_the_player_to_move_and_the_winner_are_marked(scenes: list[Scene]) -> None:
    play("range-war")
    play("range-war", 1)
    play("range-war", 5, limit=1)
    assert [(scene.status, scene.marked) for scene in scenes] == [
        ("Player 1 to move", 0),
        ("Player 1 wins", 0),
        ("Unfinished after 1 moves", None),
    ]


# As text


@table("seat, order", [("first", 1), ("second", -1)])
def test_a_picture_tells_which_side_is_the_agents(seat: str, order: int, scenes: list[Scene]) -> None:
    env: Any = DuelEnv("summation-duel", seat=seat, opponent="greedy", render_mode="rgb_array")
    env.reset(seed=1)
    env.render()
    sides = ["agent", "greedy"][::order]
    assert scenes[-1].names == (f"Player 1: {sides[0]}", f"Player 2: {sides[1]}")


# Libraries


def test_without_pillow_a_picture_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.delitem(sys.modules, "numberduels.game.board_image")
    env = DuelEnv("range-war", render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.raises(DependencyNotInstalled, match=r"Pillow is not installed.*'numberduels\[envs\]'"):
        env.render()
