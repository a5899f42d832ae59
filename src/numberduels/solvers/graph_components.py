"""The connected components of a part of a graph."""

from __future__ import annotations

from collections.abc import Sequence

Mask = int
"""A set of vertices: bit v is one when vertex v is in it."""


def connected_components(neighbours: Sequence[Mask], available: Mask) -> list[Mask]:
    """The connected components of the graph on the available vertices, ordered by their lowest vertex.

    >>> connected_components([0b0010, 0b0001, 0b1000, 0b0100], 0b1111)
    [3, 12]
    """
    components = []
    while available:
        component = edge = available & -available
        while edge and component != available:
            low = edge & -edge
            near = neighbours[low.bit_length() - 1] & available
            edge = (edge | near & ~component) ^ low
            component |= near
        components.append(component)
        available ^= component
    return components
