"""The tasks for Inspect, with the real package and its mock model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from golden_episodes import EPISODES, NAMES, run_example
from inspect_ai import eval as inspect_eval
from inspect_ai import score
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score

from numberduels.analysis.puzzles import find_puzzle
from numberduels.harness.episode_tasks import EpisodeTasks
from numberduels.harness.inspect_tasks import game_scorer
from numberduels.harness.puzzle_questions import puzzle_messages

pytestmark = [  # Inspect leaves streams of its own open, and calls another package by an old parameter
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

Answer = Callable[[list[ChatMessage]], str]


def run(
    name: str,
    answer: Answer,
    folder: Path,
    stop_reason: str = "stop",
    token_limit: int | None = None,
    **options: Any,
) -> EvalLog:
    """Evaluate a task by its registered name, with a model that answers so in two tokens."""

    def output(messages: list[ChatMessage], *_: object) -> ModelOutput:
        found = ModelOutput.from_content("mockllm/model", answer(messages), stop_reason=stop_reason)
        found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return found

    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    (log,) = inspect_eval(
        f"numberduels/{name}",
        model=model,
        task_args=options,
        token_limit=token_limit,
        display="none",
        log_dir=str(folder),
    )
    assert log.status == "success", log.error
    return log


def means(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {each.name: each.metrics["mean"].value for each in log.results.scores}


def scores_of(log: EvalLog) -> dict[Any, Score]:
    assert log.samples is not None
    return {each.id: next(iter((each.scores or {}).values())) for each in log.samples}


def perfect_player(**options: Any) -> Answer:
    """Answers with the best move of the position, found beside the model by the same tasks."""
    best = {}
    for task in EpisodeTasks(**options).tasks("test", 10):
        episode = task.episode()
        while not episode.done:
            key, move = episode.messages()[-1]["content"], episode.oracle_moves()[0]
            best[key] = move
            episode.play(move)
    return lambda messages: f"MOVE: {best[messages[-1].text]}"


@pytest.mark.parametrize("golden", EPISODES, ids=NAMES)
def test_a_game_replays_the_golden_episodes(golden: dict[str, Any], tmp_path: Path) -> None:
    settings = dict(golden["settings"])
    games, answers, asked = settings.pop("game"), iter(golden["steps"]), []

    def answer(messages: list[ChatMessage]) -> str:
        step = next(answers)
        asked.append((step["position"] in messages[1].text, len(messages)))
        return str(step["answer"])

    log = run(
        "games", answer, tmp_path, games=games, samples=1, split="all", start=golden["seed"], **settings
    )
    (found,) = scores_of(log).values()
    assert found.metadata is not None
    for step, expected in zip(found.metadata["steps"], golden["steps"], strict=True):
        for name in ("answer", "move", "cause", "judgement", "reward", "reply", "done", "outcome"):
            assert step[name] == expected[name]
    assert all(shown for shown, _ in asked)
    assert found.metadata["seat"] == golden["seat"]


def test_perfect_answers_are_all_right(tmp_path: Path) -> None:
    figures = means(run("decisions", perfect_player(attempts=1), tmp_path, samples=10))
    assert figures == {
        "accuracy": 1.0,
        "value_kept": 1.0,
        **{f"forfeit_{each}": 0.0 for each in ("unreadable", "illegal", "truncated", "filtered")},
    }
    figures = means(run("games", perfect_player(opponent="casual"), tmp_path, samples=10, opponent="casual"))
    assert (figures["accuracy"], figures["value_kept"], figures["win"], figures["finished"]) == (1, 1, 1, 1)


@pytest.mark.parametrize(
    ("text", "stop_reason", "cause"),
    [
        ("I resign.", "stop", "unreadable"),
        ("MOVE: 999", "stop", "illegal"),
        ("MOVE: 999", "max_tokens", "illegal"),
        ("Let me think about", "max_tokens", "truncated"),
        ("", "content_filter", "filtered"),
    ],
)
@pytest.mark.parametrize("name", ["decisions", "games", "puzzles"])
def test_answers_without_a_move_are_counted_by_cause(
    name: str, text: str, stop_reason: str, cause: str, tmp_path: Path
) -> None:
    text = text.replace("MOVE", "ANSWER") if name == "puzzles" else text
    figures = means(run(name, lambda _: text, tmp_path, stop_reason, samples=2, games="summation-duel"))
    prefix = "no_answer" if name == "puzzles" else "forfeit"
    assert {each for each, figure in figures.items() if figure and each.startswith(prefix)} == {
        f"{prefix}_{cause}"
    }
    assert figures["accuracy"] == 0.0


def test_a_game_that_a_limit_stops_is_forfeited(tmp_path: Path) -> None:
    options: Any = {"samples": 1, "games": "range-war:size=12", "attempts": 50}
    figures = means(run("games", lambda _: "Let me think.", tmp_path, token_limit=5, **options))
    assert (figures["finished"], figures["value_kept"], figures["win"]) == (0.0, 0.0, 0.0)


def test_the_right_answers_solve_the_puzzles(tmp_path: Path) -> None:
    chosen = [find_puzzle("summation-duel", 2, str(seed)) for seed in (5, 6, 7)]
    right = {puzzle_messages(each)[-1]["content"]: each.answer for each in chosen}

    def answer(messages: list[ChatMessage]) -> str:
        return f"**ANSWER:** {right[messages[-1].text]}"

    log = run("puzzles", answer, tmp_path, games="summation-duel", level=2, samples=3, start=5)
    assert means(log)["accuracy"] == 1.0


def test_a_log_can_be_scored_again(tmp_path: Path) -> None:
    log = run("games", lambda _: "MOVE: 3", tmp_path, samples=3)
    again = score(log, game_scorer(), action="overwrite", display="none")
    assert means(again) == means(log)


def test_the_example_runs() -> None:
    assert "accuracy" in run_example("inspect_decisions")
