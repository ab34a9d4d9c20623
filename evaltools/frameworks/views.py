"""The view of one sentence as plain data: pictures, lists, formulas, and the choices that change them.

Each framework gives a ``SentenceView`` of a ``Sentence``: pages, reports, notebooks and files have their pictures from
it. A framework with one picture needs no more than this:

>>> from evaltools.corpus import Tree
>>> from evaltools.blocks import formulas
>>> from evaltools.drawing import Drawing
>>> tree = Tree.from_string("(S (N dogs) (V bark))")
>>> view = SentenceView(
...     "Sentence 1: equal.",
...     rows=(PanelRow((Panel(Drawing(tree, "The tree", "tree")),), subject=subject_of(tree.to_string())),),
...     sections=(Section("formulas", (formulas([("Score", "M / G", "2 / 2", "1.000")]),), "Scores"),),
... )
>>> [drawing.title for drawing in view.drawings]
['The tree']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Literal

from evaltools.blocks import Block, Choice, Picture, Table, Text, Words, note, strip, table
from evaltools.corpus import Span
from evaltools.drawing import Drawing
from evaltools.drawing.scene import Scene
from evaltools.drawing.tree_grid import FOLD_ABOVE
from evaltools.frameworks.common.leaf_ancestor import METRICS
from evaltools.frameworks.common.lineages import WordComparison
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.marks import Mark, Marks, Status, Word
from evaltools.text import UNDEFINED, percent

if TYPE_CHECKING:
    from evaltools.runs.store import Run

GOLD = "gold"
"""Name of the gold analysis."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence to be shown."""

    alignment: Any  # The framework's alignment of its two analyses
    number: int = 1  # Its number in the run, from 1
    gold_name: str = GOLD  # Names of the two analyses
    parse_name: str = "parse"
    # The analyses as they were read, with their names; None for a missing one.
    sources: tuple[tuple[str, Any], ...] = ()
    # Of two parsers, the alignment of each with gold, if the framework compares all three.
    with_gold: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Viewing:
    """The choices of the reader for a sentence."""

    values: Mapping[str, str] = field(default_factory=dict)  # Chosen values, by their names in the URL
    # The subject whose folded parts were opened in the browser, and these.
    opened: tuple[str, frozenset[int]] = ("", frozenset())
    words: tuple[int, ...] = ()  # Words to mark, by their positions as read
    is_brief: bool = False  # Whether the view is below a list of sentences, where it shows little but the picture
    compared: tuple[str, ...] = ()  # Ids of the two metrics that the list is about which the sentence was opened from

    def chosen(self, choice: Choice) -> str:
        """Return the value of a choice: what the URL has if that is an option, else the default."""
        return choice.chosen(self.values)

    def index(self, name: str, prefix: str, length: int) -> int | None:
        """Return the number below `length` that the URL has under a name, such as 3 for ``t3``; None without one."""
        value = self.values.get(name, "")
        digits = value.removeprefix(prefix)
        is_number = value.startswith(prefix) and digits.isdecimal() and len(digits) < 6
        return int(digits) if is_number and int(digits) < length else None

    def unfolded(self, subject: str) -> frozenset[int]:
        """Return the folded parts of a subject that were opened."""
        return self.opened[1] if self.opened[0] == subject else frozenset()


STANDING_ALONE = Viewing({"enhanced": "1"}, is_brief=True)
"""For all pictures of a sentence in reports, notebooks and files."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The URL parameter that a click on a numbered item sets."""

    name: str
    values: tuple[str, ...]  # The value for each item


@dataclass(frozen=True, slots=True)
class PanelCount:
    """A number in the header of a panel."""

    status: str  # Status of the palette
    name: str  # A letter or a word
    number: int
    meaning: str  # Description of the number


@dataclass(frozen=True, slots=True)
class Panel:
    """A picture in the viewer."""

    drawing: Drawing  # Zoom and scroll position are kept under its suffix
    # Under the heading, a line for each unit with its numbers
    counts: tuple[tuple[str, tuple[PanelCount, ...]], ...] = ()
    note: str = ""  # Line under the picture while no node is pointed at
    help: str = ""  # What the heading means; empty for nothing


@dataclass(frozen=True, slots=True)
class Highlighted:
    """Nodes and words that a step is about."""

    gold: tuple[int, ...]  # Nodes of the two analyses
    test: tuple[int, ...]
    words: tuple[int, ...]  # Positions of words
    text: str = ""  # The line under the picture


Highlight = tuple[int | None, int | None] | Highlighted
"""A gold node and a test node to flash, as an edit step has them; or several."""


@dataclass(frozen=True, slots=True)
class PanelRow:
    """Panels beside one another, whose nodes and words light up together."""

    panels: tuple[Panel, ...]  # From left to right
    subject: str  # Digest of their content, from subject_of; the browser keeps folds and pins under it
    unfolded: frozenset[int] = frozenset()  # The folded parts that are open
    legend: tuple[Scene, ...] = ()  # An entry for each mark and line
    highlight: Highlight | None = None  # Nodes that flash
    word: int | None = None  # Position of the word to mark
    words: Selection | None = None  # Set by a click on a word
    sides: tuple[str, str] | None = None  # Names of gold and parse, or of two parsers, at the edge of each picture
    hover: str = "partner and path"  # What lights up with a node
    folded: str = ""  # What may be folded, in the plural
    apart: tuple[Drawing, ...] = ()  # The pictures one by one, if a panel is of several

    @property
    def help(self) -> str:
        """Actions of pointer and keys."""
        unfold = f" · click folded {self.folded}: unfold" if self.folded else ""
        return f"hover: {self.hover} · click: pin, Esc: unpin{unfold} · Ctrl + wheel: zoom"

    @property
    def touch_help(self) -> str:
        """Actions of a finger, for screens without a pointer."""
        unfold = f" · tap folded {self.folded}: unfold" if self.folded else ""
        return f"tap: pin {self.hover}, again: unpin{unfold} · + and −: zoom"

    @property
    def saved(self) -> tuple[Drawing, ...]:
        """The pictures that can be saved."""
        return self.apart or tuple(panel.drawing for panel in self.panels)


@dataclass(frozen=True, slots=True)
class MarkedView:
    """The sentence with marks for its errors, and the errors in words."""

    marks: Marks
    drawing: Drawing  # Of them; its layout takes a ``width`` and a ``height``
    subject: str  # A short name for what it shows, from subject_of
    legend: tuple[tuple[str, str], ...] = ()  # Signs that occur, and what they mean
    focus: int | None = None  # Number of the repair whose marks stand out
    focuses: Selection | None = None  # What a click on a repair writes: a value for each, after one for none
    keys: Mapping[str, Choice] = field(default_factory=dict)  # Keys that turn choices on and off
    # For files and reports: the sentence with errors in words and legend, and the repairs one by one if several
    drawings: tuple[Drawing, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading."""

    id: str  # Ends the key of its element
    blocks: tuple[Block, ...]  # From the functions of blocks
    heading: str = ""
    # Above the panels; right below them in the full width; then in one of two columns; at the end.
    place: Literal["above", "under", "left", "right", "below"] = "below"
    choice: Choice | None = None  # A control beside the heading
    is_folded: bool = False  # Whether the heading alone is in view at first
    steps: Selection | None = None  # Set by a click on a step, or on a word
    words: Selection | None = None


@dataclass(frozen=True, slots=True)
class SourceText:
    """An analysis as text."""

    name: str  # Whose it is
    text: str
    is_drawn: bool = False  # Whether the page offers its picture


@dataclass(frozen=True, slots=True)
class SentenceView:
    """The view of a sentence."""

    summary: str  # One line; empty where the page already has it
    note: str = ""  # Why the sentence is not scored as usual, if so
    choices: tuple[Choice, ...] = ()  # Controls of the whole view
    marked: MarkedView | None = None  # The errors in words and in the sentence; the controls stand below it
    rows: tuple[PanelRow, ...] = ()
    sections: tuple[Section, ...] = ()  # Lists, formulas and smaller pictures
    columns: tuple[int, int] = (11, 10)  # Relative widths of the two columns of sections
    texts: tuple[SourceText, ...] = ()  # The analyses as text
    texts_heading: str = ""
    lab_trees: tuple[str, str] | None = None  # The two trees in brackets, where the metric lab can open them

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """The pictures as reports and notebooks show them; of the panels, the last has a legend."""
        panels = [panel.drawing for row in self.rows for panel in row.panels]
        without = (replace(drawing, options={**drawing.options, "legend": False}) for drawing in panels[:-1])
        own = [drawing for block in self._blocks if isinstance(block, Picture | Words) for drawing in block.saved]
        return (*self._of_errors, *without, *panels[-1:], *own)

    @property
    def by_kind(self) -> dict[str, Drawing]:
        """The pictures one by one, each with a legend, by suffix; E and T also where a panel is of both."""
        panels = [drawing for row in self.rows for drawing in row.saved]
        own = [drawing for block in self._blocks if isinstance(block, Picture) for drawing in block.drawings]
        return {drawing.suffix: drawing for drawing in (*self._of_errors, *panels, *own)}

    @property
    def _of_errors(self) -> tuple[Drawing, ...]:
        return () if self.marked is None else self.marked.drawings

    @property
    def _blocks(self) -> list[Block]:
        return [block for section in self.sections for block in section.blocks]

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands in words above the panels."""
        above = (block for section in self.sections if section.place == "above" for block in section.blocks)
        return tuple(block.text for block in above if isinstance(block, Text))


def subject_of(*texts: str) -> str:
    """Return a digest of some texts."""
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def fold_choice(n_words: int, hint: str) -> Choice:
    """Return the choice whether only what differs is drawn: the default in long sentences."""
    return Choice(
        "fold",
        "Show only what differs",
        {"0": "", "1": ""},
        "1" if n_words > FOLD_ABOVE else "0",
        f"{hint}; the default above {FOLD_ABOVE} words",
        is_toggle=True,
    )


def sentence_of(run: Run, number: int, parser: str, other: str = "") -> Sentence:
    """Return a sentence of a run to be shown: gold and parser, or `other`, another parser, and parser."""
    if run.theories:
        trees: Any = run.alignment(number, parser)
        return Sentence(trees, number, trees.gold_name, parser, trees.sources)
    names = dict.fromkeys((None, *((other,) if other else ()), parser))
    sources = tuple((name or GOLD, run.tree(number, name)) for name in names)
    with_gold: tuple[Any, ...] = ()
    if other not in ("", parser):
        with_gold = tuple(run.alignment(number, name) for name in (other, parser))
    alignment = run.alignment(number, other or parser, parser if other else None)
    return Sentence(alignment, number, other or GOLD, parser, sources, with_gold)


def source_texts(sentence: Sentence, *, are_drawn: bool = False) -> tuple[SourceText, ...]:
    """Return the trees of a sentence as text; `are_drawn`: also as pictures."""
    return tuple(
        SourceText(name, (str(tree) if tree else "") or "no tree", are_drawn and tree is not None)
        for name, tree in sentence.sources
    )


SHADE = Choice(
    "shade", "Leaf-ancestor", {"0": "", "1": ""}, "0", "shade words by their leaf-ancestor score", is_toggle=True
)
"""Whether words are shaded."""

_MAX_WRONG = 12
"""A sentence with more wrong brackets, arcs or triples opens with the largest repair standing out."""

_MIN_ONE_BY_ONE = 2

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
    drawing = Drawing(marks, title, "compared" if marks.parsers else "marked", {**options, **chosen})
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
        drawings=(_standing_alone(drawing), *_one_by_one(marks, drawing.options["parse_name"])),
    )


def _standing_alone(drawing: Drawing) -> Drawing:
    """Return the drawing of a marked sentence for files: with all that a page shows around it, and no empty edge."""
    return replace(drawing, options={**drawing.options, "legend": True, "tight": True, "verdict": True})


def _one_by_one(marks: Marks, parser: str) -> tuple[Drawing, ...]:
    """Return the picture of the repairs of brackets one by one; nothing for a single one."""
    if marks.parsers or marks.unit != "brackets" or len(marks.repairs) < _MIN_ONE_BY_ONE:
        return ()
    options = {"gold_name": GOLD, "parse_name": parser, "one_by_one": True}
    return (Drawing(marks, "Repair by repair", "repairs", options),)


def _about(marks: Marks, words: Sequence[int]) -> int | None:
    """Return the number of the first repair of some words, as a row of a list names them."""
    own = [mark for mark in marks.marks if not set(words).isdisjoint(range(mark.start, mark.end))]
    return min((number for mark in own for number in mark.repairs), default=None)


SCHEME = Choice("scheme", "Cost of a replaced label", {"la": "graded", "la_exact": "exact"}, "la")
"""What replacing a label costs."""


_Alignment = Alignment | DependencyAlignment


def word_strip(alignment: _Alignment, metric: str, chosen: int | None = None) -> Words:
    """Return the words of the gold tree, each shaded by its score, with the picture that they are saved as."""
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
    shaded = Marks(
        tuple(Word(*word) for word in placed),
        tuple(
            Mark("tag", "gold", at, "no aligned word", (Span(at, at + 1),), Status.MISSING)
            for at, (_, position, _) in enumerate(placed)
            if position in alone
        ),
    )
    options = {"shade": True, "legend": True, "gold_name": "", "parse_name": ""}
    drawing = Drawing(shaded, title, "words", options=options, languages=("svg",)).titled(title)
    return strip(placed, chosen=chosen, alone=alone, drawing=drawing)


def words_section(alignment: _Alignment, viewing: Viewing, chosen: int | None, detail: Sequence[Block]) -> Section:
    """Return the words with their scores; a click on one shows its `detail`."""
    heading = "Leaf-ancestor, word by word"
    if not alignment.words:
        blocks: tuple[Block, ...] = (note("LA is undefined for this sentence."),)
        return Section("strip", blocks, heading, "left", SCHEME)
    below = detail if chosen is not None else [note("Click a word for its two lineages.")]
    blocks = (word_strip(alignment, viewing.chosen(SCHEME), chosen), *below)
    return Section("strip", blocks, heading, "left", SCHEME, words=words_selection(alignment))


def lineage_rows(words: Sequence[WordComparison], names: Sequence[str] = (GOLD, "parse")) -> Table:
    """Return scores in %, word and both lineages of each word, as section 7 of Sampson and Babarczy (2003) does."""
    scored = [metric for metric in METRICS if any(metric.id in word.scores for word in words)]
    metrics = sorted(scored, key=lambda metric: not metric.place.overview)
    rows = [
        (
            *(percent(word.scores.get(metric.id)) for metric in metrics),
            word.form,
            *(UNDEFINED if lineage is None else " ".join(lineage) for lineage in (word.gold, word.test)),
        )
        for word in words
    ]
    heads = (*(f"{metric.short} %" for metric in metrics), "word", *(f"lineage in {name}" for name in names))
    differing = {at for at, word in enumerate(words) if word.gold != word.test}
    return table(heads, rows, numbers=range(len(metrics)), marked=differing)


def lineages_section(sentence: Sentence, remark: str) -> tuple[Section, ...]:
    """Return scores and lineages of all words under a heading to open; nothing where LA is undefined."""
    if not sentence.alignment.words:
        return ()
    rows = lineage_rows(sentence.alignment.words, (sentence.gold_name, sentence.parse_name))
    blocks = (note(remark), replace(rows, file_title="Scores and lineages of the words"))
    return (Section("lineages", blocks, "Leaf-ancestor: both lineages of every word", is_folded=True),)


def words_selection(alignment: _Alignment) -> Selection:
    """Return what a click on a word writes: its position."""
    return Selection("at", tuple(map(str, range(len(alignment.gold_words)))))
