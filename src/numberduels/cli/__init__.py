"""The `duel` command and its prompt."""
