"""Splits of a dataset that share no position, up to symmetry.

The split of a position follows from the position alone, by a hash of its canonical form: it is the same in
every file with the same splits, whatever the seed, the number of positions and the other games are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from numberduels.game.formatting import short

NAME = re.compile("[a-z][a-z0-9_]{0,19}")
MOST = 10
"""The most splits of one dataset."""


class Split(NamedTuple):
    """One part of a dataset: its name, and its share of the positions."""

    name: str
    share: float


WHOLE = (Split("all", 1.0),)
"""No splits: one part with everything."""


def read_splits(text: str) -> tuple[Split, ...]:
    """Parse splits such as `train=0.8,test=0.2`; ValueError says what is wrong.

    >>> read_splits("train=0.8,test=0.2")
    (Split(name='train', share=0.8), Split(name='test', share=0.2))
    """
    splits = []
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        if not NAME.fullmatch(name) or not re.fullmatch(r"0?\.[0-9]{1,6}|1(\.0{1,6})?", share):
            raise ValueError(
                f"--splits takes names and shares, such as train=0.8,test=0.2, not {short(part)}"
            )
        splits.append(Split(name, float(share)))
    names = [each.name for each in splits]
    if len(set(names)) < len(names):
        raise ValueError("--splits names a split twice")
    if len(splits) > MOST:
        raise ValueError(f"--splits takes at most {MOST} splits, not {len(splits)}")
    if not all(each.share for each in splits) or abs(sum(each.share for each in splits) - 1) > 1e-6:
        raise ValueError("--splits takes shares above 0 that add up to 1, such as train=0.8,test=0.2")
    return tuple(splits)


def split_of(group: str, splits: Sequence[Split]) -> str:
    """The split of all positions of an equivalence class.

    >>> split_of("00ff", WHOLE), split_of("ff00", read_splits("train=0.8,test=0.2"))
    ('all', 'test')
    """
    place = int(sha256(group.encode()).hexdigest()[:13], 16) / 16**13
    for split in splits[:-1]:
        if place < split.share:
            return split.name
        place -= split.share
    return splits[-1].name
