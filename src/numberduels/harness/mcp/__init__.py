"""The games as tools of the Model Context Protocol: `duel mcp`, and `/mcp` of `duel serve --mcp`.

tools.py    what each tool does, in a worker process, and what it returns; knows no protocol
calls.py    the games in progress, and which worker computes a call for whom
server.py   the server, for standard input and for a web server; only this module imports the package `mcp`
board.html  the board as an MCP App
"""
