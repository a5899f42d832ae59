"""Pictures of environments: images as arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from numberduels.game.board_image import Scene, draw_image

Frame = NDArray[np.uint8]
"""An image: rows of RGB pixels. All have the same size, as a video needs it."""


def draw(scene: Scene) -> Frame:
    """Draw a scene as an array.

    >>> from numberduels.game.board import Board, Tile
    >>> draw(Scene("Range War", "Player 1 to move", Board((Tile("1", "open"),)))).shape
    (360, 640, 3)
    """
    return np.array(draw_image(scene), dtype=np.uint8)
