"""Message catalogues: the texts of a language, compiled by gettext, in the folder `locale` of a package."""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO

from numberduels.game.loading import load_file
from numberduels.game.messages import ENGLISH, Language, Translate, english

SHARED = "numberduels.game"
"""The package whose catalogues hold what all games share."""


@cache
def catalogue(code: str, module: str = SHARED) -> NullTranslations:
    """The catalogue of a language beside a module, then the shared one; empty where there is none."""
    data = load_file(module, f"locale/{code}.mo")
    found = GNUTranslations(BytesIO(data)) if data else NullTranslations()
    if module != SHARED:
        found.add_fallback(catalogue(code))
    return found


def translator(code: str, module: str = SHARED) -> Translate:
    """What finds the texts of this language; English where the catalogues have none."""
    found = catalogue(code, module)

    def translate(template: str, plural: str, count: int) -> str:
        if plural:
            text = found.ngettext(template, plural, count)
            return english(template, plural, count) if text in (template, plural) else text
        return found.gettext(template)

    return translate


@cache
def language(code: str, module: str = SHARED) -> Language:
    """The language of this code, with the catalogues of the package that a module is in.

    >>> language("de").say(message) if (message := None) else "English is the language of the code"
    'English is the language of the code'
    """
    return ENGLISH if code == "en" else Language(translator(code, module))
