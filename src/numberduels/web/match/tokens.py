"""Random match ids, random secrets, and the hashes of secrets that are stored."""

from __future__ import annotations

from hashlib import sha256
from secrets import choice, token_urlsafe

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits without those that look alike."""
LENGTH = 14


def new_match_id() -> str:
    """A random id of about 69 bits, so that nobody finds a match by guessing."""
    return "".join(choice(ALPHABET) for _ in range(LENGTH))


def new_secret() -> str:
    """A secret for one browser, bot or invitation."""
    return token_urlsafe(24)


def hash_secret(secret: str) -> str:
    """The hash of a secret; empty for an empty one. Secrets are long and random: one round is enough."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()[:40] if secret else ""
