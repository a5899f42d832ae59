"""Fixtures of the web tests."""

from web.browsers import chromium, hosted, visit

__all__ = ["chromium", "hosted", "visit"]
