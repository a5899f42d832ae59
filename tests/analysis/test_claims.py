"""The claims of the books: each verdict against an independent source, each game that shows one."""

from __future__ import annotations

import pytest

from numberduels.analysis.claims import (
    Claim,
    Finding,
    claims_of,
)
from numberduels.game import record, registry
from numberduels.game.contract import Outcome
from numberduels.game.spec import GameSpec
from numberduels.games.number_collision import claims as collision
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.games.number_snatch import claims as snatch
from numberduels.games.number_snatch.rules import NumberSnatch, Pool
from numberduels.games.range_war import claims as war
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.summation_duel import claims as duel
from numberduels.games.summation_duel.rules import Sum, SummationDuel

OURS = ["range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"]


def verdicts(**names: str) -> dict[str, str]:
    """The verdict of each claim, from the names of those with each verdict."""
    return {name: verdict for verdict, several in names.items() for name in several.split()}


# Read from the books by hand, or computed by programs that share nothing with this one.
EXPECTED = {
    "range-war": verdicts(
        true="no_draws last_mover_wins over_quickly directions skill worked_game",
        false="steering thinking_ahead listed_choices",
    ),
    "number-snatch": verdicts(
        true=(
            "all_taken never_below_zero formula five_and_fifteen sample_list walk careful_choice "
            "lower_number skill"
        ),
        false="no_ties walk_snatches walk_scores",
        partly="always_snatch",
    ),
    "restricted-removal": verdicts(
        true="last_mover_wins quick first_example second_example careless skill",
        false="nothing_remains first_tables",
        partly="high_impact",
    ),
    "summation-duel": verdicts(
        true=(
            "second_example_sums first_example_sums first_example_end session always_a_winner "
            "squeezed addition"
        ),
        false="elevens second_example_wins second_example_choice",
        partly="only_exactly skill",
    ),
    "number-collision": verdicts(
        true="stuck_when_full no_ring sample_turns picture_is_lost skill",
        false="no_draws until_somebody_wins forcing one_empty_cell",
        partly="collisions both",
    ),
}

# False by the nature of the thing, so that no single game can show it.
WITHOUT_A_GAME = {("range-war", "steering"), ("number-collision", "forcing")}


@pytest.fixture(scope="module")
def findings() -> dict[tuple[str, str], Finding]:
    """Every claim of ours, checked once."""
    return {
        (name, claim.check.__name__): claim.check()
        for name in OURS
        for claim in claims_of(registry.spec(name))
    }


class OutsideRules:
    """Rules in this module, so that their claims are looked for here."""


def test_an_outside_game_may_bring_its_own() -> None:
    spec = GameSpec("x", "X", "", OutsideRules, object)
    assert [claim.text for claim in claims_of(spec)] == ["It is short."]


CLAIMS = [Claim("x", 1, "It is short.", lambda: Finding("true", "1 move."))]


def test_each_verdict_is_the_expected_one(findings: dict[tuple[str, str], Finding]) -> None:
    for game, expected in EXPECTED.items():
        assert {check: found.verdict for (name, check), found in findings.items() if name == game} == expected


def test_every_false_claim_comes_with_a_game_where_one_can_show_it(
    findings: dict[tuple[str, str], Finding],
) -> None:
    for key, found in findings.items():
        if found.verdict in ("false", "partly"):
            assert (found.record is None) == (key in WITHOUT_A_GAME), key


def test_every_game_shown_is_a_record(findings: dict[tuple[str, str], Finding]) -> None:
    for (name, _), found in findings.items():
        if found.record:
            again = record.read(record.write(found.record))
            assert again == found.record and again.spec.name == name


# Broken rules turn the verdicts round


def test_a_range_war_that_can_end_without_a_winner_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def tied(game: RangeWar, state: tuple[int, int, int]) -> Outcome | None:
        return None if game.moves(state) else Outcome(None, "stuck")

    monkeypatch.setattr(RangeWar, "outcome", tied)
    assert war.no_draws().verdict == war.last_mover_wins().verdict == "false"


def test_if_20_were_a_multiple_of_12_the_book_would_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    right = NumberSnatch.play

    def play(game: NumberSnatch, state: Pool, move: int) -> Pool:
        left, last, mine, theirs = right(game, state, move)
        if (state[1], move) == (12, 20):
            return left, last, mine - 12, theirs + 12
        return left, last, mine, theirs

    monkeypatch.setattr(NumberSnatch, "play", play)
    assert snatch.walk_scores().verdict == snatch.walk_snatches().verdict == "true"
    assert snatch.walk_scores().record is None


def test_if_going_beyond_won_the_elevens_would_not_lose_their_example(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def outcome(game: SummationDuel, state: Sum) -> Outcome | None:
        # Whoever passes or meets the target wins.
        return None if state[1] < game.target else Outcome(1 - game.turn(state), "over")  # type: ignore[arg-type]

    monkeypatch.setattr(SummationDuel, "outcome", outcome)
    assert duel.second_example_wins().verdict == "true"
    assert duel.second_example_sums().verdict == "false"


def test_without_collisions_there_are_no_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(game: NumberCollision, state: Line, move: Place) -> Line:
        empty, filled, turn, stood = state
        bit = 1 << (move.number - 1) * (game.size + 1) + move.position
        return empty ^ 1 << move.position, filled | bit, 0 if turn else 1, stood

    monkeypatch.setattr(NumberCollision, "play", play)
    monkeypatch.setattr(collision, "SMALL", 4)
    assert collision.no_draws().verdict == "true"
    assert collision.sample_turns().verdict == "false"
    assert collision.forcing().verdict == "true"
