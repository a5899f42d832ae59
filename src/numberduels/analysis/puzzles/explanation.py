"""Sentences that explain a move of a puzzle: why it is right or wrong, and how the game could go on."""

from __future__ import annotations

from typing import Any

from numberduels.game.contract import M, S
from numberduels.game.formatting import capitalised
from numberduels.game.messages import Message
from numberduels.game.text import AnyGameText, player_label
from numberduels.solvers import WIN, Oracle, Worth
from numberduels.solvers.oracle import select_best
from numberduels.solvers.oracles import strongest_moves

LINE = 16
"""The most moves of an example line."""


def praise(
    oracle: Oracle[Any, Any], game_text: AnyGameText, state: Any, move: Any, why: Message
) -> list[str]:
    """Why a move is right, and how it could lead to the end."""
    told: dict[str, Any] = {"move": capitalised(game_text.spoken(move)), "why": why}
    if oracle.evaluate_move(state, move).value == WIN:
        first = Message("{move} wins. {why}", **told)
    else:
        first = Message("{move} holds the draw. {why}", **told)
    return [first, *continuation(oracle, game_text, state, move)]


def refute(oracle: Oracle[Any, Any], game_text: AnyGameText, state: Any, move: Any) -> list[str]:
    """Why a move is wrong: how it ends the game, or the reply to it and its reason."""
    game = oracle.game
    after = game.play(state, move)
    if outcome := game.outcome(after):
        ends = {"move": capitalised(game_text.spoken(move))}
        if outcome.winner is None:
            return [Message("{move} ends the game in a tie.", **ends)]
        return [
            Message("{move} ends the game, and {player} wins.", player=player_label(outcome.winner), **ends)
        ]
    reply = strongest_moves(oracle, after)[0]
    told: dict[str, Any] = {
        "player": player_label(game.turn(after)),
        "move": game_text.spoken(move),
        "reply": game_text.spoken(reply),
    }
    if oracle.evaluate_move(after, reply).value == WIN:
        first = Message("After {move}, {player} answers {reply} and wins.", **told)
    else:
        first = Message("After {move}, {player} answers {reply} and holds the draw.", **told)
    return [
        first,
        thought(told["player"], oracle.why(after, reply)),
        *continuation(oracle, game_text, after, reply),
    ]


def thought(player: Message, why: Message) -> Message:
    """A reason that speaks to this player, for a reader who may be somebody else."""
    return Message('Why: a hint for {player} would say "{why}"', player=player, why=why)


def continuation(oracle: Oracle[Any, Any], game_text: AnyGameText, state: Any, move: Any) -> list[str]:
    """How a winning move could lead to the end, both sides doing their best; nothing after a draw."""
    game = oracle.game
    if oracle.evaluate_move(state, move).value != WIN:
        return []
    winner, line, state = game.turn(state), [move], game.play(state, move)
    while not game.outcome(state):
        if len(line) == LINE:
            return []
        line.append(strongest_moves(oracle, state)[0])
        state = game.play(state, line[-1])
    if len(line) == 1:
        return []
    moves, player = " ".join(map(game_text.format_move, line)), player_label(winner)
    return [Message("For example: {moves}, and {player} has won.", moves=moves, player=player)]


def best_line(oracle: Oracle[S, M], state: S) -> list[M]:
    """The moves to the end: the winner hurries, the loser delays; in a game of points, for the best margin.

    >>> from numberduels.games.range_war.theory import RangeWarTheory
    >>> from numberduels.games.range_war.rules import RangeWar
    >>> from numberduels.game.table import replay
    >>> game = RangeWar(size=6)
    >>> best_line(RangeWarTheory(game), replay(game, (3, 2)).state)
    [4, 1, 5]
    """
    game, line = oracle.game, []
    while not game.outcome(state):
        choices = oracle.evaluate_moves(state)
        move = max(select_best(choices), key=lambda each: _patience(choices[each]))
        line.append(move)
        state = game.play(state, move)
    return line


def _patience(worth: Worth) -> int:
    """Larger for a shorter win and for a longer loss."""
    plies = worth.remoteness or 0
    return -plies if worth.value == WIN else plies
