"""Brackets on which all parsers agree against the gold tree: hard for all of them, or errors of annotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from evaltools.frameworks.common.word_groups import FIGURES
from evaltools.frameworks.constituency.bracket_groups import brackets_of
from evaltools.frameworks.constituency.errors.bracket_errors import NO_BRACKET
from evaltools.frameworks.constituency.tree_groups import BRACKETS, SHARE, TreeGroups
from evaltools.frameworks.groups import Column, Options, Part

__all__ = ["Suspects"]

# Brackets that every parser lacks, and brackets that every parser has and the gold tree lacks. Over the same words a
# missing one is paired with a spurious one, in the order of their labels.
_AGREED = f"""
with wrong as (
    select b.sentence, b.start, b."end", coalesce(b.gaps, '') as gaps, b.label, b.e_status, row_number() over (
        partition by b.parser, b.sentence, b.start, b."end", b.gaps, b.e_status, b.label
    ) as copy
    from brackets b join sentences s using (parser, sentence)
    where b.sentence <= ? and s.status = 'ok' and b.e_status in ('deleted', 'inserted')
      and 'phrase' in (b.gold_kind, b.test_kind)
), agreed as (
    select sentence, start, "end", gaps, label, e_status, row_number() over (
        partition by sentence, start, "end", gaps, e_status order by label, copy
    ) as rank
    from wrong group by sentence, start, "end", gaps, label, e_status, copy having count(*) = ?
)
select coalesce(g.sentence, t.sentence) as sentence, coalesce(g.start, t.start) as start,
       coalesce(g."end", t."end") as "end", coalesce(g.gaps, t.gaps) as gaps,
       coalesce(g.label, '{NO_BRACKET}') as gold, coalesce(t.label, '{NO_BRACKET}') as test
from (select * from agreed where e_status = 'deleted') g
full join (select * from agreed where e_status = 'inserted') t using (sentence, start, "end", gaps, rank)
order by all
"""


def agreed_brackets(part: Part) -> pd.DataFrame:
    """Return the brackets that all parsers have differently from the gold tree: ``gold`` and ``test`` are labels."""
    run = part.run
    if len(run.parsers) < 2:
        return pd.DataFrame({"sentence": [], "start": [], "end": [], "gaps": [], "gold": [], "test": []})
    return run.query(_AGREED, [part.size, len(run.parsers)])


class Suspects(TreeGroups):
    """Brackets on which all parsers agree against the gold tree."""

    id = "suspects"
    title = "All parsers against gold"
    description = (
        "Brackets on which all parsers of the run agree against the gold tree, in the sentences that all have parsed: "
        "constructions that are hard for all of them, or errors of the annotation."
    )
    keys = ("gold", "test")
    whole = "brackets on which they agree against gold"
    of_all_parsers = True

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of labels, the same for every parser."""
        groups = part.cached(agreed_brackets).groupby(list(self.keys), sort=True)
        rows = groups.agg(count=("sentence", "size"), sentences=("sentence", "nunique")).reset_index()
        rows = rows.assign(brackets=rows["count"] * brackets_of(rows), parsers=len(part.run.parsers))
        rows = rows.assign(share=rows["brackets"] / max(rows["brackets"].sum(), 1))
        return rows.sort_values("brackets", ascending=False, kind="stable", ignore_index=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets."""
        rows = part.cached(agreed_brackets)
        of_row = (rows["gold"] == row["gold"]) & (rows["test"] == row["test"])
        errors: pd.DataFrame = rows[of_row].assign(remark="").reset_index(drop=True)
        return errors

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the labels and their counts."""
        labels = (
            Column("gold", "Gold label", "text", width=88),
            Column("test", "All parsers’ label", "text", width=128),
        )
        share = replace(SHARE, help="of all brackets on which all parsers differ from the gold tree in the same way")
        return (*labels, BRACKETS, share, FIGURES["sentences"], Column("count", "Occurrences"))

    def finding(self, row: pd.Series[Any], parser: str, options: Options) -> str:
        """Return a row as a statement."""
        return (
            f"All {row['parsers']} parsers differ from the gold tree in the same way most often at "
            f"{self.describe(row)}: {self.figures(row)}"
        )

    def uninformative(self, row: pd.Series[Any], options: Options) -> str:
        """Return why brackets that no parser has say less than those that all have."""
        return "parsers may lack a bracket for different reasons" if row["test"] == NO_BRACKET else ""

    def empty(self, parser: str, options: Options) -> str:
        """Return the text shown instead of an empty table."""
        return "There is no bracket on which two or more parsers agree against the gold tree."

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        if row["gold"] == NO_BRACKET:
            return f"{row['test']} that gold lacks"
        if row["test"] == NO_BRACKET:
            return f"gold {row['gold']}, which no parser has"
        return f"gold {row['gold']}, {row['test']} in all parses"
