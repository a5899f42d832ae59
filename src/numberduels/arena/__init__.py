"""The arena: players meet in many games, every move is judged by a proof, and everything is kept.

A run: `plan` says who meets whom, and what models would cost; `run` plays it on processes of `engine`;
`game_runner` plays one game and `move_judge` judges its moves; `results` is what is saved of a game,
`run_folder` the files.
A report: `report` reads a folder and counts by `statistics`, `conditions` and `ratings`, with `intervals`;
`tables` builds its tables of `cells`; `cells` and `page` show them. `export` writes decisions as rows.

It may import `engine`, `analysis`, `players`, `solvers` and `game`. Start reading with `plan` and `run`.
"""
