"""The error that is shown to a visitor or a bot, and the HTTP status of each kind."""

from __future__ import annotations

from typing import NamedTuple

from numberduels.game.formatting import capitalised
from numberduels.play.game_in_progress import NotAllowed


class UserError(NotAllowed):
    """A request that cannot be fulfilled. It has a key for programs and a sentence for people.

    >>> from numberduels.game.messages import Message
    >>> error = UserError("option.moves", Message("At most {most} moves.", most=9), "options.size")
    >>> error.key, error.code, str(error)
    ('option', 'option.moves', 'At most 9 moves.')
    """

    def __init__(self, code: str, text: str, field: str = "", page_text: str = "") -> None:
        """Take a message where a page can show the error, or a `page_text` where it says it differently."""
        super().__init__(code.partition(".")[0], text)
        self.text = page_text or text
        """What a page shows, in the language of the visitor; bots get the error's English text."""
        self.code = code
        """The key, which the API sends, and after a dot the special case, if its status is special."""
        self.field = field
        """Name of the form field that caused the error; empty if no single field did."""


def sentence(error: object) -> str:
    """A text, or the message of an error, with a capital letter and a period.

    >>> sentence(ValueError("size is too large")), sentence("size: 'x' is not a number.")
    ('Size is too large.', "Size: 'x' is not a number.")
    """
    return f"{capitalised(str(error).rstrip('.'))}."


class ErrorKind(NamedTuple):
    """The status that an error is sent with, and what it means."""

    status: int
    about: str


ERRORS = {
    "ask": ErrorKind(403, "undo is for games against the computer or at one screen; ask by takeback"),
    "asked": ErrorKind(409, "a takeback was asked for already"),
    "away": ErrorKind(503, "the store cannot be reached; nothing was written; try again"),
    "best_of": ErrorKind(422, "there is no such number of games in a series"),
    "broken": ErrorKind(500, "a fault of the server; nothing was lost"),
    "busy": ErrorKind(503, "the computer has too many requests; try again"),
    "cancelled": ErrorKind(409, "the invitation was taken back"),
    "clock": ErrorKind(422, "there is no such clock"),
    "field": ErrorKind(422, "a field of the request is missing, unknown or of the wrong kind"),
    "foreign": ErrorKind(403, "a browser was sent here by another site"),
    "going_on": ErrorKind(409, "a rematch is for games that are over"),
    "gone": ErrorKind(400, "the request was broken off"),
    "host": ErrorKind(400, "the server does not answer to the host name of the request"),
    "illegal": ErrorKind(409, "the rules refuse this move"),
    "in_time": ErrorKind(409, "the opponent still has time"),
    "level": ErrorKind(422, "there is no such level"),
    "long": ErrorKind(409, "so much has happened in this game that it can only be played on"),
    "many": ErrorKind(429, "too many new games from one address"),
    "many_links": ErrorKind(409, "so many links to other devices were made that no more can be"),
    "many_requests": ErrorKind(429, "too many requests from one address"),
    "many_streams": ErrorKind(429, "too many open streams from one address"),
    "method": ErrorKind(405, "this address does not support the method"),
    "missing": ErrorKind(404, "there is no such game, or no such address"),
    "mode": ErrorKind(422, "there is no such mode"),
    "no_clock": ErrorKind(409, "the game has no clock"),
    "no_device": ErrorKind(409, "no other device plays for this seat"),
    "no_draw": ErrorKind(409, "the game always ends by its rules: no draws are offered"),
    "no_hint": ErrorKind(403, "hints are for whoever is to move against the computer"),
    "no_link": ErrorKind(403, "the link to another device was used already, is too old, or never was"),
    "no_token": ErrorKind(401, "the request needs a token"),
    "no_values": ErrorKind(403, "values are shown against the computer, or when the game is over"),
    "not_over": ErrorKind(409, "a game is reviewed when it is over"),
    "not_owner": ErrorKind(403, "only the device that sat down first may take its seat back"),
    "not_waiting": ErrorKind(409, "nobody is awaited any more"),
    "not_your_turn": ErrorKind(409, "another player is to move"),
    "nothing": ErrorKind(409, "there is no move of yours to take back"),
    "offered": ErrorKind(409, "you have offered a draw already; make a move first"),
    "option": ErrorKind(422, "an option is unknown, too large, or does not fit the others"),
    "over": ErrorKind(409, "the game is over"),
    "own_time": ErrorKind(409, "it is your turn, and so your time"),
    "rematched": ErrorKind(409, "there is a rematch already"),
    "rules": ErrorKind(422, "the game has no such rule set"),
    "seat": ErrorKind(422, "there is no such seat"),
    "seated": ErrorKind(409, "the device has a seat in this game already"),
    "slow": ErrorKind(408, "the request took too long to arrive"),
    "stale": ErrorKind(409, "the game has gone on; the answer has its state"),
    "stranger": ErrorKind(403, "the token has no seat in this game"),
    "taken": ErrorKind(409, "the seat is taken"),
    "too_hard": ErrorKind(409, "that would take the computer too long"),
    "too_long": ErrorKind(413, "the request has too many bytes"),
    "unable": ErrorKind(409, "the computer cannot play this at this level"),
    "unanswered": ErrorKind(409, "the computer has no answer to this"),
    "unasked": ErrorKind(409, "nobody has asked for a takeback"),
    "uninvited": ErrorKind(403, "that is not an invitation to this game"),
    "unknown_game": ErrorKind(422, "there is no game of that name"),
    "unknown_token": ErrorKind(401, "no seat of any game belongs to the token"),
    "unoffered": ErrorKind(409, "nobody has offered a draw"),
    "unreadable": ErrorKind(400, "the body is not a JSON object, or the ply is not a count of moves"),
    "waiting": ErrorKind(409, "the second player is not there yet"),
}
"""Every key that the API sends."""

EXCEPTIONS = {"busy.client": 429, "illegal.type": 422, "option.moves": 409, "option.together": 409}
"""Errors whose status differs from that of their key."""


def status_of(error: UserError) -> int:
    """The HTTP status of an error.

    >>> status_of(UserError("stale", "")), status_of(UserError("busy.client", ""))
    (409, 429)
    """
    return EXCEPTIONS.get(error.code) or ERRORS[error.key].status
