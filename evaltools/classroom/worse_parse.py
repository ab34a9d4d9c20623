"""Which of two parses of a sentence is worse: the verdict of every metric, and how often it is that of a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from evaltools.classroom.votes import leading
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.tree_distance import EDITS
from evaltools.frameworks.registry import METRICS
from evaltools.text import percentage, phrase

_EQUAL = 1e-9
"""Scores that are closer than this are equal: they are fractions of small numbers."""


def _brackets(alignment: Alignment, suffix: str = "") -> str:
    matched, gold, test = (
        int(alignment.counts[f"e_{name}"]) for name in (f"matched_roof{suffix}", "gold_roof", "test_roof")
    )
    missing = (gold - matched, "bracket missing", "brackets missing")
    return phrase([missing, (test - matched, "spurious", "spurious")], "all brackets right")


def _unlabeled(alignment: Alignment) -> str:
    return _brackets(alignment, "_unlabeled")


def _crossing(alignment: Alignment) -> str:
    number = int(alignment.counts["e_crossing_brackets"])
    return phrase([(number, "bracket crosses", "brackets cross")], "no crossing brackets")


def _edits(alignment: Alignment) -> str:
    return phrase([(int(alignment.counts[column]), status, status) for column, status in EDITS.items()], "no edits")


_REPAIRS = (
    ("r_moves", "move", "moves"),
    ("r_relabels", "new label", "new labels"),
    ("r_adds", "bracket to add", "brackets to add"),
    ("r_removes", "bracket to remove", "brackets to remove"),
)


def _repairs(alignment: Alignment) -> str:
    return phrase([(int(alignment.counts[name]), one, many) for name, one, many in _REPAIRS], "nothing to repair")


def _lineages(alignment: Alignment) -> str:
    low = [word for word in alignment.words if word.scores.get("la", 1.0) < 1]
    if not low:
        return "all lineages equal"
    worst = min(low, key=lambda word: word.scores["la"])
    return f"{len(low)} of {len(alignment.words)} words, “{worst.form}” worst: {percentage(worst.scores['la'], 2)}"


JUDGES: dict[str, Callable[[Alignment], str]] = {
    "f1": _brackets,
    "f1_unlabeled": _unlabeled,
    "crossing": _crossing,
    "ted": _edits,
    "la": _lineages,
    "errors": _repairs,
}
"""Metrics that give a verdict, and how each says what is wrong with a parse."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A metric's verdict on two parses."""

    metric: str  # A metric id
    a: float | None  # The scores; None where undefined
    b: float | None
    worse: str | None  # The parse that scores worse, or "equal"; None where a score is undefined
    reason_a: str  # The errors that the metric counts in each parse
    reason_b: str


def verdicts(a: Alignment, b: Alignment) -> tuple[Verdict, ...]:
    """Compute every metric's verdict on two parses aligned with one gold tree.

    Examples
    --------
    A word at the wrong level, and a wrong label:

    >>> from evaltools import Tree, align
    >>> gold, a, b = (Tree.from_string(text, "sampson") for text in (
    ...     "[S a [X b [Y c [Z d ] ] ] e ]", "[S a [X b [Y c [Z d e ] ] ] ]", "[Q a [X b [Y c [Z d ] ] ] e ]"))
    >>> worse = {verdict.metric: verdict.worse for verdict in verdicts(align(gold, a), align(gold, b))}
    >>> worse["f1"], worse["ted"], worse["la"]
    ('a', 'a', 'b')
    """
    judged = []
    for metric, reason in JUDGES.items():
        scores = a.scores[metric], b.scores[metric]
        reasons = ("no score" if score is None else reason(each) for score, each in zip(scores, (a, b), strict=True))
        judged.append(Verdict(metric, *scores, _worse(metric, *scores), *reasons))
    return tuple(judged)


def _worse(metric: str, a: float | None, b: float | None) -> str | None:
    if a is None or b is None:
        return None
    if abs(a - b) < _EQUAL:
        return "equal"
    return "a" if (a < b) == METRICS[metric].higher_is_better else "b"


def agreement(asked: Sequence[tuple[Mapping[str, int], tuple[Verdict, ...]]]) -> dict[str, tuple[int, int]]:
    """Return on how many questions each metric agrees with a class, and of how many.

    A question counts if one choice has more votes than each of the others, and the metric has a verdict.

    Examples
    --------
    >>> from evaltools import Tree, align
    >>> gold, a, b = (Tree.from_string(text) for text in ("(S (A a) (B b))", "(S (C a) (B b))", "(Q (A a) (B b))"))
    >>> agreement([({"a": 1, "b": 8, "equal": 2}, verdicts(align(gold, a), align(gold, b)))])["f1"]
    (1, 1)
    """
    counts_by_metric = dict.fromkeys(JUDGES, (0, 0))
    for counts, judged in asked:
        answer = leading(counts)
        for verdict in judged:
            if answer is not None and verdict.worse is not None:
                agreed, questions = counts_by_metric[verdict.metric]
                counts_by_metric[verdict.metric] = (agreed + (verdict.worse == answer), questions + 1)
    return counts_by_metric
