"""Restricted Removal as a graph of conflicts: two numbers exclude each other if one divides the other."""

from __future__ import annotations

from numberduels.games.restricted_removal.rules import RestrictedRemoval, Shelf, neighbours
from numberduels.games.restricted_removal.theory import interchange
from numberduels.games.restricted_removal.work_counts import estimate_lengths
from numberduels.solvers.game_length import ConflictGraph


def conflict_graph(game: RestrictedRemoval) -> ConflictGraph:
    """The graph on the numbers 2..size; the vertices are the numbers."""
    return ConflictGraph(neighbours(game.size), available_numbers, interchange(game.size), estimate_lengths)


def available_numbers(state: Shelf) -> int:
    """The set of numbers that can still be removed."""
    return state[0]
