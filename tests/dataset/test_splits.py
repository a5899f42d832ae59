"""Splits: shares, hostile texts."""

from __future__ import annotations

from collections import Counter

import pytest

from numberduels.harness.dataset.positions import Split, read_splits, split_of_class
from tables import table


@table(
    "text",
    [
        "",
        "train",
        "train=0.8",
        "train=0.8,test=0.3",
        "train=1,test=0",
        "train=0.5,train=0.5",
        "train=-1,test=2",
        "train=nan,test=0.5",
        "train=1e-1,test=0.9",
        "../x=0.5,test=0.5",
        "TRAIN=0.5,test=0.5",
        "train=0.5,te st=0.5",
        "train=0.5,test=\N{FULLWIDTH DIGIT ZERO}.5",
        ",".join(f"s{number}=0.0625" for number in range(16)),
    ],
)
def test_texts_that_are_no_splits_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^--splits [^\n]*$"):
        read_splits(text)


def test_one_split_with_everything_is_allowed() -> None:
    assert read_splits("train=1") == (Split("train", 1.0),)


def test_the_split_of_class_a_class_follows_its_share() -> None:
    splits = read_splits("train=0.8,test=0.2")
    counts = Counter(split_of_class(str(number), splits) for number in range(10_000))
    assert abs(counts["train"] - 8_000) < 160  # four standard deviations
