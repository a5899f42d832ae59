"""Plays one scheduled game to its end, whatever the players do, and judges every move."""

from __future__ import annotations

import json
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import Any

from numberduels import __version__
from numberduels.arena.move_judge import JUDGES
from numberduels.arena.plan import PlannedGame
from numberduels.arena.results import (
    ERROR,
    GAME,
    POSITION,
    AttemptResult,
    ForfeitResult,
    GameResult,
    MoveResult,
)
from numberduels.arena.run_folder import message_id
from numberduels.game import options, registry
from numberduels.game.contract import IllegalMove, Seat
from numberduels.game.formatting import short
from numberduels.game.record import Record, write
from numberduels.game.table import Table
from numberduels.players import Player, make_player
from numberduels.players.chat import BudgetSpent, RequestControl
from numberduels.players.external import ExternalSettings
from numberduels.players.player import Attempt, Forfeit


class PlayerCache(threading.local):
    """The players of a worker, reused from game to game; each thread has its own."""

    def __init__(self) -> None:
        self.players: dict[tuple[str, ExternalSettings], Player] = {}

    def player(self, name: str, settings: ExternalSettings) -> Player:
        """The player of this name."""
        if (name, settings) not in self.players:
            self.players[name, settings] = make_player(name, settings)
        return self.players[name, settings]


PLAYERS = PlayerCache()


def play_game(scheduled: PlannedGame, requests: RequestControl | None = None) -> GameResult:
    """Play a game, or make a single decision, and return its result.

    BudgetSpent if the budget of the requests is spent before the first answer.
    """
    runner = GameRunner(scheduled, requests)
    began = time.perf_counter()
    with ExitStack() as stack:
        for player in runner.players:
            stack.callback(player.close)
        runner.run()
        stack.pop_all()
    record = runner.record
    result = record.result
    for player in runner.players:
        player.end_game(result, runner.end)
    return runner.result(record, result, time.perf_counter() - began)


class GameRunner:
    """One game of a plan, from the deal to the end."""

    def __init__(self, scheduled: PlannedGame, requests: RequestControl | None = None) -> None:
        self.scheduled = scheduled
        self.requests = requests
        self.game, start, moves = scheduled.opening()
        self.table: Table[Any, Any] = Table(self.game, start, moves)
        self.opening_plies = len(moves)
        self.spec = registry.spec_of(self.game)
        self.text = self.spec.text_for(self.game)
        self.players = [PLAYERS.player(name, scheduled.plan.terms) for name in scheduled.players]
        self.moves = [
            MoveResult(ply % 2, self.text.format_move(move), ply + 1) for ply, move in enumerate(moves)
        ]
        self.forfeit: ForfeitResult | None = None
        self.stopped = False
        """Whether the budget was spent before the end: the game is abandoned, and nobody is at fault."""
        self.limit = self.opening_plies + 1 if scheduled.plan.positions else scheduled.plan.limit
        """The ply at which the game is stopped as unfinished; None for the usual limit of games that need not
        end. A single decision is one move."""
        self.prompts: dict[str, str] = {}
        """The messages to models, as JSON, by id."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, was forfeited or is stopped as unfinished."""
        if self.table.outcome or self.forfeit:
            return True
        return self.table.exceeds_ply_limit if self.limit is None else self.table.ply >= self.limit

    def run(self) -> None:
        """Play until the game is over, stopped or forfeited."""
        while not self.is_over:
            self._play_turn(self.table.turn)
            if self.stopped:
                return

    def _play_turn(self, seat: Seat) -> None:
        ply, player = self.table.ply, self.players[seat % len(self.players)]
        made = None
        began = time.perf_counter()
        try:
            made = self._choose(player)
        except BudgetSpent:
            if not player.attempts and not any(move.attempts for move in self.moves):
                raise  # nothing was paid, so there is nothing to save
            self.stopped = True
        except Forfeit as fault:
            self.forfeit = ForfeitResult(seat, fault.cause, str(fault))
        except IllegalMove as fault:
            self.forfeit = ForfeitResult(seat, "illegal", str(fault))
        except Exception as fault:  # whatever a player does, the run goes on
            message = f"{type(fault).__name__}: {short(str(fault), 200)}"
            self.forfeit = ForfeitResult(seat, "crash", message)
        seconds = round(time.perf_counter() - began, 6)
        attempts = tuple(map(self._kept, player.attempts))
        if attempts or not self.stopped:
            self.moves.append(MoveResult(seat, made, ply + 1, seconds, attempts))

    def _kept(self, attempt: Attempt) -> AttemptResult:
        """The attempt with the ids of its messages; the messages go to a file of their own."""
        ids = tuple(message_id(*message) for message in attempt.prompt)
        for name, (role, content) in zip(ids, attempt.prompt, strict=True):
            self.prompts[name] = json.dumps({"role": role, "content": content})
        return AttemptResult(**(attempt._asdict() | {"prompt": ids}))

    def _choose(self, player: Player) -> str:
        """Let the player choose and play a move; returns it in the notation of records."""
        player.attempts = ()
        table = self.table
        if table.ply - self.opening_plies < 2:
            try:
                player.prepare(self.game, table.state)
            except ValueError as fault:  # the player cannot play this game at all, which is not a crash
                raise Forfeit(ERROR, str(fault)) from None
        player.opening_plies = self.opening_plies
        player.requests = self.requests
        player.set_history(table.played)
        rng = Random(f"{self.scheduled.plan.seed} {self.scheduled.key} {table.ply}")
        move = player.choose(self.game, table.state, rng)
        table.play(move)
        return self.text.format_move(move)

    @property
    def record(self) -> Record:
        """The record of the game; a forfeit is a resignation."""
        resigned: Any = self.forfeit.seat if self.forfeit and self.forfeit.cause != ERROR else None
        names = self.scheduled.players[0], self.scheduled.players[-1]
        played, seed = self.table.played, self.scheduled.seed
        return Record(self.spec, self.game, played, seats=names, seed=seed, resigned=resigned)

    @property
    def end(self) -> str:
        """How the game ended: the game's own word, or limit, forfeit or error."""
        if self.stopped:
            return ERROR
        if self.forfeit:
            return ERROR if self.forfeit.cause == ERROR else "forfeit"
        return self.table.outcome.why if self.table.outcome else "limit"

    def result(self, record: Record, result: str, seconds: float) -> GameResult:
        """The result to save, with a verdict on every chosen move."""
        scheduled = self.scheduled
        return GameResult(
            key=scheduled.key,
            version=__version__,
            ended=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            kind=POSITION if scheduled.plan.positions else GAME,
            game=self.spec.name,
            options=options.format_options(self.game),
            round=scheduled.round,
            seed=scheduled.seed,
            players=scheduled.players,
            opening=self.opening_plies,
            record=write(record),
            result=result,
            end=self.end,
            forfeit=self.forfeit,
            seconds=round(seconds, 6),
            moves=tuple(self._judged_moves()),
            prompts=self.prompts,
        )

    def _judged_moves(self) -> list[MoveResult]:
        """The moves with a verdict on each that a player chose, and on a decision that ended without one."""
        played: list[Any] = list(self.table.played)
        if self.forfeit and self.forfeit.cause != ERROR:
            played.append(None)
        states = [*(before for before, _, _ in self.table.steps()), self.table.state]
        first = self.opening_plies
        judged = iter(JUDGES.judge(self.game).judge(states, played, first))
        return [
            replace(move, **next(judged)) if first <= index < len(played) else move
            for index, move in enumerate(self.moves)
        ]
