"""Where one figure comes from: the formula, the counts that go into it, and the numbers put in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evaltools.analysis.bootstrap import FIGURES, figure_of
from evaltools.errors import ParameterError
from evaltools.metrics import METRICS, edm, tedeval, tedeval2011
from evaltools.runs.sums import Sums

__all__ = ["COUNT_NAMES", "SYMBOLS", "Explanation", "explain", "number", "put_in"]

_TEDEVAL = {
    "parse": "{} of the parses",
    "gold": "{} of the own gold",
    "generalized": "{} that all golds have",
    "error": "operations that count",
    "single_error": "operations that count, against the own gold",
    "multiple_error": "operations that count, against all golds",
    "equal": "sentences with equal trees",
    "single_equal": "sentences with equal trees, own gold",
    "multiple_equal": "sentences with equal trees, all golds",
}


def _said(column: str) -> str:
    """Return what a count of TedEval is."""
    family, _, rest = column.partition("_")
    what, _, labels = rest.rpartition("_")
    says = _TEDEVAL[what].format("functions" if labels == "labelled" else "nodes")
    return says + (", 2011" if family == "tedeval2011" else "")


def _triples(column: str) -> str:
    """Return what a count of elementary dependency match is."""
    _, letter, which = column.split("_")
    kinds = {"n": "names", "a": "arguments", "p": "properties", "c": "constants", "t": "tops"}
    return f"{which} {kinds[letter]}, by weight"


COUNT_NAMES: dict[str, str] = {
    "e_gold_roof": "gold brackets, roof",
    "e_test_roof": "test brackets, roof",
    "e_matched_roof": "matched brackets, roof",
    "e_matched_roof_unlabelled": "matched brackets, roof, whatever the label",
    "e_gold_whole": "gold brackets, whole tree",
    "e_test_whole": "test brackets, whole tree",
    "e_matched_whole": "matched brackets, whole tree",
    "e_matched_whole_unlabelled": "matched brackets, whole tree, whatever the label",
    "e_crossing_brackets": "test brackets that cross a gold bracket",
    "e_exact_match": "sentences with all roof brackets right",
    "e_tags": "words with a gold tag",
    "e_tags_correct": "words with the right tag",
    "sentences": "sentences",
    "t_gold": "gold nodes, words included",
    "t_test": "test nodes, words included",
    "t_words_gold": "words that are the same in both trees",
    "t_words_test": "words that are the same in both trees, subtracted from T",
    "t_deleted": "deleted nodes",
    "t_inserted": "inserted nodes",
    "t_swapped": "swapped nodes",
    "t_matched": "matched nodes, words included",
    "dep_gold": "gold words",
    "dep_test": "test words",
    "uas_right": "words with the right head",
    "las_right": "words with the right head and relation",
    "label_right": "words with the right relation",
    "la_words": "words that are compared",
    "la_strict_sum": "sum of the words’ similarities, strict",
    "la_partial_sum": "sum of the words’ similarities, partial credit",
    "la_table_sum": "sum of the words’ similarities, costs from a table",
    **{name: _said(name) for name in (*tedeval.COLUMNS, *tedeval2011.COLUMNS) if name != "sentences"},
    "edm_exact_match": "sentences with all triples right",
    **{name: _triples(name) for name in edm.COLUMNS if name not in ("sentences", "edm_exact_match")},
}
"""What each count is."""

SYMBOLS: dict[str, str] = {
    "t_gold": "G",
    "t_test": "T",
    "t_words_gold": "W",
    "t_words_test": "W",
    "t_deleted": "D",
    "t_inserted": "I",
    "t_swapped": "S",
    "t_matched": "M",
    "dep_gold": "G",
    "dep_test": "T",
    "uas_right": "M",
    "las_right": "M",
    "label_right": "M",
    **{f"e_gold_{part}": "G" for part in ("roof", "whole")},
    **{f"e_test_{part}": "T" for part in ("roof", "whole")},
    **{f"e_matched_{part}{end}": "M" for part in ("roof", "whole") for end in ("", "_unlabelled")},
}
"""The letter a count has in the formulas."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a figure of one parser comes about.

    Parameters
    ----------
    parser, metric, figure : str
        Which figure: a metric id, and ``pooled``, ``mean``, ``pooled_all`` or ``mean_all``.
    value : float
        The figure, NaN where undefined.
    formula : str
        The metric's formula.
    numbers : str
        The formula with numbers put in.
    counts : dict
        Sums of the count columns over the sentences that count.
    n : int
        Sentences that count: those that went into the sums, or the scores that went into the mean.
    sentences : int
        All sentences.
    without_score : int
        Of the sentences that could count in a mean, those whose score is undefined.
    """

    parser: str
    metric: str
    figure: str
    value: float
    formula: str
    numbers: str
    counts: dict[str, float]
    n: int
    sentences: int
    without_score: int


def number(value: float) -> str:
    """Write a count: whole where it is, with thin spaces between thousands.

    Examples
    --------
    >>> number(3.0), number(0.25)
    ('3', '0.250')
    """
    text = f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3f}"
    return text.replace(",", "\u202f")


def put_in(metric: str, counts: dict[str, float]) -> str:
    """Put counts into a metric's formula.

    Parameters
    ----------
    metric : str
        A metric id.
    counts : dict
        Sums of its count columns.

    Examples
    --------
    >>> put_in("e_dice_roof", {"e_matched_roof": 1, "e_gold_roof": 3, "e_test_roof": 3})
    '2 × 1 / (3 + 3)'
    """
    one = METRICS[metric]
    if one.family == "edm" and one.id != "edm_exact":
        classes = edm.PARTS[re.sub("_(precision|recall)$", "", one.id)][1]
        ends = {"G": "gold", "T": "test", "M": "matched"}
        sums = {sign: sum(counts.get(f"edm_{kind}_{end}", 0) for kind in classes) for sign, end in ends.items()}
        return re.sub("[GTM]", lambda match: number(sums[match.group()]), one.formula.replace("2M", "2 × M"))
    text = {name: number(counts[name]) for name in one.columns}
    if one.family.startswith("tedeval"):
        _, delta, parse, gen, _ = one.columns
        return f"1 − {text[delta]} / ({text[parse]} + {text[gen]})"
    letters_of = ("e_recall", "e_precision", "e_dice", "e_jaccard", "t_")
    if not (one.id.startswith(letters_of) or one.family == "attachment"):
        top, bottom = (text[name] for name in one.columns)
        return f"{top} / {bottom}"
    letters = {SYMBOLS[name]: text[name] for name in one.columns if name not in ("t_words_gold", "t_words_test")}
    formula = one.formula.replace("2M", "2 × M")
    if one.family == "t":
        formula = formula.replace("(G − W)", "(G − Wg)").replace("(T − W)", "(T − Wt)").replace("I − W)", "I − Wg)")
        words = counts["t_words_gold"]
        words = min(words, counts["t_matched"]) if metric == "t_jaccard" else words  # M − W is never less than 0
        letters |= {"Wg": number(words), "Wt": text["t_words_test"]}
    return re.sub(r"[A-Z][a-z]?", lambda match: letters[match.group()], formula)


def explain(sums: Sums, parser: str, metric: str, figure: str = "pooled") -> Explanation:
    """Say how a figure comes about.

    Parameters
    ----------
    sums : Sums
        Sums over groups of sentences, from :func:`evaltools.runs.sums.sum_sentences`.
    parser : str
        The parser.
    metric : str
        A metric id.
    figure : {"pooled", "mean", "pooled_all", "mean_all"}
        Which of its figures.

    Returns
    -------
    Explanation
        The figure, its formula, and the counts in it.

    Raises
    ------
    ParameterError
        If there is no such metric or figure.
    """
    if metric not in METRICS:
        raise ParameterError.unknown("metric", metric, METRICS)
    if figure not in FIGURES:
        raise ParameterError.unknown("figure", figure, FIGURES)
    one = METRICS[metric]
    part = sums.of(parser)
    over = "all" if figure.endswith("_all") else "scored"
    totals = {name: float(part.count(one, over, name).sum()) for name in one.columns}
    members, defined = (int(column.sum()) for column in (part.members(one, over), part.defined(one, over)))
    if figure.startswith("pooled"):
        n, numbers = members, put_in(metric, totals)
    else:
        n, numbers = defined, f"{number(round(float(part.score(one, over).sum()), 3))} / {number(defined)}"
    value = figure_of(part, one, figure)
    return Explanation(
        parser, metric, figure, value, one.formula, numbers, totals, n, part.sentences, members - defined
    )
