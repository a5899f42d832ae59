"""Tasks for Inspect: single decisions, whole games against graded opponents, and puzzles.

    inspect eval numberduels/decisions --model openai/gpt-4o-mini -T games=range-war,summation-duel
    inspect eval numberduels/games --model openai/gpt-4o-mini -T opponent=casual -T samples=20
    inspect eval numberduels/puzzles --model openai/gpt-4o-mini -T level=2

Inspect finds them through the entry point in the group `inspect_ai`. Further `-T` options are the settings of
an episode. The scorers compute from the answers in the log, so `inspect score` can repeat them.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from numberduels import __version__
from numberduels.analysis.puzzles import Puzzle, find_puzzle
from numberduels.game.formatting import split_list
from numberduels.harness.episode_results import FORFEIT_CAUSES, summarize
from numberduels.harness.episode_tasks import STANDARD_GAMES, EpisodeTask, EpisodeTasks, start_episode
from numberduels.harness.puzzle_questions import check_answer, puzzle_messages

ALL_GAMES = ",".join(STANDARD_GAMES)

ANSWERS = "numberduels_answers"
"""Where a sample keeps the answers of a game: pairs of the text and the stop reason."""

STOP_CAUSES = {"max_tokens": "truncated", "model_length": "truncated", "content_filter": "filtered"}
"""Stop reasons that explain an answer without a move."""

ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


# Tasks


@task
def decisions(
    games: str | list[str] = ALL_GAMES,
    samples: int = 100,
    split: str = "test",
    start: int = 0,
    **settings: Any,
) -> Task:
    """One decision in each sample: the first one of an episode, with a single answer."""
    tasks = EpisodeTasks(_joined(games), start, **{**settings, "attempts": 1})
    dataset = [_sample(each, each.episode().oracle_moves()) for each in tasks.tasks(split, samples)]
    return Task(dataset=dataset, solver=generate(), scorer=decision_scorer(), version=__version__)


@task
def games(
    games: str | list[str] = ALL_GAMES,
    opponent: str = "perfect",
    samples: int = 50,
    split: str = "test",
    start: int = 0,
    **settings: Any,
) -> Task:
    """One whole game against an opponent in each sample."""
    tasks = EpisodeTasks(_joined(games), start, opponent=opponent, **settings)
    dataset = [_sample(each, "") for each in tasks.tasks(split, samples)]
    return Task(dataset=dataset, solver=play_game(), scorer=game_scorer(), version=__version__)


@task
def puzzles(games: str | list[str] = ALL_GAMES, level: int = 1, samples: int = 50, start: int = 0) -> Task:
    """One puzzle in each sample; its level is how far one must look ahead."""
    names = [each.partition(":")[0] for each in split_list(_joined(games))]
    dataset = []
    for index in range(samples):
        seed, number = divmod(index, len(names))
        puzzle = find_puzzle(names[number], level, str(start + seed))
        described = {"game": names[number], "level": level, "seed": puzzle.seed, "kind": puzzle.kind}
        question = _chat(puzzle_messages(puzzle))
        dataset.append(
            Sample(
                id=f"{names[number]}-{puzzle.seed}", input=question, target=puzzle.answer, metadata=described
            )
        )
    return Task(dataset=dataset, solver=generate(), scorer=puzzle_scorer(), version=__version__)


def _joined(games: str | list[str]) -> str:
    """Inspect reads a value with commas as a list."""
    return games if isinstance(games, str) else ",".join(games)


def _sample(one: EpisodeTask, target: str | list[str]) -> Sample:
    messages = one.episode().messages()
    return Sample(id=one.id, input=_chat(messages), target=target, metadata=one.data())


def _chat(messages: list[dict[str, str]]) -> list[ChatMessage]:
    return [ROLES[each["role"]](content=each["content"]) for each in messages]


# Solver


@solver
def play_game() -> Solver:
    """Ask the model for one move after the other until the game is over."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = start_episode(state.metadata)
        answers: list[tuple[str, str]] = []
        while not episode.done:
            state.messages = _chat(episode.messages())
            state = await generate(state)
            answers.append((state.output.completion, state.output.stop_reason))
            state.store.set(ANSWERS, answers)
            episode.answer(state.output.completion)
        return state

    return solve


# Scorers


@scorer(metrics={"*": [mean(), stderr()]})
def decision_scorer() -> Scorer:
    """The exact judgement of one decision."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        return _score(state, [(state.output.completion, state.output.stop_reason)], whole=False)

    return score


@scorer(metrics={"*": [mean(), stderr()]})
def game_scorer() -> Scorer:
    """The exact judgement of all moves of a game, and how it ended."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        return _score(state, state.store.get(ANSWERS, []), whole=True)

    return score


@scorer(metrics={"*": [mean(), stderr()]})
def puzzle_scorer() -> Scorer:
    """Whether the answer to a puzzle is right."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        described = state.metadata
        puzzle: Puzzle = find_puzzle(described["game"], described["level"], described["seed"])
        checked = check_answer(puzzle, state.output.completion)
        cause = _cause(checked.fault, state.output.stop_reason)
        value = {"accuracy": float(checked.right), **_by_cause(cause, "no_answer")}
        explanation = "\n".join(map(str, puzzle.solution_lines()))
        return Score(value=value, answer=checked.answer, explanation=explanation)

    return score


def _score(state: TaskState, answers: list[tuple[str, str]], *, whole: bool) -> Score:
    """The score of these answers; a whole game that a limit has stopped is forfeited."""
    episode = start_episode(state.metadata)
    for text, _ in answers:
        episode.answer(text)
    if whole:
        episode.abandon()
    without = () if whole else ("win", "finished", "retries")
    value = {
        name: figure
        for name, figure in summarize(episode).items()
        if not name.startswith("forfeit_") and name not in without
    }
    cause = _cause(episode.forfeit[1] if episode.forfeit else "", answers[-1][1] if answers else "")
    verdicts = [step.judged.verdict for step in episode.steps if step.judged]
    return Score(
        value={**value, **_by_cause(cause, "forfeit")},
        answer=" ".join(step.move for step in episode.steps if step.move),
        explanation="; ".join(verdicts),
        metadata=episode.transcript(),
    )


def _cause(fault: str, stop_reason: str) -> str:
    """Why an answer has no move: what the stop reason tells, else what is wrong with the text."""
    return STOP_CAUSES.get(stop_reason, fault) if fault == "unreadable" else fault


def _by_cause(cause: str, name: str) -> dict[str, float]:
    causes = (*FORFEIT_CAUSES, *dict.fromkeys(STOP_CAUSES.values()))
    return {f"{name}_{each}": float(cause == each) for each in causes}
