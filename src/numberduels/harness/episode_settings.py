"""EpisodeSettings: everything that determines an episode, apart from its seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from numberduels.game.formatting import short
from numberduels.game.options import BadOption, check_among, check_whole
from numberduels.game.registry import read_game
from numberduels.harness.episode_results import REWARD_KINDS
from numberduels.players import KINDS, allowed_in_files
from numberduels.players.external import BOARDS, ExternalSettings

SEATS = ("first", "second", "random", "both")
MAX_ATTEMPTS = 100
MAX_OPENING = 100
MAX_PLIES = 10_000


@dataclass(frozen=True, slots=True)
class EpisodeSettings:
    """The settings of an episode, as plain values that fit into JSON, TOML or a row of a dataset.

    >>> EpisodeSettings("range-war:size=12", opponent="casual", seat="second").reward
    'kept'
    >>> EpisodeSettings("range-war", seat="third")
    Traceback (most recent call last):
    numberduels.game.options.BadOption: seat must be first or second or random or both, not 'third'
    """

    game: str
    """A name with options, such as `range-war:size=12:opening=free`."""
    opponent: str = "perfect"
    """A built-in player: random, greedy, beginner, casual, skilled, expert, perfect, mcts:N."""
    seat: str = "random"
    """The seat of the agent: first, second, random, or both, which has no opponent."""
    reward: str = "kept"
    """One of `rewards.REWARD_KINDS`."""
    opening: int = 2
    """Random first moves in a game with a fixed start, so that episodes differ."""
    winnable: bool = False
    """Whether perfect play must win for the agent from its first decision."""
    limit: int | None = None
    """Moves after which a game is unfinished; None is 100 for games that need not end, and no limit else."""
    attempts: int = 3
    """The most answers for one move; then the agent forfeits."""
    legal: bool = True
    """Whether the prompt lists the legal moves."""
    reasoning: bool = True
    """Whether the prompt lets the agent reason before it answers."""
    disguise: bool = False
    """Whether the agent sees the game with other names and numbers."""
    board: str = "text"
    """How the agent sees the position: text or json."""

    def __post_init__(self) -> None:
        for each in ("game", "opponent"):
            if not isinstance(getattr(self, each), str):
                raise BadOption(each, f"{each} must be a text")
        read_game(self.game)
        check_among("seat", self.seat, SEATS)
        check_among("board", self.board, BOARDS)
        check_among("reward", self.reward, REWARD_KINDS)
        if self.opponent == "human" or not allowed_in_files(self.opponent):
            known = ", ".join(KINDS)
            raise BadOption(
                "opponent", f"opponent must be a built-in player ({known}), not {short(self.opponent)}"
            )
        check_whole("opening", self.opening, 0, MAX_OPENING)
        check_whole("attempts", self.attempts, 1, MAX_ATTEMPTS)
        if self.limit is not None:
            check_whole("limit", self.limit, 1, MAX_PLIES)
        for each in ("winnable", "legal", "reasoning", "disguise"):
            if not isinstance(getattr(self, each), bool):
                raise BadOption(each, f"{each} must be true or false")

    @property
    def prompt_settings(self) -> ExternalSettings:
        """The settings of the prompt."""
        return ExternalSettings(
            attempts=self.attempts,
            legal=self.legal,
            reasoning=self.reasoning,
            disguise=self.disguise,
            board=self.board,
        )

    def data(self) -> dict[str, Any]:
        """The settings as JSON data."""
        return asdict(self)


def read_settings(values: Mapping[str, Any]) -> EpisodeSettings:
    """The settings with these values; BadOption names an unknown or a wrong one.

    >>> read_settings({"game": "range-war", "sead": 1})
    Traceback (most recent call last):
    numberduels.game.options.BadOption: there is no setting 'sead'; there are game, opponent, seat, reward, \
opening, winnable, limit, attempts, legal, reasoning, disguise, board
    """
    known = [each.name for each in fields(EpisodeSettings)]
    for name in values:
        if name not in known:
            raise BadOption(name, f"there is no setting {short(str(name))}; there are {', '.join(known)}")
    if "game" not in values:
        raise BadOption("game", "a game is missing, such as range-war")
    return EpisodeSettings(**values)
