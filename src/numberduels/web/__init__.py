"""The games in the browser: a server that one command starts."""
