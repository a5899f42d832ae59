"""Bradley-Terry strengths with numpy: the fit of one connected group of players."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from numberduels.arena.intervals import Z

ZERO, HUNDRED = "random", "perfect"

Points = Mapping[tuple[str, str], float]
"""The points of each player against each other: 1 for a win, 0.5 for a tie."""


def fit_group(group: Sequence[str], points: Points) -> tuple[list[tuple[float, float]], bool]:
    """The rating of each player and half the width of its interval; whether ZERO and HUNDRED are fixed."""
    logs, covariance = strengths(group, points)
    unit = np.identity(len(group))
    scale, anchored = 100 / math.log(10), False
    weights = scale * (unit - 1 / len(group))
    """For each player, how its rating depends on the log strengths."""
    if ZERO in group and HUNDRED in group:
        zero, hundred = group.index(ZERO), group.index(HUNDRED)
        ends = unit[hundred] - unit[zero]
        gap = ends @ logs
        # If the two are too close, they cannot define a scale.
        anchored = gap > Z * math.sqrt(max(ends @ covariance @ ends, 0.0))
    if anchored:
        ratings = 100 * (logs - logs[zero]) / gap
        weights = (100 * (unit - unit[zero]) - np.outer(ratings, ends)) / gap
    else:
        ratings = weights @ logs
    halves = Z * np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", weights, covariance, weights), 0.0))
    return list(zip(ratings.tolist(), halves.tolist(), strict=True)), bool(anchored)


def strengths(players: Sequence[str], points: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The log strengths, with 0 for the first player, and their covariance matrix.

    All players must be connected by games. Newton's method on a concave likelihood, with step halving.
    """
    won = np.array([[points.get((one, other), 0.0) for other in players] for one in players])
    won += 0.5 * (won + won.T > 0)  # the prior
    met = won + won.T
    logs = np.zeros(len(players))
    likelihood = _likelihood(logs, won)
    for _ in range(200):
        gradient, information = _gradient(logs, won, met)
        step = np.zeros(len(players))
        step[1:] = np.linalg.solve(information, gradient)
        size = np.abs(step).max()
        if size < 1e-11:
            break
        share = min(1.0, 5.0 / size)
        while (better := _likelihood(logs + share * step, won)) < likelihood and share > 1e-9:
            share /= 2
        if better < likelihood:
            break
        logs, likelihood = logs + share * step, better
    covariance = np.zeros((len(players), len(players)))
    covariance[1:, 1:] = np.linalg.inv(_gradient(logs, won, met)[1])
    return logs, covariance


def _likelihood(logs: NDArray[np.float64], won: NDArray[np.float64]) -> float:
    return -float((won * np.logaddexp(0, logs - logs[:, None])).sum())


def _gradient(
    logs: NDArray[np.float64], won: NDArray[np.float64], met: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The gradient of the log likelihood and the Fisher information, without the first player."""
    chance = np.exp(-np.logaddexp(0, logs - logs[:, None]))
    weight = met * chance * chance.T
    information = np.diag(weight.sum(axis=1)) - weight
    return (won - met * chance).sum(axis=1)[1:], information[1:, 1:]
