"""What a game is: the contract that every game fulfils, and what follows from it for all of them.

Start with `contract` (the five methods of a game and its optional capabilities), then `spec` (everything
that belongs to one game under one name) and `table` (a game in progress). `text`, `messages` and `options`
hold what a game says and how it is set up; `record` writes games down; `board` describes a position
for every front. `adopted` turns games of other libraries into games of ours, `batch` holds many positions as
arrays.

This room imports no other room, except `check_game`, which solves small games.
"""
