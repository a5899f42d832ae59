"""What one person does: a game, a match, a puzzle, a lesson, a review; and what is kept of it on this disk.

Start with `live_game.py`: a game that is played here, above `game_in_progress.py`, which says for all fronts
who may do what. `setup.py` is what is chosen before a game and how it begins or goes on, `series.py` a match,
`live_text.py` what is said about a game. `puzzles.py`, `lessons.py`, `review_view.py` and `statistics.py` are
what their names say; `saved_games.py` finds and describes files.

Nothing here prints, asks or draws: the fronts do. It imports `game`, `solvers`, `players` and `analysis`.

Files are read and written with the standard library alone. A damaged or hostile file is never an error: what
cannot be read is left out, and a note says so. Functions that write return a note for the player: empty if
all went well, or if it was reported before. Functions that read append notes to the list that is passed.
"""
