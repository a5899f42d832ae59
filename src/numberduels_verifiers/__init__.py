"""The taskset `numberduels-verifiers`: verifiers finds a taskset by the name of a top-level module."""

from numberduels.harness.verifiers_env import DuelChatHarness, DuelTaskset, DuelVerifiersEnv

__all__ = ["DuelChatHarness", "DuelTaskset", "DuelVerifiersEnv"]
