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


def carry_token(match_id: str, secret: str) -> str:
    """The token of a link that takes a seat along to another device.

    >>> carry_token("kx3", "se-cret")
    'kx3-se-cret'
    """
    return f"{match_id}-{secret}"


def read_carry_token(token: str) -> tuple[str, str]:
    """The match and the secret of such a token.

    >>> read_carry_token("kx3-se-cret")
    ('kx3', 'se-cret')
    """
    match_id, _, secret = token.partition("-")
    return match_id, secret


def hash_secret(secret: str) -> str:
    """The hash of a secret; empty for an empty one. Secrets are long and random: one round is enough."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()[:40] if secret else ""
