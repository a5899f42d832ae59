"""Logs that machines can read: one JSON object in each line."""

from __future__ import annotations

import json
import logging
import os


class Lines(logging.Formatter):
    """Makes a line of a message."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, object] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "worker": os.getpid(),
            "from": record.name,
        }
        text = record.getMessage()
        try:
            inner = json.loads(text)
            told |= inner if isinstance(inner, dict) else {"message": text}
        except ValueError:
            told["message"] = text
        if record.exc_info:
            told["fault"] = self.formatException(record.exc_info)
        return json.dumps(told)
