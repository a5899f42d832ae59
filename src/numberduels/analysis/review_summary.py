"""summarize(): one sentence that says where a reviewed game was decided.

A game is decided by the last move that lost a win or a draw: after it, nothing changed any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.game.contract import OTHER, Seat
from numberduels.game.messages import Message
from numberduels.game.text import player_label
from numberduels.solvers import DRAW, LOSS, WIN

if TYPE_CHECKING:
    from numberduels.analysis.judgement import JudgedMove
    from numberduels.analysis.review import Review


YOU = "you"
"""What players without a name are called, in games that they play themselves."""


def summarize(review: Review) -> Message:
    """Where the game was decided."""
    record = review.record
    if record.resigned is not None and record.timed_out:
        return _timed_out(review, record.resigned)
    if record.resigned is not None:
        return _resigned(review, record.resigned)
    if not review.moves:
        return Message("No move was made.")
    decisive = _last_mistake(review)
    if record.result == "*":
        return _unfinished(review, decisive)
    return _blamed(review, decisive) if decisive else _without_mistakes(review)


def player_name(review: Review, seat: Seat) -> str:
    """The name of a player, or Player 1 and Player 2.

    It is both if the players have the same name, or if the name is "you", which fits no verb.
    """
    name, other = review.record.names[seat], review.record.names[OTHER[seat]]
    if not name:
        return player_label(seat)
    if name.casefold() == YOU:
        return Message("{player} ({name})", player=player_label(seat), name=YOU)
    if name == other:
        return Message("{player} ({name})", player=player_label(seat), name=name)
    return name


def decisive_move(review: Review) -> JudgedMove | None:
    """The move that decided the game; None if there is none.

    Without a mistake, in a game of points, it is the costliest move of the loser.
    """
    return _last_mistake(review) or _costliest_gift(review)


def _costliest_gift(review: Review) -> JudgedMove | None:
    """The move by which the loser gave most points away, the first of several."""
    winner = review.values[-1]
    if not winner:
        return None
    loser: Seat = 1 if winner > 0 else 0
    gifts = [each for each in review.moves if each.seat == loser and each.given and each.better]
    return max(gifts, key=lambda each: each.given or 0, default=None)


def _at_the_head(player: str) -> str:
    """A name that begins a sentence; messages begin as they should."""
    return player if isinstance(player, Message) else player[:1].upper() + player[1:]


def _last_mistake(review: Review) -> JudgedMove | None:
    return next((each for each in reversed(review.moves) if each.mistake), None)


def _resigned(review: Review, seat: Seat) -> Message:
    """The end by resignation: it decided the game, unless the position was lost already."""
    player = player_name(review, seat)
    if not review.moves:
        return Message("{player} resigned before the first move.", player=_at_the_head(player))
    value = review.values[-1]
    own = value if value is None or not seat else -value
    if own == WIN:
        return Message("The resignation decided the game: {player} could still have won.", player=player)
    if own == DRAW:
        return Message(
            "The resignation decided the game: {player} could still have held the draw.", player=player
        )
    decisive = _last_mistake(review)
    if own is None:
        return Message(
            "{player} resigned in a position that is too large to judge.", player=_at_the_head(player)
        )
    return _blamed(review, decisive) if decisive else _without_mistakes(review)


def _timed_out(review: Review, seat: Seat) -> Message:
    """The end on time: it decided the game, unless the position was lost already."""
    player = player_name(review, seat)
    value = review.values[-1] if review.moves else None
    own = value if value is None or not seat else -value
    if own == WIN:
        return Message("The clock decided the game: {player} could still have won.", player=player)
    if own == DRAW:
        return Message("The clock decided the game: {player} could still have held the draw.", player=player)
    decisive = _last_mistake(review)
    if own is None:
        return Message("{player} exceeded the time.", player=player)
    return _blamed(review, decisive) if decisive else _without_mistakes(review)


def _blamed(review: Review, judged: JudgedMove) -> Message:
    """The move that decided the game, and a better one."""
    assert judged.before is not None and judged.worth is not None
    spoken = review.record.spec.text_for(review.record.game).spoken
    told = {
        "ply": str(judged.ply),
        "move": spoken(judged.move),
        "player": player_name(review, judged.seat),
        "better": spoken(judged.better[0]),
    }
    if judged.before.value == DRAW:
        return Message(
            "Move {ply} decided the game: {player} played {move} and gave the draw away; {better} would have"
            " held it.",
            **told,
        )
    if judged.worth.value == LOSS:
        return Message(
            "Move {ply} decided the game: {player} played {move} and gave the win away; {better} would have"
            " kept it.",
            **told,
        )
    return Message(
        "Move {ply} decided the game: {player} played {move} and let the win slip to a draw; {better} would"
        " have kept it.",
        **told,
    )


def _without_mistakes(review: Review) -> Message:
    """Nobody lost a win or a draw in the judged moves; in a game of points, what cost the loser most."""
    first, gift = _never_let_go(review), _costliest_gift(review)
    if gift is None:
        return first
    second = Message(
        "{player} gave {count} point away at move {ply}, where {better} was better.",
        "{player} gave {count} points away at move {ply}, where {better} was better.",
        player=_at_the_head(player_name(review, gift.seat)),
        count=gift.given,
        ply=str(gift.ply),
        better=review.record.spec.text_for(review.record.game).spoken(gift.better[0]),
    )
    return Message("{first} {second}", first=first, second=second)


def _never_let_go(review: Review) -> Message:
    """Who was winning all the time."""
    winner, judged_from = review.values[-1], review.unjudged
    if not winner:
        if judged_from:
            return Message("Nobody went wrong in the moves that are judged, and the game is a draw.")
        return Message("Nobody went wrong: with best play this game is a draw.")
    seat: Seat = 0 if winner > 0 else 1
    player = _at_the_head(player_name(review, seat))
    if judged_from:
        return Message(
            "{player} was winning after move {ply} at the latest; what came before is too large to judge.",
            player=player,
            ply=str(judged_from),
        )
    given = sum(each.given or 0 for each in review.moves if each.seat == seat)
    if given:
        return Message(
            "{player} was winning from the first move and never let go, but gave {count} point away.",
            "{player} was winning from the first move and never let go, but gave {count} points away.",
            player=player,
            count=given,
        )
    return Message("{player} was winning from the first move and never let go.", player=player)


def _unfinished(review: Review, decisive: JudgedMove | None) -> Message:
    value = review.values[-1]
    if value is None:
        return Message("The game is not over, and its last position is too large to judge.")
    if value == DRAW:
        return Message("The game is not over, and neither player can force a win.")
    told = {"player": player_name(review, 0 if value > 0 else 1)}
    if decisive is None:
        return Message("The game is not over, and {player} can still force a win.", **told)
    return Message(
        "The game is not over, but since move {ply} {player} can force a win.",
        ply=str(decisive.ply),
        **told,
    )
