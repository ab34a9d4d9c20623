"""Which convention gives this number: a parser's figure under the conventions of papers and programs.

Every figure is that of a run with the same preset and options. Conventions of at most :data:`MAX_STEPS` dimensions are
combined; a convention that applies and changes no sentence is left out of combinations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.analysis.suspicions import Suspicion, suspicions
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.frameworks.common.columns import Rows, SentenceStatus
from evaltools.frameworks.conventions import Convention, Reading, Setting
from evaltools.frameworks.figures import Sentences
from evaltools.frameworks.metric import Metric
from evaltools.runs.rescoring import Rescoring
from evaltools.runs.sums import figure_from_sums

MAX_STEPS = 3
_MAX_SCORED = 2
"""How many conventions are combined, and how many of them that need other counts."""
_EXACT = 1e-9
_MAX_SHARE = 1.5
"""Published shares may exceed 1, as programs count some triples twice, but not by so much."""


@dataclass(frozen=True, slots=True)
class Step:
    """A figure under a convention, and what the convention changes in the figure before it."""

    convention: Convention
    words: str  # What it changes, for readers
    metric: Metric
    value: float
    n: int  # Number of sentences that the figure is over
    before: float  # The figure before
    n_touched: int  # Number of sentences whose part of the figure is another one
    example: int | None  # The number of the shortest of them

    @property
    def difference(self) -> float:
        """The difference to the figure before."""
        return self.value - self.before


@dataclass(frozen=True, slots=True)
class Match:
    """Conventions that give a published figure, or come near to it."""

    conventions: tuple[Convention, ...]
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure, as it was given."""

    text: str
    value: float
    tolerance: float  # Half a unit of its last decimal

    @classmethod
    def of(cls, text: str, metric: Metric) -> Published:
        """Read a figure of a metric: of a share a percentage, or the share itself if it is at most 1.

        Examples
        --------
        >>> from evaltools.frameworks.registry import METRICS
        >>> published = Published.of("95.98", METRICS["f1"])
        >>> round(published.value, 6), round(published.tolerance, 6)
        (0.9598, 5e-05)
        >>> Published.of("0.96", METRICS["f1"]).is_near(0.9598)
        True
        """
        digits = text.strip().removesuffix("%").strip()
        if not (digits.isascii() and digits.replace(".", "", 1).isdecimal()):
            raise ParameterError(f"a published figure is a number such as 95.98, not {text!r}")
        value, unit = float(digits), 10.0 ** -len(digits.partition(".")[2])
        if metric.is_share and (value > 1 or "%" in text):
            value, unit = value / 100, unit / 100
        if metric.is_share and value > _MAX_SHARE:
            raise ParameterError(f"{metric.title} is at most 100 %, not {text!r}")
        return cls(text.strip(), value, unit / 2)

    def is_near(self, value: float) -> bool:
        """Return whether a figure is the published one when it is rounded as that is."""
        return abs(value - self.value) <= self.tolerance + _EXACT


@dataclass(frozen=True, slots=True)
class Why:
    """A parser's figure, and how conventions change it."""

    parser: str
    metric: Metric
    setting: Setting  # The default
    value: float
    n: int
    single: tuple[Step, ...]  # Each convention by itself that changes the figure, the largest difference first
    idle: tuple[Convention, ...]  # Conventions that apply and do not change the figure
    refused: tuple[tuple[Convention, str], ...]  # Conventions that the files cannot be scored by, and why
    in_force: tuple[Convention, ...]  # Those that the figure follows
    n_tried: int  # Number of combinations of conventions computed
    published: Published | None = None
    matches: tuple[Match, ...] = ()  # Those that give the published figure, the simplest first; or else the nearest
    ladder: tuple[Step, ...] = ()  # From the default to the first match; the differences add up
    suspicions: tuple[tuple[Suspicion, Step | None], ...] = ()  # What is probably wrong, and the figure without it

    @property
    def is_found(self) -> bool:
        """Whether some conventions give the published figure."""
        return self.published is not None and self.published.is_near(self.matches[0].value)


def explain_figure(files: Rescoring, published: str | None = None) -> Why:
    """Compute a parser's figure under the conventions of its framework.

    Parameters
    ----------
    files : Rescoring
        The gold file and the parser's.
    published : str, optional
        A published figure, as it is printed: its last decimal says how it was rounded.

    Returns
    -------
    Why
        The figures.

    Raises
    ------
    ParameterError
        If `published` is no figure of the metric, or there is no figure to compare it with.
    """
    goal = None if published is None else Published.of(published, files.metric)
    return _Explanation(files).explain(goal)


@dataclass(frozen=True, slots=True)
class _Figure:
    metric: Metric
    value: float
    members: NDArray[np.bool_]  # Which sentences it is over
    summands: NDArray[np.float64]  # What each sentence adds, shape (sums, sentences); 0 where it is no member

    @property
    def n(self) -> int:
        return int(np.count_nonzero(self.members))

    def touched(self, before: _Figure) -> NDArray[np.bool_]:
        """Return which sentences add something else than to the figure before."""
        n = min(len(self.members), len(before.members))  # evalb takes empty lines at the end for sentences
        members, members_before = self.members[:n], before.members[:n]
        if len(self.summands) != len(before.summands):  # of other counts, or of counts and of scores
            return members | members_before
        differ: NDArray[np.bool_] = np.any(self.summands[:, :n] != before.summands[:, :n], axis=0)
        differ |= members != members_before
        return differ


def _lengths(rows: Rows) -> NDArray[Any]:
    """Return the lengths of the gold sentences; those that evalb prints, if it follows its own rules for them."""
    return np.asarray(rows.get("evalb_length", rows["words"]))


def _figure_of(sentences: Sentences, lengths: NDArray[Any], reading: Reading) -> _Figure:
    metric = reading.metric
    members, summands = sentences.summands(metric, reading.figure)
    if reading.same_words:
        members = members & sentences.has(SentenceStatus.OK)
    if reading.max_length is not None:
        members = members & (lengths <= reading.max_length)
    parts = np.where(members, np.nan_to_num(np.stack(summands)), 0.0)
    value = float(figure_from_sums(reading.figure, metric, parts.sum(axis=1)[None, :])[0])
    return _Figure(metric, value, members, parts)


class _Explanation:
    def __init__(self, files: Rescoring) -> None:
        self._files = files
        self._dimensions = files.conventions
        self._start = Setting(files.preset, files.options, Reading(files.metric, files.preset.default_figure))
        self._sentences: dict[int, Sentences] = {}
        self._figures: dict[tuple[int, Reading], _Figure] = {}

    def explain(self, published: Published | None) -> Why:
        before = self._figure(self._start)
        single, idle, refused = list[Step](), list[Convention](), list[tuple[Convention, str]]()
        for convention in (convention for dimension in self._dimensions for convention in dimension):
            if (setting := convention.change(self._start)) != self._start:
                try:
                    step = self._step(convention, before, self._figure(setting))
                except EvaltoolsError as error:  # such as evalb's presets on discontinuous trees
                    refused.append((convention, str(error)))
                    continue
                if step.n_touched and step.difference != 0:
                    single.append(step)
                else:
                    idle.append(convention)
        single.sort(key=lambda step: -abs(step.difference))
        matches, ladder = list[Match](), list[Step]()
        if published is not None:
            matches = self._matches(published, [*idle, *(convention for convention, _ in refused)])
            ladder = self._ladder(matches[0].conventions)
        by_convention = {step.convention.id: step for step in single}
        found = suspicions([{"name": self._files.parser, "signs": self._files.signs()}])
        return Why(
            self._files.parser,
            self._files.metric,
            self._start,
            before.value,
            before.n,
            tuple(single),
            tuple(idle),
            tuple(refused),
            self._in_force(),
            len(self._figures),
            published,
            tuple(matches),
            tuple(ladder),
            tuple((item, by_convention.get(item.without)) for item in found),
        )

    def _in_force(self) -> tuple[Convention, ...]:
        """Return the one convention of each dimension that changes nothing, if the others do."""
        unchanged = ([item for item in items if item.change(self._start) == self._start] for items in self._dimensions)
        pairs = zip(self._dimensions, unchanged, strict=True)
        return tuple(same[0] for items, same in pairs if len(same) == 1 < len(items))

    def _figure(self, setting: Setting) -> _Figure:
        """Return the figure of a setting; each is computed once."""
        rows, reading = self._files.counts(setting.preset, setting.options), setting.reading
        key = id(rows), reading  # the files keep the rows
        if key not in self._figures:
            sentences = self._sentences.setdefault(id(rows), Sentences(rows))
            self._figures[key] = _figure_of(sentences, _lengths(rows), reading)
        return self._figures[key]

    def _step(self, convention: Convention, before: _Figure, after: _Figure, words: str = "") -> Step:
        touched = np.flatnonzero(after.touched(before))
        example = None
        if len(touched):
            lengths = _lengths(self._files.counts(self._start.preset, self._start.options))
            example = int(touched[np.argmin(lengths[touched])]) + 1
        words = words or convention.words
        return Step(convention, words, after.metric, after.value, after.n, before.value, len(touched), example)

    def _matches(self, published: Published, left_out: Sequence[Convention]) -> list[Match]:
        """Return the conventions that give a published figure, the simplest first; or else the nearest ones.

        Of those that give it with others beside them, the simplest stand for all; the default stands for itself.
        """
        found = [(conventions, self._figure(setting)) for conventions, setting in self._combined(left_out)]
        found = [item for item in found if item[1].value == item[1].value]
        if not found:
            raise ParameterError(f"{self._files.metric.title} is undefined under all conventions: nothing to compare")
        found.sort(key=lambda item: (len(item[0]), abs(item[1].value - published.value)))
        near = list[tuple[tuple[Convention, ...], _Figure]]()
        for item in found:
            is_simplest = not any(conventions and set(conventions) <= set(item[0]) for conventions, _ in near)
            if is_simplest and published.is_near(item[1].value):
                near.append(item)
        if not near:
            near = [min(found, key=lambda item: (round(abs(item[1].value - published.value), 4), len(item[0])))]
        return [Match(conventions, figure.value, figure.n) for conventions, figure in near]

    def _combined(self, left_out: Sequence[Convention]) -> Iterator[tuple[tuple[Convention, ...], Setting]]:
        """Yield every combination of conventions each of which changes the setting, with the setting."""
        dimensions = [tuple(item for item in dimension if item not in left_out) for dimension in self._dimensions]
        for size in range(MAX_STEPS + 1):
            for chosen in combinations(dimensions, size):
                for conventions in product(*chosen):
                    setting = self._applied(conventions)
                    if setting is not None:
                        yield conventions, setting

    def _applied(self, conventions: Sequence[Convention]) -> Setting | None:
        """Return the setting of some conventions; None if one changes nothing, or too many need other counts."""
        setting, n_scored = self._start, 0
        for convention in conventions:
            before, setting = setting, convention.change(setting)
            if setting == before:
                return None
            if not setting.scored_as(before):
                n_scored += 1 if convention.combined else _MAX_SCORED
        return setting if n_scored <= _MAX_SCORED else None

    def _ladder(self, conventions: Sequence[Convention]) -> list[Step]:
        """Return the figure after each of some conventions, and of their parts that no other one concerns."""
        free = [dimension for dimension in self._dimensions if not set(dimension) & set(conventions)]
        known = {item.id: item for dimension in free for item in dimension}
        steps, setting = list[Step](), self._start
        for convention in conventions:
            parts = [known[name] for name in convention.parts if name in known]
            n_before = len(steps)
            for item in (*parts, convention):
                before, setting = setting, item.change(setting)
                words = f"the rest of {item.words}" if item is convention and len(steps) > n_before else ""
                step = self._step(item, self._figure(before), self._figure(setting), words)
                if step.n_touched:
                    steps.append(step)
        return steps


__all__ = ["Match", "Published", "Step", "Why", "explain_figure"]
