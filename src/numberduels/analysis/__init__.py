"""What is known about positions and games: solutions, hints, reviews, puzzles, lessons, claims, sequences.

`solution` solves a position, `judgement` judges a move by it, `review` all moves of a game. `sequences` and
`game_length` tabulate games by size, and `charts` draws them. It imports `game`, `solvers` and `players`,
never a front. Begin with `solution`.
"""
