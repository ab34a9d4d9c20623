"""Views of a sentence: errors in words, the marked sentence of arcs, and words with their leaf-ancestor scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evaltools.drawing import strip_scene
from evaltools.drawing.blocks import Block, Drawing, note, strip
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.views import MarkedView, Section, Selection, Verdict, Viewing
from evaltools.marks import MarkedArcs, Repair, tie_of
from evaltools.text import count_of

SHADE = Choice(
    "shade", "Leaf-ancestor", {"0": "", "1": ""}, "0", "shade words by their leaf-ancestor score", is_toggle=True
)
"""Whether words are shaded."""

SHORT = Choice("short", "Shorten", {"0": "", "1": ""}, "0", "leave out words far from any mark (key S)", is_toggle=True)
"""Whether words far from any mark are left out."""

_KEYS = {"moved": "boxed"}
"""The entry of the legend for a status, where arcs have fewer marks than brackets."""


def right_marks(what: str) -> Choice:
    """Return the choice whether what is correct is drawn, too."""
    hint = f"also draw the {what} that are correct (key A)"
    return Choice("right", f"Correct {what}", {"0": "", "1": ""}, "0", hint, is_toggle=True)


def whole_picture(label: str, hint: str) -> Choice:
    """Return the choice whether the whole picture stands under the marked sentence; a chosen step would show it."""
    return Choice("trees", label, {"0": "", "1": ""}, "1", f"{hint} (key V)", is_toggle=True, clears=("step",))


def verdicts_of(repairs: Sequence[Repair]) -> tuple[Verdict, ...]:
    """Return repairs as errors in words."""
    return tuple(
        Verdict(
            item.number, item.cause.value, item.phrase, item.verdict, item.short, item.repaired, together=item.together
        )
        for item in repairs
    )


def standing_alone(drawing: Drawing, legend: Sequence[tuple[str, str]], **options: object) -> Drawing:
    """Return the drawing of a marked sentence for files: with a legend and no empty edge, and with further options."""
    return replace(drawing, options={**drawing.options, "legend": tuple(legend), "tight": True, **options})


def of_parser(index: int, name: str, repairs: Sequence[Repair], share: int, nothing: str) -> Verdict:
    """Return the errors of the first (0) or the second (1) of two parsers in words."""
    text = nothing
    if repairs:
        largest = f"the largest: {repairs[0].phrase} {repairs[0].verdict}"
        if tie := tie_of(repairs):
            largest = tie[0].lower() + tie[1:]
        text = f"needs {count_of(len(repairs), 'repair')}; {largest}"
    return Verdict(index + 1, ("only-a", "only-b")[index], name, text, name, share, "AB"[index])


def arcs_view(
    marked: MarkedArcs,
    viewing: Viewing,
    subject: str,
    *,
    legend: Mapping[str, str],
    keys: Mapping[str, Choice],
    empty: str,
    options: Mapping[str, object],
    verdicts: Sequence[Verdict] | None = None,
) -> MarkedView:
    """Return the view of a marked sentence of arcs; of two parsers with their `verdicts`."""
    is_compared = verdicts is not None
    errors = tuple(verdicts_of(marked.repairs) if verdicts is None else verdicts if marked.wrong else ())
    title = "Marked sentence of both parsers" if is_compared else "Marked sentence"
    chosen = {name: viewing.chosen(keys[key]) == "1" for key, name in (("a", "right"), ("s", "shorten"))}
    drawing = Drawing(marked, title, "compared" if is_compared else "marked", title, {**options, **chosen})
    there = marked.statuses | ({"right"} if chosen["right"] else set())
    entries = tuple((_KEYS.get(status, status), text) for status, text in legend.items() if status in there)
    return MarkedView(
        drawing,
        subject,
        errors,
        marked.wrong,
        marked.unit,
        heading=title,
        legend=entries,
        focus=viewing.index("repair", "", len(errors) + 1) or _about(marked, viewing.words),
        keys=keys,
        focuses=Selection("repair", ("", *(str(item.number) for item in errors))),
        empty=empty,
        saved=standing_alone(drawing, entries, key=is_compared, verdict=not is_compared),
        tie="" if is_compared else tie_of(marked.repairs),
    )


def arcs_drawings(marked: MarkedArcs | None, parser: str, legend: Mapping[str, str]) -> tuple[Drawing, ...]:
    """Return the marked sentence with its errors in words and a legend."""
    if marked is None:
        return ()
    drawing = Drawing(marked, "Marked sentence", "marked", "Marked sentence", {"test_name": parser})
    entries = [(_KEYS.get(status, status), text) for status, text in legend.items() if status in marked.statuses]
    return (standing_alone(drawing, entries, verdict=True),)


def _about(marked: MarkedArcs, words: Sequence[int]) -> int | None:
    """Return the number of the first repair of some words, as a row of a list names them."""
    labels = [label for label in marked.labels if not set(words).isdisjoint(range(*label.span))]
    return min((number for label in labels for number in label.repairs), default=None)


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
