r"""Reads the move in the answer of a language model, as a fair reader would: docs/answers.md shows examples.

The move is what the last line of the form `MOVE: ...` states. Marks, tags and comments around it are ignored,
and digits of other scripts are read. Nothing is guessed: prose that only mentions a move states none, and a
statement that leaves a choice is no move.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

INVISIBLE = (
    *("\u00ad", "\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff", "\ufe0f", "\u20e3"),
    *map(chr, range(0x202A, 0x202F)),
    *map(chr, range(0x2066, 0x206A)),
)
"""Byte order marks, zero-width spaces, joiners, marks of the writing direction, the keycap of an emoji."""
PLAIN = str.maketrans(dict.fromkeys(INVISIBLE, "")) | str.maketrans(
    "\uff1a\u2236\ufe55\uff1d\uff20\u3002\uff0e\u00a0\u202f\u3000\uff08\uff09\uff0c", ":::=@..   (),"
)
"""Characters that are deleted, or replaced by the ASCII character that they stand for."""
OTHER_DIGIT = re.compile(r"(?![0-9])\d")
"""A decimal digit of another script, such as Arabic or full-width. Superscripts are none."""

THOUGHT = re.compile(r"</(?:think|thinking|thought|reasoning)>|\[/THINK\]")
OPEN_THOUGHT = re.compile(r"\s*(?:<(?:think|thinking|thought|reasoning)>|\[THINK\])")
ANALYSIS = re.compile(r"<\|channel\|>analysis<\|message\|>.*?(?:<\|end\|>|\Z)", re.DOTALL)
"""Reasoning of models that name the channel of each message."""

BOX_TOKEN = re.compile(r"<\|(?:begin|end)_of_box\|>")
END_TOKEN = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|<\uff5c[^\uff5c<>\n]{1,40}\uff5c>|</?s>|<(?:bos|eos|end_of_turn)>"
)
"""Control tokens that a server has left in the text, such as `</s>` or `<|im_end|>`."""
WRAPPER = re.compile(
    r"</?(?:answer|final|final_answer|move|output|response|result|solution|p|div|br ?/?)>", re.I
)
"""Tags around an answer: they end a line."""
INLINE = re.compile(r"</?(?:b|i|u|em|strong|code|mark|span|kbd|tt)>", re.I)
"""Tags inside a line: they are ignored."""
LATEX = re.compile(r"\\(?:boxed|text|textbf|mathbf|mathrm|fbox)\{([^{}]*)\}")
LATEX_EDGE = re.compile(r"\\[()\[\]]")

MARKS = " \t*_`~$\"'\u201c\u201d\u2018\u2019\u00ab\u00bb"
"""What may stand around the word and around the move: emphasis, code, formulas, quotation marks."""
BEFORE, BEHIND = MARKS + "[({", MARKS + "])}|,;!.\u2705\u2714"
"""What may stand around the move alone: brackets, the edge of a table, the end of a sentence, a tick."""
BULLET = re.compile(r"(?:[0-9]{1,3}[.)]|[-+>#|\u2022\u2013\u2014\u2192\u2705\u2714]+)\s*")
LEAD_IN = re.compile(
    r"(?:(?:therefore|thus|so|hence|finally|(?:in )?conclusion|i (?:play|choose|answer)"
    r"|(?:(?:my|the|final) ){0,2}(?:answer|choice|decision)(?: is)?|my|final)"
    r"[\s,:;.!*_`~$\"\u2013\u2014-]{1,6}){1,3}(?=move)",
    re.IGNORECASE,
)
"""Words of a conclusion that may come before `MOVE:`."""
NEW_SENTENCE = re.compile(r"[.!?\u2026][\"')*_]{0,3}\s{1,4}[*_`~$\"'\u201c]{0,4}(?=MOVE)")
"""The end of a sentence before `MOVE:`."""
WHOLE_MOVE = re.compile(
    r"(?:place |put )?[0-9]{1,12}(?: ?(?:@|at) ?(?:position |cell |slot )?[0-9]{1,12})?", re.I
)
"""A number or a placement that fills a line, or that a comment follows."""

LONGEST_STATEMENT = 400
"""A longer statement is no move with a comment."""
ALTERNATIVES = "or|maybe|perhaps|possibly|alternatively|else|otherwise|not"
CONTINUATIONS = "and|then|if|unless|but|to|at|versus|vs|followed|minus|plus|times"
"""Words with which a remark changes the move: after a full stop the first, otherwise both."""
COMMENT = re.compile(
    rf"\s*\((?!\s*(?:{ALTERNATIVES}|{CONTINUATIONS})\b)(?=[^()]*[^\W\d_])[^()]*\)"
    rf"|(?:\s+(?:-{{1,3}}|[\u2013\u2014#]|//|\u2192|=>|->)\s*|[,;:]\s+)"
    rf"(?!(?:{ALTERNATIVES}|{CONTINUATIONS})\b)[^\W\d_].*"
    rf"|[.!]\s+(?!(?:{ALTERNATIVES})\b)[^\W\d_].*"
    r"|\s+(?:because|since|which)\b.*",
    re.IGNORECASE,
)
"""What may follow a move: a remark in brackets, after a dash or a full stop, or a reason."""
LEADING_WORDS = re.compile(
    r"(?:i |will |the |my |take |taking |play |select |choose |pick |remove |claim |use )*"
    r"(?:number |token |label |no\. ?|#)?(?=[0-9])",
    re.IGNORECASE,
)
"""Words that may come before the number."""
PLACE_WORDS = re.compile(
    r"\b(?:number |token )(?=[0-9])|(?<=at )(?:the )?(?:position |cell |slot )(?=[0-9])", re.I
)


def stated_move(text: str) -> str | None:
    r"""What the last line of the form `MOVE: ...` states; None if no line has it.

    >>> stated_move("MOVE: 4? No.\n\n- **Move:** `5`."), stated_move("I play 5.")
    ('5', None)
    """
    text = plain_text(without_thinking(text))
    below = ""
    """The next line that is not blank."""
    for line in reversed(_without_latex(text).splitlines()):
        said = _statement(line, below) if "move" in line.lower() else ""
        if said:  # else it only repeats the form
            return said
        below = line if line.strip() else below
    return None


def readings(said: str) -> Iterator[str]:
    """The moves that a statement can mean, the most literal first: the first that can be read counts.

    >>> list(readings("number 5 (the middle)"))
    ['number 5 (the middle)', 'number 5', '5']
    """
    yield said
    if len(said) > LONGEST_STATEMENT:
        return
    found = COMMENT.search(said)
    bare = said[: found.start()].rstrip(BEHIND) if found else said
    words = LEADING_WORDS.match(bare)
    shorter = PLACE_WORDS.sub("", bare[words.end() :] if words else bare)
    yield from dict.fromkeys(each for each in (bare, shorter) if each not in ("", said))


def without_thinking(text: str) -> str:
    """The text without a thought that a server has left in it; a thought without an end is all thought.

    >>> without_thinking("<think>MOVE: 3 or 4?</think>MOVE: 4"), without_thinking("<think>MOVE: 3, or")
    ('MOVE: 4', '')
    """
    text = ANALYSIS.sub("", text)
    end = 0
    for found in THOUGHT.finditer(text):
        end = found.end()
    if end:
        return text[end:]
    return "" if OPEN_THOUGHT.match(text) else text


def plain_text(text: str) -> str:
    """The text without control tokens, tags and invisible characters, and with ASCII digits.

    >>> plain_text("<answer>MOVE\uff1a \uff15\u200b</answer><|im_end|>").strip()
    'MOVE: 5'
    """
    for pattern, replacement in ((BOX_TOKEN, ""), (END_TOKEN, "\n"), (WRAPPER, "\n"), (INLINE, "")):
        text = pattern.sub(replacement, text)
    return OTHER_DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), text.translate(PLAIN))


def _statement(line: str, below: str = "") -> str:
    """What a line states as a move, or nothing; if it ends after the colon, the line below may say it."""
    line = _without_bullet(line)
    if lead := LEAD_IN.match(line):
        line = line[lead.end() :]
    rest = _after_colon(line)
    if rest is None:
        *_, last = [None, *NEW_SENTENCE.finditer(line)]
        rest = _after_colon(line[last.end() :]) if last else None
        if rest is None or not _is_move_with_comment(_trimmed(rest)):
            return ""
    if rest.strip(MARKS):
        return _trimmed(rest)
    alone = (_trimmed(below), _trimmed(_without_bullet(below)))
    return next((each for each in alone if WHOLE_MOVE.fullmatch(each)), "")


def _trimmed(said: str) -> str:
    """A statement without the marks around it; brackets that open inside it are closed."""
    said = said.lstrip(BEFORE).rstrip(BEHIND)
    for opening, closing in ("()", "[]", "{}"):
        if said.count(opening) > said.count(closing):
            said += closing
    return said


def _without_latex(text: str) -> str:
    """The text without the commands of LaTeX around a move; one may be inside another."""
    return LATEX_EDGE.sub("", LATEX.sub(r"\1", LATEX.sub(r"\1", text)))


def _without_bullet(line: str) -> str:
    line = line.strip(MARKS)
    bullet = BULLET.match(line)
    return line[bullet.end() :].lstrip(MARKS) if bullet else line


def _after_colon(line: str) -> str | None:
    """What follows `MOVE:` at the beginning of a line; None if the line begins otherwise."""
    rest = line[4:].lstrip(MARKS)
    return rest[1:] if line[:4].lower() == "move" and rest[:1] in (":", "=") else None


def _is_move_with_comment(said: str) -> bool:
    found = WHOLE_MOVE.match(said[:LONGEST_STATEMENT])
    return found is not None and (found.end() == len(said) or COMMENT.match(said, found.end()) is not None)
