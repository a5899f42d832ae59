"""What is known about a position or a game: solutions, hints, reviews, puzzles and checked claims."""
