"""Conversation: the messages to a language model about one game, and the moves in its answers.

A disguise is the same game under another name and with other numbers, to tell reasoning from recall. The
messages of a game are said with the texts of its catalogue `locale/disguise.mo`. Every number is multiplied
before a model sees it, and every number that it answers is divided again. That keeps order, sums, multiples
and factors as they are, so a disguised game is the same game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from numberduels.game import options
from numberduels.game.contract import OTHER, Game, IllegalMove, Seat, Unreadable
from numberduels.game.formatting import short
from numberduels.game.messages import ENGLISH, Language, Message, message_of, translator
from numberduels.game.registry import spec_of
from numberduels.game.spec import GameSpec
from numberduels.players.answer_parsing import readings, stated_move
from numberduels.players.endpoint import LONGEST_TRY, TRIES, ChatMessage
from numberduels.players.external import ExternalSettings
from numberduels.players.player import ILLEGAL, UNREADABLE

LONGEST_KEPT = 20_000
"""Characters of one answer that are kept."""
MOST_LISTED = 200
"""Legal moves that are listed one by one; beyond that the game's own short way must do."""

NOTHING_STATED = "There is no line of the form MOVE: followed by a move."


class ReadAnswer(NamedTuple):
    """What an answer says: a legal move, or why there is none and the cause of that."""

    move: Any
    fault: str = ""
    cause: str = ""
    """ILLEGAL or UNREADABLE; empty if there is a move."""


class Conversation:
    """The messages to a model about one game, and the moves in its answers."""

    def __init__(self, game: Game[Any, Any], settings: ExternalSettings, *, timed: bool = True) -> None:
        """Tell the time for an answer only if it is `timed`."""
        self.game = game
        self.settings = settings
        self.timed = timed
        self.spec = spec_of(game)
        self.disguise = Disguise(self.spec) if settings.disguise else None
        self.game_text = self.spec.text_for(game, language=self.disguise or ENGLISH)
        self.attempts = max(1, settings.attempts)

    def question(
        self, state: Any, played: Sequence[Hashable] | None = None, drawn: int = 0
    ) -> list[ChatMessage]:
        """The conversation up to the model's first answer; without the moves so far if nobody told them.

        So many first moves were drawn and chosen by nobody.
        """
        seat = self.game.turn(state)
        values = {
            "player": self.game_text.label(seat),
            "rules": self.rules(state),
            "limits": self._limits(),
            "history": "" if played is None else self._history(played, seat, drawn),
            "position": self.position(state),
            "legal": fill_template(prompt("legal.txt"), {"moves": self.legal(state)})
            if self.settings.legal
            else "",
            "form": self._form(),
        }
        return [
            {"role": role, "content": fill_template(prompt(f"{role}.txt"), values)}
            for role in ("system", "user")
        ]

    def again(self, answer: str, fault: str, left: int) -> list[ChatMessage]:
        """How the conversation goes on after an answer that could not be played, with so many left."""
        said = shortened(answer) if answer.strip() else "(no answer)"  # many servers take no empty message
        more = fill_options(prompt("left.txt"), {"left": str(left), "last": "yes" if left == 1 else "no"})
        user = fill_template(prompt("again.txt"), {"fault": fault, "left": more, "form": self._form()})
        return [{"role": "assistant", "content": said}, {"role": "user", "content": user}]

    def answer(self, state: Any, text: str) -> ReadAnswer:
        """The move that the text answers, or why it cannot be played."""
        said = stated_move(text)
        if said is None:
            return ReadAnswer(None, NOTHING_STATED, UNREADABLE)
        first: ReadAnswer | None = None
        for reading in readings(said):
            found = self._read(state, reading)
            if found.cause != UNREADABLE:
                return found
            first = first or found
        assert first is not None, "a statement has at least one reading"
        return first

    def _read(self, state: Any, said: str) -> ReadAnswer:
        try:
            inner = self.disguise.unscale(said) if self.disguise else said
        except IllegalMove as fault:  # in the words of the disguise already
            return ReadAnswer(None, str(fault), ILLEGAL if said.isdigit() else UNREADABLE)
        try:
            move = self.game_text.parse_move(inner)
            self.game.play(state, move)
        except (Unreadable, IllegalMove) as fault:
            # Quote the answer as the model wrote it.
            message = message_of(fault)
            quoted = {
                name: short(said) if value == short(inner.strip()) else value
                for name, value in message.values.items()
            }
            told = self.game_text.language.say(Message(message.template, message.plural, **quoted))
            return ReadAnswer(None, told, ILLEGAL if isinstance(fault, IllegalMove) else UNREADABLE)
        return ReadAnswer(move)

    def shown(self, move: Hashable) -> str:
        """A move as the model sees it."""
        text = self.game_text.format_move(move)
        return self.disguise.scale(text) if self.disguise else text

    def rules(self, state: Any) -> str:
        """The rules with the options filled in; of a game that has no such text, its book."""
        texts = options.format_every_option(self.game)
        if self.disguise:
            return self.disguise.scale(
                fill_options(self.spec.resource("locale/disguise/prompt.txt") or "", texts)
            )
        text = self.spec.resource("prompt.txt")
        if text is not None:
            return fill_options(text, texts)
        values = {
            "book": rules_for_prompt(self.spec),
            "options": ", ".join(f"{name} {value or 'none'}" for name, value in texts.items()),
            "example": self.game_text.typed(self.game.moves(state)[0]),
        }
        return fill_template(prompt("book.txt"), values)

    def position(self, state: Any) -> str:
        """The position, and what limits the next move."""
        text = f"{self.game_text.position(state)}{self.game_text.status(state)}".strip("\n")
        return json_board(text) if self.settings.board == "json" else text

    def legal(self, state: Any) -> str:
        """The legal moves in one line."""
        moves = self.game.moves(state)
        if len(moves) > MOST_LISTED:
            return self.game_text.list_moves(state).strip("\n")
        return ", ".join(map(self.shown, moves))

    def _history(self, played: Sequence[Hashable], seat: Seat, drawn: int) -> str:
        """Who moved what, counted back from the last move, which was the opponent's."""
        who = (OTHER[seat], seat)
        lines = []
        for back, move in enumerate(reversed(played)):
            lot = " (drawn by lot)" if len(played) - back <= drawn else ""
            lines.append(f"{self.game_text.label(who[back % 2])}: {self.shown(move)}{lot}")
        moves = "".join(f"\n{line}" for line in reversed(lines)) or " none"
        return fill_template(prompt("history.txt"), {"moves": moves})

    def _limits(self) -> str:
        """How many answers there are, and how much time for each; no time if it is not limited."""
        seconds = min(self.settings.seconds, LONGEST_TRY)
        values = {
            "several": "yes" if self.attempts > 1 else "no",
            "attempts": str(self.attempts),
            "timed": "yes" if self.timed else "no",
            "seconds": f"{seconds:g} second{'s' * (seconds != 1)}",
            "tries": str(TRIES),
        }
        return fill_options(prompt("limits.txt"), values)

    def _form(self) -> str:
        return prompt("reasoning.txt" if self.settings.reasoning else "answer_only.txt")


def shortened(text: str, longest: int = LONGEST_KEPT) -> str:
    """The text, or its two ends if it is too long to be kept."""
    if len(text) <= longest:
        return text
    half = longest // 2 - 40
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


# Templates


@cache
def prompt(name: str) -> str:
    """A text from the folder of prompts, without its last line end."""
    return files("numberduels.players").joinpath("prompts", name).read_text(encoding="utf-8").rstrip("\n")


def fill_template(text: str, values: Mapping[str, str]) -> str:
    """The template with its fields filled in. An empty field alone on a line takes the line along.

    >>> fill_template("{history}\\n\\nNow: {position}", {"history": "", "position": "1,2"})
    'Now: 1,2'
    """
    empty = "|".join(re.escape(f"{{{name}}}") for name, value in values.items() if not value)
    if empty:
        text = re.sub(rf"^(?:{empty})\n(?:[ \t]*\n)?", "", text, flags=re.MULTILINE)
    return text.format_map(values).strip()


def fill_options(text: str, values: Mapping[str, str]) -> str:
    """The text with options filled in, and of the lines for some choice only those for the one made.

    >>> fill_options("Up to {size}.\\n?how=free: Freely.\\n?how=lower: Lower.", {"size": "4", "how": "free"})
    'Up to 4.\\nFreely.'
    """
    lines = []
    for line in text.strip("\n").split("\n"):
        condition = re.match(r"\?(\w+)=(\w+): ", line)
        if condition is None:
            lines.append(line)
        elif values[condition[1]] == condition[2]:
            lines.append(line[condition.end() :])
    return "\n".join(lines).format_map(values)


def rules_for_prompt(spec: GameSpec) -> str:
    """A game's book without what is for a keyboard, and without advice."""
    try:
        text = spec.rulebook()
    except (OSError, AssertionError):  # a game of somebody else's may come without
        return f"{spec.title}: {spec.summary}"
    sections = re.split("^(?=## )", text, flags=re.MULTILINE)
    unwanted = ("## Options", "## At the prompt", "## How to win")
    return "".join(section for section in sections if not section.startswith(unwanted)).strip()


# The position as JSON: the same words and numbers as the text of the game

ENTRY = re.compile(r"([^:\[\].]{1,60}):[ \t]*(.*)")
"""A line such as `Total Sum: 18`."""
CELLS = re.compile(r"(?:\[ *[0-9]* *\]){2,}|\[ *\]")
NUMBERS = re.compile(r"\[?((?:[0-9]+(?:-[0-9]+)?(?:, ?)?)*)\]?")
LISTS = re.compile(r"\b(?:numbers|tokens|positions|slots|cells)\b", re.IGNORECASE)
"""Words of a heading above several numbers, even if only one is left."""

LONGEST_RUN = 10_000
"""A longer run, such as 1-50000, stays a text."""


def json_board(text: str) -> str:
    """The text of a position as one JSON object. Sentences become its note.

    >>> print(json_board("Available Numbers: 1,3\\nScores:\\nPlayer 1: 4\\nPlayer 2: 0\\nYou must pick."))
    {"Available Numbers": [1, 3], "Scores": {"Player 1": 4, "Player 2": 0}, "note": "You must pick."}
    """
    data: dict[str, Any] = {}
    notes: list[str] = []
    inside = data
    for line in _entries(text):
        found = ENTRY.fullmatch(line)
        if found is None:
            notes.append(line)
        elif not found[2]:
            inside = data[found[1]] = {}
        elif found[1].startswith("Player ") and found[1][7:].isdigit():
            inside[found[1]] = _value(found[1], found[2])
        else:
            inside = data
            data[found[1]] = _value(found[1], found[2])
    return json.dumps(data | ({"note": " ".join(notes)} if notes else {}), ensure_ascii=False)


def _entries(text: str) -> list[str]:
    """The lines, and the entries of a line that has several: `Numbers: 1-5. Empty Positions: 2.`"""
    lines = []
    for line in text.splitlines():
        parts = re.split(r"(?<=[0-9\]])\. (?=[^:.]+: )", line.strip())
        several = len(parts) > 1
        lines += [part.rstrip(".") if several else part for part in parts if part]
    return lines


def _value(name: str, text: str) -> Any:
    """A number, a list of numbers, the cells of a line (null if empty), or the text."""
    if CELLS.fullmatch(text) and text != "[]":
        return [int(cell) if cell.strip() else None for cell in re.findall(r"\[([^\]]*)\]", text)]
    found = NUMBERS.fullmatch(text)
    if text == "None":
        return []
    if found is None:
        return text
    numbers: list[int] = []
    for each in re.findall("[0-9]+(?:-[0-9]+)?", found[1]):
        low, _, high = each.partition("-")
        run = range(int(low), int(high or low) + 1)
        if len(run) > LONGEST_RUN:
            return text
        numbers += run
    single = len(numbers) == 1 and not text.startswith("[") and not LISTS.search(name)
    return numbers[0] if single else numbers


# Disguise

CODE = "disguise"
FACTOR = 7

NUMBER = re.compile("(?<!Player )(?<![0-9])[0-9]+")
"""A number of the game; the digits of Player 1 and Player 2 are none."""
MAX_DIGITS = 12
"""Longer numbers belong to no game here."""


class Disguise(Language):
    """The language of a disguised game.

    >>> from numberduels.game.registry import spec
    >>> disguise = Disguise(spec("range-war"))
    >>> disguise.number(3), disguise.scale("3@5"), disguise.unscale("21 at 35")
    ('21', '21@35', '3 at 5')
    """

    consecutive = False

    def __init__(self, spec: GameSpec, factor: int = FACTOR) -> None:
        """ValueError if the game has no disguise."""
        if spec.resource("locale/disguise/prompt.txt") is None:
            raise ValueError(f"there is no disguise for {spec.name}")
        super().__init__(translator(CODE, spec.rules.__module__))
        self.factor = factor

    def number(self, number: int) -> str:
        return str(number * self.factor)

    def scale(self, text: str) -> str:
        """A move or the rules with the numbers of the disguise."""
        return NUMBER.sub(lambda found: self.number(int(found[0])), text)

    def unscale(self, text: str) -> str:
        """What a model wrote with the game's own numbers; IllegalMove where a number is none of the disguise.

        >>> from numberduels.game.registry import spec
        >>> Disguise(spec("range-war")).unscale("22")
        Traceback (most recent call last):
        numberduels.game.contract.IllegalMove: There is no label 22 in this game.
        """
        return NUMBER.sub(self._divided, text)

    def _divided(self, found: re.Match[str]) -> str:
        digits = found[0].lstrip("0") or "0"
        if len(digits) > MAX_DIGITS:
            raise IllegalMove(f"There is no label {digits[:MAX_DIGITS]}... in this game.")
        number, rest = divmod(int(digits), self.factor)
        if rest:
            raise IllegalMove(f"There is no label {digits} in this game.")
        return str(number)
