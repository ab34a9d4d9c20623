"""Views of a sentence: errors in words, the marked sentence of arcs, and words with their leaf-ancestor scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaltools.drawing import strip_scene
from evaltools.drawing.blocks import Block, Drawing, note, strip
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.views import MarkedView, Section, Selection, Viewing
from evaltools.marks import Marks

SHADE = Choice(
    "shade", "Leaf-ancestor", {"0": "", "1": ""}, "0", "shade words by their leaf-ancestor score", is_toggle=True
)
"""Whether words are shaded."""

_MAX_WRONG = 12
"""A sentence with more wrong brackets, arcs or triples opens with the largest repair standing out."""

SHORT = Choice("short", "Shorten", {"0": "", "1": ""}, "0", "leave out words far from any mark (key S)", is_toggle=True)
"""Whether words far from any mark are left out."""


def right_marks(what: str) -> Choice:
    """Return the choice whether what is correct is drawn, too."""
    hint = f"also draw the {what} that are correct (key A)"
    return Choice("right", f"Correct {what}", {"0": "", "1": ""}, "0", hint, is_toggle=True)


def whole_picture(label: str, hint: str) -> Choice:
    """Return the choice whether the whole picture stands under the marked sentence; a chosen step would show it."""
    return Choice("trees", label, {"0": "", "1": ""}, "1", f"{hint} (key V)", is_toggle=True, clears=("step",))


def marked_view(
    marks: Marks, viewing: Viewing, subject: str, keys: Mapping[str, Choice], options: Mapping[str, object]
) -> MarkedView:
    """Return the view of a marked sentence of a parse, or of two parsers."""
    title = "Marked sentence of both parsers" if marks.parsers else "Marked sentence"
    chosen = {name: viewing.chosen(keys[key]) == "1" for key, name in (("a", "right"), ("s", "shorten"))}
    drawing = Drawing(marks, title, "compared" if marks.parsers else "marked", title, {**options, **chosen})
    numbers = [repair.number for repair in marks.repairs]
    is_large = marks.wrong > _MAX_WRONG and len(numbers) > 1 and not marks.parsers and not viewing.is_brief
    focus = viewing.index("repair", "", len(numbers) + 1)
    if focus is None:
        focus = _about(marks, viewing.words) or int(is_large)
    return MarkedView(
        marks,
        drawing,
        subject,
        legend=marks.legend(right=chosen["right"], shade=bool(options.get("shade"))),
        focus=focus or None,
        focuses=Selection("repair", ("0" if is_large else "", *map(str, numbers))),
        keys=keys,
        saved=_standing_alone(drawing, is_compared=bool(marks.parsers)),
    )


def _standing_alone(drawing: Drawing, *, is_compared: bool) -> Drawing:
    """Return the drawing of a marked sentence for files: with all that a page tells around it, and no empty edge."""
    own = {"legend": True, "tight": True, "key": is_compared, "verdict": not is_compared}
    return replace(drawing, options={**drawing.options, **own})


def marks_drawings(marks: Marks | None, parser: str) -> tuple[Drawing, ...]:
    """Return the marked sentence with its errors in words and a legend."""
    if marks is None:
        return ()
    drawing = Drawing(marks, "Marked sentence", "marked", "Marked sentence", {"test_name": parser})
    return (_standing_alone(drawing, is_compared=False),)


def _about(marks: Marks, words: Sequence[int]) -> int | None:
    """Return the number of the first repair of some words, as a row of a list names them."""
    own = [mark for mark in marks.marks if not set(words).isdisjoint(range(mark.start, mark.end))]
    return min((number for mark in own for number in mark.repairs), default=None)


SCHEME = Choice("scheme", "Cost of a replaced label", {"la_partial": "graded", "la_strict": "exact"}, "la_partial")
"""What replacing a label costs."""


_Alignment = Alignment | DependencyAlignment


def word_strip(alignment: _Alignment, metric: str, chosen: int | None = None) -> Block:
    """Return the words of the upper tree, each shaded by its score, with the picture that they are saved as."""
    compared = {word.position: word for word in alignment.words}
    placed = [
        (
            word.form,
            word.position,
            compared[word.position].scores.get(metric) if word.position in compared else None,
        )
        for word in alignment.gold_words
    ]
    alone = {word.position for word in alignment.words if word.test is None}
    title = "Leaf-ancestor score of each word"
    drawing = Drawing(strip_scene(alignment, metric, title=title), title, "words", languages=("svg",))
    return strip(placed, chosen=chosen, alone=alone, files=drawing)


def words_section(alignment: _Alignment, viewing: Viewing, chosen: int | None, detail: Sequence[Block]) -> Section:
    """Return the words with their scores; a click on one shows its `detail`."""
    heading = "Leaf-ancestor, word by word"
    if not alignment.words:
        blocks: tuple[Block, ...] = (note("LA is undefined for this sentence."),)
        return Section("strip", blocks, heading, "left", SCHEME)
    below = detail if chosen is not None else [note("Click a word for its two lineages.")]
    blocks = (word_strip(alignment, viewing.chosen(SCHEME), chosen), *below)
    return Section("strip", blocks, heading, "left", SCHEME, words=words_selection(alignment))


def words_selection(alignment: _Alignment) -> Selection:
    """Return what a click on a word writes: its position."""
    return Selection("at", tuple(map(str, range(len(alignment.gold_words)))))
