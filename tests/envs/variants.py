"""The variants that every environment is tried with, two games from outside, and walks through them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from numberduels.game import registry
from numberduels.game.contract import IllegalMove, Outcome, Seat
from numberduels.game.options import option
from numberduels.game.spec import GameSpec
from numberduels.game.text import GameText
from numberduels.games.template.rules import LastCounter
from numberduels.games.template.text import LastCounterText
from tables import table

AGENTS = ("player_1", "player_2")


class Variant(NamedTuple):
    """A game by name, and its options."""

    name: str
    options: dict[str, Any]

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{key}={value}" for key, value in self.options.items())])

    @property
    def game(self) -> Any:
        """The rules, to be held beside an environment."""
        return registry.spec(self.name).rules(**self.options)


SMALL = [
    Variant("range-war", {"size": 1}),
    Variant("range-war", {"size": 3}),
    Variant("range-war", {"size": 4, "opening": "free"}),
    Variant("range-war", {"size": 4, "ending": "misere"}),
    Variant("number-snatch", {"size": 1, "top": 1}),
    Variant("number-snatch", {"size": 3, "top": 5}),
    Variant("number-snatch", {"numbers": (1, 2, 3)}),  # an even sum
    Variant("restricted-removal", {"size": 2}),
    Variant("restricted-removal", {"size": 6}),
    Variant("summation-duel", {"size": 1, "target": 1}),
    Variant("summation-duel", {"size": 4, "target": 6}),
    Variant("number-collision", {"size": 1, "values": 1}),
    Variant("number-collision", {"size": 2, "values": 2}),
    Variant("number-collision", {"size": 3, "values": 2, "repetition": "forbidden"}),
]
BOOK = [
    Variant("range-war", {}),
    Variant("number-snatch", {}),
    Variant("number-snatch", {"numbers": (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)}),
    Variant("number-snatch", {"numbers": (3, 5, 6, 12, 24, 30)}),  # beyond the top, and an even sum
    Variant("restricted-removal", {}),
    Variant("summation-duel", {}),
    Variant("number-collision", {}),
]
LARGE = [  # beyond tables, then beyond a word of 64 bits, and some beyond a byte
    Variant("range-war", {"size": 64}),
    Variant("range-war", {"size": 300, "opening": "free"}),
    Variant("number-snatch", {"size": 30, "top": 64}),
    Variant("number-snatch", {"size": 66, "top": 80}),
    Variant("restricted-removal", {"size": 40}),
    Variant("restricted-removal", {"size": 70}),
    Variant("summation-duel", {"size": 40, "target": 150}),
    Variant("summation-duel", {"size": 70, "target": 900}),
    Variant("number-collision", {"size": 66}),
    Variant("number-collision", {"size": 65, "values": 2, "repetition": "forbidden"}),
]
VARIANTS = SMALL + BOOK + LARGE

SAMPLE = [  # one for each way in which positions are encoded and moved
    Variant("range-war", {"size": 3}),  # a table
    Variant("range-war", {"size": 300, "opening": "free"}),  # beyond a byte, and one game after the other
    Variant("number-snatch", {"size": 3, "top": 5}),  # dealt
    Variant("restricted-removal", {"size": 40}),  # by arithmetic
    Variant("summation-duel", {"size": 4, "target": 6}),
    Variant("number-collision", {"size": 3, "values": 2, "repetition": "forbidden"}),  # with a history
]

some_variants = table("variant", SAMPLE)


def mask(game: Any, state: Any) -> list[int]:
    """By the rules, 1 for every move that may be played, and 0 for the others."""
    moves = set(game.moves(state))
    return [int(each_move in moves) for each_move in game.all_moves()]


def legal(flags: Any) -> list[int]:
    """The actions that a mask allows."""
    return [action for action, flag in enumerate(flags) if flag]


@contextmanager
def untouched() -> Iterator[None]:
    """Fail if the generators that all programs share are used."""

    def shared() -> tuple[object, str, object]:
        theirs: Any = np.random.get_state(legacy=False)
        return random.getstate(), str(theirs["state"]["pos"]), theirs["state"]["key"].tolist()

    before = shared()
    yield
    assert shared() == before


Glimpse = tuple[Any, ...]


def single_steps(env: Any, seed: int | None, policy: Random) -> Iterator[Glimpse]:
    """Play a game from one seat at random and tell all that is to be seen, step by step."""
    observation, info = env.reset(seed=seed)
    yield observation.tolist(), info["action_mask"].tolist(), env.unwrapped.seat
    over = False
    while not over:
        action = policy.choice(legal(info["action_mask"]) or [0])
        observation, reward, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        yield action, observation.tolist(), info["action_mask"].tolist(), reward, terminated, truncated


def vector_steps(envs: Any, seed: int | None, policy: Random, steps: int = 12) -> Iterator[Glimpse]:
    """Play many games at random and tell all that is to be seen, step by step."""
    observations, infos = envs.reset(seed=seed)
    yield observations.tolist(), infos["action_mask"].tolist(), envs.unwrapped.seat.tolist()
    for _ in range(steps):
        actions = np.array([policy.choice(legal(flags) or [0]) for flags in infos["action_mask"]])
        observations, *results, infos = envs.step(actions)
        final = [None if each is None else each.tolist() for each in infos.get("final_obs", ())]
        masks = infos["action_mask"].tolist()
        yield actions.tolist(), observations.tolist(), masks, [each.tolist() for each in results], final


# Two games that are none of ours: neither offers a view.


class Counters(LastCounter):
    """The template's game with numbers for its moves. It must end."""

    @property
    def max_plies(self) -> int:
        return self.size

    def all_moves(self) -> tuple[int, ...]:
        return 2, 1


Hand = tuple[tuple[int, ...], tuple[int, int], Seat]


@dataclass(frozen=True)
class Cards:
    """Take cards that are dealt anew for each game; the higher sum wins, and equal sums are a tie."""

    size: int = option(3, "how many cards are dealt")
    top: int = option(4, "the highest card")
    hand: tuple[int, ...] = option((), "the cards themselves")

    @property
    def max_plies(self) -> int:
        return self.size

    def all_moves(self) -> range:
        return range(1, self.top + 1)

    def with_start(self, start: Hand) -> Cards:
        return replace(self, hand=start[0])

    def start(self, rng: Random) -> Hand:
        return self.hand or tuple(sorted(rng.sample(self.all_moves(), self.size))), (0, 0), 0

    def turn(self, state: Hand) -> Seat:
        return state[2]

    def moves(self, state: Hand) -> tuple[int, ...]:
        return state[0]

    def play(self, state: Hand, move: int) -> Hand:
        cards, (first, second), turn = state
        if move not in cards:
            raise IllegalMove(f"There is no {move}.")
        left = tuple(card for card in cards if card != move)
        return (left, (first, second + move), 0) if turn else (left, (first + move, second), 1)

    def outcome(self, state: Hand) -> Outcome | None:
        cards, (first, second), _ = state
        if cards:
            return None
        return Outcome(None if first == second else 0 if first > second else 1, "points", (first, second))


class PlainText(GameText[Any, Any, Any]):
    """The least that a game can say."""

    def opening(self, state: Any) -> str:
        return self.position(state)

    def position(self, state: Any) -> str:
        return f"We are at {state[0]}.\n"

    def prompt(self, state: Any) -> str:
        return "Move: "

    def announce(self, before: Any, move: Any, after: Any) -> str:
        return f"{move}!\n"

    def closing(self, state: Any) -> str:
        return "It is over.\n"


counters = GameSpec("counters", "Counters", "Take one or two.", Counters, LastCounterText)
cards = GameSpec("cards", "Cards", "Take cards.", Cards, PlainText)


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the two games as a package would be, until the test is over."""
    entries = "".join(f"{name} = {__name__}:{name}\n" for name in ("counters", "cards"))
    (folder / "outside-1.0.dist-info").mkdir()
    (folder / "outside-1.0.dist-info" / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{entries}")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setattr(registry, "_declared", cache(registry._declared.__wrapped__))
