"""Where games are kept: an append-only log of events for each, in a file or in PostgreSQL."""
