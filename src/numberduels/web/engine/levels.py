"""The computer players that visitors can choose."""

LEVELS = ("random", "greedy", "beginner", "casual", "skilled", "expert", "perfect")
"""Names of the levels, weakest first."""
