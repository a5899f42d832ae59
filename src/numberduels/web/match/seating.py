"""Seats: secrets and tokens, joining, and links that take a seat along to another device."""

from __future__ import annotations

from hashlib import sha256
from secrets import choice, token_urlsafe

from numberduels.game.messages import Message
from numberduels.web.errors import UserError
from numberduels.web.match.events import (
    CANCELLED,
    DEVICE_LINKED,
    DEVICES_REMOVED,
    JOINED,
    OPEN,
    NewEvent,
    Seats,
)
from numberduels.web.match.model import WAITING, Match

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and digits without those that look alike."""
ID_LENGTH = 14


def new_match_id() -> str:
    """A random id of about 69 bits, so that nobody finds a match by guessing."""
    return "".join(choice(ALPHABET) for _ in range(ID_LENGTH))


def new_secret() -> str:
    """A secret for one browser, bot or invitation."""
    return token_urlsafe(24)


def device_token(match_id: str, secret: str) -> str:
    """The token of a link that takes a seat along to another device.

    >>> device_token("kx3", "se-cret")
    'kx3-se-cret'
    """
    return f"{match_id}-{secret}"


def read_device_token(token: str) -> tuple[str, str]:
    """The match and the secret of such a token.

    >>> read_device_token("kx3-se-cret")
    ('kx3', 'se-cret')
    """
    match_id, _, secret = token.partition("-")
    return match_id, secret


def hash_secret(secret: str) -> str:
    """The hash of a secret; empty for an empty one. Secrets are long and random: one round is enough."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()[:40] if secret else ""


DEVICE_LINK_SECONDS = 900.0
"""How long a link to another device can be used."""

MAX_DEVICE_LINKS = 30
"""Links to other devices in one match."""

UNINVITED = Message("That is not a complete invitation to this game. Ask for it again.")

UNUSABLE_LINK = Message("This link was used already, or it is too old. Make a new one on the other device.")


def join(match: Match, name: str, key: str, invitation: str) -> NewEvent:
    """Take the free seat; `invitation` is the hash of the invitation secret."""
    free = [seat for seat in (0, 1) if match.seat_infos[seat].kind == OPEN]
    if not match.invitation or invitation != match.invitation:
        raise UserError("uninvited", UNINVITED)
    if match.cancelled:
        raise UserError("cancelled", Message("This invitation was taken back."))
    if not free:
        raise UserError("taken", Message("That seat is taken; you are welcome to watch."))
    return JOINED, {"seat": free[0], "name": name, "key": key}


def cancel(match: Match, seats: Seats) -> NewEvent:
    """Take the invitation back; the match is over then."""
    require_seat(seats)
    if match.status != WAITING:
        raise UserError("not_waiting", Message("Nobody is awaited in this game any more."))
    return CANCELLED, {"seat": seats[0]}


def make_device_link(match: Match, seats: Seats, token: str) -> NewEvent:
    """Make a link that takes these seats along to one other device; `token` is the hash of its secret.

    An older link that was not used is no longer valid.
    """
    require_seat(seats)
    if match.device_link_count >= MAX_DEVICE_LINKS:
        raise UserError("many_links", Message("So many links were made for this game that no more can be."))
    return DEVICE_LINKED, {"seat": seats[0], "seats": list(seats), "token": token}


def use_device_link(match: Match, token: str, key: str, now: float) -> NewEvent:
    """Take seats along to the device with this key; `token` is the hash of the secret of the link."""
    seats = next(
        (
            seats
            for seats, (unused, made) in match.device_links.items()
            if token == unused and now < made + DEVICE_LINK_SECONDS
        ),
        (),
    )
    if not seats:
        raise UserError("no_link", UNUSABLE_LINK)
    if match.seats_of(key):
        raise UserError("seated", Message("This device plays in that game already."))
    return seat_device(key, seats)


def seat_device(key: str, seats: Seats) -> NewEvent:
    """Let another device play for these seats, too."""
    return JOINED, {"seat": seats[0], "seats": list(seats), "key": key, "also": True}


def remove_devices(match: Match, key: str) -> NewEvent:
    """Take the seats of this key back from all other devices; only the device that sat down first may."""
    seats = match.seats_of(key)
    require_seat(seats)
    if key in match.device_seats:
        raise UserError("not_owner", Message("Only the device that sat down first can do that."))
    if not other_devices(match, key) and seats not in match.device_links:
        raise UserError("no_device", Message("No other device plays for you in this game."))
    return DEVICES_REMOVED, {"seat": seats[0], "seats": list(seats)}


def other_devices(match: Match, key: str) -> int:
    """The number of devices that the holder of this key may take the seats back from."""
    seats = () if key in match.device_seats else match.seats_of(key)
    return sum(bool(seats) and each == seats for each in match.device_seats.values())


def require_seat(seats: Seats) -> None:
    """Refuse a visitor without a seat."""
    if not seats:
        raise UserError("stranger", Message("You do not play in this game."))
