"""The computer players that visitors can choose."""

LADDER = ("beginner", "casual", "skilled", "expert", "perfect")
"""The levels that pages offer, weakest first."""

LEVELS = ("random", "greedy", *LADDER)
"""Names of all levels, weakest first."""
