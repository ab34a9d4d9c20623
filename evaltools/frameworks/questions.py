"""Questions about the errors of a run as records, and the groups of errors that they ask for.

The errors are the rows of the table ``errors``, which is written when a run is scored: parser, sentence, number, kind,
status, cost, words, labels of gold and parser, and what else a framework groups them by. The database sums them, so a
table takes the memory of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evaltools.corpus.stretches import gap_spans
from evaltools.frameworks.controls import Control
from evaltools.frameworks.formulas import exact_sum
from evaltools.frameworks.groups import Column, GroupBy, Line, Matrix, Options, Part, by_clarity
from evaltools.frameworks.stored import words_of
from evaltools.text import capitalized

if TYPE_CHECKING:
    import pandas as pd


NONE = "(none)"
"""Stands for a label that one side does not have."""

_COST = exact_sum("cost")


@dataclass(frozen=True, slots=True)
class Question:
    """A question of *Hotspots*: which errors are grouped, and by what."""

    id: str  # Its name in the URL
    title: str
    description: str  # The meaning of a row
    kind: str  # The kind of the errors
    keys: tuple[Column, ...]  # The columns of the table of errors that name a row
    describe: Callable[[Mapping[str, Any]], str]  # A row in words, given its keys
    where: str = "true"  # SQL of the errors that count; {name} is the value of a control or an option of the run
    source: str = "errors"  # SQL of the table, if its columns or rows depend on a control
    controls: tuple[Control, ...] = ()
    # SQL of ``label`` and ``n``, the right ones of each label, for a parser and a number of sentences: the rows are
    # pairs of labels, ``gold`` and ``test``, and make a matrix
    right: str = ""
    row_name: str = "row"  # Noun for a row
    leads: bool = False  # Whether *Overview* and reports name its costliest rows
    part: str = ""  # The column that says what an error consists of
    residual: tuple[str, str] = ("", "")  # The first key of a row that says little, and why


class ErrorGroups(GroupBy):
    """The groups of errors that a question asks for."""

    main = "cost"
    all_sentences = True

    def __init__(self, question: Question) -> None:
        self.question = question
        self.id, self.title, self.description = question.id, question.title, question.description
        self.keys = tuple(column.name for column in question.keys)
        self.row_name, self.leads, self.has_parts = question.row_name, question.leads, bool(question.part)

    @property
    def controls(self) -> tuple[Control, ...]:
        """The controls."""
        return self.question.controls

    @property
    def whole_kind(self) -> str:
        """The kind of the errors that shares are of."""
        return self.question.kind

    def _errors(self, part: Part, options: Options, parsers: Sequence[str]) -> tuple[str, list[Any]]:
        """Return SQL, with its parameters, of the errors of some parsers that count."""
        names = self._values(part, options)
        source, where = (text.format_map(names) for text in (self.question.source, self.question.where))
        sql = f"(select * from {source} where parser in (select unnest(?::varchar[])) and kind = ? and sentence <= ?"
        return f"{sql} and ({where}))", [list(parsers), self.question.kind, part.size]

    def _values(self, part: Part, options: Options) -> dict[str, Any]:
        return {**part.run.meta["options"], **self.options(), **options}

    def _total(self, part: Part, parser: str, options: Options) -> float:
        """Return the cost of all errors that shares are of."""
        rows = part.run.columns(
            f"select coalesce({_COST}, 0) as cost from errors where parser = ? and kind = ? and sentence <= ?",
            [parser, self.whole_kind, part.size],
        )
        return float(rows["cost"][0])

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the groups of a parser, the costliest first; of pairs of labels with the share of the gold label."""
        errors, parameters = self._errors(part, options, [parser])
        keys = ", ".join(self.keys)
        rows = part.run.query(
            f"select {keys}, {_COST} as cost, count(distinct sentence) as sentences, count(*) as errors "
            f"from {errors} group by all order by cost desc, errors desc, {keys}",
            parameters,
        )
        rows = rows.assign(cost=_plain(rows["cost"]), share=rows["cost"] / (self._total(part, parser, options) or 1))
        if not self.question.right:
            return rows
        right = self._right(part, parser, options)
        total = rows.groupby("gold")["errors"].sum().add(right, fill_value=0)
        n_right = rows["gold"].map(right).fillna(0).astype(np.int64)
        of_label = (rows["errors"] / rows["gold"].map(total)).where(rows["gold"] != NONE)
        return rows.assign(of_label=of_label, right=n_right)

    def _right(self, part: Part, parser: str, options: Options) -> pd.Series[int]:
        """Return how often each label is right."""
        sql = self.question.right.format_map(self._values(part, options))
        return part.run.query(sql, [parser, part.size]).set_index("label")["n"]

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the errors of a row or of a cell of the matrix, typical ones first, and of these the costliest."""
        from evaltools.frameworks.common.confusion_matrix import REST

        errors, parameters = self._errors(part, options, [parser])
        conditions = []
        for key in self.keys:
            if self.question.right and row[key] == REST:
                conditions.append(f"{key} not in (select unnest(?::varchar[]))")
                parameters.append([*self._labels(part, parser, options)[0], NONE])
            else:
                conditions.append(f"{key} is not distinct from ?")
                parameters.append(row[key])
        of_part = f", {self.question.part} as part" if self.question.part else ""
        columns = 'sentence, number, repair, gold, test, words, start, "end", gaps, cost, typical, text as remark'
        return part.run.query(
            f"select {columns}{of_part} from {errors} where {' and '.join(conditions)} "
            "order by typical desc, cost desc, sentence, number",
            parameters,
        )

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the cost of each row in each sentence."""
        errors, parameters = self._errors(part, options, [parser])
        keys = ", ".join(self.keys)
        return part.run.query(
            f"select {keys}, sentence, {_COST} as value from {errors} group by all order by all", parameters
        )

    def compared(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the rows of two parsers with their costs and differences, the largest in size first."""
        import pandas as pd

        from evaltools.frameworks.common.differences import with_differences

        errors, parameters = self._errors(part, options, [parser, other])
        keys = ", ".join(self.keys)
        unit, joined, units = "sentence", "", list[Any]()
        n_units = part.size
        if part.units is not None:
            own = part.units[: part.size]
            n_units = len(np.unique(own))
            unit, units = "unit", [part.size, own.tolist()]
            joined = "join (select unnest(range(1, ? + 1)) as sentence, unnest(?::bigint[]) as unit) using (sentence)"
        rows = part.run.query(
            f"""
            with sums as (
                select {keys}, {unit}, {exact_sum("case when parser = ? then cost else 0 end")} as first,
                       {exact_sum("case when parser = ? then cost else 0 end")} as second
                from {errors} {joined} group by all
            )
            select {keys}, sum(first) as cost, sum(second) as other, sum((first - second) ** 2) as square
            from sums group by all order by cost desc, other desc, {keys}
            """,
            [parser, other, *parameters, *units],
        )
        more = rows["cost"] - rows["other"]
        error = np.full(len(rows), np.nan)
        if n_units > 1:
            variance = (rows["square"] - more**2 / n_units) * n_units / (n_units - 1)
            error = np.sqrt(np.maximum(variance.to_numpy(dtype=np.float64), 0))
        rows = rows.drop(columns="square").assign(cost=_plain(rows["cost"]), other=_plain(rows["other"]))
        rows = with_differences(rows, "cost", error)
        is_last = self.uninformative_differences(rows)
        return pd.concat([rows[~is_last], rows[is_last]], ignore_index=True) if is_last.any() else rows

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the keys and their figures."""
        share = Column("share", "Share", "percent", help=f"of all {self.whole}", width=62)
        figures = (
            Column("cost", capitalized(self.unit)),
            share,
            Column("sentences", "Sentences", help="sentences with such errors"),
            Column("errors", "Errors"),
        )
        if not self.question.right:
            return (*self.question.keys, *figures)
        of_label = Column("of_label", "Of the label", "percent", help="share of the gold label")
        return (*self.question.keys, *figures, of_label, Column("right", "Right"))

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix | None:
        """Return the counts of pairs of labels, the right ones on the diagonal; None of other questions."""
        from evaltools.frameworks.common.confusion_matrix import confusion_matrix

        if not self.question.right:
            return None
        labels, counts, none = self._labels(part, parser, options)
        return Matrix(confusion_matrix(counts, labels, none), "Pale: right.", none)

    def _labels(self, part: Part, parser: str, options: Options) -> tuple[list[str], pd.DataFrame, str]:
        """Return the commonest labels, the counts of all pairs, and the name of no label if a side can have none."""
        import pandas as pd

        from evaltools.frameworks.common.confusion_matrix import commonest

        rows = self.rows(part, parser, options)[["gold", "test", "errors"]].rename(columns={"errors": "count"})
        right = self._right(part, parser, options)
        same = pd.DataFrame({"gold": right.index, "test": right.index, "count": right.to_numpy()})
        counts = pd.concat([rows, same], ignore_index=True)
        none = NONE if (rows["gold"] == NONE).any() or (rows["test"] == NONE).any() else ""
        return commonest(counts, none), counts, none

    def lines(self, part: Part, sentences: Sequence[int], errors: pd.DataFrame) -> list[Line]:
        """Return sentences with the remark on their first error; the words of errors with that remark are marked."""
        words = self.gold_words(part, sentences)
        listed = errors[errors["sentence"].isin(sentences)]
        of_sentence: dict[int, list[tuple[str, str]]] = {}
        for number, remark, own in zip(listed["sentence"], listed["remark"], listed["words"], strict=True):
            of_sentence.setdefault(number, []).append((remark, own))
        lines = []
        for number in sentences:
            first, *others = dict.fromkeys(remark for remark, _ in of_sentence[number])
            spans = [span for remark, own in of_sentence[number] if remark == first for span in gap_spans(own)]
            marked = {position for span in spans for position in range(*span)}
            more = f" (and {len(others)} more)" if others else ""
            lines.append(Line(number, words[number], marked, first + more))
        return lines

    def gold_words(self, part: Part, sentences: Sequence[int]) -> dict[int, list[str]]:
        """Return the words of some gold sentences as read."""
        rows = part.run.columns(
            "select sentence, tree, notation, text from trees where parser is null "
            "and sentence in (select unnest(?::integer[]))",
            [list(sentences)],
        )
        columns = (rows[name].tolist() for name in ("sentence", "tree", "notation", "text"))
        return {
            number: _compared_words(words_of(part.run, *tree), tree[-1]) for number, *tree in zip(*columns, strict=True)
        }

    def examples(self, part: Part, parser: str, errors: pd.DataFrame) -> list[int]:
        """Return the sentences of some errors, those of typical ones first, and of these the shortest clear one."""
        numbers = errors["sentence"].unique().tolist()
        rows = part.run.columns(
            "select sentence, any_value(s.words) as words, count(*) as n from errors join sentences s "
            "using (parser, sentence) where parser = ? and kind = ? and sentence in (select unnest(?::integer[])) "
            "group by sentence",
            [parser, self.whole_kind, numbers],
        )
        n_words, n_errors = (
            dict(zip(rows["sentence"].tolist(), rows[name].tolist(), strict=True)) for name in ("words", "n")
        )
        sides = (errors[errors["typical"]], errors)
        ordered = [at for side in sides for at in by_clarity(side["sentence"].unique().tolist(), n_words, n_errors)]
        return list(dict.fromkeys(ordered))

    def uninformative(self, row: pd.Series[Any], options: Options) -> str:
        """Return why the residual row says little."""
        value, reason = self.question.residual
        return reason if value and row[self.keys[0]] == value else ""

    def uninformative_differences(self, rows: pd.DataFrame) -> pd.Series[bool]:
        """Return which row is the residual one."""
        return rows[self.keys[0]] == (self.question.residual[0] or None)

    def describe(self, row: pd.Series[Any]) -> str:
        """Return the name of a row in a sentence."""
        return self.question.describe({str(name): value for name, value in row.items()})

    def heading(self, row: pd.Series[Any]) -> str:
        """Return the heading above the sentences of a row."""
        return self.describe(row)


def _compared_words(words: list[str], text: str | None) -> list[str]:
    """Return the words of a tree; of one with empty elements, which its text leaves out, those of the text."""
    return words if text is None or " ".join(words) == text else text.split()


def _plain(values: pd.Series[float]) -> pd.Series[Any]:
    """Return numbers as whole numbers if all are."""
    return values.astype(np.int64) if (values % 1 == 0).all() else values
