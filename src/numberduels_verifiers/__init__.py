"""The taskset `numberduels-verifiers`: verifiers finds a taskset by the name of a top-level module."""

from numberduels.harness.verifiers_chat import DuelChatHarness
from numberduels.harness.verifiers_env import DuelEnv, DuelTaskset

__all__ = ["DuelChatHarness", "DuelEnv", "DuelTaskset"]
