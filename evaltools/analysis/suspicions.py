"""What is probably wrong with the files or the rules of a run, each with its size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from evaltools.text import listing, printable

if TYPE_CHECKING:
    from evaltools.runs.store import Run

_MIN_WORDS = 100
"""Fewer words may have the tags of gold by chance."""
_ROOTS = ("TOP", "ROOT", "root", "S1", "VROOT")
_WORDS = r"""
    select parser, count(*) as n, count(*) filter (tag is distinct from test_tag) as n_wrong,
        count(*) filter (tag = '-NONE-') as n_empty, count(*) filter (regexp_full_match(form, '\p{P}+')) as n_marks
    from words where tag not in ('', '_') group by parser
"""
_BRACKETS = f"""
    select parser, count(*) filter (of_gold) as gold, count(*) filter (of_test) as test,
        count(*) filter (of_gold and label in {_ROOTS}) as roots,
        count(*) filter (of_gold and has_function) as of_gold, count(*) filter (of_test and has_function) as of_test
    from (
        select parser, label, regexp_matches(label, '.[-=]') as has_function,
            gold_kind = 'phrase' as of_gold, test_kind = 'phrase' as of_test
        from brackets where e_status is not null
    ) group by parser
"""
_TEXTS = {
    "tags": "tags of {} are those of gold in all {n:,} words: gold tags given?",
    "punctuation": "no word of {} is left out as punctuation, but {n:,} of {total:,} words are: other tags?",
    "empty": "empty elements count as words in {}: {n:,} of {total:,}",
    "root": "the root label counts as a bracket in {}: {n:,} of {total:,}",
    "gold functions": "function tags count, and {} has none: {n:,} of {total:,} gold brackets have them",
    "parse functions": "function tags count, and gold has none: {n:,} of {total:,} brackets of {} have them",
    "case": "{n:,} of {total:,} words of {} equal gold but for case",
    "writing": "{n:,} of {total:,} words of {} equal gold but for escapes or Unicode form",
}
"""What is said of parsers, by kind."""
OF_RULES = ("root", "empty")
"""Kinds that are conventions, too: ``why`` has the figures without them."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Something that is probably wrong."""

    kind: str  # A key of the texts
    parsers: tuple[str, ...]
    n: int  # Number of words or brackets that it concerns, of the parser with most
    total: int  # Of so many

    @property
    def text(self) -> str:
        """A line without a stop."""
        return _TEXTS[self.kind].format(listing([*map(printable, self.parsers)]), n=self.n, total=self.total)


def suspicions(run: Run, parsers: Sequence[str] | None = None) -> list[Suspicion]:
    """Return what is probably wrong in a run, from its tables, what concerns the largest share first.

    Parameters
    ----------
    run : Run
        The run.
    parsers : sequence of str, optional
        Whose parses are looked at; by default all.

    Returns
    -------
    list of Suspicion
        Tags of a parse that are those of gold in every word; words that are the gold words but for case, escapes or
        Unicode; punctuation that should be left out and is not; root labels, function tags of one side and empty
        elements that count. Columns without values are in :attr:`evaltools.Run.incomplete_metrics`.
    """
    names = set(run.parsers if parsers is None else parsers)
    found = [item for item in (*_of_words(run), *_of_brackets(run)) if set(item.parsers) <= names]
    order = {name: index for index, name in enumerate(run.parsers)}
    found.sort(key=lambda item: (item.kind, -item.n / item.total, order[item.parsers[0]]))
    joined = []
    for kind, items in groupby(found, key=lambda item: item.kind):
        largest, *others = items
        named = largest.parsers + tuple(name for item in others for name in item.parsers)
        joined.append(Suspicion(kind, named, largest.n, largest.total))
    return sorted(joined, key=lambda item: -item.n / item.total)


def _of_words(run: Run) -> Iterator[Suspicion]:
    columns = run.framework.runs.tables.get("words")
    if columns is None or "test_tag" not in columns.texts:
        return
    equated = {entry["name"]: entry.get("equated", {}) for entry in run.meta["parsers"]}
    leaves_out = run.meta["options"].get("punctuation", "keep") != "keep" or bool(run.rules.delete_tags)
    counts = run.columns(_WORDS)
    for parser, *numbers in zip(*(column.tolist() for column in counts.values()), strict=True):
        n, n_wrong, n_empty, n_marks = map(int, numbers)
        if n >= _MIN_WORDS and not n_wrong:
            yield Suspicion("tags", (parser,), n, n)
        if n_empty:
            yield Suspicion("empty", (parser,), n_empty, n)
        if leaves_out and n_marks and not _n_left_out(run, parser):
            yield Suspicion("punctuation", (parser,), n_marks, n)
        for kind in ("case", "writing"):
            if number := equated[parser].get(kind, 0):
                yield Suspicion(kind, (parser,), number, n)


def _n_left_out(run: Run, parser: str) -> int:
    """Return the number of gold words that do not count."""
    sums = run.columns("select sum(words - words_scored) as n from sentences where parser = ?", [parser])
    return int(sums["n"][0])


def _of_brackets(run: Run) -> Iterator[Suspicion]:
    if "brackets" not in run.framework.runs.tables:
        return
    counts = run.columns(_BRACKETS)
    for parser, *numbers in zip(*(column.tolist() for column in counts.values()), strict=True):
        gold, test, n_roots, of_gold, of_test = map(int, numbers)
        if n_roots:
            yield Suspicion("root", (parser,), n_roots, gold)
        if of_gold and not of_test:
            yield Suspicion("gold functions", (parser,), of_gold, gold)
        if of_test and not of_gold:
            yield Suspicion("parse functions", (parser,), of_test, test)
