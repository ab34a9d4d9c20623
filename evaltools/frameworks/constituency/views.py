"""What is shown of a sentence of constituency trees, in pictures and words: E beside T, words, repairs, scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from evaltools.blocks import Block, Choice, Picture, answer, drawn, facts, formulas, note, steps, story
from evaltools.corpus import Kind, Tree, Treebank, Vocabulary
from evaltools.drawing import LEGEND, MARKS, Drawing, tree_legend
from evaltools.frameworks.common import leaf_ancestor
from evaltools.frameworks.common.lineages import WordComparison
from evaltools.frameworks.constituency import bracketing, tree_distance
from evaltools.frameworks.constituency.aligned_trees import (
    SCOPES,
    Alignment,
    WordMatch,
    aligns_words,
    differing_tags,
    drawn_mapping,
    link_of,
    mapping_counts,
    placed_links,
)
from evaltools.frameworks.constituency.error_types import RULES, RuleSet, bundled_rules
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.normalization import TreeComparison, normalize_pair
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.constituency.repair import trees_between
from evaltools.frameworks.constituency.tree_distance import EDITS, TreeDistance, edit_cost
from evaltools.frameworks.metric import formula, formula_with
from evaltools.frameworks.passes import more_formulas
from evaltools.frameworks.presets import load_preset
from evaltools.frameworks.views import (
    GOLD,
    SCHEME,
    SHADE,
    SHORT,
    Highlight,
    Highlighted,
    MarkedView,
    Panel,
    PanelCount,
    PanelRow,
    Section,
    Selection,
    Sentence,
    SentenceView,
    Viewing,
    fold_choice,
    lineages_section,
    marked_view,
    right_marks,
    source_texts,
    subject_of,
    whole_picture,
    words_section,
    words_selection,
)
from evaltools.marks import Marks, Repair, Status, compared
from evaltools.text import count_of, decimals, noun_of, percentage, significant

_METRICS = {metric.id: metric for metric in (*bracketing.METRICS, *tree_distance.METRICS)}


def status_note(alignment: Alignment, gold_name: str, parse_name: str) -> str:
    """Return why a sentence is not scored as usual; empty if it is."""
    if not len(alignment.gold) and not len(alignment.test):
        if not alignment.gold_words and not alignment.test_words:
            return f"Neither {gold_name} nor {parse_name} has a tree for this sentence."
        return "The preset deletes every word of this sentence. It has no scores."
    if not alignment.gold_words:
        return f"{gold_name} has no tree for this sentence. There is nothing to compare."
    if alignment.status == "missing":
        whose = parse_name if not alignment.test_words else gold_name
        return f"{whose} has no tree for this sentence. It has no scores; in figures over all sentences it counts as 0."
    if alignment.status == "words_differ":
        differ = f"The tokens of the two trees differ ({_first_difference(alignment, gold_name, parse_name)})"
        if aligns_words(alignment):
            return f"{differ}. They are aligned: {_aligned_over(alignment)}, tree edit (T) over all nodes."
        return (
            f"{differ}. With this preset, as in evalb, bracketing (E) and leaf-ancestor (LA) are undefined; "
            "tree edit (T) is not."
        )
    if alignment.scores.get("ted") is None and alignment.counts.get("t_gold", 0) < 0:
        return "The trees are too large for the tree-edit alignment (T): there is no T score."
    if not alignment.is_continuous:
        gaps = [_gaps(tree, name) for tree, name in ((alignment.gold, gold_name), (alignment.test, parse_name))]
        gaps_in_words = f"Discontinuous constituents: {', '.join(filter(None, gaps))}"
        compared = f"{gaps_in_words}. Brackets are compared as sets of words"
        if alignment.scores.get("errors") is None:
            return f"{compared}; the number of errors (R) is undefined."
        return f"{compared}; repairs (R) move neighbors in an order of the words that makes both trees continuous."
    return ""


def _gaps(tree: Tree, name: str) -> str:
    """Return how many phrases of a tree have gaps; empty if none has."""
    number = sum(tree.has_gap(node) for node in range(len(tree)))
    return f"{number:,} in {name}" if number else ""


def _aligned_over(alignment: Alignment) -> str:
    """Return over how many characters and words E and LA are computed."""
    characters = sum(link.characters for link in placed_links(alignment))
    return (
        f"bracketing (E) over {count_of(characters, 'aligned character')}, "
        f"leaf-ancestor (LA) over {_n_aligned(alignment):,} of {count_of(len(alignment.words), 'word')}"
    )


def _n_aligned(alignment: Alignment) -> int:
    return sum(word.test is not None for word in alignment.words)


def lone_word_note(word: WordComparison, gold_name: str, parse_name: str) -> str:
    """Return why a word of the gold tree has no score."""
    return (
        f"“{word.form}” of {gold_name} has no aligned word in {parse_name}, so there is no lineage to compare it with. "
        "In figures over all sentences it counts as 0."
    )


def _first_difference(alignment: Alignment, gold_name: str, parse_name: str) -> str:
    gold = [word.form for word in alignment.gold_words]
    test = [word.form for word in alignment.test_words]
    for index, (first, second) in enumerate(zip(gold, test, strict=False), start=1):
        if first != second:
            return f"word {index} is “{first}” in {gold_name} and “{second}” in {parse_name}"
    if len(gold) == len(test):
        return "after the deletions of the preset"
    return f"{len(gold)} words in {gold_name}, {len(test)} in {parse_name}"


def script_note(kind: str, number: int) -> str:
    """Return what an edit script does, and how many steps it has."""
    if not number:
        return "No edits: the trees are equal." if kind == "t" else "No edits: all brackets match."
    each = "missing, spurious or relabeled node" if kind == "t" else "bracket, tag or word that only one tree has"
    return f"{_turn(number, 'step')} the first tree into the second, one for each {each}. Click a step to see its node."


def repair_note(marks: Marks, gold_name: str, parse_name: str) -> str:
    """Return what the repairs do, and how many brackets they repair."""
    extra, missing = marks.number("test"), marks.number("gold")
    target = "the gold tree" if gold_name == "gold" else f"{gold_name}’s"
    return (
        f"{_turn(len(marks.repairs), 'repair')} {parse_name}’s tree into {target}. "
        f"{extra} of its brackets {_are(extra)} spurious and {missing} {_are(missing)} missing: "
        f"{extra + missing} to repair. Click a repair to see it in the drawings."
    )


def _turn(number: int, noun: str) -> str:
    return f"{count_of(number, noun)} {noun_of(number, 'turns', 'turn')}"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def formula_rows(alignment: Alignment) -> list[tuple[str, str, str, str]]:
    """Return title, formula, the formula with this sentence's numbers, and value, of every metric."""
    counts = alignment.counts
    rows: list[tuple[str, str, str, str]] = []
    for part, heading in BRACKETING.items():
        upper, lower, matched = (counts[f"e_{name}_{part}"] for name in ("gold", "test", "matched"))
        symbols = _written({"G": upper, "T": lower, "M": matched, "D": upper - matched, "I": lower - matched})
        rows.append((heading, f"{SCOPES[part]}: {_legend(symbols, _E_LEGEND)}", "", ""))
        rows += [_row(alignment, metric, title) for metric, title in _E_SCORES[part].items()]
    symbols = _written({count.symbol: counts[name] for name, count in tree_distance.COUNTS.items()})
    rows.append(("T-mapping: tree-edit alignment", f"{SCOPES['t']}: {_legend(symbols, _T_LEGEND)}", "", ""))
    rows.append(_row(alignment, "ted", "Dice", always=True))
    rows.append(_row(alignment, "ted_jaccard", "Jaccard", always=True))
    rows += _moves(alignment, symbols)
    words = "words"
    if aligns_words(alignment):
        words = f"{_n_aligned(alignment)} aligned of {len(alignment.words)} words"
    rows.append(("Leaf-ancestor", f"mean similarity of the lineages of the {words}", "", ""))
    for scheme, name in (("la_exact", "Exact"), ("la", "Graded")):
        numbers = f"{decimals(counts[f'{scheme}_sum'], 4)} / {significant(counts['la_words'])}"
        value = alignment.scores.get(scheme)
        rows.append((name, "sum / words", "" if value is None else numbers, percentage(value, 2)))
    return rows + more_formulas(alignment, PASSES.values(), ("e", "t", "la"))


def _written(counts: dict[str, float]) -> dict[str, str]:
    return {symbol: significant(value) for symbol, value in counts.items()}


def _moves(alignment: Alignment, symbols: dict[str, str]) -> list[tuple[str, str, str, str]]:
    """Return the cost without and with moves; nothing if no subtree moved."""
    moves = int(alignment.counts["t_moves"])
    if not moves:
        return []
    cost, cost_with_moves = tree_distance.edit_cost(alignment), alignment.counts["t_cost_moves"]
    moved = "1 subtree that moved" if moves == 1 else f"{moves} subtrees that moved"
    return [
        ("Cost", "D + I + S", " + ".join(symbols[letter] for letter in "DIS"), decimals(cost, 3)),
        (
            "with moves",
            f"1 for each of {moved}",
            f"{cost} − {significant(cost - cost_with_moves)}",
            decimals(cost_with_moves, 3),
        ),
    ]


BRACKETING = {"roof": "E-mapping: brackets", "whole": "E-mapping: brackets incl. POS tags"}
"""Heading of the formulas of each part."""

_E_TITLES = {"recall": "Recall", "precision": "Precision", "f1": "F1 (Dice)", "jaccard": "Jaccard"}
_E_SCORES = {
    part: {bracketing.metric_id(name, part): title for name, title in _E_TITLES.items()} for part in BRACKETING
}
_E_LEGEND = {"G": "above", "T": "below", "M": "matched", "D": "missing", "I": "spurious"}
_T_LEGEND = {
    "D": "missing",
    "I": "spurious",
    "S": "relabeled",
    "M": "matched",
    "G": "above",
    "T": "below",
    "W": "words in both",
}


def _legend(symbols: dict[str, str], meanings: dict[str, str]) -> str:
    return " · ".join(
        f"{name}\N{NO-BREAK SPACE}{symbols[name]}\N{NO-BREAK SPACE}{text}" for name, text in meanings.items()
    )


def _row(alignment: Alignment, name: str, title: str, *, always: bool = False) -> tuple[str, str, str, str]:
    """Return the row of a metric, with numbers if it is defined or `always`."""
    metric, value = _METRICS[name], alignment.scores.get(name)
    numbers = formula_with(metric, alignment.counts) if always or value is not None else ""
    return title, formula(metric), numbers, percentage(value, 2)


def summary_line(
    alignment: Alignment, sentence: int, gold_name: str, parse_name: str, marked: Marks | None = None
) -> str:
    """Return the number and length of a sentence, its main scores and its repairs or edits, in one line."""
    words = alignment.gold_words or alignment.test_words
    scored = sum(word.position is not None for word in words)
    number = f"Sentence {sentence}, {count_of(len(words), 'word')}"
    if scored < len(words):
        number += f" ({scored:,} scored)"
    if alignment.status == "missing":
        return f"{number}: {parse_name} has nothing to score."
    compared = f"{number}, {parse_name} compared with {gold_name}"
    if alignment.status == "ok" and not alignment.t.steps and not alignment.e.steps and len(alignment.gold):
        return f"{compared}: the two trees are equal."
    scores = [
        f"{metric.short} {metric.text(alignment.scores.get(metric.id))}"
        for module in (bracketing, tree_distance, leaf_ancestor)
        for metric in module.METRICS
        if metric.place.lists
    ]
    changes = edits_phrase(alignment) if marked is None else repairs_phrase(marked)
    return f"{compared}: {', '.join(scores)} (%){changes}."


def repairs_phrase(marked: Marks) -> str:
    """Return the numbers of repairs and of wrong brackets, as the end of a line; empty if all brackets are right."""
    missing, spurious = marked.number("gold"), marked.number("test")
    if not missing and not spurious:
        return ""
    wrong = [f"{number} {name}" for number, name in ((missing, "missing"), (spurious, "spurious")) if number]
    last = spurious or missing
    brackets = f"{' and '.join(wrong)} {noun_of(last, 'bracket')}"
    return f"; {brackets}" if marked.unrepaired else f"; {count_of(len(marked.repairs), 'repair')} for {brackets}"


def edits_phrase(alignment: Alignment) -> str:
    """Return the number of nodes that the T-mapping edits, as the end of a line; empty if there is no edit."""
    if alignment.scores.get("ted") is None:
        return ""
    counts = ((alignment.counts[column], status) for column, status in tree_distance.EDITS.items())
    edits = [(number, text) for number, text in counts if number > 0]
    if not edits:
        return ""
    (first, text), *others = edits
    nodes = f"{count_of(first, 'node')} {text}"
    return f"; by tree edit (T), {', '.join([nodes, *(f'{significant(number)} {text}' for number, text in others)])}"


def typed_text(tree: Tree) -> str:
    """Return a tree as it can be typed in the metric lab: in square brackets if no word has a tag."""
    return tree.to_string("ptb" if Kind.PRETERMINAL in tree.kinds else "sampson")


_NAMED: dict[Status | None, str] = {  # without wrong labels, for which both mark the same nodes
    Status.MOVED: "one misplaced {}",
    Status.MISSING: "one missing {}",
    Status.SPURIOUS: "one spurious {}",
}


def marks_agree(alignment: Alignment) -> bool:
    """Return whether the E- and the T-mapping mark the same nodes of both trees as missing, spurious or relabeled."""
    if alignment.status == "words_differ" or aligns_words(alignment) or alignment.counts["t_gold"] < 0:
        return False
    return not any(_marked_by_one(alignment))


def _marked_by_one(alignment: Alignment) -> tuple[int, int]:
    """Return the number of nodes that E marks and T does not, and of those that T marks and E does not."""
    e, t = (drawn_mapping(alignment, name) for name in ("e", "t"))
    marks = [
        (bool(MARKS[of_e]), bool(MARKS[of_t]))
        for statuses in ((e.gold_status, t.gold_status), (e.test_status, t.test_status))
        for of_e, of_t in zip(*statuses, strict=True)
    ]
    return marks.count((True, False)), marks.count((False, True))


def compare_mappings(alignment: Alignment) -> str:
    """Say in one sentence what E and T make of the same errors; nothing without errors, or where they are undefined.

    Examples
    --------
    >>> from evaltools import align
    >>> gold = "(S (NP (N they)) (VP (V saw) (NP (N it)) (ADVP (A hop))))"
    >>> compare_mappings(align(gold, gold.replace("NP", "X")))
    'E and T mark the same nodes; a wrong label is two brackets for E and one edit for T.'
    >>> compare_mappings(align("(S (A (B (N one) (N two))))", "(S (B (A (N one) (N two))))"))
    'T marks 2 nodes that E matches.'
    """
    if alignment.status != "ok" or not (alignment.t.steps or alignment.e.steps):
        return ""
    if marks_agree(alignment):
        nodes = zip(alignment.gold.kinds, alignment.t.gold_status, strict=True)
        has_wrong_label = any(kind is Kind.PHRASE and status is Status.RELABELED for kind, status in nodes)
        reason = "; a wrong label is two brackets for E and one edit for T" if has_wrong_label else ""
        return f"E and T mark the same nodes{reason}."
    saved = _edits_by_step(alignment)
    marked = marked_sentence(alignment, bundled_rules())
    larger = [
        (abs(repair.repaired - saved[repair.step - 1]), repair.repaired, -repair.number, repair)
        for repair in (marked.repairs if saved and marked.unit == "brackets" else ())
        if repair.status in _NAMED and repair.repaired > max(saved[repair.step - 1], 0)
    ]
    if larger:  # the repair that is more brackets than edits by most
        repair = max(larger)[-1]
        named = _NAMED[repair.status].format(repair.phrase)
        brackets = f"{repair.repaired} of {marked.wrong} wrong {noun_of(marked.wrong, 'bracket')}"
        edits = f"{max(saved[repair.step - 1], 0) or 'none'} of {edit_cost(alignment)} edits"
        return f"{named[0].upper()}{named[1:]} is {brackets} for E and {edits} for T."
    by_e, by_t = _marked_by_one(alignment)
    parts = [f"E marks {count_of(by_e, 'node')} that T matches"] if by_e else []
    parts += [f"T marks {count_of(by_t, 'node')} that E matches"] if by_t else []
    return f"{'; '.join(parts)}." if parts else ""


def _edits_by_step(alignment: Alignment) -> list[int]:
    """Return how many edits of the T-mapping each step of the repair makes needless; none where T or R is undefined."""
    repairs = alignment.repairs
    if alignment.label_classes or not alignment.labeled or alignment.counts["t_gold"] < 0 or repairs is None:
        return []
    if len(repairs.steps.edits) * len(alignment.test) > _MAX_NODES:
        return []
    gold, tests = trees_between(alignment.gold, alignment.test, repairs.steps.edits)
    vocabulary, rules = Vocabulary(), load_preset("none")
    sides = [Treebank.from_trees(trees, vocabulary) for trees in ([gold] * len(tests), tests)]
    distance = TreeDistance(TreeComparison.of(normalize_pair(sides[0], sides[1], rules), rules))
    distance.run(0, len(tests))
    costs = distance.counts[:, [TreeDistance.columns.index(column) for column in EDITS]].sum(axis=1).tolist()
    return [before - after for before, after in pairwise(costs)]


_MAX_NODES = 1_000_000
"""Maximum number of nodes of all the trees after the steps of a repair: some seconds."""

_STRIPS = "R-mapping: repair by repair"

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
    Status.MISSING: ("D", "missing: only in {gold}"),
    Status.SPURIOUS: ("I", "spurious: only in {parse}"),
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
    remark = status_note(alignment, sentence.gold_name, sentence.parse_name)
    repairs = None
    if alignment.status == "ok":
        repairs = marked_sentence(alignment, bundled_rules(viewing.chosen(RULES)))
    marked = repairs if sentence.gold_name == GOLD else None
    view = _marked_view(sentence, viewing, marked)
    if viewing.is_brief:
        row = _panels(sentence, viewing, fold=None, highlight=None)
        return SentenceView("", remark, marked=view, rows=(row,), sections=_comparison(alignment))
    summary = summary_line(alignment, sentence.number, sentence.gold_name, sentence.parse_name, marked)
    texts = source_texts(sentence, are_drawn=True)
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
        *(
            Section("strips", (Picture("", [each], widths=_WIDTHS),), _STRIPS, "under")
            for each in (view.drawings[1:] if view else ())
        ),
        Section("formulas", (formulas(formula_rows(alignment)),), "Scores of this sentence", "right"),
        *lineages_section(sentence, LINEAGES),
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
    block = note(text) if marks_agree(alignment) else answer(text)
    return (Section("comparison", (block,), place="above"),) if text else ()


def mapping_drawing(alignment: Alignment, mapping: str, **options: object) -> Drawing:
    """Return the picture of one mapping, ``"e"`` or ``"t"``, with options of the layout."""
    return Drawing(alignment, _HEADINGS[mapping], mapping, {"mapping": mapping, **options})


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
        counts = (panel_counts(alignment, mapping, part, gold_name, parse_name),)
        remark = panel_note(alignment, mapping, part, parse_name)
        drawing = mapping_drawing(alignment, mapping, **options)
        panels.append(Panel(drawing, counts, remark, f"{_HELP[mapping]}."))
    word_matches = {link.how for link in placed_links(alignment)}
    legend = (
        *(tree_legend((status,), gold_name=gold_name, parse_name=parse_name) for status in LEGEND),
        *(tree_legend((), (how,)) for how in WordMatch if how in word_matches),
    )
    sides = (gold_name, parse_name)
    return PanelRow(tuple(panels), subject(alignment), unfolded, legend, highlight, word, words, sides, folded="parts")


def panel_counts(
    alignment: Alignment, mapping: str, part: str, gold_name: str, parse_name: str
) -> tuple[str, tuple[PanelCount, ...]]:
    """Return the kind of nodes that the header of a mapping counts, and the counts."""
    scope, counts = mapping_counts(alignment, mapping, part)
    numbers = []
    for status, number in counts.items():
        letter, meaning = _COUNTS[status]
        meaning = meaning.format(gold=gold_name, parse=parse_name)
        numbers.append(PanelCount(status, letter, number, f"{scope} {meaning}"))
    if moves := len(drawn_mapping(alignment, mapping).moves):
        meaning = f"subtrees that have another parent in {parse_name}"
        numbers.append(PanelCount(Status.MOVED, "moved subtrees", moves, meaning))
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


_WIDTHS = (330, 640, 880, 1080)
"""Widths of pages for which repairs are drawn."""
_RIGHT = right_marks("brackets")
_TREES = whole_picture("Trees", "the E- and the T-alignment of the two trees")
_MARKS = (_RIGHT, SHORT, SHADE)


def _marked_view(sentence: Sentence, viewing: Viewing, marks: Marks | None) -> MarkedView | None:
    """Return the marked sentence of a parse, or of two parsers; None if their words differ from those of gold."""
    options: dict[str, object] = {"parse_name": sentence.parse_name}
    if sentence.gold_name != GOLD:
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
    return compared(marked_sentence(a, rules), marked_sentence(b, rules), (sentence.gold_name, sentence.parse_name))


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
        gold_name=sentence.gold_name,
        parse_name=sentence.parse_name,
        highlight=highlight,
        word=viewing.index("at", "", len(alignment.words)),
        words=None if viewing.is_brief else words_selection(alignment),
    )
    if viewing.chosen(beside_choice(alignment, viewing)) == "1":
        return row
    both = _of_both(row.panels[1], alignment, sentence.gold_name, sentence.parse_name)
    return replace(row, panels=(both,), apart=row.saved)


def _of_both(panel: Panel, alignment: Alignment, gold_name: str, parse_name: str) -> Panel:
    """Return the picture of the T-mapping with the counts of both mappings, whose picture it is if they agree."""
    names = gold_name, parse_name
    counts = [
        *(("E", panel_counts(alignment, "e", part, *names)) for part in ("roof", "whole")),
        ("T", panel_counts(alignment, "t", "roof", *names)),
    ]
    agree = marks_agree(alignment)
    return replace(
        panel,
        drawing=replace(panel.drawing, title=_BOTH) if agree else panel.drawing,
        counts=tuple((f"{name}, {scope}", numbers) for name, (scope, numbers) in counts),
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


LINEAGES = (
    "A lineage has the labels from the word to the root, with [ before the label of the highest phrase that begins at "
    "the word, and ] after that of the highest that ends there."
)
"""What the lineages of trees are."""


def _lineages(sentence: Sentence, viewing: Viewing, chosen: int | None) -> list[Block]:
    """Return the lineages of a word in both trees."""
    if chosen is None:
        return []
    word = sentence.alignment.words[chosen]
    if word.test is None:
        return [note(lone_word_note(word, sentence.gold_name, sentence.parse_name))]
    names = {"gold_name": sentence.gold_name, "parse_name": sentence.parse_name}
    link = link_of(sentence.alignment, word)
    title = "Its lineages, from the word to the root"
    options = {"metric": viewing.chosen(SCHEME), "link": link, **names}
    return [drawn(Drawing(word, title, "lineages", options=options))]


def _script_section(alignment: Alignment, viewing: Viewing) -> Section:
    mapping = viewing.chosen(_SCRIPT)
    script = drawn_mapping(alignment, mapping).steps
    rows = [(step.status, step.text) for step in script]
    chosen = viewing.index("step", mapping, len(script))
    blocks = (
        note(script_note(mapping, len(script))),
        steps(rows, chosen=chosen, file_title=f"Edit script, {_MAPPINGS[mapping]}"),
    )
    values = tuple(f"{mapping}{index}" for index in range(len(script)))
    return Section("steps", blocks, "Edit script", "left", _SCRIPT, steps=Selection("step", values))


def _repairs_in_order(marks: Marks | None) -> list[Repair]:
    """Return the repairs of brackets in the order in which the tree is repaired."""
    if marks is None or marks.unit != "brackets":
        return []
    return sorted(marks.repairs, key=lambda repair: repair.step)


def _step_marks(marks: Marks | None, viewing: Viewing) -> Highlighted | None:
    """Return what to mark for the repair that the URL names by its place in their order, such as ``r2``."""
    repairs = _repairs_in_order(marks)
    index = viewing.index("step", "r", len(repairs))
    if marks is None or index is None:
        return None
    repair = repairs[index]
    own = marks.focused(repair.number).marks
    stretches = repair.moved or tuple(stretch for mark in own for stretch in mark.stretches)
    positions = {marks.words[at].position for start, end in stretches for at in range(start, end)}
    gold, test = (tuple(mark.node for mark in own if mark.side == side) for side in ("gold", "test"))
    words = tuple(sorted(position for position in positions if position is not None))
    return Highlighted(gold, test, words, f"repair: {repair.phrase} {repair.verdict}")


def _repair_section(marks: Marks | None, sentence: Sentence, viewing: Viewing) -> Section:
    """Return the repairs in the order in which they are applied; a click on one marks it in the pictures."""
    heading = "Repairs in their order"
    repairs = _repairs_in_order(marks)
    if marks is None or not repairs:
        reason = "Repairs need both trees, over the same words."
        if marks is not None:
            reason = marks.unrepaired or "Nothing to repair: all brackets are right."
        return Section("repair", (note(reason),), heading, "left")
    is_numbered = sentence.gold_name == GOLD
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
            repair_note(marks, sentence.gold_name, sentence.parse_name)
            + ("" if rules == RULES.default else f" Rules of the error types: {RULES.options[rules]}.")
        ),
        story(rows, viewing.index("step", "r", len(repairs)), heading),
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
