"""Hotspots of semantic graphs: lost triples by predicate, role, property and value; and confused predicates."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.confusion_matrix import commonest
from evaltools.frameworks.common.differences import paired_errors, with_differences
from evaltools.frameworks.controls import Choice, Control, Number
from evaltools.frameworks.groups import (
    COMPARISON,
    Column,
    Differences,
    Example,
    Excerpt,
    GroupBy,
    Line,
    Options,
    Part,
    with_intervals,
)
from evaltools.frameworks.questions import NONE, ErrorGroups, Question
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment, TripleRow
from evaltools.frameworks.semantics.edm_rules import EdmRules
from evaltools.frameworks.semantics.errors import TRIPLE, graph_errors
from evaltools.frameworks.semantics.lost_triples import GROUPS as GROUPINGS
from evaltools.frameworks.semantics.lost_triples import lost_by_sentence, lost_places, lost_triples
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

    unit = "lost triples"
    whole = "lost triples"
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
            alignment, sentence, numbers = marked[row["sentence"]]
            number = self._repair(alignment, row, numbers)
            if sentence is None or number is None:
                continue
            repair = sentence.repairs[number - 1]
            shape = {"focus": number, "shorten": True, "height": 0, "parse_name": parser}
            examples[int(row["sentence"])] = Example(
                f"{repair.phrase} {repair.verdict}", Drawing(sentence, options=shape)
            )
        return examples

    @abstractmethod
    def _repair(
        self, alignment: GraphAlignment, error: Mapping[Hashable, Any], numbers: Mapping[TripleRow, int]
    ) -> int | None:
        """Return the number of the repair of an error, given those of the triples that differ."""

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
) -> dict[int, tuple[GraphAlignment, Marks | None, Mapping[TripleRow, int]]]:
    aligned = {number: part.run.graphs(number, parser) for number in sentences}
    return {number: (item, *(marked_with_triples(item) or (None, {}))) for number, item in aligned.items()}


def _is_triple(triple: TripleRow, error: Mapping[Hashable, Any]) -> bool:
    """Return whether a triple is that of an error: of the same kind, characters, and names."""
    if triple.kind == "argument" and ends_of(triple.target) != _ends(error["target_start"], error["target_end"]):
        return False
    names = ("kind", "status", "label", "value")
    if any(getattr(triple, name) != error[name] for name in names):
        return False
    return ends_of(triple.span) == _ends(error["start"], error["end"])


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

    def _repair(
        self, alignment: GraphAlignment, error: Mapping[Hashable, Any], numbers: Mapping[TripleRow, int]
    ) -> int | None:
        return next((number for triple, number in numbers.items() if _is_triple(triple, error)), None)

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
                "interval",
                "of the F1 of the group minus that of the rest, in percentage points; sentences are resampled",
                130,
            ),
            Column(
                "flag",
                "Significant",
                "interval",
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


class GraphErrors(ErrorGroups, _Triples):
    """Groups of errors of graphs."""

    compares_common = False

    def _repair(
        self, alignment: GraphAlignment, error: Mapping[Hashable, Any], numbers: Mapping[TripleRow, int]
    ) -> int | None:
        rows = graph_errors(alignment)[int(error["number"]) - 1].rows
        return next((numbers[row] for row in rows if row in numbers), None)

    def _labels(self, part: Part, parser: str, options: Options) -> tuple[list[str], pd.DataFrame, str]:
        """Return the names that are confused most, for the matrix."""
        _, counts, none = super()._labels(part, parser, options)
        return commonest(counts[counts["gold"] != counts["test"]], none), counts, none


_MAPPED_LEGEND = (
    ("missing", "missed: only in gold"),
    ("spurious", "spurious: only in the parse"),
    ("relabeled", "wrong concept, role or attribute"),
    ("moved", "wrong argument"),
)


class MappedTriples(LostTriples):
    """Lost triples of graphs whose nodes are mapped to each other."""

    legend = _MAPPED_LEGEND


class MappedErrors(GraphErrors):
    """Groups of errors of graphs whose nodes are mapped to each other."""

    legend = _MAPPED_LEGEND


class Constructions(MappedTriples):
    """Lost triples by what they are part of."""

    description = "What the lost triples are part of; each counts for one construction."

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the columns, with what belongs to each construction."""
        first, *others = super().columns(options)
        listed = "; ".join(f"{name}: {text}" for name, text in CONSTRUCTIONS.items())
        return (replace(first, help=f"The first that fits. {listed}"), *others)


_SCOPE = "(select * from errors where scored or '{over}' = 'all')"
"""SQL of the errors in the sentences that count; all sentences have a gold graph."""


def _right(kind: str, name: str) -> str:
    """Return SQL of how often each name of a class of triples is right."""
    return (
        f"select {name} as label, count(*) as n from triples where parser = ? and sentence <= ? and kind = '{kind}' "
        "and status = 'right' group by all"
    )


def _role(row: Mapping[str, Any]) -> str:
    """Return a row of roles in words."""
    if row["gold"] == NONE:
        return f"spurious {row['test']}"
    return f"missed {row['gold']}" if row["test"] == NONE else f"{row['gold']} labeled as {row['test']}"


CONFUSIONS = Question(
    "confusion",
    "Predicate confusions",
    "Predicates of gold and parser over the same characters that differ: two lost triples each, one missed and one "
    "spurious, by their weights.",
    TRIPLE,
    (Column("gold", "Gold predicate", "text"), Column("test", "Parser’s predicate", "text")),
    "{gold} confused with {test}".format_map,
    where="type = 'name' and status = 'relabeled'",
    source=_SCOPE,
    controls=(_OVER,),
    right=_right("name", "value"),
)

ROLES = Question(
    "roles",
    "Role confusions",
    "Arguments of gold and parser between the same characters with different roles, two lost triples each; "
    f"{NONE}: no argument there in the other graph, one lost triple; by their weights.",
    TRIPLE,
    (Column("gold", "Gold role", "text"), Column("test", "Parser’s role", "text")),
    _role,
    where="type = 'argument'",
    source=_SCOPE,
    controls=(_OVER,),
    right=_right("argument", "label"),
)

MAPPED_CONFUSIONS = replace(
    CONFUSIONS,
    title="Concept confusions",
    description="Concepts of gold and parser that differ, of nodes that the best mapping pairs: two lost triples each, "
    "one missed and one spurious.",
    keys=(Column("gold", "Gold concept", "text"), Column("test", "Parser’s concept", "text")),
)

MAPPED_ROLES = replace(
    ROLES,
    description="Roles of gold and parser between the same two nodes of the best mapping, which differ: two lost "
    f"triples each; {NONE}: no role there in the other graph, one lost triple. ARG0-of counts as ARG0 from the other "
    "node.",
)


GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        *map(LostTriples, ("predicate", "role", "frame", "property", "value")),
        *map(GraphErrors, (CONFUSIONS, ROLES)),
    )
}
"""The questions by their names in the URL."""

MAPPED_GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        Constructions("construction"),
        *map(MappedTriples, ("concept", "role", "concept_role", "attribute", "constant")),
        *map(MappedErrors, (MAPPED_CONFUSIONS, MAPPED_ROLES)),
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
                Column("errors", "times"),
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
