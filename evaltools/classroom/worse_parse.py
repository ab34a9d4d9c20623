"""Which of two parses of a sentence is worse: the verdict of every metric, and how often it is that of a class.

References
----------
E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
Statistical Association 22(158), 209-212. The interval of :func:`wilson`.

L. D. Brown, T. T. Cai and A. DasGupta (2001). Interval estimation for a binomial proportion. Statistical Science 16(2),
101-133. Why it is taken where there are few observations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from evaltools.analysis.explain import put_in
from evaltools.classroom.votes import Tally
from evaltools.errors import ParameterError
from evaltools.metrics import METRICS
from evaltools.metrics.alignment import align
from evaltools.metrics.mapping import Alignment
from evaltools.treebank import Tree

__all__ = ["JUDGES", "Agreement", "Verdict", "agreement", "verdicts", "verdicts_of", "wilson"]

JUDGES = (
    "e_dice_roof",
    "e_dice_roof_unlabelled",
    "e_dice_whole",
    "e_crossing",
    "t_dice",
    "t_jaccard",
    "la_strict",
    "la_partial",
)
"""The metrics that are asked. Jaccard of brackets is none of them: on one sentence it always says what Dice says."""

_EQUAL = 1e-9
"""Scores that are closer than this are equal: they are fractions of small numbers."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a metric says of two parses.

    Parameters
    ----------
    metric : str
        A metric id.
    a, b : float or None
        The scores; None where undefined.
    worse : {"a", "b", "equal"} or None
        The parse that scores worse; None where a score is undefined.
    numbers_a, numbers_b : str
        The formula with each parse's numbers put in.
    reason_a, reason_b : str
        What the metric finds wrong in each, in words.
    """

    metric: str
    a: float | None
    b: float | None
    worse: str | None
    numbers_a: str
    numbers_b: str
    reason_a: str
    reason_b: str


def verdicts(gold: Tree | str, a: Tree | str, b: Tree | str, preset: str = "none") -> tuple[Verdict, ...]:
    """Ask every metric which of two parses is worse.

    Parameters
    ----------
    gold, a, b : Tree or str
        The gold tree and the two parses, or PTB brackets.
    preset : str
        What to delete and equate first.

    Returns
    -------
    tuple of Verdict
        One for each metric of :data:`JUDGES`, in that order.

    Examples
    --------
    A word at the wrong level, and a wrong label:

    >>> trees = [Tree.from_string(text, "sampson") for text in (
    ...     "[S a [X b [Y c [Z d ] ] ] e ]", "[S a [X b [Y c [Z d e ] ] ] ]", "[Q a [X b [Y c [Z d ] ] ] e ]")]
    >>> {one.metric: one.worse for one in verdicts(*trees) if one.metric in ("e_dice_roof", "t_dice", "la_strict")}
    {'e_dice_roof': 'a', 't_dice': 'a', 'la_strict': 'b'}
    """
    return verdicts_of(align(gold, a, preset), align(gold, b, preset))


def verdicts_of(a: Alignment, b: Alignment) -> tuple[Verdict, ...]:
    """Ask every metric which of two parses is worse that are aligned with one gold tree."""
    return tuple(
        Verdict(
            metric,
            a.scores[metric],
            b.scores[metric],
            _worse(metric, a.scores[metric], b.scores[metric]),
            put_in(metric, a.counts),
            put_in(metric, b.counts),
            _reason(metric, a),
            _reason(metric, b),
        )
        for metric in JUDGES
    )


def _worse(metric: str, a: float | None, b: float | None) -> str | None:
    if a is None or b is None:
        return None
    if abs(a - b) < _EQUAL:
        return "equal"
    return "a" if (a < b) == METRICS[metric].higher_is_better else "b"


def _reason(metric: str, alignment: Alignment) -> str:
    if alignment.scores[metric] is None:
        return "no score"
    counts = {name: int(value) for name, value in alignment.counts.items() if float(value).is_integer()}
    family = METRICS[metric].family
    if metric == "e_crossing":
        return _parts([(counts["e_crossing_brackets"], "bracket crosses", "brackets cross")], "nothing crosses")
    if family == "e":
        gold, test, matched = (counts[name] for name in _bracket_columns(metric))
        missing = (gold - matched, "bracket missing", "brackets missing")
        return _parts([missing, (test - matched, "wrong", "wrong")], "all brackets right")
    if family == "t":
        rows = [(counts[f"t_{name}"], name, name) for name in ("deleted", "inserted")]
        return _parts([*rows, (counts["t_swapped"], "relabelled", "relabelled")], "nothing to edit")
    low = [word for word in alignment.words if word.scores.get(metric, 1.0) < 1]
    if not low:
        return "every word in its place"
    worst = min(low, key=lambda word: word.scores[metric])
    return f"{len(low)} of {len(alignment.words)} words, “{worst.form}” most: {worst.scores[metric]:.3f}"


def _bracket_columns(metric: str) -> tuple[str, str, str]:
    columns = METRICS[metric].columns
    gold, test, matched = (next(one for one in columns if f"_{what}_" in one) for what in ("gold", "test", "matched"))
    return gold, test, matched


def _parts(rows: Iterable[tuple[int, str, str]], nothing: str) -> str:
    parts = [f"{number} {one if number == 1 else many}" for number, one, many in rows if number]
    return ", ".join(parts) or nothing


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often a metric says what a class says.

    Parameters
    ----------
    metric : str
        A metric id.
    questions : int
        Questions on which the class has an answer and the metric a verdict.
    agreed : int
        Those of them on which the two are the same.
    share, low, high : float
        The share, and its interval; NaN where there is no question.
    votes, votes_agreed : int
        Single votes on those questions, and those of them that say what the metric says.
    """

    metric: str
    questions: int
    agreed: int
    share: float
    low: float
    high: float
    votes: int
    votes_agreed: int


def agreement(asked: Sequence[tuple[Tally, tuple[Verdict, ...]]], confidence: float = 0.95) -> list[Agreement]:
    """Compare the verdicts of every metric with the votes of a class.

    A question has an answer where one choice has more votes than each of the others. Questions are what is counted, not
    votes: those who vote on one question hear one another, so that their votes do not tell independently of a metric.

    Parameters
    ----------
    asked : sequence of (Tally, tuple of Verdict)
        The questions.
    confidence : float
        Of the intervals, which are Wilson's.

    Returns
    -------
    list of Agreement
        One for each metric, in the order of :data:`JUDGES`.

    Examples
    --------
    >>> found = verdicts("(S (A a) (B (C b) (D c)))", "(S (A a) (C b) (D c))", "(Q (A a) (E (C b) (D c)))")
    >>> one = agreement([(Tally(1, 8, 2), found)])[0]
    >>> one.metric, one.questions, one.agreed, one.votes, one.votes_agreed, round(one.low, 3)
    ('e_dice_roof', 1, 1, 11, 8, 0.207)
    """
    rows = []
    for place, metric in enumerate(JUDGES):
        questions = agreed = votes = votes_agreed = 0
        for tally, found in asked:
            worse = found[place].worse
            if tally.answer is None or worse is None:
                continue
            questions += 1
            agreed += worse == tally.answer
            votes += tally.total
            votes_agreed += getattr(tally, worse)
        low, high = wilson(agreed, questions, confidence)
        share = agreed / questions if questions else float("nan")
        rows.append(Agreement(metric, questions, agreed, share, low, high, votes, votes_agreed))
    return rows


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of a share.

    Parameters
    ----------
    successes, trials : int
        How often it happened, of how many times.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : float
        NaN without a trial.

    Raises
    ------
    ParameterError
        If there are more successes than trials, or the confidence is none.

    Examples
    --------
    >>> low, high = wilson(4, 5)
    >>> round(low, 3), round(high, 3)
    (0.376, 0.964)
    """
    if not 0 <= successes <= trials:
        raise ParameterError(f"{successes} of {trials}; expected no more successes than trials")
    if not 0 < confidence < 1:
        raise ParameterError(f"confidence {confidence}; expected a number between 0 and 1")
    if not trials:
        return float("nan"), float("nan")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, spread = successes / trials, z * z / trials
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    return (0.0 if successes == 0 else min(low, share)), (1.0 if successes == trials else max(high, share))
