"""The paper of a study: the method in words, the tables, the figures, and how to repeat it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor
from pathlib import Path
from string import Template

from study_config import DECISIONS, GAMES, Study
from study_results import StudyResults
from table_files import escape_markdown, to_markdown

from numberduels.arena.formatting import visible
from numberduels.arena.table_model import ChangeCell, ReportTable
from numberduels.arena.text_report import format_cell
from numberduels.game.formatting import plural

METHOD = Path(__file__).parent / "method.md"

CONDITIONS = {
    "legal": "whether the prompt lists the legal moves (yes, no)",
    "reasoning": "whether the model may reason before it answers (yes, no)",
    "disguise": "whether the game has other names and numbers (no, yes), which tells reasoning from recall",
    "board": "whether the position is shown as text or as JSON",
}
"""What each condition changes, and its values."""

SECTIONS = {
    "accuracy": "Accuracy in single decisions",
    "sizes": "Games and sizes",
    "conditions": "What a condition changes",
    "opponents": "Whole games",
    "seats": "Both seats",
    "failures": "Failures",
    "costs": "What a decision takes",
}
"""The sections of the results, by the name of their table and figure."""


def write_paper(
    results: StudyResults,
    tables: Mapping[str, ReportTable],
    figures: Sequence[str],
    config: str,
    command: str,
) -> str:
    """The paper as Markdown. It depends on the saved games and the configuration alone."""
    parts = [f"# {escape_markdown(results.study.title)}", _summary(results)]
    if results.missing or results.abandoned:
        parts.append(_incomplete(results))
    parts += ["## Method", _method(results), "## Results"]
    for name, heading in SECTIONS.items():
        if name in tables or name in figures:
            parts += [f"### {heading}", *_section(name, tables, figures)]
    parts += ["## How to repeat it", *_reproduction(results, config, command)]
    return "\n\n".join(parts) + "\n"


def _summary(results: StudyResults) -> str:
    """What was done and what came of it, in a paragraph."""
    study = results.study
    decisions, games = len(results.decisions.games), len(results.games.games)
    sentences = [
        f"{plural(len(results.players), 'player')} made {plural(decisions, 'single decision')} and played"
        f" {plural(games, 'whole game')}, at {plural(len(study.texts), 'size')} of"
        f" {len(study.games)} {'game' if len(study.games) == 1 else 'games'}.",
        "An exact solver judged every move.",
    ]
    ranked = sorted(
        (row for row in results.variants if row.accuracy.of), key=lambda row: row.accuracy.share or 0.0
    )
    if ranked:
        low, high = ranked[0], ranked[-1]
        sentences.append(
            f"Accuracy in single decisions ranged from {format_cell(low.accuracy)}"
            f" ({escape_markdown(low.player)}) to {format_cell(high.accuracy)}"
            f" ({escape_markdown(high.player)})."
        )
    sentences += _effects(results)
    return " ".join(sentences)


def _effects(results: StudyResults) -> Iterator[str]:
    """The conditions whose interval, as it is shown, excludes 0, and how many there are in all."""
    effects = [
        (effect, effect.differences[DECISIONS, "accuracy"])
        for effect in results.effects()
        if (DECISIONS, "accuracy") in effect.differences
    ]
    if not effects:
        return
    clear = [
        f"{effect.factor} from {effect.change[0]} to {effect.change[1]} for {escape_markdown(effect.model)}:"
        f" {format_cell(ChangeCell(found))}"
        for effect, found in effects
        if found.interval and (floor(100 * found.interval[0]) > 0 or ceil(100 * found.interval[1]) < 0)
    ]
    told = f"Of {plural(len(effects), 'effect')} of a condition on accuracy, {len(clear) or 'none'}"
    told += f" {'has' if len(clear) < 2 else 'have'} a 95 % interval that excludes 0"
    yield f"{told}, in percentage points: {'; '.join(clear)}." if clear else f"{told}."


def _incomplete(results: StudyResults) -> str:
    told = []
    if results.missing:
        told.append(f"{results.missing:,} games or decisions of the plan are not played yet.")
    if results.abandoned:
        told.append(
            f"{results.abandoned:,} were abandoned because a player could not be reached;"
            " they count for nobody."
        )
    return f"**The study is not complete.** {' '.join(told)} The same command goes on."


def _method(results: StudyResults) -> str:
    """The method in words: method.md with the numbers of this study."""
    study = results.study
    listed = "; ".join(f"`{factor}`, {CONDITIONS[factor]}" for factor in results.factors)
    conditions = (
        f"**Conditions.** Each model plays under every combination of these conditions: {listed}."
        " All combinations meet the same positions and openings."
    )
    told = {
        "games": "; ".join(f"{game} ({', '.join(sizes)})" for game, sizes in study.games.items()),
        "players": _players(study),
        "conditions": conditions if results.factors else "",
        "positions": plural(study.positions, "position"),
        "samples": f"Each player answers {study.samples} times." if study.samples > 1 else "",
        "rounds": plural(study.rounds, "round"),
        "opponents": ", ".join(map(escape_markdown, study.opponents)),
        "attempts": plural(study.attempts, "attempt"),
        "seconds": f"{study.seconds:g}",
    }
    text = METHOD.read_text(encoding="utf-8")
    return re.sub(r"\n{3,}", "\n\n", Template(text).substitute(told)).strip()


def _players(study: Study) -> str:
    told = f"Studied: {', '.join(map(escape_markdown, study.players))}." if study.players else ""
    names = ", ".join(map(escape_markdown, study.baselines))
    return f"{told} Baselines, which answer the same positions: {names}.".strip() if names else told


def _section(name: str, tables: Mapping[str, ReportTable], figures: Sequence[str]) -> Iterator[str]:
    if name in figures:
        yield f"![{SECTIONS[name]}](figures/{name}.svg)"
    if name in tables:
        table = tables[name]
        yield f"{to_markdown(table)}\n{escape_markdown(table.note)}"


def _reproduction(results: StudyResults, config: str, command: str) -> Iterator[str]:
    versions = sorted({*results.decisions.versions, *results.games.versions})
    yield (
        f"Number Duels {', '.join(map(visible, versions))}; seed `{visible(results.study.seed)}`."
        " The same seed gives the same positions and openings; built-in players then play the same moves,"
        " language models may not."
    )
    yield f"```sh\n{command}\n```"
    yield "It stands for these two commands, and for the tables and figures of their results:"
    runs = "\n".join(
        shlex.join(["duel", "arena", "run", *results.study.arguments(run, f"DIR/{run}")])
        for run in (DECISIONS, GAMES)
    )
    yield f"```sh\n{runs}\n```"
    yield "The configuration:"
    yield f"```toml\n{config.strip()}\n```"
    yield (
        f"Every game is in `{DECISIONS}/games.jsonl` and `{GAMES}/games.jsonl`, move by move and with every"
        " answer word for word. The tables are also CSV files with full numbers, and LaTeX, in `tables`."
    )
