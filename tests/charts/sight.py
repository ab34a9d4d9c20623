"""Colors as people see them: with three kinds of cones, or with two."""

from __future__ import annotations

from math import dist

import numpy as np
from numpy.typing import NDArray

_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])
_MACHADO = {  # Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
SIGHTS = tuple(_MACHADO)


def _linear(color: str) -> NDArray[np.float64]:
    parts = np.array([int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def luminance(color: str) -> float:
    return float(_linear(color) @ _XYZ[1])


def lab(color: str, sight: str = "normal") -> tuple[float, float, float]:
    """Return the CIE Lab coordinates of a color as it is seen."""
    seen = np.clip(np.array(_MACHADO[sight]) @ _linear(color), 0, 1)
    scaled = _XYZ @ seen / _WHITE
    x, y, z = np.where(scaled > 216 / 24389, np.cbrt(scaled), (24389 / 27 * scaled + 16) / 116)
    return float(116 * y - 16), float(500 * (x - y)), float(200 * (y - z))


def distance(first: tuple[float, float, float], second: tuple[float, float, float]) -> float:
    """Return how different two colors look; about 2 can just be noticed."""
    return dist(first, second)
