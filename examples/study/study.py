"""Run a whole study from a configuration, and write its tables and figures; README.md explains it."""

from __future__ import annotations

import argparse
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from figures import effects_figure, sizes_figure
from paper_tables import PaperTable, interval_text, write_table

from numberduels.arena.report import read_report
from numberduels.cli.main import main as duel
from numberduels.game_notation import read_game

KEYS = {"title", "players", "opponents", "games", "rounds", "seed", "vary", "base_url", "options"}


def read_config(path: str) -> dict[str, Any]:
    """The configuration; SystemExit says what is wrong."""
    try:
        config = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        sys.exit(f"{path}: {fault}")
    if unknown := config.keys() - KEYS:
        sys.exit(f"{path}: there is no setting {sorted(unknown)[0]!r}; there are {', '.join(sorted(KEYS))}")
    for name in ("players", "opponents", "games"):
        if not isinstance(config.get(name), list) or not config[name]:
            sys.exit(f"{path}: {name} must be a list of names")
    return config


def run_study(config: dict[str, Any], folder: Path) -> int:
    """Play the games that are missing; returns the exit status of the arena."""
    arguments = ["arena", "run", "--out", str(folder), "--games", ",".join(config["games"])]
    arguments += ["--against", ",".join(config["opponents"]), "--rounds", str(config.get("rounds", 10))]
    arguments += ["--seed", str(config.get("seed", "0"))]
    arguments += [part for name in config["players"] for part in ("--player", name)]
    if config.get("vary"):
        arguments += ["--vary", ",".join(config["vary"])]
    if config.get("base_url"):
        arguments += ["--base-url", config["base_url"]]
    return duel([*arguments, *config.get("options", [])]) or duel(["arena", "report", str(folder)])


def results_table(rows: list[dict[str, Any]], caption: str, *, seats: bool = False) -> PaperTable:
    """Accuracy and games won of players, game by game."""
    head = ("Player", "Game", *(["Seat"] if seats else []), "Accuracy", "Games won", "Games")
    body = [
        (
            row["player"],
            row["game"],
            *([str(row["seat"])] if seats else []),
            interval_text(row["accuracy"]),
            interval_text(row["win_rate"]),
            str(row["started"]),
        )
        for row in rows
    ]
    return PaperTable(caption, head, body)


def effects_table(effects: list[dict[str, Any]]) -> PaperTable:
    """What each condition changes, in percentage points."""
    head = ("Model", "Condition", "Change", "Where", "Accuracy", "Score", "Openings")
    body = [
        (
            each["model"],
            each["factor"],
            f"{each['from']} to {each['to']}",
            ", ".join(f"{name}={word}" for name, word in (each["others"] or {}).items()) or "all",
            interval_text(each["accuracy"], "change", signed=True),
            interval_text(each["score"], "change", signed=True),
            str(max(each[name]["openings"] for name in ("accuracy", "score") if each[name])),
        )
        for each in effects
    ]
    return PaperTable("What each condition changes, in percentage points, paired by opening.", head, body)


def write_paper(config: dict[str, Any], run: Path, out: Path) -> None:
    """Write the tables and figures of a finished run."""
    report = json.loads(json.dumps(read_report(str(run)).data()))
    games = [read_game(text)[0] for text in config["games"]]
    studied, seats = (
        sorted(
            (row for row in report[name] if row["player"] not in config["opponents"]),
            key=lambda row: games.index(row["game"]),
        )
        for name in ("by_game", "by_game_and_seat")
    )
    title = str(config.get("title", "Study"))
    write_table(out / "results", results_table(studied, f"{title} Intervals are at 95 %."))
    write_table(out / "seats", results_table(seats, "The same for each seat.", seats=True))
    (out / "accuracy.svg").write_text(sizes_figure(title, studied), encoding="utf-8")
    if report["factors"]:
        write_table(out / "conditions", effects_table(report["factors"]))
        (out / "conditions.svg").write_text(effects_figure(report["factors"]), encoding="utf-8")


def main() -> int:
    """Run the study that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", help="a TOML file")
    parser.add_argument("--out", required=True, help="the folder of the study")
    parsed = parser.parse_args()
    config, out = read_config(parsed.config), Path(parsed.out)
    out.mkdir(parents=True, exist_ok=True)
    if status := run_study(config, out / "run"):
        return status
    write_paper(config, out / "run", out)
    print(f"The tables and figures are in {out}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
