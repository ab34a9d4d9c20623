"""Hotspots of semantic graphs: lost triples by predicate, role, property and value; and confused predicates."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.parser_difference import paired_errors, rows_of_both, with_differences
from evaltools.frameworks.controls import Choice, Control, Number
from evaltools.frameworks.groups import (
    COMPARISON,
    Column,
    Differences,
    Excerpt,
    GroupBy,
    Line,
    Matrix,
    Options,
    Part,
    with_intervals,
)
from evaltools.frameworks.semantics.edm.rules import EdmRules
from evaltools.frameworks.semantics.errors import GROUPS as GROUPINGS
from evaltools.frameworks.semantics.errors import (
    NO_ROLE,
    confusion_places,
    confusions,
    confusions_by_sentence,
    equal_predicates,
    equal_roles,
    lost_by_sentence,
    lost_places,
    lost_triples,
    role_places,
)

__all__ = ["EXCERPTS", "GROUPS"]

_EXCERPT_ROWS = 8
"""Rows of a table in a report."""

_OVER = Choice(
    "over",
    "Sentences",
    {"scored": "parsed sentences only", "all": "all, no parse counts as 0"},
    "scored",
    "Whether sentences without a score count as 0",
)
_MIN_COUNT = Number("least", "Minimum count", 1, help="triples of gold and test together", width=180)
_WIDTH = 74
_MARKS = {"gold": "missed", "test": "spurious"}


def _scope(options: Options, other: str) -> dict[str, Any]:
    """Return the arguments that select the sentences."""
    return {"other": other or None, "every": options["over"] == "all"}


def _texts(part: Part) -> dict[int, str]:
    rows = part.run.texts()
    return dict(zip(rows["sentence"].tolist(), rows["text"].tolist(), strict=True))


class _Triples(GroupBy):
    """Groups of triples, whose spans are characters of the text."""

    all_sentences = True
    max_rows = 5_000

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words marked that overlap the characters of their triples."""
        texts = part.cached(_texts)
        groups = dict(iter(places[places["sentence"].isin(sentences)].groupby("sentence", sort=False)))
        return [_line(sentence, texts.get(sentence, ""), groups[sentence]) for sentence in sentences]

    def empty(self, parser: str, options: Options) -> str:
        """Return the text instead of an empty table."""
        fewer = " A smaller minimum count lists more." if options.get("least", 1) > 1 else ""
        return f"{parser} loses nothing of this kind.{fewer}"


def _line(sentence: int, text: str, places: pd.DataFrame) -> Line:
    words = [(match.start(), match.end(), match.group()) for match in re.finditer(r"\S+", text)]
    spans = [
        (int(start), int(end))
        for first, last in (("start", "end"), ("target_start", "target_end"))
        for start, end in places[[first, last]].dropna().itertuples(index=False)
    ]
    marked = {
        index
        for index, (start, end, _) in enumerate(words)
        if any(start < last and first < end for first, last in spans)
    }
    counts = Counter(str(remark) for remark in places["remark"] if remark)
    remark = ", ".join(f"{count} {text}" for text, count in counts.items())
    return Line(sentence, [word for *_, word in words], marked, remark)


def _lost(
    part: Part, parser: str, by: str, min_count: float, *, other: str | None, every: bool, rules: EdmRules | None
) -> pd.DataFrame:
    rows = lost_triples(part.run.query, parser, by, other=other, every=every, min_count=min_count, rules=rules)
    has_losses = (rows["lost"] > 0) | (rows["other"] > 0 if other else False)
    return with_intervals(rows, percent=True)[has_losses].reset_index(drop=True)


class LostTriples(_Triples):
    """Lost triples of one kind."""

    main = "lost"
    unit = "lost triples"

    def __init__(self, by: str) -> None:
        self.id, self.title = by, GROUPINGS[by].title  # type: ignore[misc]

    @property
    def controls(self) -> tuple[Control, ...]:
        """The sentences, and the size of groups."""
        return (_OVER, _MIN_COUNT)

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the groups with losses; ``weights`` of the options replace those of the run."""
        return self.compared(part, parser, "", options)

    def compared(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the groups with losses of either of two parsers, over the sentences that both have."""
        min_count, rules = float(options["least"]), options.get("weights")
        rows = part.cached(_lost, parser, self.id, min_count, rules=rules, **_scope(options, other))
        if not other:
            return rows
        scope = _scope(options, other) | {"rules": rules}
        first = lost_by_sentence(part.run.query, parser, self.id, **scope)
        second = lost_by_sentence(part.run.query, other, self.id, **(scope | {"other": parser}))
        error = paired_errors(first, second, rows, self.keys, part.run.n_sentences)
        return with_differences(rows, "lost", error)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the triples."""
        rules, scope = options.get("weights"), _scope(options, other)
        triples = lost_places(part.run.query, parser, self.id, row["group"], rules=rules, **scope)
        return triples.assign(remark=triples["status"].map(_MARKS))

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the group and its figures."""
        shares = {"recall": "Recall", "precision": "Precision", "f1": "F1"}
        return (
            Column("group", self.title, "text", width=190),
            _LOST,
            _SHARE,
            Column("sentences", "Sentences", help="sentences with such triples", width=86),
            *(Column(name, name.capitalize(), width=_WIDTH) for name in ("gold", "test", "matched")),
            *(Column(name, title, "points", width=_WIDTH) for name, title in shares.items()),
            Column(
                "interval",
                "95 % interval",
                "text",
                "of the F1 of the group minus that of the rest, in percentage points; sentences are resampled",
                130,
            ),
            Column(
                "flag",
                "Significant",
                "text",
                "✓: significant at a false discovery rate (FDR) of 5 % among the groups listed",
                86,
            ),
            Column(
                "excess",
                "Loss above average",
                help="lost triples beyond those that would be lost if the group scored like the rest of its kind",
            ),
        )

    def columns_compared(self, parser: str, other: str, options: Options) -> tuple[Column, ...]:
        """Return the group and the losses of both parsers."""
        figures = {column.name: column for column in self.columns(options)}
        return (
            figures["group"],
            replace(_LOST, title=parser, help=f"lost triples, {parser}", width=None),
            Column("other", other, help=f"lost triples, {other}"),
            *COMPARISON,
            replace(figures["f1"], title=f"F1, {parser}", width=None),
            Column("other_f1", f"F1, {other}", "points"),
        )

    def chart(self, rows: pd.DataFrame, options: Options, other: str = "") -> Differences | None:
        """Return the differences from the rest, for groups in enough sentences."""
        if other or "low" not in rows or not rows["low"].notna().any():
            return None
        with_interval = rows[rows["low"].notna()]
        return Differences(
            with_interval.assign(count=with_interval["gold"] + with_interval["test"], mean=with_interval["f1"]),
            "F1",
            "Difference of the F1 of each group to that of all other triples of its kind.",
            things="triples of its kind",
            percent=True,
        )


_LOST = Column("lost", "Lost triples", help="missed and spurious triples", width=92)
_SHARE = Column("share", "Share", "percent", "of all lost triples of every kind", 62)


def _confused_by_sentence(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return confusions_by_sentence(part.run.query, parser, other=other, every=every)


def _confused(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return confusions(part.run.query, parser, other=other, every=every)


def _confused_nodes(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return confusion_places(part.run.query, parser, other=other, every=every)


def _equal_predicates(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return equal_predicates(part.run.query, parser, other=other, every=every)


class Confusions(_Triples):
    """Confused predicates."""

    id = "confusion"
    title = "Predicate confusions"
    unit = "confused predicates"
    keys = ("gold", "test")

    @property
    def controls(self) -> tuple[Control, ...]:
        """The sentences."""
        return (_OVER,)

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of predicates."""
        return self.compared(part, parser, "", options)

    def compared(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the pairs of predicates that one of two parsers confuses."""
        rows = part.cached(_confused, parser, **_scope(options, other))
        if not other:
            return rows
        first, second = (
            part.cached(_confused_by_sentence, name, **_scope(options, versus))
            for name, versus in ((parser, other), (other, parser))
        )
        return with_differences(rows, "count", paired_errors(first, second, rows, self.keys, part.run.n_sentences))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the nodes."""
        scope = _scope(options, other)
        nodes = part.cached(_confused_nodes, parser, **scope)
        of_row = in_cell(nodes, row, commonest(part.cached(_confused, parser, **scope)))
        remarks = [f"{gold} → {test}" for gold, test in zip(nodes["gold"], nodes["test"], strict=True)]
        return nodes.assign(target_start=None, target_end=None, remark=remarks)[of_row]

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the predicates and their figures."""
        predicates = (Column("gold", "Gold predicate", "text"), Column("test", "Parser’s predicate", "text"))
        count, sentences = (Column(name, name.capitalize(), width=_WIDTH + 8) for name in ("count", "sentences"))
        share = Column("share", "Of the predicate", "percent", "of the occurrences of the gold predicate")
        return (*predicates, count, sentences, share)

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of the predicates that are confused most, the correct ones on the diagonal."""
        wrong = self.rows(part, parser, options)
        right = part.cached(_equal_predicates, parser, **_scope(options, ""))
        counts = confusion_matrix(pd.concat([wrong, right], ignore_index=True), commonest(wrong))
        return Matrix(counts, "Predicates over the same characters, those confused most; pale: right.")

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the name of a row in a sentence."""
        return f"{row['gold']} confused with {row['test']}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return the heading of a row above its sentences."""
        return self.describe(row)


def _confused_roles(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return role_places(part.run.query, parser, other=other, every=every)


def _equal_roles(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return equal_roles(part.run.query, parser, other=other, every=every)


class Roles(_Triples):
    """Confused roles of arguments."""

    id = "roles"
    title = "Role confusions"
    unit = "argument errors"
    description = (
        "Arguments of gold and parser between the same characters with different roles; "
        f"{NO_ROLE}: no argument there in the other graph."
    )
    keys = ("gold", "test")

    @property
    def controls(self) -> tuple[Control, ...]:
        """The sentences."""
        return (_OVER,)

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of roles."""
        return self._counts(part, parser, _scope(options, ""))

    def _counts(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        groups = part.cached(_confused_roles, parser, **scope).groupby(list(self.keys), sort=True)
        rows = groups.agg(count=("sentence", "size"), sentences=("sentence", "nunique")).reset_index()
        return rows.sort_values("count", ascending=False, kind="stable", ignore_index=True)

    def compared(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the pairs of roles that one of two parsers confuses, over the sentences that both have."""
        pairs = ((parser, other), (other, parser))
        first, second = (self._counts(part, name, _scope(options, versus)) for name, versus in pairs)
        rows = rows_of_both(first, second, self.keys, "count")
        values = [
            part.cached(_confused_roles, name, **_scope(options, versus))[[*self.keys, "sentence"]].assign(value=1)
            for name, versus in pairs
        ]
        error = paired_errors(values[0], values[1], rows, self.keys, part.run.n_sentences)
        return with_differences(rows, "count", error)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the arguments."""
        arguments = part.cached(_confused_roles, parser, **_scope(options, other))
        common = commonest(self._with_right(part, parser, _scope(options, other)), NO_ROLE)
        of_row = in_cell(arguments, row, common, NO_ROLE)
        return arguments.assign(remark=[self.describe(item) for _, item in arguments.iterrows()])[of_row]

    def _with_right(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        right = part.cached(_equal_roles, parser, **scope)
        return pd.concat([self._counts(part, parser, scope), right], ignore_index=True)

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of roles, the correct ones on the diagonal."""
        rows = self._with_right(part, parser, _scope(options, ""))
        counts = confusion_matrix(rows, commonest(rows, NO_ROLE), NO_ROLE)
        return Matrix(counts, "Roles of arguments between the same characters; pale: right.", NO_ROLE)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the roles and their counts."""
        roles = (Column("gold", "Gold role", "text"), Column("test", "Parser’s role", "text"))
        return (*roles, Column("count", "Count"), Column("sentences", "Sentences"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the name of a row in a sentence."""
        if row["gold"] == NO_ROLE:
            return f"spurious {row['test']}"
        return f"missed {row['gold']}" if row["test"] == NO_ROLE else f"{row['gold']} labeled as {row['test']}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return the heading of a row above its sentences."""
        return self.describe(row)


GROUPS: dict[str, GroupBy] = {group.id: group for group in (*map(LostTriples, GROUPINGS), Confusions(), Roles())}
"""The questions by their names in the URL."""


# -------------------------------------------------------------------------------------------------------------- reports


def _most_lost(part: Part, parser: str, least: int, *, by: str) -> pd.DataFrame:
    return GROUPS[by].rows(part, parser, {"over": "scored", "least": 0}).head(_EXCERPT_ROWS)


def _most_confused(part: Part, parser: str, least: int) -> pd.DataFrame:
    return GROUPS["confusion"].rows(part, parser, {"over": "scored"}).head(_EXCERPT_ROWS)


EXCERPTS: tuple[Excerpt, ...] = (
    *(
        Excerpt(
            f"Losses by {title}",
            partial(_most_lost, by=by),
            (
                Column("group", title, "text"),
                Column("gold", "gold"),
                Column("test", "parse"),
                Column("f1", "F1", "points"),
                Column("lost", "lost"),
                Column("share", "of the loss", "percent"),
            ),
            "Missed and spurious triples, those that lose most first.",
        )
        for by, title in (("predicate", "predicate"), ("frame", "role of a predicate"), ("value", "property"))
    ),
    Excerpt(
        "Confused predicates",
        _most_confused,
        (
            Column("gold", "gold", "text"),
            Column("test", "parse", "text"),
            Column("count", "times"),
            Column("share", "share", "percent"),
        ),
        "Over the same characters; share: of the occurrences of the gold predicate.",
    ),
)
"""The tables of reports."""
