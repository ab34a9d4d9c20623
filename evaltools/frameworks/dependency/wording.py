"""A sentence of dependency trees in words, and in formulas with numbers put in."""

from __future__ import annotations

from evaltools.drawing.layouts.dependencies.arcs import arc_text
from evaltools.frameworks.common.more_formulas import more_formulas
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.passes import PASSES
from evaltools.marks import Status
from evaltools.text import count_of, noun_of, percent, percentage, significant

__all__ = ["arc_steps", "arcs_formulas", "arcs_status", "arcs_summary"]

_METRICS = ("uas", "las", "label_accuracy", "la_strict", "la_partial", "la_table")


def arcs_status(alignment: DependencyAlignment, gold_name: str, test_name: str) -> str:
    """Return why a sentence is not scored as usual; empty if it is."""
    if not len(alignment.gold) and not len(alignment.test):
        return f"Neither {gold_name} nor {test_name} has a tree for this sentence."
    if not len(alignment.gold):
        return f"{gold_name} has no tree for this sentence. There is nothing to compare."
    if alignment.status == "missing":
        no_tree = f"{test_name} has no tree for this sentence."
        return f"{no_tree} It has no scores; in figures over all sentences it counts as 0."
    if alignment.status == "words_differ":
        return (
            "The tokens of the two trees differ. Words are aligned by the characters they cover; words without an "
            "aligned word count as wrong."
        )
    if set(alignment.gold_status) <= {None}:
        return "All words are excluded, as punctuation or without a head: the sentence has no scores."
    return ""


def arcs_summary(alignment: DependencyAlignment, sentence: int, upper: str, lower: str) -> str:
    """Return the scores and the numbers of wrong arcs in one line."""
    length = len(alignment.gold) or len(alignment.test)
    counted = f"Sentence {sentence}, {count_of(length, 'word')}"
    if alignment.status == "missing" or not len(alignment.gold):
        return f"{counted}: {lower} has nothing to score."
    compared = f"{counted}, {lower} compared with {upper}"
    if {*alignment.gold_status, *alignment.test_status} <= {Status.RIGHT, None}:
        return f"{compared}: all arcs are right."
    scores = [
        f"{title} {percent(alignment.scores.get(metric))}"
        for metric, title in (("uas", "UAS"), ("las", "LAS"), ("la_partial", "LA graded"))
    ]
    wrong = {
        "head": alignment.number(Status.MISSING, relabeled=False),
        "relation": alignment.number(Status.RELABELED),
        "head with its relation": alignment.number(Status.MISSING, relabeled=True),
    }
    named = [
        f"{number} wrong {noun_of(number, name, 'heads with their relations' if ' ' in name else '')}"
        for name, number in wrong.items()
        if number
    ]
    if n_unaligned := alignment.n_unaligned:
        named.append(f"{n_unaligned} {noun_of(n_unaligned, 'word')} of {upper} without an aligned word")
    return f"{compared}: {', '.join(scores)} (%)" + (f"; {', '.join(named)}." if named else ".")


def arcs_formulas(alignment: DependencyAlignment) -> list[tuple[str, str, str, str]]:
    """Return title, formula, the same with this sentence's numbers, and value, of every metric."""
    rows: list[tuple[str, str, str, str]] = []
    counts = alignment.counts
    gold, test = (significant(counts[f"dep_{side}"]) for side in ("gold", "test"))
    counted = f"G\N{NO-BREAK SPACE}{gold} words above · T\N{NO-BREAK SPACE}{test} below"
    rows.append(("Attachment", f"{counted} · M right", "", ""))
    metrics = {metric.id: metric for kind in PASSES.values() for metric in kind.metrics}
    for name in _METRICS:
        if name == "la_strict":
            rows.append(("Leaf-ancestor", "mean similarity of the words’ lineages of relations", "", ""))
        if name in alignment.scores:
            metric, value = metrics[name], alignment.scores[name]
            numbers = "" if value is None else metric.put_in(counts)
            title = metric.title.partition(", ")[2].capitalize() if metric.scheme else metric.title
            formula = "sum / words" if metric.scheme else metric.formula
            rows.append((title, formula, numbers, percentage(value, 2)))
    return rows + more_formulas(alignment, PASSES.values(), ("attachment", "la"))


def arc_steps(alignment: DependencyAlignment) -> list[tuple[int, Status, str]]:
    """Return the gold words with a wrong arc, each with its status and both arcs in words."""
    wrong: list[tuple[int, Status, str]] = []
    if alignment.status == "missing":
        return []
    for word, status in enumerate(alignment.gold_status):
        if status in (Status.RIGHT, None):
            continue
        test_word = alignment.partner[word]
        test_arc = "no such word" if test_word is None else arc_text(alignment.test, test_word)
        text = f"{alignment.gold.forms[word]}: {arc_text(alignment.gold, word)}; below: {test_arc}"
        wrong.append((word, status, text))
    return wrong
