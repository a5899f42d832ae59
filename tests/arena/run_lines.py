"""Lines as a run writes them, made without playing a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

from game_records import record_of
from numberduels import make
from numberduels.analysis.review import Review, review_game
from numberduels.arena.report import RunReport
from numberduels.arena.results import read_result
from numberduels.game import registry
from numberduels.game.record import write
from numberduels.game.table import Table
from numberduels.solvers import make_oracle

GAMES = {
    "range-war:size=12:opening=lower": ("range-war", {"size": 12}),
    "number-snatch:size=6:top=12": ("number-snatch", {"size": 6, "top": 12}),
    "restricted-removal:size=12": ("restricted-removal", {"size": 12}),
    "summation-duel:size=6:target=15": ("summation-duel", {"size": 6, "target": 15}),
    "number-collision:size=4:values=3": ("number-collision", {"size": 4, "values": 3}),
}
SKILLS = {"perfect": 1.0, "model:gpt</script>": 0.6, "casual": 0.4, "random": 0.0}
"""How often each player of the sample looks for the best move."""

HOSTILE = (
    "Let me think. </script><script>alert(1)</script> MOVE: 4",
    "<!-- <img src=x onerror=alert(1)> & \"quotes\" 'too'",
    "\u202egnorw \u200f\x00 null and right to left",
    "a lone \ud800 half",
    "multiple\nlines\n\n\tand a tab " + "x" * 300,
)


@cache
def sample(rounds: int = 2, seed: int = 7) -> list[dict[str, Any]]:
    """Lines as a run writes them: five games, four players, forfeits, errors, limits, hostile answers."""
    rng = Random(seed)
    lines: list[dict[str, Any]] = []
    for number in range(1, rounds + 1):
        for key, (name, options) in GAMES.items():
            lines += [
                _line(f"{key} | {one} | {two} | {number}", name, options, (one, two), rng)
                for one, two in permutations(SKILLS, 2)
            ]
    return lines


def _line(
    key: str, name: str, options: dict[str, Any], players: tuple[str, str], rng: Random
) -> dict[str, Any]:
    game = make(name, **options)
    start = game.start(rng)
    if hasattr(game, "with_start"):
        game = game.with_start(start)
    table: Table[Any, Any] = Table(game, start)
    oracle = make_oracle(game)
    opening = 0 if name == "number-snatch" else 1
    stop = rng.choice(("crash", "timeout", "illegal", "error")) if rng.random() < 0.12 else ""
    stop_at = rng.randrange(1, 5) if stop else 10**6
    while table.outcome is None and table.ply < min(stop_at, 30):
        skill = SKILLS[players[table.turn]] if table.ply >= opening else 0
        moves = list(table.moves)
        if rng.random() < skill:
            worths = oracle.evaluate_moves(table.state)
            best = max((worth.value, worth.margin or 0) for worth in worths.values())
            moves = [move for move, worth in worths.items() if (worth.value, worth.margin or 0) == best]
        table.play(rng.choice(moves))
    forfeit = None
    resigned: Any = None
    if stop and table.outcome is None and table.ply >= stop_at:
        forfeit = {"seat": table.turn, "cause": stop, "message": f"it was {stop}: {rng.choice(HOSTILE)}"}
        resigned = None if stop == "error" else table.turn
    record = record_of(game, table.played, seats=("a", "b"), resigned=resigned)
    judged = review_game(record)
    talks = [player.startswith("model") for player in players]
    moves = _moves(judged, opening, talks, rng)
    if forfeit:
        moves.append(_failed(table.ply + 1, table.turn, rng))
    end = table.outcome.why if table.outcome else "limit"
    if forfeit:
        end = "error" if stop == "error" else "forfeit"
    return {
        "key": key,
        "game": name,
        "options": {each: str(value) for each, value in options.items()},
        "round": int(key.rpartition(" ")[2]),
        "seed": key,
        "players": list(players),
        "opening": opening,
        "record": write(record),
        "result": record.result,
        "end": end,
        "forfeit": forfeit,
        "seconds": 1.5,
        "moves": moves,
    }


def _moves(judged: Review, opening: int, talks: list[bool], rng: Random) -> list[dict[str, Any]]:
    words = registry.spec_of(judged.record.game).text_for(judged.record.game)
    moves: list[dict[str, Any]] = []
    for each in judged.moves:
        move: dict[str, Any] = {"ply": each.ply, "seat": each.seat, "move": words.format_move(each.move)}
        moves.append(move)
        if each.ply <= opening:
            continue
        attempts = []
        if talks[each.seat]:
            bad = rng.choices(HOSTILE, k=rng.choice((0, 0, 0, 1, 2)))
            attempts = [attempt(answer, "'x' is not a whole number.") for answer in bad]
            attempts.append(attempt(f"MOVE: {move['move']}", ""))
        before, after = each.before, each.worth
        move |= {
            "seconds": 0.001 * each.ply,
            "attempts": attempts,
            "verdict": each.verdict,
            "before": before and before.value_name,
            "after": after and after.value_name,
            "keeping": each.keeping,
            "losing": each.losing,
            "margin_given": each.given,
            "remoteness": before and before.remoteness,
            "better": [words.format_move(move) for move in each.better],
        }
    return moves


def attempt(answer: str, fault: str) -> dict[str, Any]:
    return {"answer": answer, "fault": fault, "seconds": 1.2, "tokens_in": 310, "tokens_out": 12}


def _failed(ply: int, seat: int, rng: Random) -> dict[str, Any]:
    attempts = [attempt(rng.choice(HOSTILE), "That is no move.") for _ in range(3)]
    return {"ply": ply, "seat": seat, "move": None, "seconds": 4.0, "attempts": attempts, "verdict": None}


def line(result: str = "1-0", *, players: tuple[str, ...] = ("a", "b"), **more: Any) -> dict[str, Any]:
    """A game with nothing in it but its result."""
    return {"game": "range-war", "players": list(players), "result": result, "moves": [], **more}


def move(seat: int, verdict: str | None = "kept", **more: Any) -> dict[str, Any]:
    """A judged move where there was something to lose."""
    told = {"seat": seat, "move": "4", "verdict": verdict, "before": "win", "losing": 1}
    return told | more


def make_report(lines: Sequence[dict[str, Any]], config: Mapping[str, Any]) -> RunReport:
    """The report on these lines."""
    return RunReport([read_result(number, each) for number, each in enumerate(lines, 1)], config)


def abandoned(seat: int, moves: list[dict[str, Any]] | None = None, **more: Any) -> dict[str, Any]:
    """A game in which this seat could not be reached when it was to move."""
    lost: dict[str, Any] = {"seat": seat, "move": None, "verdict": None, "seconds": 30.0, "attempts": []}
    error = {"seat": seat, "cause": "error"}
    return line("*", moves=[*(moves or []), lost], end="error", forfeit=error, **more)
