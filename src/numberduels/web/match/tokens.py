"""Names that cannot be guessed, and secrets of which only the hash is kept."""

from __future__ import annotations

from hashlib import sha256
from secrets import choice, token_urlsafe

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Without letters and digits that look alike."""
LENGTH = 14


def fresh_id() -> str:
    """A name for a game, of some 69 bits, so that nobody finds a game by trying."""
    return "".join(choice(ALPHABET) for _ in range(LENGTH))


def fresh_secret() -> str:
    """What only one browser, or one bot, will know."""
    return token_urlsafe(24)


def hashed(secret: str) -> str:
    """What is kept of a secret; of none, nothing. It is long and random: one round is enough."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()[:40] if secret else ""
