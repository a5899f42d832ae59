"""What the tests of the pages share."""

from web.browsers import chromium, hosted, visit

__all__ = ["chromium", "hosted", "visit"]
