"""The games as tools of the Model Context Protocol: `duel mcp`, and `/mcp` of `duel serve --mcp`.

results.py     what the tools return, as typed data
open_games.py  the games in progress, with limits
tools.py       what each tool does; knows no protocol
server.py      the server; only this module imports the package `mcp`
board.html     the board as an MCP App
"""
