"""Several runs as one: read their folders, check every line, and keep every game once."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from numberduels.arena.plan import Plan, game_key
from numberduels.arena.prompts_file import PROMPTS, read_prompts
from numberduels.arena.results import ERROR, GameResult, read_result
from numberduels.arena.results_file import GAMES, PLAN, decode_json, has_incomplete_line, read_lines
from numberduels.arena.saved_plan import (
    external_players,
    joined_plan,
    read_plan,
    same_terms,
    with_defaults,
)
from numberduels.game import files, record
from numberduels.game.formatting import short
from numberduels.game.record import BadRecord

TIMES = ("version", "ended", "seconds")
"""Entries of a line that say when and how fast it was played, not what."""

Line = dict[str, Any]
Identity = tuple[str, str]
"""The seed and the key of a game: runs of different seeds use the same keys."""


@dataclass(frozen=True, slots=True)
class SavedRun:
    """The folder of a run as it was read."""

    folder: str
    """As the user has named it."""
    config: Line
    """The saved plan."""
    lines: tuple[Line, ...]
    games: tuple[GameResult, ...]
    """The decoded lines."""
    incomplete_line: bool

    def finished(self) -> dict[Identity, tuple[Line, GameResult]]:
        """Every game once, with its line: the first that is finished, or else the last that was abandoned."""
        found: dict[Identity, tuple[Line, GameResult]] = {}
        for line, game in zip(self.lines, self.games, strict=True):
            identity = game.seed, game.key
            if identity not in found or found[identity][1].end == ERROR:
                found[identity] = line, game
        return found


def read_run(folder: str) -> SavedRun:
    """Read the folder of a run; ValueError names a bad line, OSError a file."""
    place = files.absolute_path(folder)
    with open(os.path.join(place, PLAN), "rb") as file:
        config = decode_json(file.read())
    if not isinstance(config, dict):
        raise ValueError(f"{PLAN} is not the plan of a run")
    path = os.path.join(place, GAMES)
    lines = tuple(read_lines(path))
    games = tuple(read_result(number, line) for number, line in enumerate(lines, 1))
    return SavedRun(folder, config, lines, games, has_incomplete_line(path))


# The plan of several runs


def joined_config(runs: Sequence[SavedRun]) -> Line:
    """The saved plan of several runs together.

    It can be continued if one plan continues all of them. Otherwise its `parts` are the plans, and it has
    only what a report needs.
    """
    plans = list(_parts(runs))
    total = _total(runs, plans)
    joined = joined_plan([with_defaults(plan) for plan in plans])
    if joined is not None:
        return joined | {"total": total}
    names = ("players", "against", "games")
    config: Line = {name: _union(plan.get(name) or () for plan in plans) for name in names}
    seeds = _union([plan.get("seed")] for plan in plans)
    config |= {"seed": seeds[0]} if len(seeds) == 1 else {}
    config |= {"terms": plans[0].get("terms")} if same_terms(plans) else {}
    return config | {"total": total, "parts": plans}


def _parts(runs: Iterable[SavedRun]) -> Iterable[Line]:
    """The plans of the runs, each once; a folder of merged runs has several."""
    seen: list[Line] = []
    for run in runs:
        parts = run.config.get("parts")
        for plan in parts if isinstance(parts, list) else [run.config]:
            if isinstance(plan, dict) and plan not in seen:
                seen.append(plan)
    return seen


def _union(lists: Iterable[Iterable[Any]]) -> list[Any]:
    found: list[Any] = []
    for each in lists:
        found += [member for member in each if member not in found]
    return found


def _total(runs: Sequence[SavedRun], plans: Sequence[Line]) -> int:
    """How many games the runs have planned together; each once."""
    played = set().union(*(run.finished() for run in runs))
    if all(len(run.finished()) == run.config.get("total") for run in runs):
        return len(played)
    for plan in plans:
        try:
            played |= {(game.seed, game.key) for game in read_plan(plan).schedule()}
        except ValueError:
            continue  # a report does not need it
    return len(played)


# Reports on several runs


def join_games(runs: Sequence[SavedRun]) -> list[GameResult]:
    """The games of several runs, numbered anew. The same game in two runs is there once.

    A game that two runs have played differently, as models may, is there twice: the key of the second names
    its folder.
    """
    found: dict[Identity, tuple[Line, GameResult]] = {}
    for run in runs:
        for identity, (line, game) in run.finished().items():
            earlier = found.get(identity)
            if earlier is None or earlier[1].end == ERROR:
                found[identity] = line, game
            elif game.end != ERROR and _without_times(earlier[0]) != _without_times(line):
                found[game.seed, f"{game.key} | {run.folder}"] = (
                    line,
                    replace(game, key=f"{game.key} | {run.folder}"),
                )
    return [replace(game, number=number) for number, (_, game) in enumerate(found.values(), 1)]


def label_players(runs: Sequence[SavedRun]) -> tuple[SavedRun, ...]:
    """The runs, in which a program or model that had other settings in another run is another player.

    Its name gets the name of the folder.
    """
    if len(runs) < 2 or same_terms([run.config for run in runs]):
        return tuple(runs)
    count = Counter(name for run in runs for name in external_players(run.config))
    shared = {name for name in count if count[name] > 1}
    return tuple(_labelled(run, shared) for run in runs)


def _labelled(run: SavedRun, names: set[str]) -> SavedRun:
    def label(name: Any) -> Any:
        return f"{name} [{run.folder}]" if name in names else name

    config = {
        key: [label(name) for name in entry]
        if key in ("players", "against") and isinstance(entry, list)
        else entry
        for key, entry in run.config.items()
    }
    games = tuple(
        replace(game, players=tuple(map(label, game.players)), key=f"{game.key} | {run.folder}")
        if names & {*game.players}
        else game
        for game in run.games
    )
    return replace(run, config=config, games=games)


# Merging


def merge_runs(runs: Sequence[SavedRun], out: str) -> int:
    """Write the games of several runs to a new folder, each once; returns how many there are.

    The folder appears when it is complete. ValueError if two runs contradict each other, or if programs or
    models had different settings; OSError if the folder cannot be written.
    """
    if not same_terms([run.config for run in runs]) and any(external_players(run.config) for run in runs):
        raise ValueError(
            "programs or models had different settings in these runs, so their games cannot share a folder;"
            " duel arena report takes several folders"
        )
    merged: dict[Identity, tuple[Line, GameResult]] = {}
    origin: dict[Identity, str] = {}
    for run in runs:
        for identity, (line, game) in run.finished().items():
            if identity in merged and merged[identity][1].end != ERROR:
                if game.end != ERROR and _without_times(merged[identity][0]) != _without_times(line):
                    raise ValueError(
                        f"{short(origin[identity], 200)} and {short(run.folder, 200)} hold different games"
                        f" under the key {short(game.key, 200)} and the seed {short(game.seed, 80)}"
                    )
                continue
            merged[identity] = line, game
            origin[identity] = run.folder
    config = joined_config(runs)
    prompts = {name: message for run in runs for name, message in read_prompts(run.folder).items()}
    with files.new_folder(out) as draft:
        with open(os.path.join(draft, PLAN), "x", encoding="utf-8") as file:
            file.write(json.dumps(config, indent=1) + "\n")
        with open(os.path.join(draft, GAMES), "x", encoding="utf-8") as file:
            file.writelines(json.dumps(line, separators=(",", ":")) + "\n" for line, _ in merged.values())
        if prompts:
            with open(os.path.join(draft, PROMPTS), "x", encoding="utf-8") as file:
                file.writelines(
                    json.dumps({"id": name, **message}, separators=(",", ":")) + "\n"
                    for name, message in prompts.items()
                )
    return len(merged)


def _without_times(line: Any) -> Any:
    """A line without what depends on the clock and the version."""
    if isinstance(line, dict):
        return {name: _without_times(value) for name, value in line.items() if name not in TIMES}
    return [_without_times(each) for each in line] if isinstance(line, list) else line


def check_run(folder: str, progress: Callable[[int, int], None]) -> SavedRun:
    """Read a run and check that each line is a game of its plan; ValueError names the folder and the line."""
    try:
        run = read_run(folder)
        parts = run.config.get("parts")
        plans = [read_plan(plan) for plan in (parts if isinstance(parts, list) else [run.config])]
        for done, game in enumerate(run.games, 1):
            fault = _fault(game, plans)
            if fault:
                raise ValueError(f"line {game.number}: {fault}")
            progress(done, len(run.games))
    except ValueError as fault:
        raise ValueError(f"{short(folder, 200)}: {fault}") from None
    return run


def _fault(game: GameResult, plans: Sequence[Plan]) -> str:
    """Why a line is no game of any of these plans; empty if it is one."""
    names = [each.strip() for each in game.key.split(" | ")]
    label = names[0]
    if game.key != game_key(label, game.players, game.round, game.sample):
        return f"the key {short(game.key, 200)} does not fit its players and its round"
    if not any(_planned(game, label, plan) for plan in plans):
        return f"the game {short(game.key, 200)} with the seed {short(game.seed, 80)} is not in the plan"
    try:
        saved = record.read(game.record)
    except BadRecord as fault:
        return f"its record is damaged: {fault}"
    text = saved.spec.text_for(saved.game)
    if [text.format_move(move) for move in saved.moves] != [move.move for move in game.moves if move.made]:
        return "its record has other moves than the line"
    if saved.spec.name != game.game or saved.result != game.result:
        return "its record has another game or another result than the line"
    return ""


def _planned(game: GameResult, label: str, plan: Plan) -> bool:
    last = plan.positions or plan.rounds
    return (
        label in plan.games
        and {*game.players} <= {*plan.players, *plan.against}
        and 1 <= game.round <= last
        and 1 <= game.sample <= plan.samples
        and game.seed == f"{plan.seed} {label} {game.round}"
        and game.is_game == (not plan.positions)
    )
