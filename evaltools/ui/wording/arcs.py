"""What the app says of a sentence of dependency trees, in words and in formulas with numbers put in."""

from __future__ import annotations

from evaltools.analysis.explain import put_in
from evaltools.drawing.layouts.arcs import arc_text
from evaltools.metrics import METRICS
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.ui.wording.trees import three

__all__ = ["arc_steps", "arcs_formulas", "arcs_status", "arcs_summary"]

_SHOWN = ("uas", "las", "label_accuracy", "la_strict", "la_partial", "la_table")


def arcs_status(alignment: DependencyAlignment, gold_name: str, test_name: str) -> str:
    """Say what keeps a sentence from being scored as usual; empty where nothing does."""
    if not len(alignment.gold) and not len(alignment.test):
        return f"Neither {gold_name} nor {test_name} has a tree for this sentence."
    if alignment.status == "missing" or not len(alignment.gold):
        whose = gold_name if not len(alignment.gold) else test_name
        return (
            f"{whose} has no tree for this sentence. It has no scores; in figures over all sentences it counts as "
            "nothing right."
        )
    if alignment.status == "words_differ":
        return (
            "The words of the two trees differ. Words that take up the same characters stand for one another; the "
            "others count as wrong on either side."
        )
    if set(alignment.gold_status) <= {ArcStatus.LEFT_OUT}:
        return "Every word is left out as punctuation: the sentence has no scores."
    return ""


def arcs_summary(alignment: DependencyAlignment, sentence: int, upper: str, lower: str) -> str:
    """Say in one line what the page shows."""
    length = len(alignment.gold) or len(alignment.test)
    counted = f"Sentence {sentence}, {length} word{'' if length == 1 else 's'}"
    if alignment.status == "missing" or not len(alignment.gold):
        return f"{counted}: nothing of {lower} to score."
    whole = f"{counted}, {lower} against {upper}"
    if {*alignment.gold_status, *alignment.test_status} <= {ArcStatus.RIGHT, ArcStatus.LEFT_OUT}:
        return f"{whole}: every arc is right."
    listed = [
        f"{title} {three(alignment.scores.get(metric))}"
        for metric, title in (("uas", "UAS"), ("las", "LAS"), ("la_partial", "LA"))
    ]
    wrong = {
        "head": alignment.number(ArcStatus.WRONG_HEAD),
        "relation": alignment.number(ArcStatus.WRONG_LABEL),
        "head with its relation": alignment.number(ArcStatus.BOTH_WRONG),
    }
    named = [f"{number} wrong {name}{_plural(name, number)}" for name, number in wrong.items() if number]
    if alone := alignment.number(ArcStatus.UNALIGNED):
        named.append(f"{alone} word{_plural('', alone)} of {upper} without a partner")
    return f"{whole}: {', '.join(listed)}" + (f"; {', '.join(named)}." if named else ".")


def _plural(name: str, number: int) -> str:
    return "s" if number != 1 and " " not in name else ""


def arcs_formulas(alignment: DependencyAlignment) -> list[tuple[str, str, str, str]]:
    """Return title, formula, the same with this sentence's numbers, and value, of every metric."""
    rows: list[tuple[str, str, str, str]] = []
    counts = alignment.counts
    counted = f"G\N{NO-BREAK SPACE}{counts['dep_gold']:g} words above · T\N{NO-BREAK SPACE}{counts['dep_test']:g} below"
    rows.append(("Attachment", f"{counted} · M right", "", ""))
    for name in _SHOWN:
        if name == "la_strict":
            rows.append(("LA, leaf-ancestor", "mean similarity of the words’ lineages of relations", "", ""))
        if name in alignment.scores:
            one, value = METRICS[name], alignment.scores[name]
            numbers = "" if value is None else put_in(name, {column: counts[column] for column in one.columns})
            title = one.title.removeprefix("LA, ").capitalize() if one.family == "la" else one.title
            formula = "sum / words" if one.family == "la" else one.formula
            rows.append((title, formula, numbers, three(value)))
    return rows


def arc_steps(alignment: DependencyAlignment) -> list[tuple[int, str, str]]:
    """Return the gold words whose arcs are wrong, each with a mark of the palette and what should be there."""
    listed = []
    if alignment.status == "missing":
        return []
    for word, status in enumerate(alignment.gold_status):
        if status in (ArcStatus.RIGHT, ArcStatus.LEFT_OUT):
            continue
        other = alignment.partner[word]
        found = "no such word" if other is None else arc_text(alignment.test, other)
        mark = "swapped" if status is ArcStatus.WRONG_LABEL else "deleted"
        text = f"{alignment.gold.forms[word]}: {arc_text(alignment.gold, word)}; below: {found}"
        listed.append((word, mark, text))
    return listed
