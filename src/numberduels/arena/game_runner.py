"""One game between two players, played to its end whatever they do, and judged."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import Any

from numberduels import __version__, options, registry
from numberduels.analysis.review import NOT_JUDGED, JudgedMove, review_game
from numberduels.analysis.solution import VALUE_NAMES
from numberduels.arena.oracle_cache import ORACLES
from numberduels.arena.plan import ScheduledGame
from numberduels.core import Bounded, IllegalMove, Seat
from numberduels.players import Player, make_player
from numberduels.players.external import ExternalSettings
from numberduels.players.player import Forfeit
from numberduels.record import Record, write
from numberduels.solvers import Oracle, TooLarge
from numberduels.solvers.oracle import select_best
from numberduels.table import PLY_LIMIT, Table
from numberduels.text import short

Line = dict[str, Any]


class PlayerCache(threading.local):
    """The players of a worker, kept from game to game, each thread for itself."""

    def __init__(self) -> None:
        self.players: dict[tuple[str, ExternalSettings], Player] = {}

    def player(self, text: str, terms: ExternalSettings) -> Player:
        """The player of this name."""
        if (text, terms) not in self.players:
            self.players[text, terms] = make_player(text, terms)
        return self.players[text, terms]


PLAYERS = PlayerCache()


class GameRunner:
    """One game of a plan, from the deal to the end."""

    def __init__(self, scheduled: ScheduledGame) -> None:
        self.scheduled = scheduled
        self.game, start, moves = scheduled.opening()
        self.table: Table[Any, Any] = Table(self.game, start, moves)
        self.drawn = len(moves)
        self.spec = registry.spec_of(self.game)
        self.words = self.spec.text_for(self.game)
        self.players = [PLAYERS.player(text, scheduled.plan.terms) for text in scheduled.players]
        self.names = scheduled.players[0], scheduled.players[-1]
        self.told: list[Line] = [self._drew(ply, move) for ply, move in enumerate(moves)]
        self.forfeit: Line | None = None
        self.limit = self._limit()

    def _limit(self) -> int | None:
        """Moves after which the game is broken off; a single decision is over after one."""
        plan = self.scheduled.plan
        if plan.positions:
            return self.drawn + 1
        return PLY_LIMIT if plan.limit is None and not isinstance(self.game, Bounded) else plan.limit

    def _drew(self, ply: int, move: Any) -> Line:
        """What is told of a move that was drawn."""
        return {"ply": ply + 1, "seat": ply % 2, "move": self.words.format_move(move)}

    def run(self) -> None:
        """Let both play until the game is over, broken off or forfeited."""
        table = self.table
        while not (table.outcome or self.forfeit or (self.limit is not None and table.ply >= self.limit)):
            self._turn(table.turn)

    def _turn(self, seat: Seat) -> None:
        table, player = self.table, self.players[seat % len(self.players)]
        player.attempts = ()
        told: Line = {"ply": table.ply + 1, "seat": seat, "move": None}
        self.told.append(told)
        began = time.perf_counter()
        try:
            if table.ply - self.drawn < 2:
                self._prepare(player)
            player.opening_plies = self.drawn
            player.set_history(table.played)
            rng = Random(f"{self.scheduled.plan.seed} {self.scheduled.key} {table.ply}")
            move = player.choose(self.game, table.state, rng)
            table.play(move)
            told["move"] = self.words.format_move(move)
        except Forfeit as fault:
            self.forfeit = {"seat": seat, "cause": fault.cause, "message": str(fault)}
        except IllegalMove as fault:
            self.forfeit = {"seat": seat, "cause": "illegal", "message": str(fault)}
        except Exception as fault:  # whatever a player does, the run goes on
            message = f"{type(fault).__name__}: {short(str(fault), 200)}"
            self.forfeit = {"seat": seat, "cause": "crash", "message": message}
        told["seconds"] = round(time.perf_counter() - began, 6)
        told["attempts"] = _attempts(player)

    def _prepare(self, player: Player) -> None:
        try:
            player.prepare(self.game, self.table.state)
        except ValueError as fault:  # it cannot play this game at all, which is no crash
            raise Forfeit("error", str(fault)) from None

    @property
    def record(self) -> Record:
        """The game as it was played; who forfeits, resigns."""
        lost = self.forfeit["seat"] if self.forfeit and self.forfeit["cause"] != "error" else None
        return Record(self.game, self.table.played, seats=self.names, seed=self.scheduled.seed, resigned=lost)

    def line(self, seconds: float) -> Line:
        """All that is to be kept of the game."""
        record, outcome = self.record, self.table.outcome
        self._judge(record)
        end = outcome.why if outcome else "limit"
        if self.forfeit:
            end = "error" if self.forfeit["cause"] == "error" else "forfeit"
        return {
            "key": self.scheduled.key,
            "version": __version__,
            "ended": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "kind": "position" if self.scheduled.plan.positions else "game",
            "game": self.spec.name,
            "options": options.format_options(self.game),
            "round": self.scheduled.round,
            "seed": self.scheduled.seed,
            "players": list(self.scheduled.players),
            "opening": self.drawn,
            "record": write(record),
            "result": record.result,
            "end": end,
            "forfeit": self.forfeit,
            "seconds": round(seconds, 6),
            "moves": self.told,
        }

    def _judge(self, record: Record) -> None:
        """Say of every choice what it was worth, and of the last one if none was made what it ought to be."""
        oracle = ORACLES.of(self.game)
        for told, judged in zip(
            self.told, review_game(record, oracle=oracle, reasons=False).moves, strict=False
        ):
            if told["ply"] > self.drawn:
                told |= verdict(judged, self.words)
        if self.forfeit and self.forfeit["cause"] != "error":
            self.told[-1] |= missed(oracle, self.table.state, self.words)


def _attempts(player: Player) -> list[Line]:
    return [attempt._asdict() for attempt in player.attempts]


def verdict(judged: JudgedMove, words: Any) -> Line:
    """What a move was worth, as the lines tell it."""
    before, worth = judged.before, judged.worth
    return {
        "verdict": None if judged.verdict == NOT_JUDGED else judged.verdict,
        "before": before and VALUE_NAMES[before.value],
        "after": worth and VALUE_NAMES[worth.value],
        "keeping": judged.keeping,
        "losing": judged.losing,
        "margin_given": judged.given,
        "remoteness": before and before.remoteness,
        "better": [words.format_move(move) for move in judged.better],
    }


NO_MOVE = "no move"
"""The verdict where a player was to choose and made no legal choice."""


def missed(oracle: Oracle[Any, Any], state: Any, words: Any) -> Line:
    """What is told of a choice that was not made: all that a verdict tells, but for the move."""
    try:
        before, choices = oracle.evaluate(state), oracle.evaluate_moves(state)
    except TooLarge:
        return {"verdict": None}
    losing = sum(worth.value < before.value for worth in choices.values())
    return {
        "verdict": NO_MOVE,
        "before": VALUE_NAMES[before.value],
        "after": None,
        "keeping": len(choices) - losing,
        "losing": losing,
        "margin_given": None,
        "remoteness": before.remoteness,
        "better": [words.format_move(move) for move in select_best(choices)],
    }
