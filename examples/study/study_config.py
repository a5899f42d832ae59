"""The configuration of a study, and the two arena runs that it stands for."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from numberduels.cli.parser import CliError
from numberduels.game.formatting import nearest, short
from numberduels.game.notation import read_game

DECISIONS, GAMES = "decisions", "games"
"""The folders of the two runs: single decisions, and whole games against fixed opponents."""

LONGEST = 100_000
"""The most bytes of a configuration."""


@dataclass(frozen=True, slots=True)
class Study:
    """What a configuration file says."""

    games: dict[str, list[str]]
    """By game, its sizes: options such as `size=8`, several joined by a colon."""
    players: list[str] = field(default_factory=list)
    """Who is studied: language models (`chat:MODEL`), programs, or built-in players."""
    title: str = "How well do these players play?"
    seed: str = "0"
    baselines: list[str] = field(default_factory=lambda: ["random", "greedy", "skilled", "perfect"])
    """Built-in players that answer the same positions."""
    opponents: list[str] = field(default_factory=lambda: ["random", "perfect"])
    """Whom the players meet in whole games, in both seats."""
    vary: list[str] = field(default_factory=lambda: ["legal", "disguise"])
    """The conditions that are varied for language models."""
    positions: int = 30
    samples: int = 1
    rounds: int = 5
    """Openings of whole games; each is played in both seats."""
    attempts: int = 3
    seconds: float = 60.0
    concurrency: int = 8
    base_url: str = ""
    model_options: str = ""
    """A TOML file with options of models, relative to the configuration."""
    budget: float = 0.0
    """If not 0: the most that each of the two runs may cost."""

    @property
    def texts(self) -> list[str]:
        """Every game at every size, such as `range-war:size=8`."""
        return [f"{game}:{size}" for game, sizes in self.games.items() for size in sizes]

    def label(self, game: str, size: str) -> str:
        """A game at a size as the arena names it, with all options."""
        return read_game(f"{game}:{size}")[0]

    @property
    def has_models(self) -> bool:
        """Whether a language model is among the players."""
        return any(player.startswith("chat:") for player in self.players)

    def arguments(self, run: str, folder: str, beside: str = "") -> list[str]:
        """The arguments of `duel arena run` for one of the two runs.

        `beside` is the folder of the configuration, where the options of models are.
        """
        if run == DECISIONS:
            players = dict.fromkeys([*self.players, *self.baselines])
            own = ["--positions", str(self.positions), "--samples", str(self.samples)]
        else:
            # A baseline that is an opponent meets the players as such.
            players = dict.fromkeys(
                player for player in (*self.players, *self.baselines) if player not in self.opponents
            )
            own = ["--against", ",".join(self.opponents), "--rounds", str(self.rounds)]
        named = [part for player in players for part in ("--player", player)]
        found = [*named, "--games", ",".join(self.texts), "--seed", self.seed, *own]
        found += ["--vary", ",".join(self.vary)] if self.vary and self.has_models else []
        found += ["--attempts", str(self.attempts), "--seconds", f"{self.seconds:g}"]
        found += ["--concurrency", str(self.concurrency)]
        found += ["--base-url", self.base_url] if self.base_url else []
        if self.model_options:
            found += ["--model-options", os.path.join(beside, self.model_options)]
        found += ["--budget", f"{self.budget:g}"] if self.budget else []
        return [*found, "--out", folder]


def read_study(path: str) -> tuple[Study, str]:
    """Read a configuration; the study and the text of the file. CliError says what is wrong."""
    try:
        with open(path, "rb") as file:
            data = file.read(LONGEST + 1)
        if len(data) > LONGEST:
            raise CliError(f"{short(path, 200)} is larger than {LONGEST:,} bytes: that is no configuration")
        text = data.decode("utf-8")
        found = tomllib.loads(text)
    except OSError as fault:
        raise CliError(f"{short(path, 200)} cannot be read: {fault.strerror or fault}") from None
    except ValueError as fault:
        raise CliError(f"{short(path, 200)} is not a TOML file: {fault}") from None
    return make_study(found), text


def make_study(data: Mapping[str, Any]) -> Study:
    """The study that the entries of a configuration describe; CliError names a wrong entry.

    >>> make_study({"games": {"range-war": ["size=6", "size=8"]}, "players": ["mcts:20"]}).texts
    ['range-war:size=6', 'range-war:size=8']
    """
    kinds = {each.name: _kind(str(each.type)) for each in fields(Study)}
    for name, value in data.items():
        if name not in kinds:
            meant = nearest(name, kinds)
            raise CliError(f"there is no entry {short(name)}{f'; did you mean {meant}?' if meant else ''}")
        kind, told = kinds[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise CliError(f"{name} must be {told}")
        if isinstance(value, list):
            _check_list(name, value)
    games = data.get("games") or {}
    if not games:
        raise CliError('there are no games: [games] needs lines such as range-war = ["size=8", "size=12"]')
    for game, sizes in games.items():
        if not isinstance(sizes, list) or not sizes:
            raise CliError(f'the sizes of {short(game)} must be a list of options, such as ["size=8"]')
        _check_list(game, sizes)
    study = Study(**data)
    if all(player in study.opponents for player in (*study.players, *study.baselines)):
        raise CliError("nobody is studied: players must name somebody who is not among the opponents")
    if not study.opponents:
        raise CliError("opponents must name at least one player")
    return study


def _kind(hint: str) -> tuple[tuple[type, ...], str]:
    """The types that an entry may have, and how a message says them."""
    if hint.startswith("dict"):
        return (dict,), "a table"
    if hint.startswith("list"):
        return (list,), "a list of texts"
    kinds: dict[str, tuple[tuple[type, ...], str]] = {
        "str": ((str,), "a text"),
        "int": ((int,), "a whole number"),
        "float": ((int, float), "a number"),
    }
    return kinds[hint]


def _check_list(name: str, values: list[Any]) -> None:
    for value in values:
        if not isinstance(value, str) or not value:
            raise CliError(f"{short(name)} must be a list of texts")
        if values.count(value) > 1:
            raise CliError(f"{short(name)} names {short(value)} twice")
