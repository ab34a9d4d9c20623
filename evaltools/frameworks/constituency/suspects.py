"""Brackets on which all parsers agree against the gold tree: hard for all of them, or errors of annotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.word_groups import FIGURES
from evaltools.frameworks.constituency.bracket_groups import brackets_of
from evaltools.frameworks.constituency.errors.bracket_errors import BRACKET_STATUS, NO_BRACKET
from evaltools.frameworks.constituency.errors.error_types import RULES
from evaltools.frameworks.constituency.tree_groups import (
    BRACKETS,
    SHARE,
    TreeGroups,
    gold_words,
    is_over,
    marked_sentences,
)
from evaltools.frameworks.groups import Column, Example, Options, Part
from evaltools.text import count_of, join_words

__all__ = ["Suspects"]

_MAX_QUOTED = 60
"""Maximum number of characters of a quoted bracket."""

# Brackets that every parser lacks, and brackets that every parser has and the gold tree lacks. Over the same words a
# missing one is paired with a spurious one, in the order of their labels.
_AGREED = f"""
with wrong as (
    select b.sentence, b.start, b."end", coalesce(b.gaps, '') as gaps, b.label, {BRACKET_STATUS} as status,
           row_number() over (
               partition by b.parser, b.sentence, b.start, b."end", b.gaps, {BRACKET_STATUS}, b.label
           ) as copy
    from brackets b join sentences s using (parser, sentence)
    where b.sentence <= ? and s.status = 'ok' and {BRACKET_STATUS} is not null
), agreed as (
    select sentence, start, "end", gaps, label, status, row_number() over (
        partition by sentence, start, "end", gaps, status order by label, copy
    ) as rank
    from wrong group by sentence, start, "end", gaps, label, status, copy having count(*) = ?
)
select coalesce(g.sentence, t.sentence) as sentence, coalesce(g.start, t.start) as start,
       coalesce(g."end", t."end") as "end", coalesce(g.gaps, t.gaps) as gaps,
       coalesce(g.label, '{NO_BRACKET}') as gold, coalesce(t.label, '{NO_BRACKET}') as test
from (select * from agreed where status = 'missing') g
full join (select * from agreed where status = 'spurious') t using (sentence, start, "end", gaps, rank)
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
        "constructions that are hard for all of them, or errors of the annotation. Gold brackets that no parser has "
        "come last, in gray: parsers may lack a bracket for different reasons."
    )
    keys = ("gold", "test")
    whole = "brackets on which they agree against gold"
    legend = (("missing", "only in gold"), ("spurious", "in all parses, not in gold"), ("relabeled", "label"))
    of_all_parsers = True

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of labels, the same for every parser."""
        groups = part.cached(agreed_brackets).groupby(list(self.keys), sort=True)
        rows = groups.agg(count=("sentence", "size"), sentences=("sentence", "nunique")).reset_index()
        rows = rows.assign(brackets=rows["count"] * brackets_of(rows), parsers=len(part.run.parsers))
        rows = rows.assign(share=rows["brackets"] / max(rows["brackets"].sum(), 1))
        rows = rows.sort_values("brackets", ascending=False, kind="stable", ignore_index=True)
        lacks = rows["test"] == NO_BRACKET  # these say less: they come last
        return pd.concat([rows[~lacks], rows[lacks]], ignore_index=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets."""
        rows = part.cached(agreed_brackets)
        of_row = (rows["gold"] == row["gold"]) & (rows["test"] == row["test"])
        own = rows[of_row]
        n = len(part.run.parsers)
        agreed = f"gold {row['gold']}, all {n} {row['test']}"
        if row["gold"] == NO_BRACKET:
            agreed = f"all {n} {row['test']}, not in gold"
        elif row["test"] == NO_BRACKET:
            agreed = f"gold {row['gold']}, in none of the {n}"
        words = part.cached(gold_words)
        lines = zip(own["sentence"], own["start"], own["end"], own["gaps"], strict=True)
        quoted = (
            join_words([words.forms[number - 1][at] for at in words.positions(number, start, end, gaps)], _MAX_QUOTED)
            for number, start, end, gaps in lines
        )
        remarks = [f"{agreed}: “{text}”" for text in quoted]
        errors: pd.DataFrame = own.assign(brackets=brackets_of(own), remark=remarks).reset_index(drop=True)
        return errors

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first bracket of some sentences over its words, without the repairs of any one parser."""
        marked = part.cached(marked_sentences, parser, tuple(sentences), str(RULES.default))
        examples = {}
        for row in errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence").to_dict("records"):
            sentence = marked.get(row["sentence"])
            if sentence is None:
                continue
            own = tuple(
                replace(item, repairs=(), follows=False)
                for item in sentence.brackets
                if item.status != "right"
                and is_over(item, row)
                and item.label == row["gold" if item.side == "gold" else "test"]
            )
            drawn = replace(sentence, brackets=own, tags=(), repairs=(), right=())
            shape = {"shorten": True, "numbered": False, "height": 0, "test_name": "all"}
            examples[int(row["sentence"])] = Example(str(row["remark"]), Drawing(drawn, options=shape))
        return examples

    def number_of_errors(self, errors: pd.DataFrame) -> str:
        """Return how many brackets there are."""
        return count_of(int(errors["brackets"].sum()), "bracket")

    def summary(self, rows: pd.DataFrame) -> str:
        """Return how many brackets all parsers have that the gold tree has not."""
        own = rows[rows["test"] != NO_BRACKET]
        if own.empty:
            return ""
        brackets = count_of(int(own["count"].sum()), "bracket")
        return f"All {own['parsers'].iloc[0]} parsers have the same {brackets} that gold lacks or labels otherwise."

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the labels and their counts."""
        labels = (
            Column("gold", "Gold label", "text", width=88),
            Column("test", "Parsers’ label", "text", width=100),
        )
        share = replace(SHARE, help="of all brackets on which all parsers differ from the gold tree in the same way")
        return (*labels, BRACKETS, share, FIGURES["sentences"], Column("count", "Cases"))

    def finding(self, row: pd.Series[Any], parser: str, options: Options) -> str:
        """Return a row as a statement; where all parsers have a bracket, it is the first of those rows alone."""
        if row["test"] == NO_BRACKET:
            return (
                f"All {row['parsers']} parsers differ from the gold tree in the same way most often at "
                f"{self.describe(row)}: {self.figures(row)}"
            )
        return (
            f"Brackets that all {row['parsers']} parsers have against the gold tree are most often "
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
