"""What environments show: pictures of one size, drawn from the board, in the modes that libraries ask for."""

from __future__ import annotations

import sys
from copy import deepcopy
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import AddRenderObservation, HumanRendering, RenderCollection

from numberduels.envs import aec, env_id, rendering
from numberduels.envs.aec_env import DuelAEC
from numberduels.envs.gymnasium_env import DuelEnv
from numberduels.envs.rendering import Renderer, View
from numberduels.envs.vector_env import DuelVectorEnv
from numberduels.game import board_image, registry
from numberduels.game.board import Board, Tile
from numberduels.game.board_image import LAST, OVER, SEATS, TILE_STYLES, Scene, draw_image
from tables import table

from .pettingzoo_tests import render_test
from .variants import Cards, Counters, cards, counters, legal

GAMES = ["range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"]
every_game = table("name", GAMES)


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a window show its pictures as fast as it can."""
    monkeypatch.setattr(rendering, "FPS", 10_000)
    monkeypatch.setitem(DuelEnv.metadata, "render_fps", 10_000)


def count(frame: Any, colour: str) -> int:
    """How many pixels are of this colour."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return int((frame == np.array([red, green, blue], dtype=np.uint8)).all(axis=2).sum())


def draw(scene: Scene) -> Any:
    return np.array(draw_image(scene), dtype=np.uint8)


def play(name: str, *moves: Any, **options: Any) -> Any:
    """The picture after these moves."""
    env: Any = aec(name, render_mode="rgb_array", **options)
    env.reset(seed=1)
    for move in moves:
        env.step(env.episode.encoding.action_of[move])
    return env.render()


# Pictures


@every_game
def test_every_picture_of_a_game_has_one_size_and_every_move_changes_it(name: str) -> None:
    env: Any = DuelEnv(name, render_mode="rgb_array", seat="random", limit=12)
    _, info = env.reset(seed=3)
    before, over = env.render(), False
    while not over:
        assert before.shape == (360, 640, 3) and before.dtype == np.uint8
        _, _, terminated, truncated, info = env.step((legal(info["action_mask"]) or [0])[0])
        frame, over = env.render(), terminated or truncated
        assert (frame != before).any()
        before = frame


def test_tiles_wear_the_colours_of_who_took_them() -> None:
    start, one, two = (play("range-war", *moves) for moves in ([], [6], [6, 4]))
    assert count(start, TILE_STYLES["closed"].face) == 0 < count(one, TILE_STYLES["closed"].face)
    assert count(two, SEATS[0]) - count(start, SEATS[0]) > 1_000
    assert count(two, SEATS[1]) - count(start, SEATS[1]) > 1_000
    assert count(start, LAST) == 0 < count(one, LAST)


def test_locked_removed_and_filled_tiles_look_different() -> None:
    locked = play("restricted-removal", 6)
    assert (
        count(locked, TILE_STYLES["locked"].face) > 1_000 and count(locked, TILE_STYLES["locked"].hatch) > 100
    )
    assert count(play("number-collision", (3, 5)), TILE_STYLES["filled"].face) > 1_000


def test_a_bar_grows_with_the_total_and_changes_its_colour_beyond_the_target() -> None:
    low, high, over = (play("summation-duel", *moves, size=10, target=12) for moves in ([1], [10], [10, 9]))
    assert count(high, SEATS[0]) > count(low, SEATS[0])
    assert count(over, OVER) > 1_000 > count(high, OVER)


def test_a_winner_is_named_and_marked() -> None:
    game = registry.spec("range-war").rules(size=3)
    scenes: list[Scene] = []

    def kept(scene: Scene) -> Any:
        scenes.append(scene)
        return draw_image(scene)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(board_image, "draw_image", kept)
        start = game.start(Random(1))
        View(registry.spec("range-war"), game, start, [], names=("agent", "perfect")).picture()
        View(registry.spec("range-war"), game, start, [], True, ("", "x" * 99)).picture()
        View(registry.spec("range-war"), game, game.play(start, 1), [1]).picture()
    told = [(scene.status, scene.marked, scene.names) for scene in scenes]
    assert told == [
        ("Player 1 to move", 0, ("Player 1: agent", "Player 2: perfect")),
        ("Unfinished after 0 moves", None, ("Player 1", f"Player 2: {'x' * 28}")),
        ("Player 1 wins", 0, ("Player 1", "Player 2")),
    ]


@table("tiles", [0, 1, 10, 11, 100, 1_000])
def test_any_number_of_tiles_fits(tiles: int) -> None:
    board = Board(tuple(Tile(str(number), "open") for number in range(1, tiles + 1)))
    frame = draw(Scene("Many", "", board))
    assert is_plain(frame[:, :20]) and is_plain(frame[:, -20:])
    white = (frame == 255).all(axis=2).sum()
    assert white > 10 * min(tiles, 100) or not tiles


def test_long_names_and_unknown_kinds_do_no_harm() -> None:
    board = Board((Tile("x" * 50, "new"),))
    frame = draw(Scene("T" * 60, "S" * 50, board, ("a" * 50, "ж" * 50)))
    assert is_plain(frame[:, :20]) and is_plain(frame[:, -20:])


def is_plain(part: Any) -> bool:
    """Whether a part of a picture is of one colour."""
    return len(np.unique(part.reshape(-1, 3), axis=0)) == 1


@table("spec, game", [(counters, Counters(5)), (cards, Cards())])
def test_a_game_that_is_not_installed_has_pictures_too(spec: Any, game: Any) -> None:
    env: Any = DuelAEC(spec, game, render_mode="rgb_array")
    env.reset(seed=1)
    assert env.render().shape == (360, 640, 3)


# Gymnasium


@every_game
def test_gymnasium_finds_no_fault_in_any_mode(name: str) -> None:
    check_env(gymnasium.make(env_id(name)).unwrapped)


@table(
    "env, shown",
    [
        (DuelEnv("summation-duel", render_mode="human"), 3),  # the start, the agent's move, and the answer
        (aec("summation-duel", render_mode="human"), 2),
    ],
)
def test_a_window_shows_every_move_by_itself(env: Any, shown: int, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = []
    show = Renderer._show

    def seen(renderer: Renderer, frame: Any) -> None:
        frames.append(frame)
        show(renderer, frame)

    monkeypatch.setattr(Renderer, "_show", seen)
    env.reset(seed=1)
    assert len(frames) == 1
    env.step(3)
    assert len(frames) == shown
    assert env.render() is None
    for _ in range(2):
        env.close()
        assert env._renderer._window is None


@table("seat, order", [("first", 1), ("second", -1)])
def test_a_picture_tells_which_side_is_the_agents(
    seat: str, order: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes: list[Scene] = []

    def seen(scene: Scene) -> list[int]:
        scenes.append(scene)
        return []

    monkeypatch.setattr(board_image, "draw_image", seen)
    options: Any = {"seat": seat, "opponent": "greedy", "render_mode": "rgb_array"}
    for kind in (DuelEnv, DuelVectorEnv):
        env: Any = kind("summation-duel", **options)
        env.reset(seed=1)
        env.render()
    sides = ["agent", "greedy"][::order]
    assert [scene.names for scene in scenes] == [(f"Player 1: {sides[0]}", f"Player 2: {sides[1]}")] * 2


def test_a_copy_of_an_environment_with_a_window_opens_its_own() -> None:
    env: Any = DuelEnv("range-war", render_mode="human")
    env.reset(seed=1)
    twin = deepcopy(env)
    assert twin._renderer._window is None is not env._renderer._window
    twin.step(4)
    assert twin._renderer._window is not None
    env.step(4)
    assert env.episode.state == twin.episode.state
    twin.close()
    env.close()


def test_gymnasiums_wrappers_of_pictures_work() -> None:
    human: Any = HumanRendering(gymnasium.make("NumberDuels/RangeWar-v0", render_mode="rgb_array"))
    human.reset(seed=1)
    human.step(0)
    human.close()
    many: Any = RenderCollection(gymnasium.make("NumberDuels/RangeWar-v0", render_mode="rgb_array"))
    many.reset(seed=1)
    many.step(0)
    assert [frame.shape for frame in many.render()] == [(360, 640, 3)] * 2
    pixels: Any = AddRenderObservation(gymnasium.make("NumberDuels/RangeWar-v0", render_mode="rgb_array"))
    observation, _ = pixels.reset(seed=1)
    assert pixels.observation_space.contains(observation)


@table(
    "mode, missing, said",
    [
        ("rgb_array", "PIL", r"Pillow is not installed; pictures need it: pip install 'numberduels\[envs\]'"),
        ("human", "pygame", "pygame is not installed; render_mode='human' needs it: pip install pygame"),
    ],
)
def test_what_is_not_installed_is_named(
    mode: str, missing: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "numberduels.game.board_image")
    env = DuelEnv("range-war", render_mode=mode)
    with pytest.raises(DependencyNotInstalled, match=said):
        env.reset(seed=1)
        env.render()


# PettingZoo


@table("name", ["number-snatch", "number-collision"])
def test_pettingzoo_finds_no_fault_in_any_mode(name: str) -> None:
    render_test(lambda render_mode: aec(name, render_mode=render_mode))
