"""The web server of `duel serve`: pages, the JSON API, live updates, and the store of games.

`store/` keeps events in SQLite or PostgreSQL, and knows nothing of games. `match/` builds matches from
events: `model.py` is a match, `commands.py` what players may do, `service.py` stores an event before anybody
hears of it, `engine_queries.py` asks the engine and caches its answers. Neither knows HTTP. `http/` has the
pages and the API: start with `app.py`, then `match_pages.py` for the page of a game, `api.py` for bots,
`rate_limits.py` and `connections.py` for limits. `settings.py` has every option of the server.

It imports `engine`, `play`, `analysis`, `players`, `solvers` and `game`, and no other front.
"""
