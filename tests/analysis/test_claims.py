"""The claims of the books: each verdict against an independent source, each game that shows one."""

from __future__ import annotations

import pytest

from game_records import record_of
from numberduels.analysis.claims import (
    Claim,
    ClaimList,
    Example,
    Finding,
    claims_of,
    count_ends,
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
from numberduels.games.template import spec as template
from numberduels.games.template.rules import LastCounter
from tables import table

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


@table("name", OURS)
def test_every_game_has_claims_numbered_from_one(name: str) -> None:
    claims = claims_of(registry.spec(name))
    assert [claim.number for claim in claims] == list(range(1, len(claims) + 1))
    assert {claim.game for claim in claims} == {name}
    assert len({claim.text for claim in claims}) == len(claims) >= 9


class OutsideRules:
    """Rules in this module, so that their claims are looked for here."""


def test_an_outside_game_may_bring_its_own() -> None:
    spec = GameSpec("x", "X", "", OutsideRules, object)
    assert [claim.text for claim in claims_of(spec)] == ["It is short."]


CLAIMS = [Claim("x", 1, "It is short.", lambda: Finding("true", "1 move."))]


def test_each_verdict_is_the_expected_one(findings: dict[tuple[str, str], Finding]) -> None:
    for game, expected in EXPECTED.items():
        assert {check: found.verdict for (name, check), found in findings.items() if name == game} == expected


def test_every_evidence_has_a_figure(findings: dict[tuple[str, str], Finding]) -> None:
    for found in findings.values():
        assert any(letter.isdigit() for letter in found.evidence) and found.evidence.endswith(".")


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


# Figures from other sources


@table(
    "game, check, phrase",
    [
        ("range-war", "no_draws", "a winner in all 512 final positions"),
        ("range-war", "over_quickly", "longer than 10 moves"),
        ("number-snatch", "sample_list", "sum to 119"),
        ("number-snatch", "never_below_zero", "needed in none of 77,619"),
        ("restricted-removal", "careless", "8 of 9 first moves lose"),
        ("restricted-removal", "quick", "from 4 to 5 moves"),  # maximal sets without kin, by hand
        ("number-collision", "forcing", "takes 1 move"),
    ],
)
def test_figures(findings: dict[tuple[str, str], Finding], game: str, check: str, phrase: str) -> None:
    assert phrase in findings[game, check].evidence


# Broken rules turn the verdicts round


def test_a_range_war_that_can_end_without_a_winner_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def tied(game: RangeWar, state: tuple[int, int, int]) -> Outcome | None:
        return None if game.moves(state) else Outcome(None, "stuck")

    monkeypatch.setattr(RangeWar, "outcome", tied)
    assert war.no_draws().verdict == war.last_mover_wins().verdict == "false"


def test_a_range_war_without_directions_can_be_steered(monkeypatch: pytest.MonkeyPatch) -> None:
    def anywhere(_: RangeWar, state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
        return state[0] ^ 1 << move, move, -1

    monkeypatch.setattr(RangeWar, "play", anywhere)
    assert war.steering().verdict == "true"
    assert war.directions().verdict == "false"


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


def test_a_greedier_snatch_takes_a_score_below_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def play(_: NumberSnatch, state: Pool, move: int) -> Pool:
        left, last, mine, theirs = state
        stolen = 3 * last if last and move % last == 0 else 0
        return left ^ 1 << move, move, theirs - stolen, mine + move + stolen

    monkeypatch.setattr(NumberSnatch, "play", play)
    assert snatch.never_below_zero().verdict == "false"
    assert snatch.formula().verdict == snatch.five_and_fifteen().verdict == "false"


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


# The helpers of the checks


def test_ends_of_a_small_game() -> None:
    found = count_ends(SummationDuel(size=3, target=4))
    # 1-3 and 3-1 are exact; 1-2 leaves 3, which goes beyond; so does 2-3.
    assert (found.shortest, found.longest, found.tied) == (2, 3, 0)


def test_a_claim_that_holds_shows_no_game() -> None:
    claims, game = ClaimList(template), Example(LastCounter(), (1,))
    held = claims.claim("One.")(lambda: (True, "1.", game))
    failed = claims.claim("Two.")(lambda: ("partly", "2.", game))
    assert held() == Finding("true", "1.") and failed() == Finding(
        "partly", "2.", record_of(LastCounter(), (1,))
    )
