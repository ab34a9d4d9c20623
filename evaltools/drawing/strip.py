"""The words of a sentence, each shaded by its leaf-ancestor score, and one word's lineages symbol by symbol."""

from __future__ import annotations

from xml.sax.saxutils import escape

from evaltools.drawing.grid import MARK_WIDTH
from evaltools.drawing.markup import document, element, number, text_element
from evaltools.drawing.measure import is_right_to_left, shorten, text_width, visible
from evaltools.drawing.palette import la_colour
from evaltools.drawing.pieces import marked, outline
from evaltools.drawing.shapes import Box
from evaltools.errors import ParameterError
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.leaf_ancestor import CostTable, lineage_alignment
from evaltools.metrics.mapping import Alignment, NodeStatus, WordComparison, WordLink, WordMatch

__all__ = ["la_strip_svg", "lineage_svg"]

_SIZE, _HEIGHT, _LEADING = 14.0, 24.0, 30.0


def la_strip_svg(
    alignment: Alignment | DependencyAlignment,
    metric: str = "la_partial",
    *,
    width: float = 900.0,
    theme: str = "light",
    legend: bool = True,
) -> str:
    """Draw the sentence as a paragraph whose words are shaded by their leaf-ancestor scores.

    Where words were aligned, those without a partner in the test tree are blank and have the mark of what is deleted.

    Parameters
    ----------
    alignment : Alignment or DependencyAlignment
        The sentence; words deleted by the normalisation are grey.
    metric : str
        Which score, ``"la_strict"`` or ``"la_partial"``.
    width : float
        Width of the paragraph in pixels.
    theme : {"light", "dark", "auto"}
        Colours; shades are those of the light theme under ``"auto"``.
    legend : bool
        Show the scale under the words.

    Returns
    -------
    str
        An SVG document.
    """
    scores = {word.position: word.scores.get(metric) for word in alignment.words}
    alone = {word.position for word in alignment.words if word.test is None}
    right_to_left = is_right_to_left([word.form for word in alignment.gold_words])
    shades = "dark" if theme == "dark" else "light"
    x, y, parts = 8.0, 8.0, []
    for word in alignment.gold_words:
        text = shorten(visible(word.form), 40)
        size = text_width(text, _SIZE) + 10 + (MARK_WIDTH if word.position in alone else 0)
        if x + size > width - 8 and x > 8:
            x, y = 8.0, y + _LEADING
        score = None if word.position is None else scores.get(word.position)
        left = width - x - size if right_to_left else x
        if word.position in alone:
            parts.append(_alone(text, Box(left + size / 2, y + _HEIGHT / 2, size, _HEIGHT), word.position))
        else:
            parts.append(_shaded(text, left, y, size, score, word.position, shades))
        x += size + 4
    y += _LEADING
    if legend:
        parts += _scale(width, y + 4, shades, right_to_left)
        y += 30
    return document(width, y + 4, parts, theme=theme, label="leaf-ancestor score of each word", class_="strip")


def _alone(text: str, box: Box, position: int | None) -> str:
    says = f"{text} · aligned with no word, so without a score"
    return element(
        "g",
        f"<title>{escape(says)}</title>",
        *outline(box, NodeStatus.DELETED),
        *marked(text, box, _SIZE, "form", NodeStatus.DELETED),
        class_=f"cell unaligned {NodeStatus.DELETED}",
        data_word=position,
        role="graphics-symbol",
        aria_label=says,
    )


def _shaded(
    text: str, left: float, top: float, size: float, score: float | None, position: int | None, shades: str
) -> str:
    background, ink = la_colour(score, shades)
    if score is not None:
        says = f"{text} · {score:.3f}"
    elif position is None:
        says = f"{text} · left out by the normalisation"
    else:
        says = f"{text} · no score"
    box = element("rect", x=left, y=top, width=size, height=_HEIGHT, rx=3, fill=background)
    label = text_element(text, left + size / 2, top + _HEIGHT / 2, _SIZE, "form")
    label = label.replace("<text ", f'<text style="fill:{ink}" ', 1)
    return element(
        "g",
        f"<title>{escape(says)}</title>",
        box,
        label,
        class_="cell" + (" left-out" if position is None else ""),
        data_word=position,
        role="graphics-symbol",
        aria_label=says,
    )


def _scale(width: float, y: float, shades: str, right_to_left: bool) -> list[str]:
    steps = 21
    x = width - 8 - 200 if right_to_left else 8.0
    parts = [text_element("0", x + 4, y + 6, 11.0, "soft")]
    for step in range(steps):
        colour = la_colour(step / (steps - 1), shades)[0]
        parts.append(element("rect", x=x + 14 + step * 6, y=y, width=6.3, height=12, fill=colour))
    parts.append(text_element("1", x + 14 + steps * 6 + 8, y + 6, 11.0, "soft"))
    return parts


def lineage_svg(
    word: WordComparison,
    metric: str = "la_partial",
    *,
    theme: str = "light",
    gold_name: str = "gold",
    test_name: str = "test",
    table: CostTable | None = None,
    link: WordLink | None = None,
) -> str:
    """Draw a word's two lineages under one another, with the cost of every step and the sum.

    Parameters
    ----------
    word : WordComparison
        The word and its lineages.
    metric : {"la_partial", "la_strict", "la_table"}
        Which costs to use.
    theme : {"light", "dark", "auto"}
        Colours.
    gold_name, test_name : str
        What the two trees are called.
    table : CostTable, optional
        The costs of ``"la_table"``.
    link : WordLink, optional
        How the word and its partner are aligned, where their forms differ.

    Returns
    -------
    str
        An SVG document.

    Raises
    ------
    ParameterError
        If the word has no partner in the test tree, and so no second lineage.
    """
    if word.test is None:
        raise ParameterError(f"the word {word.form!r} has no partner in the test tree")
    steps = lineage_alignment(word.gold, word.test, metric.removeprefix("la_"), table)
    name_room = max(text_width(name, 12.0) for name in (gold_name, test_name, "cost")) + 26
    rows = {"gold": 20.0, "cost": 47.0, "test": 74.0}
    parts = [
        text_element(name, 12.0, rows[row], 12.0, "soft", anchor="start")
        for row, name in (("gold", gold_name), ("cost", "cost"), ("test", test_name))
    ]
    x = name_room
    for gold, test, cost in steps:
        size = max(text_width(shorten(visible(s), 24), 13.0) for s in (gold, test) if s is not None) + 14
        parts.append(_step(gold, test, cost, x, size, rows))
        x += size + 6
    total = sum(cost for _, _, cost in steps)
    length = len(word.gold) + len(word.test)
    shown = "1" if not length else f"1 − {total:g} / ({len(word.gold)} + {len(word.test)}) = {1 - total / length:.3f}"
    size = 12.0
    for text, class_ in _compared(word, link):  # words by themselves: they may run from right to left, the sum does not
        wide = text_width(text, 13.0)
        parts.append(text_element(text, size + wide / 2, 104.0, 13.0, class_))
        size += wide + 3
    parts.append(text_element(f":  {shown}", size - 3, 104.0, 13.0, "sum", anchor="start"))
    width = max(x + 8, size + text_width(shown, 13.0) + 28)
    return document(width, 120.0, parts, theme=theme, label=f"lineages of {word.form}", class_="lineage")


def _compared(word: WordComparison, link: WordLink | None) -> list[tuple[str, str]]:
    """Return the words whose lineages are compared, and how they are aligned, as texts with their classes."""
    texts = [(shorten(visible(word.form), 40), "symbol")]
    if link is None or link.how is WordMatch.EXACT:
        return texts
    how = "but for case or escapes"
    if link.how is WordMatch.CHARACTERS:
        how = f"{link.characters} character{'' if link.characters == 1 else 's'}"
    return [*texts, (" ↔ ", "soft"), (shorten(visible(word.test_form or ""), 40), "symbol"), (f" {how}", "soft")]


def _step(gold: str | None, test: str | None, cost: float, x: float, size: float, rows: dict[str, float]) -> str:
    status = NodeStatus.MATCHED
    if gold is None:
        status = NodeStatus.INSERTED
    elif test is None:
        status = NodeStatus.DELETED
    elif cost:
        status = NodeStatus.SWAPPED
    centre, drawn = x + size / 2, []
    for symbol, row in ((gold, "gold"), (test, "test")):
        if symbol is None:
            continue
        top = rows[row] - 10.5
        drawn.append(element("rect", class_="box", x=x, y=top, width=size, height=21, rx=4))
        if status is NodeStatus.INSERTED:
            inner = {"x": x + 2.5, "y": top + 2.5, "width": size - 5, "height": 16}
            drawn.append(element("rect", class_="ring", rx=2, **inner))
        drawn.append(text_element(shorten(visible(symbol), 24), centre, rows[row], 13.0, "symbol"))
    if cost:
        drawn.append(text_element(f"{cost:g}", centre, rows["cost"], 12.0, "cost"))
    else:
        line = f"M{number(centre)} {number(rows['gold'] + 12)}V{number(rows['test'] - 12)}"
        drawn.insert(0, element("path", class_="edge", d=line))
    says = {
        NodeStatus.MATCHED: f"{gold} in both",
        NodeStatus.DELETED: f"{gold} only in the gold lineage: 1",
        NodeStatus.INSERTED: f"{test} only in the test lineage: 1",
        NodeStatus.SWAPPED: f"{gold} replaced by {test}: {cost:g}",
    }[status]
    return element("g", f"<title>{escape(visible(says))}</title>", *drawn, class_=f"step {status}")
