"""The one sentence that says where a game was decided, against games decided by hand."""

from __future__ import annotations

from typing import Any

from game_records import record_of
from numberduels.analysis.review import decisive_move, review_game
from numberduels.game.contract import Seat
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from tables import table


def summary(game: Any, *moves: Any, max_positions: int = 300_000, **rest: Any) -> str:
    return review_game(record_of(game, moves, **rest), max_positions).summary


WON = "was winning from the first move and never let go"
LOST = "Move 1 decided the game: Player 1 played 6 and gave the win away; 1 would have kept it."
LINE, SNATCH, CELL = RangeWar(10), NumberSnatch(numbers=(3, 5, 7)), (Place(1, 1),)


@table(
    "game, moves, rest, told",
    [
        (
            LINE,
            (6, 4, 9, 5, 7, 3, 8, 2, 10, 1),
            {"names": ("Ada", "")},
            "Move 3 decided the game: Ada played 9 and gave the win away; 5 would have kept it.",
        ),
        (RangeWar(3), (1,), {}, f"Player 1 {WON}."),
        (RangeWar(3), (1,), {"names": ("the computer", "Ada")}, f"The computer {WON}."),
        (RangeWar(3), (1,), {"names": ("You", "the computer")}, f"Player 1 (you) {WON}."),
        (RangeWar(2, "free"), (1, 2), {}, f"Player 2 {WON}."),  # Player 1 is stuck after any two moves
        (SNATCH, (5, 7, 3), {}, f"Player 1 {WON}, but gave 4 points away."),
        (SNATCH, (7, 5, 3), {}, f"Player 1 {WON}."),
        (LINE, (), {}, "No move was made."),
        (LINE, (4,), {}, "The game is not over, and Player 1 can still force a win."),
        (LINE, (6,), {}, "The game is not over, but since move 1 Player 2 can force a win."),
        (NumberCollision(4), CELL, {}, "The game is not over, and neither player can force a win."),
    ],
)
def test_what_is_said_of_a_game(game: Any, moves: tuple[Any, ...], rest: dict[str, Any], told: str) -> None:
    assert summary(game, *moves, **rest) == told


@table(
    "game, moves, resigned, told, on_time",
    [
        (LINE, (), 0, "Ada resigned before the first move.", "Ada exceeded the time."),
        (LINE, (6,), 1, "The resignation decided the game: Bob could still have won.", ""),
        (
            NumberCollision(3),
            CELL,
            1,
            "The resignation decided the game: Bob could still have held the draw.",
            "",
        ),
        (
            LINE,
            (6,),
            0,
            LOST.replace("Player 1", "Ada"),
            LOST.replace("Player 1", "Ada"),
        ),  # it was lost before
    ],
)
def test_who_gives_up_a_won_position_or_exceeds_the_time_decides_the_game_by_that(
    game: Any, moves: tuple[Any, ...], resigned: Seat, told: str, on_time: str
) -> None:
    names = ("Ada", "Bob")
    assert summary(game, *moves, resigned=resigned, names=names) == told
    found = summary(game, *moves, resigned=resigned, timed_out=True, names=names)
    assert found == (on_time or told.replace("resignation", "clock"))


def test_players_of_one_name_are_told_apart() -> None:
    told = summary(RangeWar(10), 6, resigned=1, names=("Ada", "Ada"))
    assert told == "The resignation decided the game: Player 2 (Ada) could still have won."


def test_the_costliest_move_of_a_loser_without_mistakes_is_named() -> None:
    # 10 wins whatever follows; of 2, 3 and 5, taking 5 first leaves them 3 at most, taking 2 leaves them 5.
    review = review_game(record_of(NumberSnatch(numbers=(2, 3, 7, 20)), (20, 2, 7, 3), names=("Ada", "max")))
    assert not any(each.mistake for each in review.moves)
    gifts = [each.given or 0 for each in review.moves if each.seat == 1]
    assert gifts == [max(gifts), 0] and gifts[0]
    assert review.summary == (
        "Ada was winning from the first move and never let go."
        f" Max gave {gifts[0]} points away at move 2, where 7 was better."
    )
    found = decisive_move(review)
    assert found is not None and found.ply == 2


def test_what_is_too_large_is_not_judged() -> None:
    told = summary(RestrictedRemoval(400), 2)
    assert told == "The game is not over, and its last position is too large to judge."
    assert (
        summary(RestrictedRemoval(400), 2, resigned=1)
        == "Player 2 resigned in a position that is too large to judge."
    )
    game = RestrictedRemoval(30)
    moves: list[int] = []
    state = game.start(None)  # type: ignore[arg-type]
    while game.moves(state):
        moves.append(game.moves(state)[-1])
        state = game.play(state, moves[-1])
    found = review_game(record_of(game, moves), 3)
    assert found.unjudged
    assert "at the latest" in found.summary or found.summary.startswith("Move ")
