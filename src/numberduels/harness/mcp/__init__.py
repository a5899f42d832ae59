"""The games as tools of the Model Context Protocol: `duel mcp`, and `/mcp` of `duel serve --mcp`.

results.py     what the tools return, as typed data
open_games.py  the games in progress, with limits
tools.py       what each tool does, in a worker process; knows no protocol
calls.py       which worker computes a call, for whom, and what becomes of its game
server.py      the server; only this module and http.py import the package `mcp`
http.py        the server as an endpoint of a web server
board.html     the board as an MCP App
"""
