"""TextEpisode: one game for an agent that reads prompts and answers in words, with a reward for every move.

>>> episode = TextEpisode(EpisodeSettings("summation-duel:size=4:target=6", opening=0, seat="first"), seed=1)
>>> print(episode.prompt.splitlines()[0])
The moves so far: none
>>> step = episode.answer("Four is close to six.\\nMOVE: 4")
>>> step.reward, step.judged.verdict, step.reply, step.outcome
(0.0, 'threw away a win', '2', 'loss')
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from random import Random
from typing import Any

from numberduels.analysis.judgement import JudgedMove, judge_move
from numberduels.analysis.openings import GameOpenings, start_generator
from numberduels.analysis.oracle_cache import OracleCache
from numberduels.analysis.solution import QUICK
from numberduels.game.contract import OTHER, Bounded, Seat
from numberduels.game.record import Record, write
from numberduels.game.registry import read_game, spec_of
from numberduels.game.table import Table
from numberduels.harness.episode_results import (
    LOST,
    OUTCOME_REWARDS,
    WON,
    EpisodeStep,
    decision_reward,
    episode_score,
    guaranteed_score,
    outcome_for,
)
from numberduels.harness.episode_settings import EpisodeSettings
from numberduels.players import Player, make_player
from numberduels.players.answer_parsing import stated_move
from numberduels.players.conversation import Conversation, shortened
from numberduels.players.endpoint import ChatMessage
from numberduels.players.ladder import SLIPS, LevelPlayer, PerfectPlayer
from numberduels.solvers import MAX_POSITIONS, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.choose import strongest_moves

ENDLESS_LIMIT = 100
"""Moves after which a game that need not end is unfinished, if the settings do not say."""

MAX_DRAWS = 200
"""Draws of a start after which no suitable one is expected."""

CACHE_SIZE = 16
"""Opponents that a thread keeps: a harness plays many episodes of few games."""


class EpisodeSolvers(threading.local):
    """The oracles that judge moves and the opponents that answer them; each thread has its own.

    Players choose by their arguments alone, so a player that is reused makes the same moves as a new one.
    """

    def __init__(self, max_positions: int | None = None) -> None:
        """Search at most so many positions for one question, or as many as everywhere."""
        self.oracles = OracleCache(max_positions or MAX_POSITIONS)
        self._max_positions = max_positions
        self._players: dict[tuple[str, Any], Player] = {}

    def player(self, name: str, game: Any, start: Any) -> Player:
        """The player of this name, prepared for this game; ValueError if it cannot play it."""
        found = self._players.pop((name, game), None)
        if found is None:
            found = self._prepared(name, game, start)
        self._players[name, game] = found  # as the last one used
        if len(self._players) > CACHE_SIZE:
            del self._players[next(iter(self._players))]
        return found

    def _prepared(self, name: str, game: Any, start: Any) -> Player:
        perfect = PerfectPlayer(self._max_positions)
        if name == perfect.name:
            try:
                perfect.solve_from(game, start)
            except TooLarge as fault:
                raise ValueError(f"perfect cannot finish this game: {fault}") from None
            return perfect
        player = LevelPlayer(name, perfect) if name in SLIPS else make_player(name)
        player.prepare(game, start)
        return player


SOLVERS = {False: EpisodeSolvers(), True: EpisodeSolvers(QUICK)}
"""By whether an episode must be quick."""


class EpisodeOver(RuntimeError):
    """An answer came after the end of the episode."""


class TextEpisode:
    """One game: the agent answers prompts, and the opponent replies at once.

    All chance comes from the seed and the moves so far, so the same settings, seed and answers give the same
    episode everywhere. An episode has at least one decision: a start from which the opponent wins before the
    agent has moved is drawn again.

    Prompts and legal moves never tell values. A step tells them for the move that was made, to the caller.
    """

    def __init__(self, settings: EpisodeSettings, seed: int | str = 0, *, quick: bool = False) -> None:
        """ValueError if the opponent or the reward cannot deal with this game.

        If `quick`, little work is done for each question: a larger game is refused, and levels search it.
        """
        self.quick = quick
        self.settings = settings
        self.seed = seed
        self.steps: list[EpisodeStep] = []
        self.forfeit: tuple[Seat, str] | None = None
        """The seat that gave no legal move in its last attempt, and the cause."""
        self.abandoned = False
        """Whether the agent stopped before the end."""
        self._begin()
        self.conversation = Conversation(self.game, settings.prompt_settings, timed=False)
        self._text = self.spec.text_for(self.game)
        self._retries: list[ChatMessage] = []
        self._used = 0

    # The start

    def _begin(self) -> None:
        """Draw deal, first moves and seat until the agent has a decision, which it can win if asked for."""
        written, game = read_game(self.settings.game)
        self.game_text = written
        """The game with all its options, as `read_game` reads it."""
        openings = GameOpenings(game, "", self.settings.opening)
        for draw in range(MAX_DRAWS):
            self._source = f"{self.seed} {draw}"
            opening = openings.draw(start_generator(self.seed, draw))
            self.game = opening.game
            self.spec = spec_of(self.game)
            self.opening_plies = len(opening.moves)
            self.table: Table[Any, Any] = Table(self.game, opening.start, opening.moves)
            self.seat: Seat | None = self._drawn_seat()
            """The seat of the agent; None if it plays both."""
            self._opponent_moves()
            if not self.done:
                self.first_worth = self._first_worth()
                """The worth of the agent's first decision; None if it is unknown."""
                if not self.settings.winnable or (self.first_worth and self.first_worth.value == WIN):
                    return
        wanted = "a position that it can win" if self.settings.winnable else "a decision"
        raise ValueError(
            f"no start of {written} was found in {MAX_DRAWS} draws that gives the agent {wanted}"
        )

    @property
    def oracle(self) -> Oracle[Any, Any]:
        """What judges the moves."""
        return SOLVERS[self.quick].oracles.oracle(self.game)

    def _drawn_seat(self) -> Seat | None:
        drawn: Seat = 1 if Random(f"{self._source} seat").random() < 0.5 else 0
        seats: dict[str, Seat | None] = {"first": 0, "second": 1, "random": drawn, "both": None}
        return seats[self.settings.seat]

    def _first_worth(self) -> Worth | None:
        oracle = self.oracle
        try:
            oracle.evaluate_moves(self.table.state)
            return oracle.evaluate(self.table.state)
        except TooLarge as fault:
            if self.settings.reward != "outcome":
                raise ValueError(
                    f"the reward {self.settings.reward} needs a game that can be solved: {fault}"
                ) from None
            return None

    # What the agent sees

    @property
    def system(self) -> str:
        """The system message: the rules, and how to answer."""
        return self._question()[0]["content"]

    @property
    def prompt(self) -> str:
        """The user message now: position and question, or why the last answer was refused; empty at the end.

        It is the last of `messages`. A harness that keeps one conversation for the whole game appends it.
        """
        messages = self.messages()
        return messages[-1]["content"] if messages else ""

    def messages(self) -> list[ChatMessage]:
        """The conversation about the move to make now, as `chat:` players have it; empty after the end.

        It begins anew with every move. It contains the moves so far and the refused answers for this move.
        """
        return [] if self.done else [*self._question(), *self._retries]

    def _question(self) -> list[ChatMessage]:
        return self.conversation.question(self.table.state, self.table.played, self.opening_plies)

    def legal_moves(self) -> list[str]:
        """The legal moves as the agent writes them; none after the end."""
        return [] if self.done else [self.conversation.shown(move) for move in self.table.moves]

    @property
    def reply_shown(self) -> str | None:
        """The opponent's reply to the last answer, as the agent sees it; None if there is none."""
        if not self.steps or self.steps[-1].reply is None:
            return None
        return self.conversation.shown(self.table.played[-1])

    @property
    def position(self) -> str:
        """The position as the agent sees it."""
        return self.conversation.position(self.table.state)

    # Answers

    def answer(self, text: str) -> EpisodeStep:
        """Read an answer of the agent, play its move and the opponent's reply; EpisodeOver after the end."""
        if self.done:
            raise EpisodeOver("the episode is over: make another one")
        move, fault, cause = self.conversation.answer(self.table.state, text)
        self._used += 1
        ply, seat, attempts_left = self.table.ply, self.table.turn, self.settings.attempts - self._used
        judged = reply = None
        if fault and attempts_left:
            self._retries += self.conversation.again(text, fault, attempts_left)
        else:
            judged = self._judge(None if fault else move)
            self._used, self._retries = 0, []
            if fault:
                self.forfeit = seat, cause
            else:
                self.table.play(move)
                reply = self._opponent_moves()
        outcome = self.outcome_of(seat) if self.done else None
        step = EpisodeStep(
            ply=ply + 1,
            seat=seat,
            answer=shortened(text),
            move=None if fault else self._text.format_move(move),
            fault=fault,
            cause=cause,
            attempts_left=attempts_left if fault else 0,
            judged=judged,
            reward=decision_reward(self.settings.reward, judged, outcome) if judged else 0.0,
            reply=reply,
            done=self.done,
            outcome=outcome,
        )
        self.steps.append(step)
        return step

    def play(self, move: str) -> EpisodeStep:
        """Play a move, written as in `legal_moves`; a text with a line `MOVE: ...` is read as an answer.

        What cannot be played uses up an attempt.
        """
        return self.answer(f"MOVE: {' '.join(move.split())}" if stated_move(move) is None else move)

    def abandon(self) -> None:
        """The agent gives no more answers, so it forfeits; nothing happens after the end.

        A harness calls it when it stops before the end, because of a limit or an agent that falls silent.
        Otherwise silence could earn more than play.
        """
        self.abandoned = not self.done or self.abandoned
        while not self.done:
            self.answer("")

    def _judge(self, move: Any) -> JudgedMove:
        earlier = self.table.at(self.table.ply - 1).state if self.table.ply else None
        return judge_move(self.oracle, self.table.ply, self.table.state, move, earlier)

    def _opponent_moves(self) -> str | None:
        """Let the opponent move if it is its turn; returns its move."""
        table = self.table
        if self.seat is None or table.turn == self.seat or self.done:
            return None
        player = SOLVERS[self.quick].player(self.settings.opponent, self.game, table.start)
        rng = Random(f"{self._source} reply {' '.join(map(str, table.played))}")
        move = player.choose(self.game, table.state, rng)
        table.play(move)
        return self.spec.text_for(self.game).format_move(move)

    # The end

    @property
    def limit(self) -> int | None:
        """The number of moves after which the game is unfinished; None if it ends by itself."""
        if self.settings.limit is not None or isinstance(self.game, Bounded):
            return self.settings.limit
        return ENDLESS_LIMIT

    @property
    def done(self) -> bool:
        """Whether the episode is over: the game has ended, was forfeited or is unfinished."""
        if self.forfeit or self.table.outcome:
            return True
        return self.limit is not None and self.table.ply >= self.limit

    def outcome_of(self, seat: Seat) -> str | None:
        """win, tie, loss or unfinished for this seat; None while the episode goes on."""
        if self.forfeit:
            return LOST if self.forfeit[0] == seat else WON
        return outcome_for(seat, self.table.outcome) if self.done else None

    def score_of(self, seat: Seat) -> float | None:
        """The score of this seat so far, which `rewards` defines; None before its first decision."""
        if self.settings.reward == "outcome":
            outcome = self.outcome_of(seat)
            return None if outcome is None else OUTCOME_REWARDS[outcome]
        mine = [step.reward for step in self.steps if step.judged and step.seat == seat]
        return episode_score(self.settings.reward, mine)

    @property
    def score(self) -> float | None:
        """The score of the agent; of the first seat if the agent plays both."""
        return self.score_of(self.seat or 0)

    @property
    def guaranteed_score(self) -> float | None:
        """The score that perfect play reaches at least; it is the highest unless the reward is `outcome`."""
        return guaranteed_score(self.settings.reward, self.first_worth)

    # For scripts and files

    def oracle_moves(self) -> list[str]:
        """The best moves now as the agent writes them, for scripted agents; never part of a prompt."""
        if self.done:
            return []
        best = strongest_moves(self.oracle, self.table.state)
        return [self.conversation.shown(move) for move in best]

    def format_moves(self, moves: Sequence[Any]) -> list[str]:
        """Moves in the notation of records."""
        return [self._text.format_move(move) for move in moves]

    @property
    def record(self) -> Record:
        """The game as a record, which `duel review` reads; a forfeit is a resignation."""
        agent, other = "agent", self.settings.opponent if self.seat is not None else "agent"
        names = (agent, other) if self.seat != 1 else (other, agent)
        resigned = self.forfeit[0] if self.forfeit else None
        played, seed = self.table.played, f"{self.seed}"
        return Record(self.spec, self.game, played, names=names, seed=seed, resigned=resigned)

    def transcript(self) -> dict[str, Any]:
        """The episode so far as JSON data."""
        return {
            "game": self.game_text,
            "settings": self.settings.data(),
            "seed": self.seed,
            "seat": None if self.seat is None else self.seat + 1,
            "opening": self.format_moves(self.table.played[: self.opening_plies]),
            "moves": self.format_moves(self.table.played),
            "steps": [step.data() for step in self.steps],
            "done": self.done,
            "outcome": self.outcome_of(self.seat or 0),
            "opponent_outcome": self.outcome_of(OTHER[self.seat or 0]),
            "score": self.score,
            "guaranteed_score": self.guaranteed_score,
            "record": write(self.record),
        }
