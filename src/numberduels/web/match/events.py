"""The kinds of events that a match is built from."""

from __future__ import annotations

from typing import Any

CREATED, JOINED, MOVED, UNDONE = "created", "joined", "moved", "undone"
ASKED, DECLINED, RESIGNED, REMATCHED = "asked", "declined", "resigned", "rematched"
OFFERED, REFUSED, AGREED, CLAIMED = "offered", "refused", "agreed", "claimed"
"""The kinds of events. ASKED and DECLINED are about takebacks; OFFERED, REFUSED and AGREED are about draws;
CLAIMED ends a game whose player to move has exceeded the time."""
CANCELLED, LENT, CARRIED, RECLAIMED = "cancelled", "lent", "carried", "reclaimed"
"""CANCELLED takes the invitation back. LENT makes a link that takes a seat along to another device, where a
JOINED event with `also` uses it, told as CARRIED. RECLAIMED takes the seat back from all other devices."""
VISITED = "visited"
"""A player has opened a rematch for the first time, and their clock may run."""

MAX_EVENTS = 5_000
"""Once a match has this many events, only those of ADVANCING follow. A match is always read as a whole."""

ADVANCING = (MOVED, RESIGNED, AGREED, CLAIMED, CANCELLED, REMATCHED)
"""The kinds of events that lead to the end of a match or follow it: the rules bound their number."""

NewEvent = tuple[str, dict[str, Any]]
"""Kind and data of the event that a command produces."""
