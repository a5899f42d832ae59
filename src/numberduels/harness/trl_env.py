"""The environment for TRL, whose GRPOTrainer lets a model play by calling a tool.

    rows = Dataset.from_list(duel_rows(500, "range-war,summation-duel", opponent="casual"))
    GRPOTrainer(model=..., train_dataset=rows, environment_factory=DuelTRLEnv)

TRL makes one instance for each rollout and calls `reset` with a row of the dataset. Every other public method
is a tool for the model, with its docstring as the description; `get_reward` is called once, at the end. The
module itself imports no package.
"""

from __future__ import annotations

from typing import Any

from numberduels.harness.episode_tasks import STANDARD_GAMES, EpisodeTasks, start_episode
from numberduels.harness.text_episode import TextEpisode

SYSTEM = """\
You are playing a game for two players, Player 1 and Player 2, who move in turn. Play to win.

The rules:

{rules}

Make your moves by calling the tool `move`, one move in each call, until the game is over. For each move you \
have {attempts} calls; if none of them is a legal move, you lose the game.
"""

OVER = {
    "win": "You have won.",
    "tie": "It is a tie.",
    "loss": "You have lost.",
    "unfinished": "It is unfinished.",
}


def duel_rows(
    number: int, games: str = ",".join(STANDARD_GAMES), split: str = "train", start: int = 0, **settings: Any
) -> list[dict[str, Any]]:
    """The rows of a dataset: a prompt with the rules, and the seed and the settings that `reset` needs.

    >>> row = duel_rows(1, "range-war:size=12", opponent="casual")[0]
    >>> [message["role"] for message in row["prompt"]], row["opponent"]
    (['system', 'user'], 'casual')
    """
    rows = []
    for task in EpisodeTasks(games, start, **settings).tasks(split, number):
        episode = task.episode()
        rules = episode.conversation.rules(episode.table.state)
        system = SYSTEM.format(rules=rules, attempts=task.settings.attempts).strip()
        prompt = [
            {"role": "system", "content": system},
            {"role": "user", "content": "A new game begins.\n\n"},
        ]
        rows.append({"prompt": prompt, **task.data()})
    return rows


class DuelTRLEnv:
    """One rollout: a game against a built-in opponent. The reward is the score of the episode.

    >>> env = DuelTRLEnv()
    >>> row = duel_rows(1, "summation-duel:size=4:target=6", split="all", seat="first", opening=0)[0]
    >>> print(env.reset(**row))
    You are Player 1. It is your turn.
    Total Sum: 0
    Available Numbers: 1,2,3,4
    Legal moves: 1, 2, 3, 4
    >>> print(env.move("4"))
    The opponent's move: 2
    The game is over. You have lost.
    >>> env.get_reward()
    -1.0
    """

    episode: TextEpisode | None = None

    def reset(self, **row: Any) -> str:
        """Start the episode of a row of `duel_rows`, and return its first position."""
        if "seed" not in row or "game" not in row:
            raise ValueError("a row needs a seed and a game: make the dataset from duel_rows")
        self.episode = start_episode(row)
        return self._position()

    def move(self, move: str) -> str:
        """Make your move. The opponent answers at once.

        Args:
            move: One of the legal moves, written in the same way.

        Returns:
            The opponent's answer and the new position, or why the move was not possible.
        """
        episode = self._playing()
        if episode.done:
            return "The game is over."
        step = episode.play(move)
        lines = []
        if step.fault:
            lines.append(f"That was no move. {step.fault}")
        if step.reply:
            lines.append(f"The opponent's move: {episode.reply_shown}")
        lines.append(f"The game is over. {OVER[step.outcome]}" if step.outcome else self._position())
        return "\n".join(lines)

    def get_reward(self) -> float:
        """The score of the episode; a model that stopped before the end has forfeited it."""
        episode = self._playing()
        episode.abandon()
        assert episode.score is not None
        return episode.score

    def _playing(self) -> TextEpisode:
        if self.episode is None:
            raise ValueError("there is no episode: reset first")
        return self.episode

    def _position(self) -> str:
        episode = self._playing()
        lines = [f"You are Player {episode.table.turn + 1}. It is your turn.", episode.position]
        if episode.settings.legal:
            lines.append(f"Legal moves: {', '.join(episode.legal_moves())}")
        return "\n".join(lines)
