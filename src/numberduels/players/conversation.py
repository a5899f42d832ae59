"""Conversation: the messages to a language model about one game, and the moves in its answers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from numberduels.game import options
from numberduels.game.contract import OTHER, Game, IllegalMove, Seat, Unreadable
from numberduels.game.formatting import short
from numberduels.game.messages import ENGLISH, Message, message_of
from numberduels.game.registry import spec_of
from numberduels.players.answers import readings, stated_move
from numberduels.players.endpoint import LONGEST_TRY, TRIES, ChatMessage
from numberduels.players.external import ExternalSettings
from numberduels.players.player import ILLEGAL, UNREADABLE
from numberduels.players.prompt_texts import (
    Disguise,
    fill_options,
    fill_template,
    json_board,
    prompt,
    rules_for_prompt,
)

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
