"""Links as QR codes, drawn into the page."""

from __future__ import annotations

import segno
from markupsafe import Markup

QUIET_ZONE = 4
"""Modules of white around the code, as its standard asks for."""


def qr_code(url: str) -> Markup:
    """The link as an SVG element, dark on light in every theme.

    >>> qr_code("https://duels.example/").startswith("<svg")
    True
    """
    code = segno.make(url, error="m", micro=False)
    return Markup(
        code.svg_inline(
            border=QUIET_ZONE, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True
        )
    )
