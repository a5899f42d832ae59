"""One game between two players, played to its end whatever they do, and judged."""

from __future__ import annotations

import threading
import time
from random import Random
from typing import Any

from numberduels import analysis, options, registry
from numberduels.analysis import NAMES
from numberduels.arena.plan import Fixture, read_game
from numberduels.core import Bounded, Dealt, IllegalMove, Seat, settled
from numberduels.players import Player, find
from numberduels.players.outside import Terms
from numberduels.players.player import Forfeit
from numberduels.record import Record, write
from numberduels.review import NOT_JUDGED, Judged, review
from numberduels.solve import Oracle
from numberduels.table import PLY_LIMIT, Table
from numberduels.text import short

Line = dict[str, Any]


JUDGES = 8
"""Judges that a worker keeps: a run goes through its games in turn, and comes back to each."""


class Worker(threading.local):
    """What a worker keeps from game to game, each thread for itself: what was found out once helps again."""

    def __init__(self) -> None:
        self.players: dict[tuple[str, Terms], Player] = {}
        self.judges: dict[Any, Oracle[Any, Any]] = {}

    def player(self, text: str, terms: Terms) -> Player:
        """The player of this name."""
        if (text, terms) not in self.players:
            self.players[text, terms] = find(text, terms)
        return self.players[text, terms]

    def judge(self, game: Any) -> Oracle[Any, Any]:
        """Who judges the games of a kind, until its memory is half full."""
        seer = self.judges.get(game)
        if seer is None or 2 * seer.positions > seer.most:
            if len(self.judges) >= JUDGES:
                del self.judges[next(iter(self.judges))]
            seer = self.judges[game] = analysis.oracle(game)
        return seer


WORKER = Worker()


class Bout:
    """One game of a plan, from the deal to the end."""

    def __init__(self, fixture: Fixture) -> None:
        self.fixture = fixture
        _, game = read_game(fixture.game)
        start = game.start(Random(f"{fixture.seed} deal"))
        self.dealt = isinstance(game, Dealt) and not settled(game)
        self.game = game.settled(start) if self.dealt else game
        self.table: Table[Any, Any] = Table(self.game, start)
        self.words = registry.room_of(game).speak(self.game)
        self.players = [WORKER.player(text, fixture.plan.terms) for text in fixture.players]
        self.names = fixture.players[0], fixture.players[-1]
        self.told: list[Line] = []
        self.forfeit: Line | None = None
        limit = fixture.plan.limit
        self.limit = PLY_LIMIT if limit is None and not isinstance(game, Bounded) else limit

    def open(self) -> None:
        """Draw the first moves, so that games differ between players who never vary; so does a deal."""
        rng = Random(f"{self.fixture.seed} opening")
        for _ in range(0 if self.dealt else self.fixture.plan.opening):
            game, state = self.game, self.table.state
            # What leaves nothing to choose is no opening.
            good = [move for move in game.moves(state) if len(game.moves(game.play(state, move))) > 1]
            if not good:
                return
            move = rng.choice(good)
            self.told.append(self.drew(self.table.ply, move))
            self.table.play(move)

    def drew(self, ply: int, move: Any) -> Line:
        """What is told of a move that was drawn."""
        return {"ply": ply + 1, "seat": ply % 2, "move": self.words.notation(move)}

    def run(self) -> None:
        """Let both play until the game is over, broken off or forfeited."""
        self.drawn = self.table.ply
        table = self.table
        while not (table.outcome or self.forfeit or table.ply == self.limit):
            self._turn(table.turn)

    def _turn(self, seat: Seat) -> None:
        table, player = self.table, self.players[seat % len(self.players)]
        player.attempts = ()
        told: Line = {"ply": table.ply + 1, "seat": seat, "move": None}
        self.told.append(told)
        began = time.perf_counter()
        try:
            if table.ply - self.drawn < 2:
                player.prepare(self.game, table.state)
            player.hear(table.played)
            rng = Random(f"{self.fixture.plan.seed} {self.fixture.key} {table.ply}")
            move = player.choose(self.game, table.state, rng)
            table.play(move)
            told["move"] = self.words.notation(move)
        except Forfeit as fault:
            self.forfeit = {"seat": seat, "cause": fault.cause, "message": str(fault)}
        except IllegalMove as fault:
            self.forfeit = {"seat": seat, "cause": "illegal", "message": str(fault)}
        except Exception as fault:  # whatever a player does, the run goes on
            message = f"{type(fault).__name__}: {short(str(fault), 200)}"
            self.forfeit = {"seat": seat, "cause": "crash", "message": message}
        told["seconds"] = round(time.perf_counter() - began, 6)
        told["attempts"] = _attempts(player)

    @property
    def record(self) -> Record:
        """The game as it was played; who forfeits, resigns."""
        lost = self.forfeit["seat"] if self.forfeit and self.forfeit["cause"] != "error" else None
        return Record(self.game, self.table.played, seats=self.names, seed=self.fixture.seed, resigned=lost)

    def line(self, seconds: float) -> Line:
        """All that is to be kept of the game."""
        record, outcome = self.record, self.table.outcome
        for told, judged in zip(self.told, self._judged(record), strict=False):
            if told["ply"] > self.drawn:
                told |= verdict(judged, self.words)
        end = outcome.why if outcome else "limit"
        if self.forfeit:
            end = "error" if self.forfeit["cause"] == "error" else "forfeit"
        return {
            "key": self.fixture.key,
            "kind": "position" if self.fixture.plan.positions else "game",
            "game": registry.room_of(self.game).name,
            "options": options.written(self.game),
            "round": self.fixture.round,
            "seed": self.fixture.seed,
            "players": list(self.fixture.players),
            "opening": self.drawn,
            "record": write(record),
            "result": record.result,
            "end": end,
            "forfeit": self.forfeit,
            "seconds": round(seconds, 6),
            "moves": self.told,
        }

    def _judged(self, record: Record) -> tuple[Judged, ...]:
        return review(record, seer=WORKER.judge(self.game)).moves


def _attempts(player: Player) -> list[Line]:
    return [attempt._asdict() for attempt in player.attempts]


def verdict(judged: Judged, words: Any) -> Line:
    """What a move was worth, as the lines tell it."""
    before, worth = judged.before, judged.worth
    return {
        "verdict": None if judged.verdict == NOT_JUDGED else judged.verdict,
        "before": before and NAMES[before.value],
        "after": worth and NAMES[worth.value],
        "keeping": judged.keeping,
        "losing": judged.losing,
        "margin_given": judged.given,
        "remoteness": before and before.remoteness,
        "better": [words.notation(move) for move in judged.better],
    }
