"""Texts about a sentence of constituency trees, and its formulas with numbers."""

from __future__ import annotations

import re

from evaltools.corpus import Kind, Tree
from evaltools.drawing.word_columns import SCOPES, aligns_words, placed_links
from evaltools.frameworks.common import leaf_ancestor
from evaltools.frameworks.common.lineages import WordComparison
from evaltools.frameworks.constituency import bracketing, tree_distance
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.passes import more_formulas
from evaltools.marks import Marks
from evaltools.text import count_of, decimals, noun_of, percentage, significant

_FORMULAS = {metric.id: metric.formula for metric in (*bracketing.METRICS, *tree_distance.METRICS)}


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
        found = f"Discontinuous constituents: {', '.join(filter(None, gaps))}"
        compared = f"{found}. Brackets are compared as sets of words"
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


def lone_word_note(word: WordComparison, upper: str, lower: str) -> str:
    """Return why a word of the upper tree has no score."""
    return (
        f"“{word.form}” of {upper} has no aligned word in {lower}, so there is no lineage to compare it with. "
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
    return (
        f"{_turn(number, 'step')} the upper tree into the lower one, one for each {each}. Click a step to see its node."
    )


def repair_note(marks: Marks, upper: str, lower: str) -> str:
    """Return what the repairs do, and how many brackets they repair."""
    extra, missing = marks.number("test"), marks.number("gold")
    target = "the gold tree" if upper == "gold" else f"{upper}’s"
    return (
        f"{_turn(len(marks.repairs), 'repair')} {lower}’s tree into {target}. "
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
        rows += [_row(alignment, metric, title, symbols) for metric, title in _E_SCORES[part].items()]
    t_counts = {count.symbol: counts[name] for name, count in tree_distance.COUNTS.items()}
    symbols = _written(t_counts)
    rows.append(("T-mapping: tree-edit alignment", f"{SCOPES['t']}: {_legend(symbols, _T_LEGEND)}", "", ""))
    rows.append(_row(alignment, "ted", "Dice", symbols, always=True))
    jaccard_words = _written({"W": min(t_counts["W"], t_counts["M"])})  # M − W is never less than 0
    rows.append(_row(alignment, "ted_jaccard", "Jaccard", symbols | jaccard_words, always=True))
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
        ("Cost", "D + I + S", _put_in("D + I + S", symbols), decimals(cost, 3)),
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


def _row(
    alignment: Alignment, metric: str, name: str, symbols: dict[str, str], *, always: bool = False
) -> tuple[str, str, str, str]:
    """Return the row of a metric, with numbers if it is defined or `always`."""
    formula, value = _FORMULAS[metric], alignment.scores.get(metric)
    return name, formula, _put_in(formula, symbols) if always or value is not None else "", percentage(value, 2)


def _put_in(formula: str, symbols: dict[str, str]) -> str:
    """Replace the letters of a formula by numbers.

    Examples
    --------
    >>> _put_in("2M / (G + T)", {"M": "3", "G": "4", "T": "5"})
    '2·3 / (4 + 5)'
    """
    spaced = re.sub(r"(?<=\d)(?=[A-Z])", "·", formula)
    return re.sub(r"\b[A-Z]\b", lambda letter: symbols.get(letter.group(), letter.group()), spaced)


def summary_line(alignment: Alignment, sentence: int, upper: str, lower: str, marked: Marks | None = None) -> str:
    """Return the number and length of a sentence, its main scores and its repairs or edits, in one line."""
    words = alignment.gold_words or alignment.test_words
    scored = sum(word.position is not None for word in words)
    number = f"Sentence {sentence}, {count_of(len(words), 'word')}"
    if scored < len(words):
        number += f" ({scored:,} scored)"
    if alignment.status == "missing":
        return f"{number}: {lower} has nothing to score."
    compared = f"{number}, {lower} compared with {upper}"
    if alignment.status == "ok" and not alignment.t.steps and not alignment.e.steps and len(alignment.gold):
        return f"{compared}: the two trees are equal."
    scores = [
        f"{metric.heading} {metric.text(alignment.scores.get(metric.id))}"
        for module in (bracketing, tree_distance, leaf_ancestor)
        for metric in module.METRICS
        if metric.shown.lists
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
