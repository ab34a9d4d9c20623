"""A sentence of constituency trees: both mappings, its words, the repair, the edit scripts, the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.drawing.blocks import Block, Drawing, answer, facts, formulas, note, picture, steps, story, wrapped
from evaltools.drawing.word_columns import (
    aligns_words,
    differing_tags,
    drawn_mapping,
    link_of,
    mapping_counts,
    placed_links,
)
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordMatch
from evaltools.frameworks.constituency.both_mappings import SAME_NODES, compare_mappings, marks_agree
from evaltools.frameworks.constituency.error_types import RULES, RuleSet, bundled_rules
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.wording import (
    formula_rows,
    lone_word_note,
    repair_note,
    script_note,
    status_note,
    summary_line,
    typed_text,
)
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.views import (
    GOLD,
    SCHEME,
    SHADE,
    SHORT,
    Count,
    Highlight,
    Highlighted,
    MarkedView,
    Panel,
    PanelRow,
    Section,
    Selection,
    Sentence,
    SentenceView,
    Viewing,
    fold_choice,
    marked_view,
    marks_drawings,
    right_marks,
    source_texts,
    subject_of,
    whole_picture,
    words_section,
    words_selection,
)
from evaltools.marks import Marks, Repair, Status, compared
from evaltools.text import count_of

_STRIPS = "R-mapping: repair by repair"
_MIN_STRIPS = 2
"""A single repair is the whole picture."""

_MAPPINGS = {"t": "T-mapping", "e": "E-mapping"}
_HEADINGS = {"e": "E-mapping: matching brackets", "t": "T-mapping: tree-edit alignment"}
_SCRIPT = Choice("script", "Mapping", _MAPPINGS, "t", clears=("step",))

_BOTH = "E- and T-mapping"
_FAMILIES = {metric.id: family for family, kind in PASSES.items() for metric in kind.metrics}
_HELP = {
    "e": "E-mapping: pairs brackets with the same label over the same words; recall, precision and F1 count them",
    "t": "T-mapping: the cheapest alignment of all nodes that keeps order and ancestry; tree-edit similarity counts it",
}
"""What each mapping is."""

_COUNTS = {
    Status.MISSING: ("D", "missing: only in the upper tree"),
    Status.SPURIOUS: ("I", "spurious: only in the lower tree"),
    Status.RELABELED: ("S", "relabeled: aligned with a node with another label"),
    Status.RIGHT: ("M", "right: in both trees"),
}
"""The letter and the meaning of each count."""

_ALIGNED = {
    "e": "Tokens differ: brackets are compared over the aligned characters.",
    "t": "Tokens differ: the lines show how words are aligned; T aligns its nodes independently.",
}


def sentence_view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    """Return the view of a sentence; for a brief view, the mappings alone."""
    alignment: Alignment = sentence.alignment
    remark = status_note(alignment, sentence.upper, sentence.lower)
    repairs = None
    if alignment.status == "ok":
        repairs = marked_sentence(alignment, bundled_rules(viewing.chosen(RULES)))
    marked = repairs if sentence.upper == GOLD else None
    view = _marked_view(sentence, viewing, marked)
    if viewing.is_brief:
        row = _panels(sentence, viewing, fold=None, highlight=None)
        return SentenceView("", remark, marked=view, rows=(row,), sections=_comparison(alignment))
    summary = summary_line(alignment, sentence.number, sentence.upper, sentence.lower, marked)
    texts = source_texts(sentence, "no tree", are_drawn=True)
    if not len(alignment.gold) and not len(alignment.test):
        return SentenceView(summary, remark, texts=texts, texts_heading="Trees as text")
    fold = fold_choice(alignment.sentence_length, "identical parts are folded into triangles")
    highlight = _step_nodes(alignment, viewing) or _step_marks(repairs, viewing)
    row = _panels(sentence, viewing, fold=viewing.chosen(fold) == "1", highlight=highlight)
    trees = () if view is None else (_TREES,)
    rows = (row,) if not trees or highlight is not None or viewing.chosen(_TREES) == "1" else ()
    sections = (
        *(_comparison(alignment) if rows else ()),
        words_section(alignment, viewing, row.word, _lineages(sentence, viewing, row.word)),
        _repair_section(repairs, sentence, viewing),
        _script_section(alignment, viewing),
        *(() if marked is None else _strips_section(marked, sentence)),
        Section("formulas", (formulas(formula_rows(alignment)),), "Scores of this sentence", "right"),
    )
    return SentenceView(
        summary,
        remark,
        choices=(*(() if view is None else _MARKS), *trees, beside_choice(alignment, viewing), fold),
        marked=view,
        rows=rows,
        sections=sections,
        texts=texts,
        texts_heading="Trees as text",
        lab_trees=_lab_trees(sentence),
    )


def subject(alignment: Alignment) -> str:
    """Return a short name for the two trees."""
    return subject_of(str(alignment.gold), str(alignment.test))


def beside_choice(alignment: Alignment, viewing: Viewing) -> Choice:
    """Return the choice whether each mapping has a panel, as it has where they differ and below a list about both."""
    is_about_both = {_FAMILIES.get(metric) for metric in viewing.compared} == {"e", "t"}
    default = "1" if is_about_both or not marks_agree(alignment) else "0"
    hint = "each alignment in a picture of its own; by default where they mark different nodes"
    return Choice("beside", "E beside T", {"0": "", "1": ""}, default, hint, is_toggle=True, is_kept=True)


def _comparison(alignment: Alignment) -> tuple[Section, ...]:
    """Return what the two mappings make of the same errors, above their pictures."""
    text = compare_mappings(alignment)
    block = note(text) if text == SAME_NODES else answer(text)
    return (Section("comparison", (block,), place="above"),) if text else ()


def mapping_drawing(alignment: Alignment, mapping: str, **options: object) -> Drawing:
    """Return the picture of one mapping, ``"e"`` or ``"t"``, with options of the layout."""
    return Drawing(alignment, _MAPPINGS[mapping], mapping, _HEADINGS[mapping], {"mapping": mapping, **options})


def tree_panels(
    alignment: Alignment,
    *,
    mappings: Sequence[str] = ("e", "t"),
    part: str = "roof",
    fold: bool | None = None,
    unfolded: frozenset[int] = frozenset(),
    gold_name: str = "gold",
    parse_name: str = "parse",
    highlight: Highlight | None = None,
    word: int | None = None,
    words: Selection | None = None,
) -> PanelRow:
    """Return the mappings of two trees side by side."""
    options = {"fold": fold, "unfolded": unfolded, "gold_name": gold_name, "parse_name": parse_name}
    panels = []
    for mapping in mappings:
        counts = (panel_counts(alignment, mapping, part),)
        remark = panel_note(alignment, mapping, part, parse_name)
        drawing = mapping_drawing(alignment, mapping, **options)
        panels.append(Panel(mapping, _HEADINGS[mapping], drawing, counts, remark, f"{_HELP[mapping]}."))
    word_matches = {link.how for link in placed_links(alignment)}
    legend = (
        *(tree_legend((status,), gold_name=gold_name, parse_name=parse_name) for status in LEGEND),
        *(tree_legend((), (how,)) for how in WordMatch if how in word_matches),
    )
    sides = (gold_name, parse_name)
    return PanelRow(tuple(panels), subject(alignment), unfolded, legend, highlight, word, words, sides)


def panel_counts(alignment: Alignment, mapping: str, part: str) -> tuple[str, tuple[Count, ...]]:
    """Return the kind of nodes that the header of a mapping counts, and the counts."""
    scope, counts = mapping_counts(alignment, mapping, part)
    numbers = [
        Count(status, _COUNTS[status][0], number, f"{scope} {_COUNTS[status][1]}") for status, number in counts.items()
    ]
    if moves := len(drawn_mapping(alignment, mapping).moves):
        numbers.append(
            Count(Status.MOVED, "moved subtrees", moves, "subtrees that have another parent in the lower tree")
        )
    return scope, tuple(numbers)


def panel_note(alignment: Alignment, mapping: str, part: str, parse_name: str) -> str:
    """Return the note under a panel."""
    if not len(alignment.test):
        return f"{parse_name}: no parse"
    drawn = drawn_mapping(alignment, mapping)
    statuses = {*drawn.gold_status, *drawn.test_status}
    if statuses <= {Status.RIGHT}:
        return "All nodes match."
    if (mapping, alignment.status) == ("e", "words_differ") and not aligns_words(alignment):
        return "Tokens differ, so bracketing scores (E) are undefined."
    notes = [_ALIGNED[mapping] if aligns_words(alignment) else _tags_note(alignment, mapping, part)]
    if None in statuses:
        notes.append("Brackets over one word do not count and are not marked.")
    return " ".join(filter(None, notes))


def _tags_note(alignment: Alignment, mapping: str, part: str) -> str:
    """Return how many tags are marked and not counted; empty if there are none."""
    missing, spurious = differing_tags(alignment) if (mapping, part) == ("e", "roof") else (0, 0)
    if not missing and not spurious:
        return ""
    number = str(missing) if missing == spurious else f"{missing} above and {spurious} below"
    return f"Tags that differ: {number}. They are marked, too; E counts brackets only."


_RIGHT = right_marks("brackets")
_TREES = whole_picture("Trees", "the E- and the T-alignment of the two trees")
_MARKS = (_RIGHT, SHORT, SHADE)


def _marked_view(sentence: Sentence, viewing: Viewing, marks: Marks | None) -> MarkedView | None:
    """Return the marked sentence of a parse, or of two parsers; None if their words differ from those of gold."""
    options: dict[str, object] = {"parse_name": sentence.lower}
    if sentence.upper != GOLD:
        marks, options = _compared(sentence, bundled_rules(viewing.chosen(RULES))), {"parse_name": "parsers"}
    if marks is None:
        return None
    options["shade"] = viewing.chosen(SHADE) == "1"
    keys = {"a": _RIGHT, "s": SHORT, "v": _TREES}
    return marked_view(marks, viewing, subject(sentence.alignment), keys, options)


def _compared(sentence: Sentence, rules: RuleSet) -> Marks | None:
    """Return the marks of two parsers and the gold tree; None without both, or if words differ."""
    if len(sentence.with_gold) != 2:
        return None
    a, b = sentence.with_gold
    if (a.status, b.status) != ("ok", "ok") or a.gold != b.gold:
        return None
    return compared(marked_sentence(a, rules), marked_sentence(b, rules), (sentence.upper, sentence.lower))


def _panels(
    sentence: Sentence,
    viewing: Viewing,
    *,
    fold: bool | None,
    highlight: Highlight | None,
) -> PanelRow:
    alignment: Alignment = sentence.alignment
    row = tree_panels(
        alignment,
        fold=fold,
        unfolded=viewing.unfolded(subject(alignment)),
        gold_name=sentence.upper,
        parse_name=sentence.lower,
        highlight=highlight,
        word=viewing.index("at", "", len(alignment.words)),
        words=None if viewing.is_brief else words_selection(alignment),
    )
    if viewing.chosen(beside_choice(alignment, viewing)) == "1":
        return row
    both = _of_both(row.panels[1], alignment, sentence.lower)
    return replace(row, panels=(both,), saved=tuple(panel.drawing for panel in row.panels))


def _of_both(panel: Panel, alignment: Alignment, parse_name: str) -> Panel:
    """Return the picture of the T-mapping with the counts of both mappings, whose picture it is if they agree."""
    counts = [
        *(("E", panel_counts(alignment, "e", part)) for part in ("roof", "whole")),
        ("T", panel_counts(alignment, "t", "roof")),
    ]
    agree = marks_agree(alignment)
    heading = _BOTH if agree else panel.heading
    return replace(
        panel,
        heading=heading,
        counts=tuple((f"{name}, {scope}", numbers) for name, (scope, numbers) in counts),
        drawing=replace(panel.drawing, heading=heading),
        note=panel_note(alignment, "e", "roof", parse_name) if agree else panel.note,
        help=f"{_HELP['e']}. {_HELP['t']}.",
    )


def _step_nodes(alignment: Alignment, viewing: Viewing) -> tuple[int | None, int | None] | None:
    """Return the nodes of the edit step that the URL names, such as ``t3``."""
    for mapping in _MAPPINGS:
        script = drawn_mapping(alignment, mapping).steps
        index = viewing.index("step", mapping, len(script))
        if index is not None:
            return script[index].gold, script[index].test
    return None


def _lineages(sentence: Sentence, viewing: Viewing, chosen: int | None) -> list[Block]:
    """Return the lineages of a word in both trees."""
    if chosen is None:
        return []
    word = sentence.alignment.words[chosen]
    if word.test is None:
        return [note(lone_word_note(word, sentence.upper, sentence.lower))]
    names = {"gold_name": sentence.upper, "parse_name": sentence.lower}
    link = link_of(sentence.alignment, word)
    drawing = draw(word, metric=viewing.chosen(SCHEME), theme="auto", link=link, **names)
    return [picture(drawing, heading="Its lineages, from the word to the root")]


def marked_drawings(alignment: Alignment, parser: str) -> tuple[Drawing, ...]:
    """Return the marked sentence with its verdict, and its repairs one by one if there are several."""
    if alignment.status != "ok":
        return ()
    marks = marked_sentence(alignment, bundled_rules())
    return (*marks_drawings(marks, parser), *_strips(marks, GOLD, parser))


def _strips(marks: Marks, upper: str, lower: str) -> tuple[Drawing, ...]:
    """Return the pictures of the repairs one by one; nothing if there are fewer than two."""
    if len(marks.repairs) < _MIN_STRIPS or marks.unit != "brackets":
        return ()
    heading = "Repair by repair"
    options = {"gold_name": upper, "parse_name": lower, "one_by_one": True}
    return (Drawing(marks, heading, "repairs", heading, options),)


def _strips_section(marked: Marks, sentence: Sentence) -> tuple[Section, ...]:
    drawings = _strips(marked, sentence.upper, sentence.lower)
    return tuple(Section("strips", (wrapped(strips, ""),), _STRIPS, "under") for strips in drawings)


def _script_section(alignment: Alignment, viewing: Viewing) -> Section:
    mapping = viewing.chosen(_SCRIPT)
    script = drawn_mapping(alignment, mapping).steps
    rows = [(step.status, step.text) for step in script]
    chosen = viewing.index("step", mapping, len(script))
    blocks = (
        note(script_note(mapping, len(script))),
        steps(rows, chosen=chosen, title=f"Edit script, {_MAPPINGS[mapping]}"),
    )
    values = tuple(f"{mapping}{index}" for index in range(len(script)))
    return Section("steps", blocks, "Edit script", "left", _SCRIPT, steps=Selection("step", values))


def _taken(marks: Marks | None) -> list[Repair]:
    """Return the repairs of brackets in the order in which the tree is repaired."""
    if marks is None or marks.unit != "brackets":
        return []
    return sorted(marks.repairs, key=lambda repair: repair.step)


def _step_marks(marks: Marks | None, viewing: Viewing) -> Highlighted | None:
    """Return what to mark for the repair that the URL names by its place in their order, such as ``r2``."""
    repairs = _taken(marks)
    index = viewing.index("step", "r", len(repairs))
    if marks is None or index is None:
        return None
    repair = repairs[index]
    own = marks.focused(repair.number).marks
    stretches = repair.moved or tuple(stretch for mark in own for stretch in mark.stretches)
    places = {marks.words[at].position for start, end in stretches for at in range(start, end)}
    gold, test = (tuple(mark.node for mark in own if mark.side == side) for side in ("gold", "test"))
    words = tuple(sorted(place for place in places if place is not None))
    return Highlighted(gold, test, words, f"repair: {repair.phrase} {repair.verdict}")


def _repair_section(marks: Marks | None, sentence: Sentence, viewing: Viewing) -> Section:
    """Return the repairs in the order in which they are applied; a click on one marks it in the pictures."""
    heading = "Repairs in their order"
    repairs = _taken(marks)
    if marks is None or not repairs:
        reason = "Repairs need both trees, over the same words."
        if marks is not None:
            reason = marks.unrepaired or "Nothing to repair: all brackets are right."
        return Section("repair", (note(reason),), heading, "left")
    is_numbered = sentence.upper == GOLD
    steps_of, repaired = Counter[str](), Counter[str]()
    rows = []
    for repair in repairs:
        steps_of[repair.type] += 1
        repaired[repair.type] += repair.repaired
        left = marks.wrong - repaired.total()
        remark = f"{count_of(repair.repaired, 'bracket')} repaired, {left or 'none'} left"
        remark += f"; number {repair.number} above" if is_numbered else ""
        rows.append((str(repair.status), repair.type, f"{repair.phrase} {repair.verdict}", remark))
    types = [(name, count_of(steps_of[name], "repair"), str(number)) for name, number in repaired.most_common()]
    total = ("total", count_of(len(repairs), "repair"), str(marks.wrong))
    rules = viewing.chosen(RULES)
    blocks = (
        note(
            repair_note(marks, sentence.upper, sentence.lower)
            + ("" if rules == RULES.default else f" Rules of the error types: {RULES.options[rules]}.")
        ),
        story(rows, chosen=viewing.index("step", "r", len(repairs)), title=heading),
        facts([*types, total], "Brackets repaired, by error type"),
    )
    values = tuple(f"r{index}" for index in range(len(rows)))
    return Section("repair", blocks, heading, "left", steps=Selection("step", values))


def _lab_trees(sentence: Sentence) -> tuple[str, str] | None:
    """Return the two trees as they can be typed in the metric lab."""
    trees = [tree for _, tree in sentence.sources[-2:] if tree is not None and tree.is_continuous and tree.words]
    if len(trees) < 2:
        return None
    return typed_text(trees[0]), typed_text(trees[1])
