"""A sentence of constituency trees: both mappings, its words, the repair, the edit scripts, the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from evaltools.corpus import Tree
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.drawing.blocks import Block, Drawing, answer, facts, formulas, note, picture, steps, story, wrapped
from evaltools.drawing.layouts.marked_parts import WRONG, remark_on_tags, tags_text
from evaltools.drawing.layouts.marked_setting import MAX_ARROWS, has_bundles
from evaltools.drawing.word_columns import (
    aligns_words,
    differing_tags,
    drawn_mapping,
    link_of,
    mapping_counts,
    placed_links,
)
from evaltools.errors import ParameterError
from evaltools.frameworks.common.marked_views import (
    SCHEME,
    SHADE,
    SHORT,
    of_parser,
    right_marks,
    standing_alone,
    verdicts_of,
    whole_picture,
    words_section,
    words_selection,
)
from evaltools.frameworks.constituency.aligned_trees import Alignment, WordMatch
from evaltools.frameworks.constituency.both_mappings import compare_mappings, marks_agree
from evaltools.frameworks.constituency.error_types import RULES, RuleSet, bundled_rules
from evaltools.frameworks.constituency.marked import compared_sentence, marked_sentence
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.repair import NO_ORDER, TOO_LONG, in_common_order
from evaltools.frameworks.constituency.wording import (
    RepairStory,
    formula_rows,
    lone_word_note,
    repair_note,
    repair_story,
    script_note,
    status_note,
    summary_line,
    typed_text,
)
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.views import (
    GOLD,
    Count,
    Highlight,
    MarkedView,
    Marks,
    Panel,
    PanelRow,
    Section,
    Selection,
    Sentence,
    SentenceView,
    SourceText,
    Verdict,
    Viewing,
    fold_choice,
    source_texts,
    subject_of,
)
from evaltools.marks import MarkedSentence, RepairStrips, Status, tie_of
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
    marked = None
    if alignment.status == "ok" and sentence.upper == GOLD:
        marked = marked_sentence(alignment, bundled_rules(viewing.chosen(RULES)))
    marked_view = _compared_view(sentence, viewing)
    if marked is not None:
        marked_view = _marked_view(marked, sentence, viewing)
    if viewing.is_brief:
        row = _panels(sentence, viewing, fold=None, highlight=None)
        return SentenceView("", remark, marked=marked_view, rows=(row,), sections=_comparison(alignment))
    summary = summary_line(alignment, sentence.number, sentence.upper, sentence.lower, marked)
    texts = _texts(sentence)
    if not len(alignment.gold) and not len(alignment.test):
        return SentenceView(summary, remark, texts=texts, texts_heading="Trees as text")
    fold = fold_choice(alignment.sentence_length, "identical parts are folded into triangles")
    repair = _repair(alignment, viewing)
    highlight = _step_nodes(alignment, viewing) or _step_marks(repair, viewing)
    row = _panels(sentence, viewing, fold=viewing.chosen(fold) == "1", highlight=highlight)
    trees = () if marked_view is None else (_TREES,)
    rows = (row,) if not trees or highlight is not None or viewing.chosen(_TREES) == "1" else ()
    sections = (
        *(_comparison(alignment) if rows else ()),
        words_section(alignment, viewing, row.word, _lineages(sentence, viewing, row.word)),
        _repair_section(repair, marked, sentence, viewing),
        _script_section(alignment, viewing),
        *(() if marked is None else _strips_section(marked, sentence)),
        Section("formulas", (formulas(formula_rows(alignment)),), "Scores of this sentence", "right"),
    )
    return SentenceView(
        summary,
        remark,
        choices=(*(() if marked_view is None else _MARKS), *trees, beside_choice(alignment, viewing), fold),
        marked=marked_view,
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
    return (Section("comparison", (answer(text),), place="above"),) if text else ()


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
    test_name: str = "test",
    highlight: Highlight | None = None,
    word: int | None = None,
    words: Selection | None = None,
) -> PanelRow:
    """Return the mappings of two trees side by side."""
    options = {"fold": fold, "unfolded": unfolded, "gold_name": gold_name, "test_name": test_name}
    panels = []
    for mapping in mappings:
        counts = (panel_counts(alignment, mapping, part),)
        remark = panel_note(alignment, mapping, part, test_name)
        drawing = mapping_drawing(alignment, mapping, **options)
        panels.append(Panel(mapping, _HEADINGS[mapping], drawing, counts, remark, f"{_HELP[mapping]}."))
    word_matches = {link.how for link in placed_links(alignment)}
    legend = (
        *(tree_legend((status,), gold_name=gold_name, test_name=test_name) for status in LEGEND),
        *(tree_legend((), (how,)) for how in WordMatch if how in word_matches),
    )
    sides = (gold_name, test_name)
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


def panel_note(alignment: Alignment, mapping: str, part: str, test_name: str) -> str:
    """Return the note under a panel."""
    if not len(alignment.test):
        return f"{test_name}: no parse"
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

_MARK_LEGEND = {
    "missing": "missing: only in gold",
    "spurious": "spurious: only in the parse",
    "relabeled": "wrong label or tag",
    "moved": "moves from × to ↑",
    "outlined": f"moves, by repair {MAX_ARROWS + 1} or a later one: arrows in “{_STRIPS}”",
    "right": "correct",
    "settled": "settled by that repair",
    "follows": "follows from that repair",
    "joined": "settled by both",
    "bundled": "several on one line",
    "gapped": "one bracket in several pieces",
}


def _marked_view(marked: MarkedSentence, sentence: Sentence, viewing: Viewing) -> MarkedView:
    """Return the marked sentence with its verdict and its keys."""
    verdicts = verdicts_of(marked.errors)
    options = {
        "gold_name": sentence.upper,
        "test_name": sentence.lower,
        "right": viewing.chosen(_RIGHT) == "1",
        "shorten": viewing.chosen(SHORT) == "1",
        "shade": viewing.chosen(SHADE) == "1",
    }
    legend = _legend_of(marked)
    drawing = Drawing(marked, "Marked sentence", "marked", "Marked sentence", options)
    focus = viewing.index("repair", "", len(verdicts) + 1)
    view = MarkedView(
        drawing,
        subject(sentence.alignment),
        verdicts,
        marked.total,
        marked.unit,
        legend=legend,
        focus=focus or None,
        keys={"a": _RIGHT, "s": SHORT, "v": _TREES},
        focuses=Selection("repair", ("", *(str(item.number) for item in verdicts))),
        remark=remark_on_tags(marked),
        saved=standing_alone(drawing, _without_page(legend), verdict=True),
        tie=tie_of(marked.repairs),
    )
    return replace(view, empty=marked.unrepaired) if marked.unrepaired else view


def _legend_of(marked: MarkedSentence) -> tuple[tuple[str, str], ...]:
    """Return the marks of a marked sentence and their meanings."""
    there = {bracket.status for bracket in marked.brackets}
    there |= {item.cause.value for item in marked.repairs if item.moved or item.cause is not Status.MOVED}
    there |= {"relabeled"} if marked.tags else set()
    numbered = [bracket for bracket in marked.brackets if bracket.repairs]
    there |= {"follows"} if any(bracket.follows for bracket in numbered) else set()
    there |= {"settled"} if any(not bracket.follows for bracket in numbered) else set()
    there |= {"joined"} if any(len(bracket.repairs) > 1 for bracket in numbered) else set()
    there |= {"outlined"} if any(item.moved and item.number > MAX_ARROWS for item in marked.repairs) else set()
    there |= {"bundled"} if has_bundles(marked) else set()
    there |= {"gapped"} if any(bracket.gaps for bracket in marked.brackets) else set()
    return tuple((status, text) for status, text in _MARK_LEGEND.items() if status in there)


def _without_page(legend: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return a legend for a picture without the page around it."""
    own = {"outlined": f"moves, by repair {MAX_ARROWS + 1} or a later one"}
    return tuple((status, own.get(status, text)) for status, text in legend)


def _compared_view(sentence: Sentence, viewing: Viewing) -> MarkedView | None:
    """Return the marked sentence of two parsers and the gold tree; None without both, or if words differ."""
    if len(sentence.with_gold) != 2:
        return None
    names = sentence.upper, sentence.lower
    compared = compared_sentence(sentence.with_gold[0], sentence.with_gold[1], names)
    if compared is None:
        return None
    verdicts = tuple(
        _of_parser(compared, alignment, index, name, bundled_rules(viewing.chosen(RULES)))
        for index, (alignment, name) in enumerate(zip(sentence.with_gold, names, strict=True))
    )
    legend = [
        (status, f"{text}: {compared.number(status, 'gold')} missing, {compared.number(status, 'test')} spurious")
        for status, text in WRONG.items()
    ]
    options = {
        "gold_name": GOLD,
        "test_name": "parsers",
        "right": viewing.chosen(_RIGHT) == "1",
        "shorten": viewing.chosen(SHORT) == "1",
        "shade": viewing.chosen(SHADE) == "1",
    }
    if options["shade"]:
        legend.append(("shaded", "leaf-ancestor score: A above the word, B below"))
    if has_bundles(compared):
        legend.append(("bundled", _MARK_LEGEND["bundled"]))
    if any(bracket.gaps for bracket in compared.brackets):
        legend.append(("gapped", _MARK_LEGEND["gapped"]))
    drawing = Drawing(
        compared, "Marked sentence of both parsers", "compared", "Marked sentence of both parsers", options
    )
    entries = (*legend, ("right", f"correct in both: {len(compared.right)}"))
    return MarkedView(
        drawing,
        subject(sentence.alignment),
        verdicts if compared.wrong else (),
        compared.wrong,
        heading="Marked sentence of both parsers",
        legend=entries,
        focus=viewing.index("repair", "", len(verdicts) + 1) or None,
        keys={"a": _RIGHT, "s": SHORT, "v": _TREES},
        focuses=Selection("repair", ("", "1", "2")),
        empty="All brackets of both parsers are right.",
        remark=tags_text(compared) if compared.tags else "",
        saved=standing_alone(drawing, entries, key=True),
    )


def _of_parser(compared: MarkedSentence, alignment: Alignment, index: int, name: str, rules: RuleSet) -> Verdict:
    """Return the errors of one of two parsers in words."""
    marked = marked_sentence(alignment, rules)
    share = sum(index + 1 in bracket.repairs for bracket in compared.brackets)
    nothing = f"has {count_of(marked.wrong, 'wrong bracket')}" if marked.unrepaired else "has no wrong brackets"
    return of_parser(index, name, marked.repairs, share, nothing)


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
        test_name=sentence.lower,
        highlight=highlight,
        word=viewing.index("at", "", len(alignment.words)),
        words=None if viewing.is_brief else words_selection(alignment),
    )
    if viewing.chosen(beside_choice(alignment, viewing)) == "1":
        return row
    both = _of_both(row.panels[1], alignment, sentence.lower)
    return replace(row, panels=(both,), saved=tuple(panel.drawing for panel in row.panels))


def _of_both(panel: Panel, alignment: Alignment, test_name: str) -> Panel:
    """Return the picture of the T-mapping with the counts of both mappings, whose picture it is if they agree."""
    counts = [
        *(("E", panel_counts(alignment, "e", part)) for part in ("roof", "whole")),
        ("T", panel_counts(alignment, "t", "roof")),
    ]
    heading = _BOTH if marks_agree(alignment) else panel.heading
    return replace(
        panel,
        heading=heading,
        counts=tuple((f"{name}, {scope}", numbers) for name, (scope, numbers) in counts),
        drawing=replace(panel.drawing, heading=heading),
        note=panel_note(alignment, "e", "roof", test_name) if marks_agree(alignment) else panel.note,
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
    names = {"gold_name": sentence.upper, "test_name": sentence.lower}
    link = link_of(sentence.alignment, word)
    drawing = draw(word, metric=viewing.chosen(SCHEME), theme="auto", link=link, **names)
    return [picture(drawing, heading="Its lineages, from the word to the root")]


def marked_drawings(alignment: Alignment, parser: str) -> tuple[Drawing, ...]:
    """Return the marked sentence with its verdict, and its repairs one by one if there are several."""
    if alignment.status != "ok":
        return ()
    marked = marked_sentence(alignment, bundled_rules())
    drawing = Drawing(marked, "Marked sentence", "marked", "Marked sentence", {"test_name": parser})
    whole = standing_alone(drawing, _without_page(_legend_of(marked)), verdict=True)
    return (whole, *_strips(marked, GOLD, parser))


def _strips(marked: MarkedSentence, upper: str, lower: str) -> tuple[Drawing, ...]:
    """Return the pictures of the repairs one by one; nothing if there are fewer than two."""
    if len(marked.repairs) < _MIN_STRIPS:
        return ()
    heading = "Repair by repair"
    return (Drawing(RepairStrips(marked), heading, "repairs", heading, {"gold_name": upper, "test_name": lower}),)


def _strips_section(marked: MarkedSentence, sentence: Sentence) -> tuple[Section, ...]:
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


@lru_cache(maxsize=64)
def _story(gold: Tree, test: Tree, rules: str, classes: tuple[tuple[str, str], ...]) -> RepairStory | None:
    return repair_story(gold, test, bundled_rules(rules), dict(classes))


def _repair(alignment: Alignment, viewing: Viewing) -> RepairStory | None:
    """Return the repair of a sentence; None where there is none."""
    if alignment.status != "ok":
        return None
    classes = tuple(alignment.bracket_classes.items())
    return _story(alignment.gold, alignment.test, viewing.chosen(RULES), classes)


def _repair_step(repair: RepairStory | None, viewing: Viewing) -> int | None:
    return None if repair is None else viewing.index("step", "r", len(repair.steps))


def _step_marks(repair: RepairStory | None, viewing: Viewing) -> Marks | None:
    """Return what to mark for the step of the repair that the URL names, such as ``r2``."""
    index = _repair_step(repair, viewing)
    if repair is None or index is None:
        return None
    step = repair.steps[index]
    return Marks(step.gold, step.test, step.words, f"repair: {step.text}")


def _repair_section(
    repair: RepairStory | None, marked: MarkedSentence | None, sentence: Sentence, viewing: Viewing
) -> Section:
    """Return the repairs in the order in which they are applied; a click on one marks it in the pictures."""
    heading = "Repairs in their order"
    if repair is None or not repair.steps:
        reason = "Nothing to repair: all brackets are right."
        if repair is None:
            reason = "Repairs need both trees, over the same words."
            if sentence.alignment.status == "ok":
                ordered = in_common_order(sentence.alignment.gold, sentence.alignment.test)
                reason = NO_ORDER if ordered is None else TOO_LONG
        return Section("repair", (note(reason),), heading, "left")
    chosen = _repair_step(repair, viewing)
    numbers = {} if marked is None else {item.step - 1: f"; number {item.number} above" for item in marked.repairs}
    rules = viewing.chosen(RULES)
    rows = [
        (
            step.operation.status,
            step.type,
            step.text,
            f"{count_of(step.repaired, 'bracket')} repaired, {step.left or 'none'} left{numbers.get(index, '')}",
        )
        for index, step in enumerate(repair.steps)
    ]
    types = [(name, count_of(number, "repair"), str(repaired)) for name, (number, repaired) in repair.by_type.items()]
    total = ("total", count_of(len(repair.steps), "repair"), str(repair.extra + repair.missing))
    blocks = (
        note(
            repair_note(repair, sentence.upper, sentence.lower)
            + ("" if rules == RULES.default else f" Rules of the error types: {RULES.options[rules]}.")
        ),
        story(
            rows,
            chosen=chosen,
            detail="" if chosen is None else repair.steps[chosen].detail,
            title=heading,
        ),
        facts([*types, total], "Brackets repaired, by error type"),
    )
    values = tuple(f"r{index}" for index in range(len(rows)))
    return Section("repair", blocks, heading, "left", steps=Selection("step", values))


def _texts(sentence: Sentence) -> tuple[SourceText, ...]:
    indented = [_indented(tree) if tree is not None else "" for _, tree in sentence.sources]
    plain = source_texts(sentence, "no tree")
    return tuple(SourceText(text.name, text.text, more) for text, more in zip(plain, indented, strict=True))


def _indented(tree: Tree) -> str:
    """Return a tree over several lines; nothing for one above the limit of pictures."""
    try:
        return draw(tree, "text")
    except ParameterError:
        return ""


def _lab_trees(sentence: Sentence) -> tuple[str, str] | None:
    """Return the two trees as they can be typed in the metric lab."""
    trees = [tree for _, tree in sentence.sources[-2:] if tree is not None and tree.is_continuous and tree.words]
    if len(trees) < 2:
        return None
    return typed_text(trees[0]), typed_text(trees[1])
