"""Base URLs of model servers, and the environment variables for them and for keys."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

BASE_URL = "NUMBERDUELS_BASE_URL"
KEYS = ("NUMBERDUELS_API_KEY", "OPENAI_API_KEY")
"""The environment variables for the API key; the first that is set is used."""


def check_base_url(base_url: str) -> str:
    """The base URL without a final slash; ValueError says what is wrong with it."""
    if not base_url:
        raise ValueError(
            f"no endpoint is known: give a base URL or set {BASE_URL}, such as http://localhost:8000/v1"
        )
    if not re.fullmatch("[!-~]+", base_url):
        raise ValueError("a base URL has no blanks and none but plain characters")
    try:
        parts = urlsplit(base_url)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise ValueError(
            "a base URL begins with http:// or https:// and a host, such as http://localhost:8000/v1"
        )
    if "@" in parts.netloc or "?" in base_url or "#" in base_url:
        # The URL appears in messages and results, so it must not contain a secret.
        raise ValueError(
            f"a base URL ends with its path and names no user; a key belongs in the variable {KEYS[0]}"
        )
    return base_url.rstrip("/")
