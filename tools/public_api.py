"""Write down the public interface: names with signatures, commands with options, paths of the HTTP API.

    python -m tools.public_api          writes tests/public_api.txt again
    python -m tools.public_api --check  says what differs from that file

The Python part is read from the source, so it is the same for every version of Python and needs no extra.
"""

from __future__ import annotations

import argparse
import difflib
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import griffe

from numberduels.cli.argument_parser import Parser, parser_of
from numberduels.cli.commands import COMMANDS, SUBCOMMANDS, load_command
from numberduels.envs import env_id
from numberduels.game import registry
from numberduels.web.http.openapi import openapi_document

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tests" / "public_api.txt"

PUBLIC = {
    "numberduels": "*",
    "numberduels.game.adopted": "allow",
    "numberduels.analysis.claims": "CheckResult Claim ClaimList EndCounts Example Finding count_ends",
    "numberduels.analysis.game_length": "length_table solve_length",
    "numberduels.analysis.puzzles": "*",
    "numberduels.analysis.puzzles.model": "PuzzlePlan PuzzleSource",
    "numberduels.analysis.sequences": "IntegerSequence ProofStatus from_starts",
    "numberduels.game.batch": "ALL FinishedGames GameBatch Indices won_by_last_mover",
    "numberduels.game.batch.bitsets": "BitsetBatch Masks unpack_with_columns",
    "numberduels.game.bits": "flags mask_of members span",
    "numberduels.game.board": "Bar Board Effect Tile board_of takers",
    "numberduels.game.contract": "Bounded Decomposable Feature FiniteMoves Observable "
    "RandomStart Scored Symmetric always_ends history_matters",
    "numberduels.harness.dataset.positions": "position_row read_splits sample_positions",
    "numberduels.envs": "*",
    "numberduels.envs.aec_env": "DuelAEC",
    "numberduels.envs.batch_env": "BatchEnv",
    "numberduels.envs.opponents": "BatchOpponent PolicyPlayer Positions",
    "numberduels.envs.gymnasium_env": "DuelEnv",
    "numberduels.envs.vector_env": "DuelVectorEnv",
    "numberduels.game.text": "GameText",
    "numberduels.games.number_collision.rules": "NumberCollision",
    "numberduels.games.number_snatch.rules": "NumberSnatch",
    "numberduels.games.range_war.rules": "RangeWar",
    "numberduels.games.restricted_removal.rules": "RestrictedRemoval",
    "numberduels.games.summation_duel.rules": "SummationDuel",
    "numberduels.harness.episode_settings": "EpisodeSettings",
    "numberduels.harness.episode_tasks": "EpisodeTask EpisodeTasks SPLITS",
    "numberduels.harness.openenv_env": "DuelAction DuelClient",
    "numberduels.harness.text_episode": "TextEpisode",
    "numberduels.harness.trl_env": "DuelTRLEnv duel_rows",
    "numberduels.game.messages": "Message",
    "numberduels.game.options": "BadOption LARGEST check_choice check_whole option",
    "numberduels.players": "*",
    "numberduels.players.chat": "ChatPlayer",
    "numberduels.players.external": "ExternalSettings",
    "numberduels.game.record": "read write",
    "numberduels.game.registry": "find_spec format_game read_game spec spec_of specs",
    "numberduels.play.series": "Series read write",
    "numberduels.solvers": "*",
    "numberduels.game.spec": "RuleSet balanced by_the_book",
    "numberduels.game.table": "deal replay",
    "numberduels.game.check_game": "check_canonical",
    "numberduels.game.formatting": "plural short",
}
"""The public modules and their public names; `*` stands for `__all__`. Everything else is internal."""

CALLED = {"__init__", "__new__", "__call__", "__len__", "__iter__", "__getitem__", "__enter__", "__exit__"}
"""Special methods that are part of the interface of a class."""
SHOWN_LABELS = {"async", "classmethod", "dataclass", "property", "staticmethod"}

BY_MACHINE = {"workers", "thinkers"}
"""Options whose default is the number of processors."""


def public_api() -> str:
    """The public interface as text: one line for each thing that can be used, in sections."""
    sections = {
        "Python": [line for module, names in PUBLIC.items() for line in signatures(module, names)],
        "Commands": list(_commands()),
        "HTTP": list(_paths()),
        "Package": list(_package()),
    }
    return "\n\n".join("\n".join([f"# {title}", *lines]) for title, lines in sections.items()) + "\n"


@cache
def package() -> griffe.Module:
    """The package, read from its source."""
    found = griffe.load("numberduels", search_paths=[ROOT / "src"], allow_inspection=False)
    assert isinstance(found, griffe.Module)
    return found


def public_names(module: str, names: str) -> list[str]:
    """The public names of a module; `*` stands for its `__all__`."""
    exported = _find(module).exports if names == "*" else names.split()
    return sorted(str(getattr(each, "name", each)) for each in exported or ())


def _find(name: str) -> Any:
    """What a name means; imports are followed to the definition."""
    try:
        return package().modules_collection[name]
    except KeyError:
        raise LookupError(f"there is no {name}; change PUBLIC in tools/public_api.py") from None


def signatures(module: str, names: str) -> Iterator[str]:
    """Lines that describe these names of a module: classes with their public members, functions, types."""
    for name in public_names(module, names):
        found = _find(f"{module}.{name}")
        try:
            found = found.final_target if found.is_alias else found
        except (griffe.AliasResolutionError, griffe.CyclicAliasError):
            yield f"{module}.{name}"
            continue
        yield _described(f"{module}.{name}", found)
        if found.is_class:
            members = found.all_members
            order = {each: place for place, each in enumerate(members) if _is_field(members[each])}
            for member in sorted(members, key=lambda each: (order.get(each, len(order)), each)):
                if not member.startswith("_") or member in CALLED:
                    yield _described(f"{module}.{name}.{member}", members[member])


def _is_field(found: Any) -> bool:
    return bool(found.is_attribute and found.annotation is not None and "property" not in found.labels)


def _described(name: str, found: Any) -> str:
    labels = "".join(f" @{each}" for each in sorted(found.labels & SHOWN_LABELS))
    if found.is_class:
        return f"class {name}({', '.join(map(str, found.bases))}){labels}"
    if found.is_function:
        return f"{name}{found.signature().removeprefix(found.name)}{labels}"
    annotation = f": {found.annotation}" if found.annotation is not None else ""
    last = name.rpartition(".")[2]
    is_type = last[0].isupper() and not last.isupper()
    shown = found.value is not None and (found.parent.is_class or (is_type and not annotation))
    return f"{name}{annotation}{f' = {found.value}' if shown else ''}{labels}"


def _our_games() -> list[str]:
    """The games of this package, without those of other packages that are installed."""
    return [
        name for name in registry.names() if registry.spec(name).rules.__module__.startswith("numberduels.")
    ]


def _commands() -> Iterator[str]:
    yield from (f"duel {flag}" for flag in ("--plain", "--version", "--help"))
    for name in COMMANDS:
        run = load_command(name)
        if name in SUBCOMMANDS:
            for each in SUBCOMMANDS[name]:
                yield from _arguments(f"duel {name} {each}", parser_of(run, each))
            continue
        plain = list(_arguments(f"duel {name}", parser_of(run)))
        yield from plain
        for game in _our_games():
            for line in _arguments(f"duel {name}", parser_of(run, game)):
                if line not in plain:
                    yield line.replace(f"duel {name}", f"duel {name} {game}", 1)


def _arguments(command: str, parser: Parser | None) -> Iterator[str]:
    """A command, then a line for each of its arguments: how it is written, its choices and its default."""
    if parser is None:
        raise SystemExit(f"{command} has no parser in this environment; use the one of `make test`")
    yield command
    for action in parser._actions:
        if action.dest == "help":
            continue
        parts = [command, "|".join(action.option_strings)]
        if action.nargs != 0:
            parts.append(str(action.metavar or action.dest.upper()))
        if action.nargs not in (None, 0):
            parts.append(f"({action.nargs})")
        if action.choices is not None:
            parts.append("{" + ",".join(map(str, action.choices)) + "}")
        if action.dest not in BY_MACHINE and action.default not in (None, argparse.SUPPRESS, False, "", []):
            parts.append(f"= {action.default}")
        yield " ".join(part for part in parts if part)


def _paths() -> Iterator[str]:
    for path, operations in sorted(openapi_document()["paths"].items()):
        yield from (f"{method.upper()} {path}" for method in sorted(operations.keys() - {"parameters"}))


def _package() -> Iterator[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield from (f"script {name}" for name in sorted(project["scripts"]))
    yield from (f"extra {name}" for name in sorted(project["optional-dependencies"]))
    yield f"entry points {registry.GROUP}"
    yield from (f"gymnasium id {env_id(game)}" for game in _our_games())


def changes(before: str, now: str) -> list[str]:
    """The lines that differ: `-` before what is gone, `+` before what is new.

    >>> changes("a\\nb\\n", "a\\nc\\n")
    ['- b', '+ c']
    """
    return [line for line in difflib.ndiff(before.splitlines(), now.splitlines()) if line[0] in "-+"]


def main() -> int:
    """Write the file, or with `--check` compare it."""
    now = public_api()
    before = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    found = changes(before, now)
    print("\n".join(found) if found else "The public interface is as it was.")
    if sys.argv[1:] == ["--check"]:
        return 1 if found else 0
    FILE.write_text(now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
