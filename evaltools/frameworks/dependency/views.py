"""A sentence of dependency trees: its arcs, its words, the wrong arcs, the scores."""

from __future__ import annotations

from typing import cast

from evaltools.drawing import ARC_LEGEND, ENHANCED_LEGEND, arc_legend, draw
from evaltools.drawing.blocks import Block, Drawing, formulas, note, picture, steps
from evaltools.drawing.layouts.marked_parts import WRONG
from evaltools.frameworks.common.marked_views import (
    SHADE,
    SHORT,
    arcs_drawings,
    arcs_view,
    of_parser,
    right_marks,
    whole_picture,
)
from evaltools.frameworks.common.word_views import SCHEME, words_section, words_selection
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment, EnhancedAlignment
from evaltools.frameworks.dependency.enhanced_edges import align_enhanced, has_enhanced
from evaltools.frameworks.dependency.marked import compared_arcs, marked_arcs
from evaltools.frameworks.dependency.word_table import word_table
from evaltools.frameworks.dependency.wording import arc_steps, arcs_formulas, arcs_status, arcs_summary
from evaltools.frameworks.views import (
    GOLD,
    Count,
    MarkedView,
    Marks,
    Panel,
    PanelRow,
    Section,
    Selection,
    Sentence,
    SentenceView,
    Viewing,
    fold_choice,
    source_texts,
    subject_of,
)
from evaltools.marks import Status
from evaltools.text import count_of

__all__ = ["arcs_drawing", "enhanced_drawing", "marked_drawings", "sentence_view"]

_COUNTED = (
    (Status.RIGHT, None, "right", "right head and relation"),
    (Status.RELABELED, None, "wrong relation", "right head, wrong relation"),
    (Status.MISSING, False, "wrong head", "wrong head, right relation"),
    (Status.MISSING, True, "both wrong", "wrong head and relation"),
)


def sentence_view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    """Return the view of a sentence; below a list of sentences, only its arcs."""
    alignment: DependencyAlignment = sentence.alignment
    remark = arcs_status(alignment, sentence.upper, sentence.lower)
    marked = _marked_view(sentence, viewing)
    if marked is None and alignment.status == "words_differ":
        remark += " There is no marked sentence; the arcs of both trees are below."
    if viewing.is_brief:
        words = viewing.words
        marks = Marks(words, words, words, "the words of the row") if words else None
        return SentenceView("", remark, marked=marked, rows=(_arcs(sentence, viewing, fold=None, marks=marks),))
    summary = arcs_summary(alignment, sentence.number, sentence.upper, sentence.lower)
    texts = source_texts(sentence, "no tree")
    if not len(alignment.gold) and not len(alignment.test):
        return SentenceView(summary, remark, texts=texts, texts_heading="Trees as text")
    fold = fold_choice(alignment.sentence_length, "parts that are equal in both trees are folded")
    step = viewing.index("step", "a", len(alignment.gold))
    row = _arcs(sentence, viewing, fold=viewing.chosen(fold) == "1", marks=None if step is None else (step, None))
    sections = (
        words_section(alignment, viewing, row.word, _lineages(sentence, viewing, row.word)),
        _wrong_arcs(alignment, step),
        Section("formulas", (formulas(arcs_formulas(alignment)),), "Scores of this sentence", "right"),
        word_table(alignment, viewing, (sentence.upper, sentence.lower), row.word),
    )
    shade = (SHADE,) if sentence.upper == GOLD else ()
    own = () if marked is None else (_RIGHT, SHORT, *shade, _ARCS)
    choices = (*own, fold, *((_ENHANCED,) if has_enhanced(alignment) else ()))
    return SentenceView(
        summary,
        remark,
        choices=choices,
        marked=marked,
        rows=(
            *((row,) if marked is None or step is not None or viewing.chosen(_ARCS) == "1" else ()),
            *(_enhanced(sentence) if viewing.chosen(_ENHANCED) == "1" else ()),
        ),
        sections=sections,
        texts=texts,
        texts_heading="Trees as text",
    )


_RIGHT = right_marks("arcs")
_ARCS = whole_picture("Arcs", "all arcs of the two trees")
_ENHANCED = Choice(
    "enhanced", "Enhanced dependencies", {"0": "", "1": ""}, "0", "edges of the column DEPS", is_toggle=True
)
_EDGES = (
    (Status.RIGHT, "right", "gold", "same head and relation"),
    (Status.RELABELED, "wrong relation", "gold", "same head, different relation"),
    (Status.MISSING, "missing", "gold", "edges only in the upper analysis"),
    (Status.SPURIOUS, "spurious", "test", "edges only in the lower analysis"),
)
_EMPTY_NODES = (
    "Words in boxes are empty nodes. ELAS compares paths through them; an edge of such a path is right if a path is."
)
_KEYS = {"a": _RIGHT, "s": SHORT, "v": _ARCS}

_LEGEND = {
    "missing": "arc only in gold",
    "spurious": "arc only in the parse",
    "relabeled": "wrong relation",
    "moved": "word with a wrong head",
    "right": "correct",
}


def _marked_view(sentence: Sentence, viewing: Viewing) -> MarkedView | None:
    """Return the marked sentence of a parse, or of two parsers; None if their words differ from those of gold."""
    alignment: DependencyAlignment = sentence.alignment
    if not len(alignment.gold):
        return None
    subject = subject_of(alignment.gold.to_string(), alignment.test.to_string())
    if sentence.upper == GOLD:
        marked = marked_arcs(alignment)
        if marked is None:
            return None
        options = {"test_name": sentence.lower, "shade": viewing.chosen(SHADE) == "1"}
        empty = "Nothing to repair: all arcs are right."
        return arcs_view(marked, viewing, subject, legend=_LEGEND, keys=_KEYS, empty=empty, options=options)
    if len(sentence.with_gold) != 2:
        return None
    names = sentence.upper, sentence.lower
    compared = compared_arcs(sentence.with_gold[0], sentence.with_gold[1], names)
    if compared is None:
        return None
    verdicts = []
    for index, (own, name) in enumerate(zip(sentence.with_gold, names, strict=True)):
        of_one = marked_arcs(own)
        if of_one is not None:
            verdicts.append(of_parser(index, name, of_one.repairs, of_one.wrong, "has no wrong arcs"))
    return arcs_view(
        compared,
        viewing,
        subject,
        legend={**WRONG, "right": "correct in both"},
        keys=_KEYS,
        empty="All arcs of both parsers are right.",
        options={"test_name": "parsers"},
        verdicts=verdicts,
    )


def marked_drawings(alignment: DependencyAlignment, parser: str) -> tuple[Drawing, ...]:
    """Return the marked sentence; nothing if the words differ or a tree is missing."""
    return arcs_drawings(marked_arcs(alignment), parser, _LEGEND)


def arcs_drawing(alignment: DependencyAlignment, **options: object) -> Drawing:
    """Return the picture of two trees, with options of the layout."""
    return Drawing(alignment, "Arcs", "arcs", options=options)


def enhanced_drawing(alignment: DependencyAlignment, **options: object) -> tuple[Drawing, ...]:
    """Return the picture of the enhanced dependencies of two trees; nothing if there are none."""
    aligned = align_enhanced(alignment)
    return () if aligned is None else (Drawing(aligned, "Enhanced dependencies", "enhanced", options=options),)


def _enhanced(sentence: Sentence) -> tuple[PanelRow, ...]:
    """Return the panel of the enhanced dependencies; nothing if there are none."""
    names = {"gold_name": sentence.upper, "test_name": sentence.lower}
    for drawing in enhanced_drawing(sentence.alignment, **names):
        aligned = cast(EnhancedAlignment, drawing.subject)
        counts = tuple(Count(status, name, aligned.number(side, status), hint) for status, name, side, hint in _EDGES)
        has_empty = any(node.is_empty for node in aligned.nodes)
        panel = Panel(
            "enhanced",
            f"Enhanced dependencies: {sentence.upper} above, {sentence.lower} below",
            drawing,
            "edges",
            counts,
            _EMPTY_NODES if has_empty else "",
        )
        legend = tuple(arc_legend((kind,), **names, meanings=ENHANCED_LEGEND) for kind in ENHANCED_LEGEND)
        alignment: DependencyAlignment = sentence.alignment
        subject = subject_of("enhanced", alignment.gold.to_string(), alignment.test.to_string())
        return (PanelRow((panel,), subject, legend=legend),)
    return ()


def _arcs(
    sentence: Sentence, viewing: Viewing, *, fold: bool | None, marks: tuple[int | None, int | None] | Marks | None
) -> PanelRow:
    alignment: DependencyAlignment = sentence.alignment
    subject = subject_of(alignment.gold.to_string(), alignment.test.to_string())
    unfolded = viewing.unfolded(subject)
    remark = ""
    if not len(alignment.test):
        remark = f"{sentence.lower}: no parse"
    elif alignment.status == "words_differ":
        remark = "Tokens differ; words are aligned by the characters they cover."
    elif {*alignment.gold_status, *alignment.test_status} <= {Status.RIGHT, None}:
        remark = "All arcs are right."
    panel = Panel(
        "arcs",
        f"Arcs: {sentence.upper} above, {sentence.lower} below",
        arcs_drawing(alignment, fold=fold, unfolded=unfolded, gold_name=sentence.upper, test_name=sentence.lower),
        f"words of {sentence.upper}",
        tuple(
            Count(status, name, alignment.number(status, relabeled=relabeled), hint)
            for status, relabeled, name, hint in _COUNTED
        ),
        remark,
    )
    return PanelRow(
        (panel,),
        subject,
        unfolded,
        tuple(arc_legend((kind,), gold_name=sentence.upper, test_name=sentence.lower) for kind in ARC_LEGEND),
        marks,
        viewing.index("at", "", len(alignment.gold)),
        None if viewing.is_brief else words_selection(alignment),
    )


def _lineages(sentence: Sentence, viewing: Viewing, chosen: int | None) -> list[Block]:
    """Return the relations from a word up to the root in both trees."""
    word = next((word for word in sentence.alignment.words if word.position == chosen), None)
    if word is None:
        return [note("This word is not counted.")]
    if word.test is None:
        return [note(f"This word has no aligned word in {sentence.lower}, so there is nothing to compare it with.")]
    names = {"gold_name": sentence.upper, "test_name": sentence.lower}
    drawing = draw(word, metric=viewing.chosen(SCHEME), theme="auto", **names)
    return [picture(drawing, heading="Its relations, from the word to the root")]


def _wrong_arcs(alignment: DependencyAlignment, step: int | None) -> Section:
    """Return the list of wrong arcs, word by word."""
    wrong = arc_steps(alignment)
    words = [word for word, _, _ in wrong]
    if not wrong:
        compared = alignment.status != "missing" and Status.RIGHT in alignment.gold_status
        remark = "None." if compared else "There is nothing to compare."
        return Section("wrong", (note(remark),), "Wrong arcs", "left")
    number = len(wrong)
    blocks = (
        note(f"{count_of(number, 'word')} with a wrong arc. Click one to see it."),
        steps(
            [(mark, text) for _, mark, text in wrong],
            chosen=words.index(step) if step in words else None,
            title="Wrong arcs",
        ),
    )
    selection = Selection("step", tuple(f"a{word}" for word in words))
    return Section("wrong", blocks, "Wrong arcs", "left", steps=selection)
