"""What is kept about the player on this machine: settings, saved games, solved puzzles, finished lessons.

Everything is read and written with the standard library alone. A damaged or hostile file is never an error:
what cannot be read is left out, and a note says so. A folder that cannot be written is reported once.

Functions that write return a note for the player: empty if all went well, or if it was reported before.
Functions that read append their notes to the list that the caller passes.
"""
