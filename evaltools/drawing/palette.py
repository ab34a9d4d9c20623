"""One meaning, one color, one mark: the same on pages, in exports and on the terminal."""

from __future__ import annotations

import math

from evaltools.frameworks.constituency.aligned_trees import WordMatch
from evaltools.marks import Status

COLORS: dict[Status, str] = {
    Status.MISSING: "#B85000",
    Status.SPURIOUS: "#007d5b",
    Status.RELABELED: "#0072B2",
    Status.MOVED: "#8e4a9e",
}
"""Vermillion, green, blue and purple after Okabe and Ito, dark enough to be read as text on light paper."""

DARK_COLORS: dict[Status, str] = {
    Status.MISSING: "#f08a3c",
    Status.SPURIOUS: "#2fbf91",
    Status.RELABELED: "#5ab0ee",
    Status.MOVED: "#d79be6",
}
"""The same for dark paper."""

MARKS: dict[Status | None, str] = {
    None: "",
    Status.RIGHT: "",
    Status.MISSING: "<",
    Status.SPURIOUS: ">",
    Status.RELABELED: "≠",
    Status.MOVED: "»",
}
"""Marks with the same meanings, for readers without color."""

UNCOUNTED = "uncounted"
"""The class of what is not compared and has no status."""


def css_class(status: Status | None) -> str:
    """Return the class of a status in pictures."""
    return UNCOUNTED if status is None else status


LEGEND: dict[Status, str] = {
    Status.RIGHT: "right",
    Status.MISSING: "missing (only in {gold})",
    Status.SPURIOUS: "spurious (only in {test})",
    Status.RELABELED: "relabeled",
    Status.MOVED: "moved",
}
"""Names of the statuses in the legend; the names of the trees replace the braces."""

TIES: dict[WordMatch, str] = {
    WordMatch.EXACT: "same word",
    WordMatch.FOLDED: "same except for case or escapes",
    WordMatch.CHARACTERS: "characters in common",
}
"""Names of the lines between aligned words in the legend."""

INKS: dict[str, str] = {
    **{status.value: status.value for status in COLORS},
    "right": "soft",
    "only-a": "relabeled",
    "only-b": "ochre",
    "alike": "ink",
}
"""Color of what stands above and below a marked sentence, by status or by which of two parsers have it wrong."""

ANSI: dict[Status, str] = {
    Status.RIGHT: "",
    Status.MISSING: "38;5;166",
    Status.SPURIOUS: "38;5;36",
    Status.RELABELED: "38;5;32",
    Status.MOVED: "38;5;175",
}
"""Terminal colors (256-color SGR codes) nearest to `COLORS`."""

THEMES: dict[str, dict[str, str]] = {
    "light": {
        "ink": "#1f2328",
        "soft": "#5b6470",
        "line": "#9ba4ae",
        "faint": "#e6e9ec",
        "paper": "#ffffff",
        "ochre": "#8f5f00",
    },
    "dark": {
        "ink": "#e8eaed",
        "soft": "#a6aeb8",
        "line": "#69727d",
        "faint": "#2a2f38",
        "paper": "#0e1117",
        "ochre": "#d9a441",
    },
}
"""Neutral colors of a drawing in the two themes, and the color of a second parser."""

_LA_STOPS: dict[str, tuple[tuple[int, int, int], ...]] = {
    # from similarity 0 to 1; lightness is monotonic, so that the order survives gray prints
    "light": ((22, 32, 72), (62, 62, 112), (124, 108, 128), (192, 160, 128), (240, 214, 160), (255, 252, 243)),
    "dark": ((255, 232, 176), (226, 184, 132), (172, 134, 128), (116, 96, 120), (66, 62, 92), (26, 30, 44)),
}


def _luminance(color: tuple[float, float, float]) -> float:
    """Return the relative luminance of an sRGB color (WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def la_color(score: float | None, theme: str = "light") -> tuple[str, str]:
    """Return the colors of a leaf-ancestor score.

    Parameters
    ----------
    score : float or None
        Similarity in [0, 1]; None for a word without a score.
    theme : {"light", "dark"}
        Low scores are dark on light paper and light on dark paper, so that errors stand out.

    Returns
    -------
    background, text : str
        Hexadecimal colors; their contrast is at least 4.5 to 1.

    Examples
    --------
    >>> la_color(1.0)
    ('#fffcf3', '#000000')
    >>> la_color(0.0)
    ('#162048', '#ffffff')
    """
    if score is None or math.isnan(score):
        return ("#dfe2e6", "#454c55") if theme == "light" else ("#343a44", "#c3c9d1")
    stops = _LA_STOPS["dark" if theme == "dark" else "light"]
    index = min(max(score, 0.0), 1.0) * (len(stops) - 1)
    low = min(int(index), len(stops) - 2)
    part = index - low
    red, green, blue = (a + (b - a) * part for a, b in zip(stops[low], stops[low + 1], strict=True))
    luminance = _luminance((red, green, blue))
    text = "#000000" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "#ffffff"
    return f"#{round(red):02x}{round(green):02x}{round(blue):02x}", text
