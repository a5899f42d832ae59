"""The TextArena environment: one of our games for one or two players, with the exact judgement in `info`.

import textarena as ta
from numberduels.harness import textarena_env

textarena_env.register()
env = ta.make("NumberDuels-RangeWar-v0")
env.reset(num_players=2, seed=7)
"""

from __future__ import annotations

import re
from random import SystemRandom
from typing import Any

import textarena as ta

from numberduels.game import registry
from numberduels.game.options import check_whole
from numberduels.harness.episode_results import LOST, WON
from numberduels.harness.episode_settings import read_settings
from numberduels.harness.text_episode import TextEpisode
from numberduels.players.answers import stated_move

BRACKETED = re.compile(r"\[([^\[\]]+)\]")
REWARDS = {WON: 1, LOST: -1}
"""The reward of a seat at the end, as in TextArena; 0 for a tie and for an unfinished game."""


class DuelTextArenaEnv(ta.Env):
    """A game for TextArena.

    With `num_players=2` both seats are players of TextArena, and player 0 moves first. With `num_players=1`
    the agent plays against the built-in `opponent` from `seat`. `settings` are those of `EpisodeSettings`,
    such as `opening`, `attempts`, `legal` or `reward`.

    A player sees the rules and the position at its turn. What the other player wrote around its move stays
    private. `info` of a step has the reward of the move and the exact judgement.
    """

    def __init__(self, game: str, **settings: Any) -> None:
        super().__init__()
        self._values = {"game": game, "opening": 0} | settings
        read_settings(self._values)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Begin a game; without a seed it is drawn, and `episode.seed` has it."""
        check_whole("num_players", num_players, 1, 2)
        settings = read_settings(self._values | ({"seat": "both"} if num_players == 2 else {}))
        self.episode = TextEpisode(settings, SystemRandom().getrandbits(32) if seed is None else seed)
        # A state of TextArena that gets a seed would seed the generator of the process.
        self.state: Any
        if num_players == 2:
            self.state = ta.TwoPlayerState(num_players=2, error_allowance=0)
            self.state.reset(game_state={}, role_mapping={0: "Player 1", 1: "Player 2"})
        else:
            self.state = ta.SinglePlayerState(num_players=1, error_allowance=0)
            self.state.reset(game_state={}, role_mapping={0: f"Player {(self.episode.seat or 0) + 1}"})
        self.state.current_player_id = self._player()
        self._told: set[int] = set()
        self._ask()

    def _player(self) -> int:
        """The player of TextArena whose turn it is."""
        return 0 if self.episode.seat is not None else self.episode.table.turn

    def _ask(self) -> None:
        """Show the rules, once, and the position to the player whose turn it is."""
        player = self.state.current_player_id
        if player not in self._told:
            self._told.add(player)
            self.state.add_observation(
                to_id=player, message=self.episode.system, observation_type=ta.ObservationType.PROMPT
            )
        self.state.add_observation(
            to_id=player, message=self.episode.prompt, observation_type=ta.ObservationType.GAME_BOARD
        )

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the answer of the player to move: a line `MOVE: 5`, or `[5]` as TextArena writes moves."""
        state, player = self.state, self.state.current_player_id
        state.add_observation(
            from_id=player, to_id=player, message=action, observation_type=ta.ObservationType.PLAYER_ACTION
        )
        step = self.episode.answer(_as_answer(action))
        state.step_info.update(
            {"reward": step.reward, "judgement": step.judgement(), "fault": step.fault, "cause": step.cause}
        )
        state.made_invalid_move = bool(step.fault)
        if step.done:
            self._end(step.fault)
        elif step.fault:
            state.add_observation(
                to_id=player, message=self.episode.prompt, observation_type=ta.ObservationType.GAME_ADMIN
            )
        done, info = state.step()
        if not done and not step.fault:
            self._ask()
        return bool(done), dict(info)

    def _end(self, fault: str) -> None:
        state, episode = self.state, self.episode
        seats = {0: episode.seat} if episode.seat is not None else {0: 0, 1: 1}
        outcomes = {player: episode.outcome_of(seat) for player, seat in seats.items()}  # type: ignore[arg-type]
        state.rewards = {player: REWARDS.get(outcome or "", 0) for player, outcome in outcomes.items()}
        for player, outcome in outcomes.items():
            state.game_info[player]["reason"] = fault or f"The game ended: {outcome}."
        state.game_info[state.current_player_id]["invalid_move"] = bool(fault)
        state.done = True


def _as_answer(action: str) -> str:
    """The action with its last bracketed move as a line `MOVE: ...`, if it has no such line itself."""
    if stated_move(action) is not None:
        return action
    bracketed = BRACKETED.findall(action)
    if not bracketed:
        return action
    return bracketed[-1] if stated_move(bracketed[-1]) is not None else f"MOVE: {bracketed[-1]}"


def env_id(game: str) -> str:
    """The id of a game in TextArena's registry, such as NumberDuels-RangeWar-v0."""
    return f"NumberDuels-{game.title().replace('-', '')}-v0"


def register() -> list[str]:
    """Register all installed games with TextArena, and return their ids; `-raw` has no wrappers.

    Calling it again changes nothing.
    """
    from textarena.envs.registration import ENV_REGISTRY

    entry_point, wrappers = f"{__name__}:DuelTextArenaEnv", [ta.wrappers.LLMObservationWrapper]
    for name in registry.names():
        for found, default_wrappers in ((env_id(name), wrappers), (f"{env_id(name)}-raw", None)):
            if found not in ENV_REGISTRY:
                ta.register(found, entry_point, default_wrappers=default_wrappers, game=name)
    return [env_id(name) for name in registry.names()]
