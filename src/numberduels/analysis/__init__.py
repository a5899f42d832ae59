"""Analysis of positions and games: solutions, hints, reviews, puzzles and claims."""
