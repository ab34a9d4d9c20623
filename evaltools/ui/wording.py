"""What the app says of a sentence, in words and in formulas with numbers put in."""

from __future__ import annotations

import re

import pandas as pd

from evaltools.drawing.word_columns import SCOPES, aligns_words, placed_links
from evaltools.metrics import METRICS
from evaltools.metrics.mapping import Alignment, WordComparison

__all__ = [
    "aligned_note",
    "edits_phrase",
    "formula_rows",
    "lone_word_note",
    "script_note",
    "status_note",
    "summary_line",
    "three",
]


def three(value: float | None) -> str:
    """Return a score to three decimals; “–” where undefined.

    Examples
    --------
    >>> three(2 / 3), three(None)
    ('0.667', '–')
    """
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def status_note(alignment: Alignment, gold_name: str, test_name: str) -> str:
    """Say what keeps a sentence from being scored as usual; empty where nothing does."""
    if not len(alignment.gold) and not len(alignment.test):
        if not alignment.gold_words and not alignment.test_words:
            return f"Neither {gold_name} nor {test_name} has a tree for this sentence."
        return "Nothing is left of this sentence: the preset deletes every word. It has no scores."
    if alignment.status == "missing":
        whose = test_name if not alignment.test_words else gold_name
        return (
            f"{whose} has no tree for this sentence. It has no scores; in figures over all sentences it counts as "
            "nothing matched."
        )
    if alignment.status == "words_differ":
        differ = f"The words of the two trees differ ({_first_difference(alignment, gold_name, test_name)})"
        if aligns_words(alignment):
            return f"{differ}. They are aligned: {_aligned_over(alignment)}, T over all nodes."
        return f"{differ}. With this preset, as in evalb, E and LA are then undefined; T needs no equal words."
    if alignment.scores.get("t_dice") is None and alignment.counts.get("t_gold", 0) < 0:
        return "The trees are too large for tree distance: there is no T-mapping and no T score."
    return ""


def _aligned_over(alignment: Alignment) -> str:
    """Say over how much E and LA are computed."""
    characters = sum(link.characters for link in placed_links(alignment))
    words = sum(word.test is not None for word in alignment.words)
    return (
        f"E over {characters:,} aligned character{'' if characters == 1 else 's'}, "
        f"LA over {words:,} of {len(alignment.words):,} word{'' if len(alignment.words) == 1 else 's'}"
    )


def aligned_note(coverage: pd.DataFrame, most: int = 4) -> str:
    """Say how many sentences of each parser are scored over aligned words; empty where none is.

    Parameters
    ----------
    coverage : DataFrame
        From :func:`evaltools.analysis.coverage`.
    most : int
        At most so many parsers are named.
    """
    rows = coverage[coverage["words_aligned"] > 0].sort_values("words_aligned", ascending=False, kind="stable")
    named = [f"{one.words_aligned:,} of {one.parser}" for one in rows.head(most).itertuples()]
    if not named:
        return ""
    if len(rows) > most:
        named.append(f"of {len(rows) - most} more parsers")
    return f"Sentences whose words differ are scored over aligned words: {', '.join(named)}."


def lone_word_note(word: WordComparison, upper: str, lower: str) -> str:
    """Say why a word of the upper tree has no score."""
    return (
        f"“{word.form}” of {upper} is aligned with no word of {lower}: there are no two lineages to compare. "
        "In figures over all sentences it counts 0."
    )


def _first_difference(alignment: Alignment, gold_name: str, test_name: str) -> str:
    gold = [word.form for word in alignment.gold_words]
    test = [word.form for word in alignment.test_words]
    for place, (one, other) in enumerate(zip(gold, test, strict=False), start=1):
        if one != other:
            return f"word {place} is “{one}” in {gold_name} and “{other}” in {test_name}"
    if len(gold) == len(test):
        return "after what the preset deletes"
    return f"{len(gold)} words in {gold_name}, {len(test)} in {test_name}"


def script_note(kind: str, number: int) -> str:
    """Introduce an edit script."""
    if not number:
        return "Nothing to do: the trees are equal." if kind == "t" else "Nothing to do: every bracket is matched."
    turn = "1 step turns" if number == 1 else f"{number} steps turn"
    each = (
        "node that is deleted, inserted or swapped" if kind == "t" else "bracket, tag or word that one tree has alone"
    )
    return f"{turn} the upper tree into the lower one, one for each {each}. Click a step to see its node."


def formula_rows(alignment: Alignment) -> list[tuple[str, str, str, str]]:
    """Return title, formula, the same with this sentence's numbers, and value, of every metric worth a line."""
    counts = {name: f"{value:g}" for name, value in alignment.counts.items()}
    rows: list[tuple[str, str, str, str]] = []
    for part in ("roof", "whole"):
        counted = [alignment.counts[f"e_{name}_{part}"] for name in ("gold", "test", "matched")]
        upper, lower, matched = counted
        symbols = {"G": f"{upper:g}", "T": f"{lower:g}", "M": f"{matched:g}"}
        shown = symbols | {"D": f"{upper - matched:g}", "I": f"{lower - matched:g}"}
        rows.append((f"E, {part}", f"{SCOPES[part]}: {_counted(shown, _E_SAYS)}", "", ""))
        rows += [_row(alignment, f"e_{name}_{part}", title, symbols) for name, title in _E_SCORES.items()]
    symbols = {name: counts[f"t_{word}"] for name, word in _T_SYMBOLS.items()}
    rows.append(("T, tree distance", f"{SCOPES['t']}: {_counted(symbols, _T_SAYS)}", "", ""))
    for metric, name in (("t_dice", "Dice"), ("t_jaccard", "Jaccard")):
        formula = METRICS[metric].formula
        words = alignment.counts["t_words_gold"]
        if metric == "t_jaccard":  # M − W is never less than 0
            words = min(words, alignment.counts["t_matched"])
        numbers = _put_in(formula, symbols | {"W": f"{words:g}"})
        rows.append((name, formula, numbers, three(alignment.scores.get(metric))))
    rows += _moves(alignment, symbols)
    over = "words"
    if aligns_words(alignment):
        over = f"{sum(word.test is not None for word in alignment.words)} aligned of {len(alignment.words)} words"
    rows.append(("LA, leaf-ancestor", f"mean similarity of the lineages of the {over}", "", ""))
    for scheme in ("strict", "partial"):
        numbers = f"{alignment.counts[f'la_{scheme}_sum']:.3f} / {counts['la_words']}"
        value = alignment.scores.get(f"la_{scheme}")
        rows.append((scheme.title(), "sum / words", "" if value is None else numbers, three(value)))
    return rows


def _moves(alignment: Alignment, symbols: dict[str, str]) -> list[tuple[str, str, str, str]]:
    """Return the cost, and what it would be with moves, where a subtree moved."""
    moves = int(alignment.counts["t_moves"])
    if not moves:
        return []
    cost = sum(alignment.counts[f"t_{name}"] for name in ("deleted", "inserted", "swapped"))
    saved = cost - alignment.counts["t_cost_moves"]
    moved = "1 subtree that moved" if moves == 1 else f"{moves} subtrees that moved"
    return [
        ("Cost", "D + I + S", _put_in("D + I + S", symbols), f"{cost:.3f}"),
        ("with moves", f"1 for each of {moved}", f"{cost:g} − {saved:g}", f"{alignment.counts['t_cost_moves']:.3f}"),
    ]


_T_SYMBOLS = {
    "D": "deleted",
    "I": "inserted",
    "S": "swapped",
    "M": "matched",
    "G": "gold",
    "T": "test",
    "W": "words_gold",
}


_E_SCORES = {"recall": "Recall", "precision": "Precision", "dice": "Dice (F1)", "jaccard": "Jaccard"}
_E_SAYS = {"G": "above", "T": "below", "M": "matched", "D": "deleted", "I": "inserted"}
_T_SAYS = {
    "D": "deleted",
    "I": "inserted",
    "S": "swapped",
    "M": "matched",
    "G": "above",
    "T": "below",
    "W": "words in both",
}


def _counted(symbols: dict[str, str], says: dict[str, str]) -> str:
    return " · ".join(f"{name}\N{NO-BREAK SPACE}{symbols[name]}\N{NO-BREAK SPACE}{text}" for name, text in says.items())


def _row(alignment: Alignment, metric: str, name: str, symbols: dict[str, str]) -> tuple[str, str, str, str]:
    formula = METRICS[metric].formula
    value = alignment.scores.get(metric)
    return name, formula, "" if value is None else _put_in(formula, symbols), three(value)


def _put_in(formula: str, symbols: dict[str, str]) -> str:
    """Replace the letters of a formula by numbers.

    Examples
    --------
    >>> _put_in("2M / (G + T)", {"M": "3", "G": "4", "T": "5"})
    '2·3 / (4 + 5)'
    """
    spaced = re.sub(r"(?<=\d)(?=[A-Z])", "·", formula)
    return re.sub(r"\b[A-Z]\b", lambda letter: symbols.get(letter.group(), letter.group()), spaced)


def summary_line(alignment: Alignment, sentence: int, upper: str, lower: str) -> str:
    """Say in one line what the page shows."""
    length = len(alignment.gold_words) or len(alignment.test_words)
    scores = alignment.scores
    if alignment.status == "missing":
        return f"Sentence {sentence}, {length} word{'' if length == 1 else 's'}: nothing of {lower} to score."
    whole = f"Sentence {sentence}, {length} word{'' if length == 1 else 's'}, {lower} against {upper}"
    if alignment.status == "ok" and not alignment.t.steps and not alignment.e.steps and len(alignment.gold):
        return f"{whole}: the two trees are equal."
    listed = [
        f"{title} {three(scores.get(metric))}"
        for metric, title in (("e_dice_roof", "E Dice"), ("t_dice", "T Dice"), ("la_partial", "LA"))
    ]
    return f"{whole}: {', '.join(listed)}{edits_phrase(alignment)}."


def edits_phrase(alignment: Alignment) -> str:
    """Say how many nodes the T-mapping edits, as the end of a line; empty where there is no mapping or no edit."""
    if alignment.scores.get("t_dice") is None:
        return ""
    counted = ((alignment.counts[f"t_{name}"], name) for name in ("deleted", "inserted", "swapped"))
    edits = [(number, name) for number, name in counted if number > 0]
    if not edits:
        return ""
    (first, name), *others = edits
    nodes = f"{first:g} node{'' if first == 1 else 's'} {name}"
    return f"; by T, {', '.join([nodes, *(f'{number:g} {name}' for number, name in others)])}"
