"""Stores of games: each game is an append-only log of events, in an SQLite file or in PostgreSQL."""
