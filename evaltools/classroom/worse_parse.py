"""Which of two parses of a sentence is worse: the verdict of every metric, and its agreement with a class.

References
----------
E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
Statistical Association 22(158), 209-212. The interval of :func:`wilson`.

L. D. Brown, T. T. Cai and A. DasGupta (2001). Interval estimation for a binomial proportion. Statistical Science 16(2),
101-133. Recommends this interval for small samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

from evaltools import align
from evaltools.classroom.material import Vote
from evaltools.classroom.votes import Tally
from evaltools.corpus import Kind, Tree
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.faults import FAULTS
from evaltools.frameworks.formulas import formula_with
from evaltools.frameworks.registry import METRICS

JUDGES = tuple(FAULTS)
"""Metrics that give a verdict."""


def judges(votes: Sequence[Vote]) -> tuple[str, ...]:
    """Return the metrics whose verdicts are shown: without tags, those that count tags are the same as those without.

    Examples
    --------
    >>> judges([Vote("[S a [X b ] ]", "[S a b ]", "[S a [Y b ] ]", "none")])[:2]
    ('f1', 'f1_unlabeled')
    """
    tagged = any(Kind.PRETERMINAL in tree.kinds for vote in votes for tree in vote.trees())
    return tuple(name for name in JUDGES if tagged or METRICS[name].place.part != "whole")


_EQUAL = 1e-9
"""Scores that are closer than this are equal: they are fractions of small numbers."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A metric's verdict on two parses."""

    metric: str  # A metric id
    a: float | None  # The scores; None where undefined
    b: float | None
    worse: str | None  # The parse that scores worse; None where a score is undefined
    numbers_a: str  # The formula with each parse's numbers put in
    numbers_b: str
    reason_a: str  # The errors that the metric counts in each parse
    reason_b: str


def verdicts(gold: Tree | str, a: Tree | str, b: Tree | str, preset: str = "none") -> tuple[Verdict, ...]:
    """Compute every metric's verdict on which of two parses is worse.

    Examples
    --------
    A word at the wrong level, and a wrong label:

    >>> trees = [Tree.from_string(text, "sampson") for text in (
    ...     "[S a [X b [Y c [Z d ] ] ] e ]", "[S a [X b [Y c [Z d e ] ] ] ]", "[Q a [X b [Y c [Z d ] ] ] e ]")]
    >>> worse = {verdict.metric: verdict.worse for verdict in verdicts(*trees)}
    >>> worse["f1"], worse["ted"], worse["la_exact"]
    ('a', 'a', 'b')
    """
    return verdicts_of(align(gold, a, preset), align(gold, b, preset))


def verdicts_of(a: Alignment, b: Alignment) -> tuple[Verdict, ...]:
    """Compute every metric's verdict on two parses aligned with one gold tree."""
    return tuple(
        Verdict(
            metric,
            a.scores[metric],
            b.scores[metric],
            _worse(metric, a.scores[metric], b.scores[metric]),
            formula_with(METRICS[metric], a.counts),
            formula_with(METRICS[metric], b.counts),
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
    return "no score" if alignment.scores[metric] is None else FAULTS[metric](alignment)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of a metric with a class."""

    metric: str  # A metric id
    questions: int  # Questions on which the class has an answer and the metric a verdict
    agreed: int  # Questions on which the two agree
    share: float  # The share, and its interval; NaN where there is no question
    low: float
    high: float
    votes: int  # Votes on these questions, and votes that agree with the metric
    votes_agreed: int


def agreement(asked: Sequence[tuple[Tally, tuple[Verdict, ...]]], confidence: float = 0.95) -> list[Agreement]:
    """Compare the verdicts of every metric with the votes of a class.

    Examples
    --------
    >>> judged = verdicts("(S (A a) (B (C b) (D c)))", "(S (A a) (C b) (D c))", "(Q (A a) (E (C b) (D c)))")
    >>> first = agreement([(Tally(1, 8, 2), judged)])[0]
    >>> first.metric, first.questions, first.agreed, first.votes, first.votes_agreed, round(first.low, 3)
    ('f1', 1, 1, 11, 8, 0.207)
    """
    # A question has an answer if one choice has more votes than each of the others. The interval is over questions,
    # not votes: votes on one question are not independent, because voters hear each other.
    rows = []
    for index, metric in enumerate(JUDGES):
        questions = agreed = votes = votes_agreed = 0
        for tally, judged in asked:
            worse = judged[index].worse
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
    center = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    low, high = max(center - half, 0.0), min(center + half, 1.0)
    return (0.0 if successes == 0 else min(low, share)), (1.0 if successes == trials else max(high, share))
