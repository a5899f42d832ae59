"""The files of puzzles: make them, check them, and measure how good they are.

Commands, each for all games or for the one that is named:

    python -m tools.puzzles generate             write games/<game>/puzzles.jsonl
    python -m tools.puzzles generate --more      keep the puzzles that are there, and add to them
    python -m tools.puzzles check                check every puzzle again; exit with 1 if one is wrong
    python -m tools.puzzles table                who solves how many puzzles of each level, in Markdown

What `generate` finds depends on how much it gets done in its time, so two runs give different files.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from numberduels.analysis.puzzles.generation import (
    Workshop,
    candidates,
    depth_of,
    random_game,
)
from numberduels.analysis.puzzles.model import LEVELS, Puzzle, level_of
from numberduels.analysis.puzzles.selection import FILE, format_cache, parse_entry, puzzle_of
from numberduels.analysis.puzzles.shortcuts import (
    LimitedSearch,
    answer_by,
    falls_to,
    greedy_share,
    shortcut_answers,
)
from numberduels.game import registry
from numberduels.game.spec import GameSpec
from numberduels.players import make_player
from numberduels.solvers import TooLarge, make_oracle

SOURCE = Path(__file__).parents[1] / "src" / "numberduels" / "games"

WANTED = 60
"""Puzzles of each level and game."""

SOLVABLE = 40_000
"""Positions that the solver may visit: explanations must come quickly."""

SEEN = 150_000
"""Positions of the limited search for one puzzle."""

FEW = 8
"""How many games are remembered at a time."""

FROM_ONE_GAME = 5
"""The most puzzles of one kind and level from one random game."""


def generate(
    spec: GameSpec, seconds: float, wanted: int = WANTED, kept: Sequence[Puzzle] = ()
) -> list[Puzzle]:
    """Make puzzles of all levels, as evenly among the kinds as they are found, and keep those there are."""
    plan = spec.load("puzzles")
    found: dict[tuple[int, str], list[Puzzle]] = defaultdict(list)
    seen: set[Any] = set()
    rng = Random(f"puzzles of {spec.name} {len(kept)}")
    for each in kept:
        if not falls_to(each, plan):
            found[each.level, each.kind].append(each)
            seen.add(_key(each))
    quotas = _quotas(plan.sources, wanted)
    spent = [0.0 for _ in plan.sources]
    workshops: dict[Any, Workshop] = {}
    begun = last = time.monotonic()
    used = 0
    while last - begun < seconds:
        now = time.monotonic()
        spent[used] += (now - last) / plan.sources[used].share
        last = now
        hungry = [
            index
            for index, source in enumerate(plan.sources)
            if any(len(found[level, source.kind]) < quotas[source.kind] for level in LEVELS)
        ]
        if not hungry:
            break
        used = min(hungry, key=spent.__getitem__)  # each source gets its share of the time
        source = plan.sources[used]
        table = random_game(spec, source, rng)
        if table is None:
            continue
        workshop = workshops.get(table.game)
        if workshop is None or _is_full(workshop):
            workshop = Workshop(spec, table.game, make_oracle(table.game, 2 * SOLVABLE), 2 * SEEN)
            workshops = {table.game: workshop} if len(workshops) > FEW else workshops | {table.game: workshop}
        taken: Counter[int] = Counter()
        open_levels = {level for level in LEVELS if len(found[level, source.kind]) < 2 * quotas[source.kind]}
        for candidate in candidates(workshop, source, table, rng):
            if not open_levels or _is_full(workshop):
                break
            if _key(candidate) in seen:
                continue
            seen.add(_key(candidate))
            puzzle = workshop.judge(candidate, open_levels)
            if puzzle and is_quick(puzzle):
                found[puzzle.level, puzzle.kind].append(puzzle)
                taken[puzzle.level] += 1
                if taken[puzzle.level] == FROM_ONE_GAME:
                    open_levels.discard(puzzle.level)
    return _chosen(found, quotas, wanted, rng)


def _key(puzzle: Puzzle) -> Hashable:
    """Equal for puzzles that ask the same about the same positions."""
    return puzzle.kind, puzzle.game, tuple(table.state for table in puzzle.tables)


def new_search(puzzle: Puzzle, max_positions: int) -> LimitedSearch:
    """A limited search for the game of a puzzle."""
    return Workshop(puzzle.spec, puzzle.game, max_seen=max_positions).search


def _is_full(workshop: Workshop) -> bool:
    """Whether the solver or the limited search remembers so much that it may soon give up."""
    return workshop.oracle.positions > SOLVABLE or workshop.search.positions > SEEN


def is_quick(puzzle: Puzzle) -> bool:
    """Whether a new solver answers the puzzle soon."""
    try:
        return puzzle.solve(make_oracle(puzzle.game, SOLVABLE)) == puzzle.answer
    except TooLarge:
        return False


def _quotas(sources: Any, wanted: int) -> dict[str, int]:
    """How many puzzles of each kind a level should have."""
    shares: dict[str, float] = defaultdict(float)
    for source in sources:
        shares[source.kind] += source.share
    return {kind: max(1, round(wanted * share / sum(shares.values()))) for kind, share in shares.items()}


def _chosen(
    found: dict[tuple[int, str], list[Puzzle]], quotas: dict[str, int], wanted: int, rng: Random
) -> list[Puzzle]:
    """For each level the wanted number of puzzles: the quota of each kind, then what there is more of."""
    chosen = []
    for level in LEVELS:
        some = [each for kind, quota in quotas.items() for each in found[level, kind][:quota]]
        more = [each for kind, quota in quotas.items() for each in found[level, kind][quota:]]
        rng.shuffle(more)
        some += more[: max(0, wanted - len(some))]
        rng.shuffle(some)
        chosen += some
    return chosen


def _folder(spec: GameSpec) -> Path:
    return SOURCE / spec.name.replace("-", "_")


def load(spec: GameSpec) -> list[Puzzle]:
    """The puzzles that a game ships."""
    entries = [parse_entry(line) for line in (_folder(spec) / FILE).read_text(encoding="utf-8").splitlines()]
    return [puzzle for entry in entries if entry and (puzzle := puzzle_of(spec, entry))]


# Checking


def check(spec: GameSpec) -> list[str]:
    """What is wrong with the puzzles that a game ships: answer, depth, or a shortcut that solves one."""
    faults = []
    plan = spec.load("puzzles")
    for puzzle in load(spec):
        searcher = new_search(puzzle, 10 * SEEN)
        what = f"{spec.name} {puzzle.kind} {puzzle.positions} of {puzzle.game}"
        if puzzle.solve(make_oracle(puzzle.game)) != puzzle.answer:
            faults.append(f"{what}: the answer is not {puzzle.answer}")
        if depth_of(puzzle, searcher) != puzzle.depth or level_of(puzzle.depth) != puzzle.level:
            faults.append(f"{what}: the depth is not {puzzle.depth}")
        if name := falls_to(puzzle, plan):
            faults.append(f"{what}: it falls to {name}")
    return faults


# Measuring

DEPTHS = (1, 2, 4, 6, 8, 10)
"""The depths of the limited searches in the table."""

PLAYERS = ("greedy", "mcts:300", "beginner", "casual", "skilled", "expert")
"""The players in the table."""


def search_share(puzzle: Puzzle, search: LimitedSearch, depth: int) -> float:
    """How often a search of this depth is right if it guesses among answers that it cannot tell apart."""
    try:
        seen = puzzle.seen_by(search, depth)
    except TooLarge:
        return float("nan")
    return 1 / len(seen) if puzzle.answer in seen else 0.0


def player_share(puzzle: Puzzle, name: str, seeds: int) -> float:
    """How often a player is right."""
    player = make_player(name)
    player.prepare(puzzle.game, puzzle.table.start)
    generators = [Random(f"{name} {puzzle.game} {puzzle.positions} {seed}") for seed in range(seeds)]
    return sum(answer_by(player, puzzle, rng) == puzzle.answer for rng in generators) / seeds


def quality_table(spec: GameSpec, puzzles: list[Puzzle], sample: int, seeds: int) -> str:
    """For each level, the share of puzzles that each search and player solves, in Markdown."""
    names = [*(f"depth {depth}" for depth in DEPTHS), *PLAYERS]
    lines = [f"| level | puzzles | {' | '.join(names)} |", f"|---|---|{'---|' * len(names)}"]
    for level in LEVELS:
        some = [each for each in puzzles if each.level == level]
        some = Random(f"sample {spec.name} {level}").sample(some, min(sample, len(some)))
        if not some:
            continue
        shares: dict[str, list[float]] = defaultdict(list)
        for puzzle in some:
            search = new_search(puzzle, SEEN)
            for depth in DEPTHS:
                shares[f"depth {depth}"].append(search_share(puzzle, search, depth))
            for name in PLAYERS:
                shares[name].append(player_share(puzzle, name, seeds))
        cells = [_percent(shares[name]) for name in names]
        lines.append(f"| {level} | {len(some)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _percent(shares: list[float]) -> str:
    known = [share for share in shares if share == share]
    return f"{100 * sum(known) / len(known):.0f}" if known else "?"


def shortcut_table(spec: GameSpec, puzzles: list[Puzzle]) -> str:
    """How many puzzles each shortcut solves, in Markdown."""
    plan = spec.load("puzzles")
    right: Counter[str] = Counter()
    for puzzle in puzzles:
        for name, answer in shortcut_answers(puzzle, plan).items():
            right[name] += answer == puzzle.answer
    names = sorted(right)
    return "\n".join(
        [
            f"| {' | '.join(names)} | greedy |",
            "|---" * (len(names) + 1) + "|",
            f"| {' | '.join(f'{right[name]} of {len(puzzles)}' for name in names)} |"
            f" {sum(map(greedy_share, puzzles)):.0f} of {len(puzzles)} |",
        ]
    )


def main(arguments: list[str] | None = None) -> int:
    """Run one of the commands."""
    parser = ArgumentParser(prog="python -m tools.puzzles", description=__doc__)
    parser.add_argument("command", choices=["generate", "check", "table"])
    parser.add_argument("game", nargs="?")
    parser.add_argument("--seconds", type=float, default=120.0, help="generate: seconds for each game")
    parser.add_argument("--wanted", type=int, default=WANTED, help="generate: puzzles of each level")
    parser.add_argument("--more", action="store_true", help="generate: keep the puzzles that are there")
    parser.add_argument("--sample", type=int, default=15, help="table: puzzles of each level")
    parser.add_argument("--seeds", type=int, default=4, help="table: tries of each player")
    parsed = parser.parse_args(arguments)
    faults: list[str] = []
    for spec in [registry.spec(parsed.game)] if parsed.game else registry.specs():
        if parsed.command == "generate":
            kept = load(spec) if parsed.more else []
            puzzles = generate(spec, parsed.seconds, parsed.wanted, kept)
            (_folder(spec) / FILE).write_text(format_cache(puzzles), encoding="utf-8")
            counts = Counter((each.level, each.kind) for each in puzzles)
            for (level, kind), count in sorted(counts.items()):
                print(f"{spec.name} level {level} {kind}: {count}")
        elif parsed.command == "check":
            found = check(spec)
            faults += found
            print("\n".join(found) or f"{spec.name}: {len(load(spec))} puzzles are right", flush=True)
        else:
            puzzles = load(spec)
            print(f"### {spec.title}\n")
            table = quality_table(spec, puzzles, parsed.sample, parsed.seeds)
            print(table, end="\n\n")
            print(shortcut_table(spec, puzzles), end="\n\n", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
