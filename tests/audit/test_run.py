"""The figures of an audit, against what is known about the games, and audits of games of OpenSpiel."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from numberduels.audit.report import FAILED, NOT_CHECKED, AuditReport, Budget, Figures, describe
from numberduels.audit.run import Audit, measure_decisions, measure_player
from numberduels.audit.run import audit_game as audit_allowed
from numberduels.audit.subject import OwnEnvironment
from numberduels.game import registry
from numberduels.game.adopted import allow
from numberduels.games.range_war.rules import RangeWar
from numberduels.players.ladder import PerfectPlayer
from numberduels.players.search import RandomPlayer
from numberduels.solvers import make_oracle
from tables import table


def audit_game(text: str, budget: Budget) -> AuditReport:
    """What `duel audit` does with the game that was typed."""
    allow(text)
    return audit_allowed(text, budget)


FEW = Budget(games=6, seconds=600)


@pytest.fixture
def nothing_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figures take most of the time of an audit, and no check needs them."""
    monkeypatch.setattr(Audit, "_measure", lambda *_: None)


def test_a_player_is_measured_in_both_seats_and_a_forced_move_is_no_decision() -> None:
    game = RangeWar(size=1)  # whoever begins wins with the only move
    subject: Any = SimpleNamespace(budget=Budget(games=2), out_of_time=False)
    oracle = make_oracle(game)
    measured = measure_player("random", RandomPlayer, game, oracle, subject)
    assert (measured.first, measured.second) == (1.0, 0.0)
    figures = Figures()
    measure_decisions(game, oracle, figures, subject.budget)
    assert figures.matters is None


def test_the_winner_of_our_own_game_is_paid() -> None:
    episode = OwnEnvironment("range-war:size=1", registry.spec("range-war"), RangeWar(size=1)).reset(0)
    episode.step(0)  # the only move, which wins
    assert (episode.seat, episode.returns()) == (None, (1.0, -1.0))


def test_the_measured_player_moves_in_its_own_seat() -> None:
    game = RangeWar(size=8)  # which the first player wins
    subject: Any = SimpleNamespace(budget=Budget(games=6), out_of_time=False)
    measured = measure_player("perfect", PerfectPlayer, game, make_oracle(game), subject)
    assert (measured.first, measured.kept) == (1.0, 1.0)


def test_tic_tac_toe_is_a_draw_of_5478_positions() -> None:
    report = audit_game("openspiel:tic_tac_toe", FEW)
    assert report.failed == []
    figures = report.figures
    assert (figures.winner, figures.positions) == ("nobody", 5478)
    assert figures.length is not None and figures.length[1] >= 5 and figures.length[2] <= 9
    players = {each.name: each for each in figures.players}
    assert len(players) == 8 and players["perfect"].kept == 1.0
    assert report.kind.startswith("open_spiel ")


@pytest.mark.long
def test_a_crash_of_compiled_code_is_a_finding() -> None:
    """OpenSpiel 2.0: an illegal action of chess ends the process, even in the step that checks for it."""
    report = audit_game("openspiel:chess", Budget(games=4, positions=10, plies=80, seconds=20))
    illegal = next(each for each in report.findings if each.key == "illegal")
    assert illegal.status == FAILED and "ended the Python process by signal 11" in illegal.detail


def test_a_game_that_is_too_large_says_so() -> None:
    report = audit_game("openspiel:tic_tac_toe", Budget(games=1, positions=50))
    assert "more than 50 positions" in report.figures.unsolved
    assert report.figures.matters is None
    seeds = next(each for each in report.findings if each.key == "seeds")
    assert seeds.status == NOT_CHECKED


@table(
    "text, winner",
    [
        ("range-war:size=4", "first"),
        ("summation-duel:size=10:target=44", "second"),
        ("number-collision:size=5", "nobody"),
    ],
)
def test_our_games_pass(text: str, winner: str) -> None:
    report = audit_game(text, Budget(games=3, seconds=600))
    assert report.failed == [] and report.complete
    assert report.figures.winner == winner


@pytest.mark.usefixtures("nothing_measured")
def test_a_finding_tells_how_much_was_looked_at() -> None:
    """Nim with two heaps of one counter: every game has three positions."""
    report = audit_game("openspiel:nim(pile_sizes=1;1)", Budget(games=5, seconds=600))
    contract = next(each for each in report.findings if each.key == "contract")
    assert (contract.games, contract.positions, contract.stopped_early) == (5, 15, False)


@pytest.mark.usefixtures("nothing_measured")
def test_a_check_that_the_time_stops_says_so_and_looks_at_two_games() -> None:
    report = audit_game("openspiel:nim", Budget(games=5, seconds=0.0))
    contract = next(each for each in report.findings if each.key == "contract")
    assert (contract.games, contract.stopped_early) == (2, True)
    assert "; the time was over)" in describe(contract)
