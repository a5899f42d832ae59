"""The environment for TRL: a real GRPOTrainer trains a tiny model on it, offline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from datasets import Dataset
from golden_episodes import EPISODES, NAMES, run_example
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from numberduels.harness.trl_env import DuelTRLEnv, duel_rows

pytestmark = [  # of TRL and transformers, about each other and about this experimental feature
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@pytest.mark.parametrize("golden", EPISODES, ids=NAMES)
def test_the_tool_replays_the_golden_episodes(golden: dict[str, Any]) -> None:
    settings = dict(golden["settings"])
    games = settings.pop("game")
    (row,) = Dataset.from_list(duel_rows(1, games, split="all", start=golden["seed"], **settings))
    env, rewards = DuelTRLEnv(), []
    seen = env.reset(**row)
    for step in golden["steps"]:
        assert step["position"] in seen
        assert f"Legal moves: {', '.join(step['legal_moves'])}" in seen
        assert env.episode is not None and env.episode.legal_moves() == step["legal_moves"]
        seen = env.move(step["answer"])
        assert (step["reply"] is None) == ("The opponent's move" not in seen)
        assert step["done"] == ("The game is over." in seen)
        rewards.append(env.episode.steps[-1].reward)
        assert env.episode.steps[-1].cause == step["cause"]
        assert env.episode.steps[-1].judgement() == step["judgement"]
    assert rewards == [step["reward"] for step in golden["steps"]]
    assert env.episode is not None and env.get_reward() == env.episode.score


# A real trainer


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """One token for each byte, and the chat template of a model that calls tools."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={each: index for index, each in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    found = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
    )
    found.chat_template = qwen3_chat_template
    return found


def perfect_line(row: dict[str, Any]) -> list[str]:
    env, moves = DuelTRLEnv(), []
    env.reset(**row)
    while env.episode is not None and not env.episode.done:
        moves.append(env.episode.oracle_moves()[0])
        env.move(moves[-1])
    return moves


class ScriptedTrainer(GRPOTrainer):  # type: ignore[misc]  # the class of a package that is not installed
    """The model follows the plan of its rollout; everything else is done by TRL."""

    plans: dict[str, list[str]]

    def _generate_single_turn(self, prompt_ids: Any, *_: Any, **__: Any) -> tuple[list[list[int]], None]:
        said = []
        for place, ids in enumerate(prompt_ids):
            text = self._tokenizer.decode(ids)
            started = [name for name in self.plans if f"Plan {name}." in text]
            name = started[0] if started else list(self.plans)[place % len(self.plans)]
            said.append(
                f"Plan {name}.{self._next(self.plans[name], text.count('<tool_response>'))}<|im_end|>"
            )
        return [self._tokenizer(each, add_special_tokens=False)["input_ids"] for each in said], None

    @staticmethod
    def _next(moves: list[str], made: int) -> str:
        if made >= len(moves):
            return ""
        call = {"name": "move", "arguments": {"move": moves[made]}}
        return f"\n<tool_call>\n{json.dumps(call)}\n</tool_call>"


def make_trainer(folder: Path, rows: list[dict[str, Any]]) -> ScriptedTrainer:
    """A trainer for one step with a new model of a few thousand weights."""
    tokenizer = tiny_tokenizer()
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=16_384,
    )
    arguments = GRPOConfig(
        output_dir=str(folder),
        max_steps=1,
        per_device_train_batch_size=3,
        num_generations=3,
        use_cpu=True,
        bf16=False,
        report_to="none",
        save_strategy="no",
        logging_steps=1,
        disable_tqdm=True,
        learning_rate=0.1,
        max_completion_length=8_000,
    )
    return ScriptedTrainer(
        model=Qwen2ForCausalLM(config),
        processing_class=tokenizer,
        args=arguments,
        train_dataset=Dataset.from_list(rows),
        environment_factory=DuelTRLEnv,
    )


def test_a_trainer_rewards_perfect_play_above_illegal_moves_and_silence(tmp_path: Path) -> None:
    rows = duel_rows(1, "summation-duel", opponent="casual", attempts=2)
    trainer = make_trainer(tmp_path, rows)
    trainer.plans = {"perfect": perfect_line(rows[0]), "illegal": ["99", "x"], "silent": []}
    before = [each.detach().clone() for each in trainer.model.parameters()]
    trainer.train()
    assert [each.get_reward() for each in trainer.environments] == [0.0, -1.0, -1.0]
    perfect, illegal, silent = (each.episode for each in trainer.environments)
    assert perfect.outcome_of(perfect.seat) == "win" and len(perfect.steps) == len(trainer.plans["perfect"])
    assert [each.cause for each in illegal.steps] == ["illegal", "unreadable"]
    assert [each.answer for each in silent.steps] == ["", ""]
    log = trainer.state.log_history[0]
    assert log["rewards/DuelTRLEnv/mean"] == pytest.approx(-2 / 3)
    assert log["tools/failure_frequency"] == 0.0
    assert any(not torch.equal(old, new) for old, new in zip(before, trainer.model.parameters(), strict=True))


def test_the_example_runs() -> None:
    assert "reward" in run_example("trl_environment")
