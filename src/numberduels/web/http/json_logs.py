"""Logs as JSON: one object in each line."""

from __future__ import annotations

import json
import logging
import os


class JsonFormatter(logging.Formatter):
    """Formats a log record as a line of JSON; a message that is a JSON object becomes part of it."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "worker": os.getpid(),
            "from": record.name,
        }
        text = record.getMessage()
        try:
            inner = json.loads(text)
            line |= inner if isinstance(inner, dict) else {"message": text}
        except ValueError:
            line["message"] = text
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line)
