"""Range War with the ending misere: the rules of it, and the parity theorem against exhaustive search."""

from __future__ import annotations

from random import Random

from numberduels.game import record
from numberduels.game.contract import Outcome
from numberduels.game.registry import format_game, read_game
from numberduels.game.table import replay
from numberduels.games.range_war import spec
from numberduels.games.range_war.rules import Line, RangeWar
from numberduels.games.range_war.theory import RangeWarTheory
from numberduels.play.live_text import ending_reason
from numberduels.solvers import Retrograde
from tables import table


def misere(size: int, opening: str = "lower") -> RangeWar:
    return RangeWar(size, opening, "misere")


@table("opening", ["lower", "free"])
@table("size", range(1, 10))
def test_the_parity_of_the_free_numbers_decides_every_position(size: int, opening: str) -> None:
    game = misere(size, opening)
    search: Retrograde[Line, int] = Retrograde(game)
    search.evaluate(game.start(Random(0)))
    theory = RangeWarTheory(game)
    for state in search:
        assert theory.evaluate(state) == search.evaluate(state), state


def test_a_stuck_player_wins_and_the_book_ends_the_other_way() -> None:
    assert replay(misere(10), (1,)).outcome == Outcome(winner=1, why="misere")
    assert replay(RangeWar(10), (1,)).outcome == Outcome(winner=0, why="stuck")


def test_the_reasons_say_what_the_count_is_and_who_is_stuck() -> None:
    theory = RangeWarTheory(misere(10))
    start = theory.game.start(Random(0))
    assert str(theory.why(start, 1)) == "It leaves them stuck, and who is stuck wins."
    assert "9 free numbers, an odd count" in str(theory.why(start, 5))
    lost = RangeWarTheory(misere(9))
    start = lost.game.start(Random(0))
    assert str(lost.why(start, 5)).startswith("Every move loses here: it leaves 8, an even count.")


def test_the_end_of_a_session_names_the_stuck_player_as_the_winner() -> None:
    table = replay(misere(4), (1,))
    assert spec.text_for(table.game).closing(table.state).splitlines()[-3:] == [
        "Player 2's turn.",
        "No available moves. You cannot make a valid move.",
        "Player 2 wins!",
    ]
    assert table.outcome
    assert ending_reason(table.outcome, 1, ("They", "You")).endswith("and that wins.")


def test_records_and_names_carry_the_ending_only_if_it_is_not_the_usual_one() -> None:
    assert repr(misere(4)) == "RangeWar(size=4, opening='lower', ending='misere')"
    assert repr(RangeWar(4)) == "RangeWar(size=4, opening='lower')"
    assert format_game(RangeWar()) == "range-war:size=10:opening=lower"
    assert format_game(misere(4)) == "range-war:size=4:opening=lower:ending=misere"
    assert read_game("range-war:size=4:ending=misere")[1] == misere(4)
    for game, written in ((misere(4), True), (RangeWar(4), False)):
        text = record.write(record.Record(spec, game, (2, 1)))
        assert ('[Ending "misere"]' in text) == written
        assert record.read(text).game == game
