"""Moves and answers of the computer, computed in worker processes."""
