"""One meaning, one colour, one mark: the same on pages, in exports and on the terminal."""

from __future__ import annotations

from evaltools.metrics.mapping import NodeStatus, WordMatch

__all__ = [
    "ANSI",
    "COLOURS",
    "DARK_COLOURS",
    "LEGEND",
    "MARKS",
    "THEMES",
    "TIES",
    "TIE_MARKS",
    "la_colour",
]

COLOURS: dict[NodeStatus, str] = {
    NodeStatus.DELETED: "#D55E00",
    NodeStatus.INSERTED: "#009E73",
    NodeStatus.SWAPPED: "#0072B2",
    NodeStatus.MOVED: "#CC79A7",
}
"""Colours of Okabe and Ito, which people with colour-vision deficiencies tell apart."""

DARK_COLOURS: dict[NodeStatus, str] = COLOURS | {NodeStatus.SWAPPED: "#3D9BDC"}
"""The same on dark paper, where that blue would be lost: a lighter one."""

MARKS: dict[NodeStatus, str] = {
    NodeStatus.MATCHED: "",
    NodeStatus.DELETED: "<",
    NodeStatus.INSERTED: ">",
    NodeStatus.SWAPPED: "≠",
    NodeStatus.MOVED: "»",
}
"""The mark that says the same without colour."""

LEGEND: dict[NodeStatus, str] = {
    NodeStatus.MATCHED: "matched",
    NodeStatus.DELETED: "deleted, only above",
    NodeStatus.INSERTED: "inserted, only below",
    NodeStatus.SWAPPED: "swapped, other label",
    NodeStatus.MOVED: "moved",
}
"""What each status is called under a picture."""

TIES: dict[WordMatch, str] = {
    WordMatch.EXACT: "same word",
    WordMatch.FOLDED: "same but for case or escapes",
    WordMatch.CHARACTERS: "characters in common",
}
"""What the lines between aligned words are called under a picture."""

TIE_MARKS: dict[WordMatch, str] = {WordMatch.EXACT: "│", WordMatch.FOLDED: "┊", WordMatch.CHARACTERS: "○"}
"""The same lines as signs in a text."""

ANSI: dict[NodeStatus, str] = {
    NodeStatus.MATCHED: "",
    NodeStatus.DELETED: "38;5;166",
    NodeStatus.INSERTED: "38;5;36",
    NodeStatus.SWAPPED: "38;5;32",
    NodeStatus.MOVED: "38;5;175",
}
"""Terminal colours (256-colour SGR codes) nearest to `COLOURS`."""

THEMES: dict[str, dict[str, str]] = {
    "light": {"ink": "#1f2328", "soft": "#5b6470", "line": "#9ba4ae", "faint": "#e6e9ec", "paper": "#ffffff"},
    "dark": {"ink": "#e8eaed", "soft": "#a6aeb8", "line": "#69727d", "faint": "#2a2f38", "paper": "#0e1117"},
}
"""Neutral colours of a drawing in the two themes."""

_LA_STOPS: dict[str, tuple[tuple[int, int, int], ...]] = {
    # from similarity 0 to 1; lightness runs one way, so a grey print keeps the order
    "light": ((22, 32, 72), (62, 62, 112), (124, 108, 128), (192, 160, 128), (240, 214, 160), (255, 252, 243)),
    "dark": ((255, 232, 176), (226, 184, 132), (172, 134, 128), (116, 96, 120), (66, 62, 92), (26, 30, 44)),
}


def _luminance(colour: tuple[float, float, float]) -> float:
    """Return the relative luminance of an sRGB colour (WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (part / 255 for part in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def la_colour(score: float | None, theme: str = "light") -> tuple[str, str]:
    """Return the colours that show a leaf-ancestor score.

    Parameters
    ----------
    score : float or None
        Similarity in [0, 1]; None for a word without a score.
    theme : {"light", "dark"}
        On light paper low scores are dark, on dark paper they are light: what is wrong stands out.

    Returns
    -------
    background, text : str
        Hexadecimal colours; their contrast is at least 4.5 to 1.

    Examples
    --------
    >>> la_colour(1.0)
    ('#fffcf3', '#000000')
    >>> la_colour(0.0)
    ('#162048', '#ffffff')
    """
    if score is None or score != score:
        return ("#dfe2e6", "#454c55") if theme == "light" else ("#343a44", "#c3c9d1")
    stops = _LA_STOPS["dark" if theme == "dark" else "light"]
    place = min(max(score, 0.0), 1.0) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    part = place - low
    red, green, blue = (a + (b - a) * part for a, b in zip(stops[low], stops[low + 1], strict=True))
    luminance = _luminance((red, green, blue))
    text = "#000000" if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) else "#ffffff"
    return f"#{round(red):02x}{round(green):02x}{round(blue):02x}", text
