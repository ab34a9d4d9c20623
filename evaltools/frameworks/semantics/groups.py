"""Hotspots of semantic graphs: lost triples by predicate, role, property and value; and confused predicates."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.differences import paired_errors, rows_of_both, with_differences
from evaltools.frameworks.controls import Choice, Control, Number
from evaltools.frameworks.groups import (
    COMPARISON,
    Column,
    Differences,
    Example,
    Excerpt,
    GroupBy,
    Line,
    Matrix,
    Options,
    Part,
    with_intervals,
)
from evaltools.frameworks.semantics.aligned_graphs import TripleRow
from evaltools.frameworks.semantics.edm_rules import EdmRules
from evaltools.frameworks.semantics.errors import GROUPS as GROUPINGS
from evaltools.frameworks.semantics.errors import (
    NO_ROLE,
    confusion_places,
    equal_predicates,
    equal_roles,
    lost_by_sentence,
    lost_places,
    lost_triples,
    role_places,
    total_lost,
)
from evaltools.frameworks.semantics.marked import marked_with_triples
from evaltools.frameworks.semantics.tables import CONSTRUCTIONS, ends_of
from evaltools.marks import Marks

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


def _scope(options: Options, other: str) -> dict[str, Any]:
    """Return the arguments that select the sentences."""
    return {"other": other or None, "every": options["over"] == "all"}


def _texts(part: Part) -> dict[int, str]:
    rows = part.run.texts()
    return dict(zip(rows["sentence"].tolist(), rows["text"].tolist(), strict=True))


class _Triples(GroupBy):
    """Groups of triples, whose spans are characters of the text."""

    all_sentences = True
    compares_common = True
    max_rows = 5_000
    legend = (
        ("missing", "missed: only in gold"),
        ("spurious", "spurious: only in the parse"),
        ("relabeled", "wrong name"),
        ("moved", "wrong argument or span"),
    )

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words marked that overlap the characters of their triples."""
        texts = part.cached(_texts)
        groups = dict(iter(places[places["sentence"].isin(sentences)].groupby("sentence", sort=False)))
        return [_line(sentence, texts.get(sentence, ""), groups[sentence]) for sentence in sentences]

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of lost triples of a parser in each sentence."""
        return part.cached(_lost_in_sentences, parser)

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first error of some sentences: its repair in words, and the words around it with their marks."""
        marked = part.cached(_marked_graphs, parser, tuple(sentences))
        first = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
        examples = {}
        for row in first.to_dict("records"):
            sentence, numbers = marked[row["sentence"]] or (None, {})
            number = next((number for triple, number in numbers.items() if _is_triple(triple, row)), None)
            if sentence is None or number is None:
                continue
            repair = sentence.repairs[number - 1]
            shape = {"focus": number, "shorten": True, "height": 0, "test_name": parser}
            examples[int(row["sentence"])] = Example(
                f"{repair.phrase} {repair.verdict}", Drawing(sentence, options=shape)
            )
        return examples

    def empty(self, parser: str, options: Options) -> str:
        """Return the text instead of an empty table."""
        fewer = " A smaller minimum count lists more." if options.get("least", 1) > 1 else ""
        return f"{parser} loses nothing of this kind.{fewer}"


def _lost_in_sentences(part: Part, parser: str) -> dict[int, int]:
    rows = part.run.query(
        "select sentence, count(*) as n from triples where parser = ? and weight > 0 and status <> 'right' "
        "group by sentence",
        [parser],
    )
    return dict(zip(rows["sentence"].tolist(), rows["n"].tolist(), strict=True))


def _marked_graphs(
    part: Part, parser: str, sentences: tuple[int, ...]
) -> dict[int, tuple[Marks, Mapping[TripleRow, int]] | None]:
    return {number: marked_with_triples(part.run.graphs(number, parser)) for number in sentences}


def _is_triple(triple: TripleRow, error: Mapping[Hashable, Any]) -> bool:
    """Return whether a triple is one of an error: of the same kind, characters, and names."""
    if triple.kind != error["kind"] or ends_of(triple.span) != _ends(error["start"], error["end"]):
        return False
    if triple.kind == "argument" and ends_of(triple.target) != _ends(error["target_start"], error["target_end"]):
        return False
    if "status" in error:
        return (triple.status, triple.label, triple.value) == (error["status"], error["label"], error["value"])
    return bool((triple.label if triple.kind == "argument" else triple.value) == error[triple.side])


def _ends(start: Any, end: Any) -> tuple[int | None, int | None]:
    return (None, None) if pd.isna(start) or pd.isna(end) else (int(start), int(end))


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
    return with_intervals(rows)[has_losses].reset_index(drop=True)


class LostTriples(_Triples):
    """Lost triples of one kind."""

    main = "lost"
    unit = "lost triples"
    whole = "lost triples"

    def __init__(self, by: str) -> None:
        self.id, self.title = by, GROUPINGS[by].title

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
        error = paired_errors(first, second, rows, self.keys, part.run.n_sentences, part.units)
        return with_differences(rows, "lost", error)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the triples."""
        rules, scope = options.get("weights"), _scope(options, other)
        triples = lost_places(part.run.query, parser, self.id, row["group"], rules=rules, **scope)
        return triples.assign(remark=triples["status"])

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
        )


_LOST = Column("lost", "Lost triples", help="missed and spurious triples", width=92)
_SHARE = Column("share", "Share", "percent", "of all lost triples of every kind", 62)


class _Confused(_Triples):
    """Pairs of names of gold and parser at the same place, which differ."""

    main = "lost"
    unit = "lost triples"
    whole = "lost triples"
    keys = ("gold", "test")
    none: ClassVar[str] = ""
    """The name that stands for nothing on one side; empty if there is always something."""
    matrix_title: ClassVar[str]
    """What the matrix counts."""

    @property
    def controls(self) -> tuple[Control, ...]:
        """The sentences."""
        return (_OVER,)

    @abstractmethod
    def places(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        """Return the places with different names, each with the weight of its lost triples, ``lost``."""

    @abstractmethod
    def right(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        """Return the numbers of equal names."""

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the pairs of names, those that lose most first."""
        return self._rows(part, parser, _scope(options, ""))

    def _rows(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        groups = self.places(part, parser, scope).groupby(list(self.keys), sort=True)
        rows = groups.agg(lost=("lost", "sum"), sentences=("sentence", "nunique"), count=("sentence", "size"))
        rows = rows.reset_index()
        right = self.right(part, parser, scope).set_index("gold")["count"]
        total = rows.groupby("gold")["count"].sum().add(right, fill_value=0)
        of_label = (rows["count"] / rows["gold"].map(total)).where(rows["gold"] != self.none)
        all_lost = part.cached(_total_lost, parser, **scope)
        rows = rows.assign(share=rows["lost"] / all_lost if all_lost else 0.0, of_label=of_label)
        return rows.sort_values(["lost", "count"], ascending=False, kind="stable", ignore_index=True)

    def compared(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the pairs that one of two parsers has, over the sentences that both have."""
        pairs = ((parser, _scope(options, other)), (other, _scope(options, parser)))
        first, second = (self._rows(part, name, scope) for name, scope in pairs)
        rows = rows_of_both(first, second, self.keys, self.main)
        lost = [
            self.places(part, name, scope)[[*self.keys, "sentence", "lost"]].rename(columns={"lost": "value"})
            for name, scope in pairs
        ]
        error = paired_errors(lost[0], lost[1], rows, self.keys, part.run.n_sentences, part.units)
        return with_differences(rows, self.main, error)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the places of a pair, or of a cell of the matrix."""
        scope = _scope(options, other)
        places = self.places(part, parser, scope)
        of_row = in_cell(places, row, self.names(part, parser, scope), self.none)
        return places[of_row].assign(remark=[self.describe(item) for _, item in places[of_row].iterrows()])

    def _counts(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        """Return the numbers of all pairs, also of equal names."""
        return pd.concat([self._rows(part, parser, scope), self.right(part, parser, scope)], ignore_index=True)

    def names(self, part: Part, parser: str, scope: Mapping[str, Any]) -> list[str]:
        """Return the names that have rows and columns of their own in the matrix."""
        return commonest(self._counts(part, parser, scope), self.none)

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of pairs, the correct ones on the diagonal."""
        scope = _scope(options, "")
        names = self.names(part, parser, scope)
        return Matrix(
            confusion_matrix(self._counts(part, parser, scope), names, self.none), self.matrix_title, self.none
        )

    def figure_columns(self, of_label: str) -> tuple[Column, ...]:
        """Return the columns of figures; `of_label`: what the last one is a share of."""
        sentences = Column("sentences", "Sentences", help="sentences with such errors", width=86)
        count = Column("count", "Count", width=_WIDTH)
        return (_LOST, _SHARE, sentences, count, Column("of_label", of_label, "percent", "of those in gold"))

    def heading(self, row: pd.Series[Any]) -> str:
        """Return the heading of a row above its sentences."""
        return self.describe(row)


def _total_lost(part: Part, parser: str, *, other: str | None, every: bool) -> float:
    return total_lost(part.run.query, parser, other=other, every=every)


def _confused_nodes(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    nodes = confusion_places(part.run.query, parser, other=other, every=every)
    return nodes.assign(kind="name", label="NAME", target_start=None, target_end=None)


def _equal_predicates(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return equal_predicates(part.run.query, parser, other=other, every=every)


class Confusions(_Confused):
    """Confused predicates."""

    id = "confusion"
    title = "Predicate confusions"
    description = (
        "Predicates of gold and parser over the same characters that differ: two lost triples each, one missed and one "
        "spurious, by their weights."
    )
    matrix_title = "Predicates over the same characters, those confused most; pale: right."

    def places(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        """Return the nodes."""
        return part.cached(_confused_nodes, parser, **scope)

    def right(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        """Return the numbers of equal predicates."""
        return part.cached(_equal_predicates, parser, **scope)

    def names(self, part: Part, parser: str, scope: Mapping[str, Any]) -> list[str]:
        """Return the predicates that are confused most."""
        return commonest(self._rows(part, parser, scope))

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the predicates and their figures."""
        predicates = (Column("gold", "Gold predicate", "text"), Column("test", "Parser’s predicate", "text"))
        return (*predicates, *self.figure_columns("Of the predicate"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the name of a row in a sentence."""
        return f"{row['gold']} confused with {row['test']}"


def _confused_roles(part: Part, parser: str, *, other: str | None, every: bool, mapped: bool) -> pd.DataFrame:
    return role_places(part.run.query, parser, other=other, every=every, mapped=mapped).assign(kind="argument")


def _equal_roles(part: Part, parser: str, *, other: str | None, every: bool) -> pd.DataFrame:
    return equal_roles(part.run.query, parser, other=other, every=every)


class Roles(_Confused):
    """Confused roles of arguments."""

    id = "roles"
    title = "Role confusions"
    description = (
        "Arguments of gold and parser between the same characters with different roles, two lost triples each; "
        f"{NO_ROLE}: no argument there in the other graph, one lost triple; by their weights."
    )
    none = NO_ROLE
    matrix_title = "Roles of arguments between the same characters; pale: right."
    mapped: ClassVar[bool] = False
    """Whether nodes have no characters, but are mapped to each other."""

    def places(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        """Return the arguments."""
        return part.cached(_confused_roles, parser, mapped=self.mapped, **scope)

    def right(self, part: Part, parser: str, scope: Mapping[str, Any]) -> pd.DataFrame:
        """Return the numbers of equal roles."""
        return part.cached(_equal_roles, parser, **scope)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the roles and their figures."""
        roles = (Column("gold", "Gold role", "text"), Column("test", "Parser’s role", "text"))
        return (*roles, *self.figure_columns("Of the role"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the name of a row in a sentence."""
        if row["gold"] == NO_ROLE:
            return f"spurious {row['test']}"
        return f"missed {row['gold']}" if row["test"] == NO_ROLE else f"{row['gold']} labeled as {row['test']}"


_MAPPED_LEGEND = (
    ("missing", "missed: only in gold"),
    ("spurious", "spurious: only in the parse"),
    ("relabeled", "wrong concept, role or attribute"),
    ("moved", "wrong argument"),
)


class MappedTriples(LostTriples):
    """Lost triples of graphs whose nodes are mapped to each other."""

    legend = _MAPPED_LEGEND


class MappedConfusions(Confusions):
    """Confused concepts of nodes that are mapped to each other."""

    title = "Concept confusions"
    legend = _MAPPED_LEGEND
    description = (
        "Concepts of gold and parser that differ, of nodes that the best mapping pairs: two lost triples each, one "
        "missed and one spurious."
    )
    matrix_title = "Concepts of paired nodes, those confused most; pale: right."

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the concepts and their figures."""
        concepts = (Column("gold", "Gold concept", "text"), Column("test", "Parser’s concept", "text"))
        return (*concepts, *self.figure_columns("Of the concept"))


class MappedRoles(Roles):
    """Confused roles between nodes that are mapped to each other."""

    mapped = True
    legend = _MAPPED_LEGEND
    description = (
        "Roles of gold and parser between the same two nodes of the best mapping, which differ: two lost triples each; "
        f"{NO_ROLE}: no role there in the other graph, one lost triple. ARG0-of counts as ARG0 from the other node."
    )
    matrix_title = "Roles between the same nodes; pale: right."


class Constructions(MappedTriples):
    """Lost triples by what they are part of."""

    description = "What the lost triples are part of; each counts for one construction."

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the columns, with what belongs to each construction."""
        first, *others = super().columns(options)
        listed = "; ".join(f"{name}: {text}" for name, text in CONSTRUCTIONS.items())
        return (replace(first, help=f"The first that fits. {listed}"), *others)


GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        *map(LostTriples, ("predicate", "role", "frame", "property", "value")),
        Confusions(),
        Roles(),
    )
}
"""The questions by their names in the URL."""

MAPPED_GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        Constructions("construction"),
        *map(MappedTriples, ("concept", "role", "concept_role", "attribute", "constant")),
        MappedConfusions(),
        MappedRoles(),
    )
}
"""The questions about AMRs by their names in the URL."""


# -------------------------------------------------------------------------------------------------------------- reports


def _most_lost(part: Part, parser: str, least: int, *, by: str) -> pd.DataFrame:
    return (GROUPS | MAPPED_GROUPS)[by].rows(part, parser, {"over": "scored", "least": 0}).head(_EXCERPT_ROWS)


def _most_confused(part: Part, parser: str, least: int) -> pd.DataFrame:
    return GROUPS["confusion"].rows(part, parser, {"over": "scored"}).head(_EXCERPT_ROWS)


def _excerpts(groupings: Mapping[str, str], confused: str, where: str) -> tuple[Excerpt, ...]:
    return (
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
            for by, title in groupings.items()
        ),
        Excerpt(
            f"Confused {confused}s",
            _most_confused,
            (
                Column("gold", "gold", "text"),
                Column("test", "parse", "text"),
                Column("count", "times"),
                Column("of_label", "share", "percent"),
            ),
            f"{where}; share: of the occurrences of the gold {confused}.",
        ),
    )


EXCERPTS = _excerpts(
    {"predicate": "predicate", "frame": "role of a predicate", "value": "property"},
    "predicate",
    "Over the same characters",
)
"""The tables of reports."""

BILEXICAL_EXCERPTS = _excerpts(
    {"role": "role", "frame": "role of a predicate", "value": "property"}, "predicate", "Over the same characters"
)
"""The tables of reports on graphs whose nodes are words."""

MAPPED_EXCERPTS = _excerpts(
    {"construction": "construction", "concept": "concept", "concept_role": "role of a concept"},
    "concept",
    "Of nodes that the best mapping pairs",
)
"""The tables of reports on AMRs."""
