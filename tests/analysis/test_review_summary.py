"""The one sentence that says where a game was decided, against games decided by hand."""

from __future__ import annotations

from typing import Any

from game_records import record_of
from numberduels.analysis.review import decisive_move, review_game
from numberduels.game import registry
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from tables import table


def summary(game: Any, *moves: Any, max_positions: int = 300_000, **rest: Any) -> str:
    return review_game(record_of(game, moves, **rest), max_positions).summary


def test_the_last_mistake_decides_and_its_player_is_named() -> None:
    assert (
        summary(RangeWar(10), 6, 4, 9, 5, 7, 3, 8, 2, 10, 1, names=("Ada", ""))
        == "Move 3 decided the game: Ada played 9 and gave the win away; 5 would have kept it."
    )


def test_players_of_one_name_are_told_apart() -> None:
    told = summary(RangeWar(10), 6, resigned=1, names=("Ada", "Ada"))
    assert told == "The resignation decided the game: Player 2 (Ada) could still have won."


def test_without_a_mistake_somebody_was_winning_all_the_time() -> None:
    assert summary(RangeWar(3), 1) == "Player 1 was winning from the first move and never let go."


def test_the_second_player_can_be_winning_from_the_first_move() -> None:
    # On two numbers with a free second one, Player 1 is stuck after any two moves.
    game = RangeWar(2, "free")
    assert summary(game, 1, 2) == "Player 2 was winning from the first move and never let go."


@table("first, points", [(5, "4 points"), (7, "")])
def test_a_won_game_of_points_tells_what_the_winner_gave_away(first: int, points: str) -> None:
    rest = [number for number in (7, 5, 3) if number != first]
    told = summary(NumberSnatch(numbers=(3, 5, 7)), first, *rest)
    assert told == "Player 1 was winning from the first move and never let go" + (
        f", but gave {points} away." if points else "."
    )


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


def test_a_name_at_the_beginning_of_a_sentence_has_a_capital_letter() -> None:
    told = summary(RangeWar(3), 1, names=("the computer", "Ada"))
    assert told == "The computer was winning from the first move and never let go."


def test_a_player_who_is_called_you_is_named_by_the_seat_too() -> None:
    told = summary(RangeWar(3), 1, names=("You", "the computer"))
    assert told == "Player 1 (you) was winning from the first move and never let go."


def test_a_draw_that_is_thrown_away_is_named() -> None:
    # Two cells are empty, and a third number leaves exactly one.
    game = NumberCollision(3)
    moves = Place(1, 1), Place(2, 2), Place(3, 3)
    told = summary(game, *moves)
    assert told.startswith("Move 2 decided the game: Player 2 played 2 on cell 2 and gave the draw away; ")


def test_who_resigns_a_won_position_decides_the_game_by_that() -> None:
    assert summary(RangeWar(10), resigned=0, names=("Ada", "Bob")) == "Ada resigned before the first move."
    assert (
        summary(RangeWar(10), 6, resigned=1)
        == "The resignation decided the game: Player 2 could still have won."
    )
    assert (
        summary(NumberCollision(3), Place(1, 1), resigned=1)
        == "The resignation decided the game: Player 2 could still have held the draw."
    )


def test_who_resigns_a_lost_position_had_lost_it_before() -> None:
    assert (
        summary(RangeWar(10), 6, resigned=0)
        == "Move 1 decided the game: Player 1 played 6 and gave the win away; 1 would have kept it."
    )


def test_an_unfinished_game_says_who_is_winning() -> None:
    assert summary(RangeWar(10)) == "No move was made."
    assert summary(RangeWar(10), 4) == "The game is not over, and Player 1 can still force a win."
    assert summary(RangeWar(10), 6) == "The game is not over, but since move 1 Player 2 can force a win."
    assert (
        summary(NumberCollision(4), Place(1, 1))
        == "The game is not over, and neither player can force a win."
    )


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


def test_the_summary_is_said_in_german() -> None:
    found = review_game(record_of(RangeWar(10), (6, 4, 9), names=("Ada", ""), resigned=1)).summary
    german = registry.spec("range-war").language("de")
    assert german.say(found) == (
        "Das Aufgeben hat die Partie entschieden: Spieler 2 hätte noch gewinnen können."
    )


def test_who_loses_a_won_position_on_time_is_told_that_the_clock_decided_it() -> None:
    assert (
        summary(RangeWar(10), 6, resigned=1, timed_out=True)
        == "The clock decided the game: Player 2 could still have won."
    )
    assert (
        summary(NumberCollision(3), Place(1, 1), resigned=1, timed_out=True)
        == "The clock decided the game: Player 2 could still have held the draw."
    )
    assert summary(RangeWar(10), resigned=0, timed_out=True, names=("Ada", "")) == "Ada exceeded the time."
    lost = summary(RangeWar(10), 6, resigned=0)
    assert summary(RangeWar(10), 6, resigned=0, timed_out=True) == lost, "it was lost before"
