"""A language model as a player: it is asked in plain words and answers with a line `MOVE: ...`."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from numberduels import options
from numberduels.core import OTHER, Game, IllegalMove, M, S, Seat, Unreadable
from numberduels.messages import ENGLISH, Message, message_of
from numberduels.players.disguise import Disguise
from numberduels.players.endpoint import LONGEST_TRY, TRIES, ChatMessage, Endpoint
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.player import Attempt, Forfeit, Player
from numberduels.registry import spec_of
from numberduels.spec import GameSpec
from numberduels.text import short

LONGEST_KEPT = 20_000
"""Characters of one answer that are kept."""
MOST_LISTED = 200
"""Legal moves that are listed one by one; beyond that the game's own short way must do."""


class ChatPlayer(Player):
    """Any language model behind an OpenAI-compatible endpoint."""

    def __init__(
        self,
        model: str,
        settings: ExternalSettings = DEFAULT_SETTINGS,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        rng: Random | None = None,
    ) -> None:
        """Name the model as its server does; `sleep` and `rng` make and spread the waits between tries."""
        if not model.strip():
            raise ValueError("chat needs the name of a model, such as chat:llama3.1")
        self.name = f"chat:{model}"
        self.model = model
        self.settings = settings
        self.endpoint = Endpoint(
            settings.base_url,
            seconds=settings.seconds,
            concurrency=settings.concurrency,
            sleep=sleep,
            clock=clock,
            rng=rng,
        )
        self._played: Sequence[Hashable] | None = None

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        Conversation(game, self.settings)  # a game without a disguise is refused here, not in the middle
        self._played = None

    def set_history(self, played: Sequence[Hashable]) -> None:
        self._played = tuple(played)

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        conversation = Conversation(game, self.settings)
        messages = conversation.question(state, self._played, self.opening_plies)
        kept: list[Attempt] = []
        self.attempts = kept
        fault = ""
        for left in reversed(range(conversation.attempts)):
            reply = self.endpoint.ask(self.model, messages)
            move, fault = conversation.answer(state, reply.text)
            cost = self.settings.cost(self.model, reply.tokens_in, reply.tokens_out)
            reply = reply._replace(cost=reply.cost if cost is None else cost)
            kept.append(Attempt(shortened(reply.text), fault, *reply[1:]))
            if not fault:
                return move  # type: ignore[no-any-return]  # the words of the game have read it
            messages += conversation.again(reply.text, fault, left)
        raise Forfeit("illegal", f"There was no legal move in {len(kept)} answers; the last fault: {fault}")


class Conversation:
    """The messages to a model about one game, and the moves in its answers."""

    def __init__(self, game: Game[Any, Any], settings: ExternalSettings) -> None:
        self.game = game
        self.settings = settings
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
        player = self.game_text.label(seat)
        system = _filled("system.txt", player=player, rules=self.rules(state), limits=self._limits())
        user = _filled(
            "user.txt",
            history="" if played is None else self._history(played, seat, drawn),
            position=self.position(state),
            legal=_filled("legal.txt", moves=self.legal(state)) if self.settings.legal else "",
            player=player,
            form=self._form(),
        )
        return [{"role": "system", "content": system.strip()}, {"role": "user", "content": user.strip()}]

    def again(self, answer: str, fault: str, left: int) -> list[ChatMessage]:
        """How the conversation goes on after an answer that could not be played, with so many left."""
        said = shortened(answer) if answer.strip() else "(no answer)"  # many servers take no empty message
        more = fill_options(
            prompt("left.txt") or "", {"left": str(left), "last": "yes" if left == 1 else "no"}
        )
        user = _filled("again.txt", fault=fault, left=more, form=self._form())
        return [{"role": "assistant", "content": said}, {"role": "user", "content": user}]

    def answer(self, state: Any, text: str) -> tuple[Any, str]:
        """The move that the text answers and no fault, or no move and why it cannot be played."""
        said = stated_move(text)
        if said is None:
            return None, "There is no line of the form MOVE: followed by a move."
        try:
            inner = self.disguise.unscale(said) if self.disguise else said
        except IllegalMove as fault:  # in the words of the disguise already
            return None, str(fault)
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
            return None, self.game_text.language.say(Message(message.template, message.plural, **quoted))
        return move, ""

    def _shown(self, move: Hashable) -> str:
        """A move as the model sees it."""
        text = self.game_text.format_move(move)
        return self.disguise.scale(text) if self.disguise else text

    def rules(self, state: Any) -> str:
        """The rules with the options filled in; of a game that has no such text, its book."""
        texts = options.format_options(self.game)
        if self.disguise:
            return self.disguise.scale(fill_options(self.spec.resource("prompt_disguised.txt") or "", texts))
        text = self.spec.resource("prompt.txt")
        if text is not None:
            return fill_options(text, texts)
        return _filled(
            "book.txt",
            book=rules_for_prompt(self.spec),
            options=", ".join(f"{name} {value or 'none'}" for name, value in texts.items()),
            example=self.game_text.typed(self.game.moves(state)[0]),
        )

    def position(self, state: Any) -> str:
        """The position, and what limits the next move."""
        return f"{self.game_text.position(state)}{self.game_text.status(state)}".strip("\n")

    def legal(self, state: Any) -> str:
        """The legal moves in one line."""
        moves = self.game.moves(state)
        if len(moves) > MOST_LISTED:
            return self.game_text.list_moves(state).strip("\n")
        return ", ".join(map(self._shown, moves))

    def _history(self, played: Sequence[Hashable], seat: Seat, drawn: int) -> str:
        """Who moved what, counted back from the last move, which was the opponent's."""
        if not played:
            return _filled("history.txt", moves=" none")
        who = (OTHER[seat], seat)
        lines = []
        for back, move in enumerate(reversed(played)):
            lot = " (drawn by lot)" if len(played) - back <= drawn else ""
            lines.append(f"{self.game_text.label(who[back % 2])}: {self._shown(move)}{lot}")
        return _filled("history.txt", moves="\n" + "\n".join(reversed(lines)))

    def _limits(self) -> str:
        """How many answers there are, and how much time for each."""
        seconds = min(self.settings.seconds, LONGEST_TRY)
        values = {
            "several": "yes" if self.attempts > 1 else "no",
            "attempts": str(self.attempts),
            "seconds": f"{seconds:g} second{'s' * (seconds != 1)}",
            "tries": str(TRIES),
        }
        return fill_options(prompt("limits.txt") or "", values)

    def _form(self) -> str:
        return prompt("reasoning.txt" if self.settings.reasoning else "answer_only.txt") or ""


# The texts


@cache
def prompt(name: str) -> str | None:
    """A text from the folder of prompts; None if there is none of that name."""
    found = files("numberduels.players").joinpath("prompts", name)
    return found.read_text(encoding="utf-8") if found.is_file() else None


def _filled(name: str, **values: str) -> str:
    text = prompt(name)
    assert text is not None, name
    return text.format(**values)


def fill_options(text: str, values: dict[str, str]) -> str:
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


def shortened(text: str) -> str:
    """The text, or its two ends if it is too long to be kept."""
    if len(text) <= LONGEST_KEPT:
        return text
    half = LONGEST_KEPT // 2 - 40
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


# Reading an answer

WIDE = str.maketrans(
    {0xFF1A: ":", 0xFF1D: "=", 0xFF20: "@", 0x3002: ".", 0x00A0: " "}
    | {0xFF10 + digit: str(digit) for digit in range(10)}
)
"""What keyboards for Chinese and Japanese give for : = @ and a period, and for the digits."""
MARKS = " \t*_`~$\"'\u201c\u201d\u2018\u2019\u00ab\u00bb"
"""What may stand around the word and around the move: emphasis, code, formulas, quotation marks."""
BEFORE, BEHIND = MARKS + "[({", MARKS + "])}|,;!.\u2705"
"""What may stand around the move alone: brackets, the edge of a table, the end of a sentence, a tick."""
BOXED = re.compile(r"\\boxed\{([^{}]*)\}")
BULLET = re.compile(r"(?:[0-9]{1,3}[.)]|[-+>#|\u2022\u2013\u2014]+)\s*")


def stated_move(text: str) -> str | None:
    """What the last line of the form `MOVE: ...` says; None if no line has it.

    >>> stated_move("MOVE: 4? No.\\n\\n- **Move:** `5`."), stated_move("I play 5.")
    ('5', None)
    """
    for line in reversed(without_thinking(text).splitlines()):
        line = line.translate(WIDE).strip(MARKS)
        if bullet := BULLET.match(line):
            line = line[bullet.end() :].lstrip(MARKS)
        rest = line[4:].lstrip(MARKS)
        if line[:4].lower() == "move" and rest[:1] in (":", "="):
            said = BOXED.sub(r"\1", rest[1:]).lstrip(BEFORE).rstrip(BEHIND)
            if said:  # else it only repeats the form
                return said
    return None


def without_thinking(text: str) -> str:
    """The text without a thought that a server has left in it; a thought without an end is all thought.

    >>> without_thinking("<think>MOVE: 3 or 4?</think>MOVE: 4"), without_thinking("<think>MOVE: 3, or")
    ('MOVE: 4', '')
    """
    _, end, said = text.rpartition("</think>")
    if end:
        return said
    return "" if text.lstrip().startswith("<think>") else text
