"""What is known about positions and games: solutions, hints, reviews, puzzles, lessons, claims, sequences.

`solution` solves a position, `judgement` judges a move by it, `review` all moves of a game; `review_text` and
`charts` put that into words and pictures. `sequences` and `game_length` tabulate games by size. It
imports `game`, `solvers` and `players`, never a front. Begin with `solution`.
"""
