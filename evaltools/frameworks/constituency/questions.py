"""The questions about the errors of constituency trees, and the pictures of these errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pandas as pd

from evaltools.corpus import Span
from evaltools.corpus.stretches import gap_spans, stretches_without
from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.constituency.error_types import OTHER, RULES, WIDE, bundled_rules
from evaltools.frameworks.constituency.errors import ATTACHMENT, BRACKET, REPAIR
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.groups import Column, Example, GroupBy, Options, Part
from evaltools.frameworks.questions import NONE, ErrorGroups, Question
from evaltools.marks import Mark, Marks, Repair, Status
from evaltools.text import count_of, join_words

SHARE = Column("share", "Share", "percent", help="of all missing and spurious brackets of the parser", width=58)

_MAX_QUOTED = 30
"""Maximum number of characters of a quoted bracket."""
_MAX_QUOTED_ALONE = 60
"""The same, where the bracket is all that is said."""

_N_WRONG = """
select sentence, sum(cost)::bigint as n from errors where parser = ? and kind = 'bracket' and sentence <= ?
group by sentence
"""


def _bracket_errors(part: Part, parser: str) -> dict[int, int]:
    rows = part.run.columns(_N_WRONG, [parser, part.size])
    return dict(zip(rows["sentence"].tolist(), rows["n"].tolist(), strict=True))


def marked_sentences(part: Part, parser: str, sentences: tuple[int, ...], rules: str) -> dict[int, Marks]:
    """Return the marked sentences of a parser."""
    alignments = part.run.framework.align(part.run, parser, None, sentences)
    return {number: marked_sentence(item, bundled_rules(rules)) for number, item in alignments.items()}


def brackets_over(marks: Marks, error: Mapping[Any, Any]) -> list[Mark]:
    """Return the brackets over the words of an error."""
    words = _words_of(marks, error)
    return [mark for mark in marks.marks if mark.kind == "bracket" and mark.stretches == words]


def _words_of(marks: Marks, error: Mapping[Any, Any]) -> tuple[Span, ...]:
    span, gaps = Span(int(error["start"]), int(error["end"])), gap_spans(str(error.get("gaps") or ""))
    return marks.placed(stretches_without(span, gaps))


class TreeGroups(GroupBy):
    """Groups whose errors are spans of the words that the preset leaves, counted in wrong brackets."""

    unit = "brackets"
    whole = "wrong brackets"
    verb = "loses most"
    legend: ClassVar[tuple[tuple[str, str], ...]] = (
        ("moved", "moved: the phrase, ↑ where it belongs, × where it is"),
        ("missing", "missing bracket"),
        ("spurious", "spurious bracket"),
        ("relabeled", "label"),
    )

    @property
    def are_brackets(self) -> bool:
        """Whether its errors are wrong brackets, which pictures stress."""
        return True

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of missing and spurious brackets of a parser in each sentence."""
        return part.cached(_bracket_errors, parser)

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first error of some sentences: the repair in words, and the words around it with its brackets."""
        rules = str(options.get(RULES.name, RULES.default))
        marked = part.cached(marked_sentences, parser, tuple(sentences), rules)
        first = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
        examples = {}
        for error in first.to_dict("records"):
            if (sentence := marked.get(error["sentence"])) is None:
                continue
            own = _own_bracket(sentence, error) if self.are_brackets else None
            repair = next((repair for repair in sentence.repairs if repair.step == error["repair"]), None)
            if repair is not None:
                examples[int(error["sentence"])] = _example(
                    sentence, own, repair, parser, explained=not self.are_brackets
                )
            elif own is not None:
                examples[int(error["sentence"])] = _unrepaired_example(sentence, own, parser)
        return examples


def _example(sentence: Marks, own: Mark | None, repair: Repair, parser: str, *, explained: bool) -> Example:
    """Return a repair, in which the bracket that is asked for is stressed, or with the reason for its type."""
    text = f"{repair.phrase} {repair.verdict}"
    if explained and repair.reason:
        text += f" ({repair.type}: {repair.reason})"
    if own is not None:
        marks = tuple(replace(mark, follows=False) if mark == own else mark for mark in sentence.marks)
        sentence = replace(sentence, marks=marks)
        text = f"{_told_bracket(own, sentence)}: {text}" if repair.has_parents else text
    shape = {"focus": repair.number, "shorten": True, "numbered": False, "height": 0, "parse_name": parser}
    return Example(text, Drawing(sentence, options=shape))


def _own_bracket(sentence: Marks, error: Mapping[Any, Any]) -> Mark | None:
    """Return the wrong bracket that is the error, if it is one."""
    labels = [error.get(name) for name in ("label", "gold", "test")]
    wrong = (mark for mark in brackets_over(sentence, error) if mark.status is not Status.RIGHT)
    return next((mark for mark in wrong if mark.text in labels), None)


def _told_bracket(bracket: Mark, sentence: Marks) -> str:
    words = sentence.quoted(bracket.stretches, _MAX_QUOTED)
    return f"{'missing' if bracket.side == 'gold' else 'spurious'} {bracket.text} “{words}”"


def _unrepaired_example(sentence: Marks, own: Mark, parser: str) -> Example:
    """Return a wrong bracket of a sentence without repairs."""
    drawn = replace(sentence, marks=(own,), right=())
    shape = {"shorten": True, "numbered": False, "height": 0, "parse_name": parser}
    return Example(_told_bracket(own, sentence), Drawing(drawn, options=shape))


_LEFT_OUT = """
select text as reason, count(*) as n, sum(cost)::bigint as brackets from errors
where parser = ? and kind = 'repair' and type is null and sentence <= ? group by text order by n desc
"""


class TreeErrors(ErrorGroups, TreeGroups):
    """Groups of the errors of trees."""

    preferred = "typical", "sentences in which a phrase is attached elsewhere"

    @property
    def are_brackets(self) -> bool:
        """Whether its errors are wrong brackets."""
        return self.question.kind == BRACKET

    @property
    def whole_kind(self) -> str:
        """The kind of the errors that shares are of: repairs, or wrong brackets."""
        return REPAIR if self.question.kind == REPAIR else BRACKET

    def left_out(self, part: Part, parser: str) -> str:
        """Return how many sentences have no repair, and why, where repairs are asked for."""
        if self.question.kind != REPAIR:
            return ""
        rows = part.run.query(_LEFT_OUT, [parser, part.size])
        if rows.empty:
            return ""
        sql = "select count(*) as n from sentences where parser = ? and status = 'ok' and sentence <= ?"
        n = int(part.run.columns(sql, [parser, part.size])["n"][0])
        return (
            f"Without {rows['n'].sum():,} of {n:,} sentences: {', or '.join(rows['reason'])}, so they have no repairs. "
            f"Their {count_of(int(rows['brackets'].sum()), 'wrong bracket')} count in the shares."
        )


CONSTRUCTIONS = Question(
    "constructions",
    "Constructions",
    "Where the parser has a phrase and where it belongs. Each wrong bracket counts once, at the repair that mends it. "
    "Two parents with the same label are different phrases; an arrow leads from a bracket to its children.",
    REPAIR,
    (Column("construction", "Construction", "text", width="large"),),
    "{construction}".format_map,
    where="type is not null",
    row_name="construction",
)

TYPES = Question(
    "errors",
    "Error types",
    "Steps that turn the parser’s tree into the gold tree, by the type of error that each corrects, with the number of "
    "brackets repaired. The rules decide the type: those of Kummerfeld et al. (2012), or the same for more labels.",
    REPAIR,
    (Column("type", "Error type", "text", width="large"),),
    "{type}".format_map,
    where="type is not null",
    row_name="error type",
    source=f"(select * replace (case when '{{rules}}' = '{WIDE}' then wide_type else type end as type) from errors)",
    controls=(RULES,),
    leads=True,
    part="construction",
    residual=(OTHER.title, "no rule of error types matches these errors"),
)

LABELS = Question(
    "labels",
    "Label confusions",
    f"Gold and test brackets over the same words with different labels: two brackets each, one missing and one "
    f"spurious; {NONE}: no bracket in the other tree.",
    BRACKET,
    (Column("gold", "Gold label", "text", width=88), Column("test", "Parser’s label", "text", width=104)),
    lambda row: (
        f"spurious {row['test']}"
        if row["gold"] == NONE
        else f"missed {row['gold']}"
        if row["test"] == NONE
        else f"{row['gold']} labeled as {row['test']}"
    ),
    source=f"(select * replace (coalesce(gold, '{NONE}') as gold, coalesce(test, '{NONE}') as test) from errors)",
    right="""
    select label, count(*) as n from brackets join sentences using (parser, sentence)
    where parser = ? and sentence <= ? and status = 'ok' and e_status = 'right'
      and gold_kind = 'phrase' and test_kind = 'phrase'
    group by label
    """,
)

ATTACHMENTS = Question(
    "attachments",
    "Attachments",
    "Constituents that both trees have under different parents, with the wrong ones among these parents. A wrong "
    "bracket counts in every row that has one of its constituents; in Constructions it counts once.",
    ATTACHMENT,
    (Column("construction", "Attachment", "text", width="large"),),
    "{construction}".format_map,
    row_name="attachment",
)

SINGLE = """(
    select * replace ('bracket' as kind, 'missing' as status, if(kind = 'bracket', 1, 0) as cost,
                      kind = 'bracket' as typical, 'missed' as text), gold as label, gold_rule as rule
    from errors where kind in ('bracket', 'rule') and gold is not null
    union all
    select * replace ('bracket' as kind, 'spurious' as status, if(kind = 'bracket', 1, 0) as cost,
                      kind = 'bracket' as typical, 'spurious' as text), test as label, test_rule as rule
    from errors where kind in ('bracket', 'rule') and test is not null
)"""
"""SQL of the wrong brackets, one a row, with their labels and rules; right ones with another rule cost nothing."""

RULES_OF_BRACKETS = Question(
    "rules",
    "Rules",
    "Brackets that are missing or spurious, by their rule; and how often a rule is missed (only in the gold tree) "
    "or spurious (only in the parse), also at right brackets.",
    BRACKET,
    (Column("rule", "Rule", "text", width="large"),),
    "{rule}".format_map,
    where="rule is not null",
    source=SINGLE,
    row_name="rule",
    part="text",
)

CHANGES = Question(
    "changes",
    "T-mapping",
    "Brackets and tags that the tree-edit alignment (T) leaves missing, spurious, relabeled or moved, by label, "
    "with the wrong brackets among them.",
    "change",
    tuple(
        Column(name, title, "text", width=76)
        for name, title in {"label": "Label", "change": "Change", "new_label": "New label"}.items()
    ),
    lambda row: (
        f"{row['change']} {row['label']}"
        if row["change"] in (Status.MISSING, Status.SPURIOUS)
        else f"{row['label']} {row['change']}" + (f" as {row['new_label']}" if row["new_label"] else "")
    ),
    source=f"""(
    with nodes as (
        select b.* replace (coalesce(gaps, '') as gaps),
               unnest([t_gold_status, t_test_status]) as change, unnest([gold_kind, test_kind]) as kind,
               unnest(['missing', 'spurious']) as side, unnest([coalesce(t_label, ''), '']) as new_label,
               unnest([test_kind, gold_kind]) is distinct from 'phrase' and e_status is not null as is_alone
        from brackets b join sentences s using (parser, sentence)
        where s.sentences > 0 and s.status <> 'missing'
    ), wrong as (
        select distinct on (parser, sentence, start, "end", gaps, label, status) * from {SINGLE} where cost > 0
    )
    select n.parser, n.sentence, 'change' as kind, n.label, n.change, n.new_label, n.start, n."end", n.gaps,
           null as gold, null as test, e.number, e.repair, '' as text,
           coalesce(e.words, (first.word - 1) || '-' || last.word, '') as words,
           if(e.number is null, 0, 1) as cost, e.number is not null as typical
    from nodes n
    left join words first on first.parser = n.parser and first.sentence = n.sentence and first.position = n.start
    left join words last on last.parser = n.parser and last.sentence = n.sentence and last.position = n."end" - 1
    left join wrong e on n.kind = 'phrase' and n.is_alone and e.parser = n.parser and e.sentence = n.sentence
        and e.start = n.start and e."end" = n."end" and e.gaps = n.gaps and e.label = n.label and e.status = n.side
    where n.kind is not null and (n.change = 'spurious') = (n.side = 'spurious') and n.change <> 'right'
)""",
)


class Suspects(TreeErrors):
    """Brackets on which all parsers agree against the gold tree."""

    whole = "brackets on which they agree against gold"
    legend = (("missing", "only in gold"), ("spurious", "in all parses, not in gold"), ("relabeled", "label"))
    of_all_parsers = True

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of labels, the same for every parser; those without a bracket in the parses come last."""
        if len(part.run.parsers) < 2:
            part = replace(part, size=0)
        rows = super().rows(part, parser, options).assign(parsers=len(part.run.parsers))
        rows = rows.assign(share=rows["cost"] / max(rows["cost"].sum(), 1))
        lacks = rows["test"] == NONE  # these say less
        return pd.concat([rows[~lacks], rows[lacks]], ignore_index=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets with their words."""
        n, errors = len(part.run.parsers), super().errors(part, parser, options, row)
        agreed = f"gold {row['gold']}, all {n} {row['test']}"
        if row["gold"] == NONE:
            agreed = f"all {n} {row['test']}, not in gold"
        elif row["test"] == NONE:
            agreed = f"gold {row['gold']}, in none of the {n}"
        words = self.gold_words(part, errors["sentence"].unique().tolist())
        quoted = [
            join_words([words[number][at] for span in gap_spans(own) for at in range(*span)], _MAX_QUOTED_ALONE)
            for number, own in zip(errors["sentence"], errors["words"], strict=True)
        ]
        return errors.assign(remark=[f"{agreed}: “{text}”" for text in quoted])

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
                for item in brackets_over(sentence, row)
                if item.status is not Status.RIGHT and item.text == row[item.side]
            )
            drawn = replace(sentence, marks=own, repairs=(), right=())
            shape = {"shorten": True, "numbered": False, "height": 0, "parse_name": "all"}
            examples[int(row["sentence"])] = Example(str(row["remark"]), Drawing(drawn, options=shape))
        return examples

    def number_of_errors(self, errors: pd.DataFrame) -> str:
        """Return how many brackets there are."""
        return count_of(int(errors["cost"].sum()), "bracket")

    def summary(self, rows: pd.DataFrame) -> str:
        """Return how many brackets all parsers have that the gold tree has not."""
        own = rows[rows["test"] != NONE]
        if own.empty:
            return ""
        brackets = count_of(int(own["errors"].sum()), "bracket")
        return f"All {own['parsers'].iloc[0]} parsers have the same {brackets} that gold lacks or labels otherwise."

    def finding(self, row: pd.Series[Any], parser: str, options: Options) -> str:
        """Return a row as a statement; where all parsers have a bracket, it is the first of those rows alone."""
        if row["test"] == NONE:
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
        return "parsers may lack a bracket for different reasons" if row["test"] == NONE else ""

    def empty(self, parser: str, options: Options) -> str:
        """Return the text shown instead of an empty table."""
        return "There is no bracket on which two or more parsers agree against the gold tree."


# Over the same words a missing bracket is paired with a spurious one, in the order of their labels.
_AGREED = f"""(
    with copies as (
        select *, row_number() over (partition by parser, sentence, start, "end", gaps, status, label) as copy
        from {SINGLE} where cost > 0
    ), counted as (
        select *, count(*) over (partition by sentence, start, "end", gaps, status, label, copy) as n from copies
    ), agreed as (
        select *, row_number() over (
            partition by parser, sentence, start, "end", gaps, status order by label, copy
        ) as rank
        from counted where n = (select count(distinct parser) from sentences)
    )
    select parser, sentence, start, "end", gaps, rank, 'bracket' as kind, true as typical, '' as text,
           sum(cost)::integer as cost, min(number) as number, min(repair) as repair, min(words) as words,
           coalesce(min(label) filter (status = 'missing'), '{NONE}') as gold,
           coalesce(min(label) filter (status = 'spurious'), '{NONE}') as test
    from agreed group by parser, sentence, start, "end", gaps, rank
)"""

SUSPECTS = Question(
    "suspects",
    "All parsers against gold",
    "Brackets on which all parsers of the run agree against the gold tree, in the sentences that all have parsed: "
    "constructions that are hard for all of them, or errors of the annotation. Gold brackets that no parser has "
    "come last, in gray: parsers may lack a bracket for different reasons.",
    BRACKET,
    (Column("gold", "Gold label", "text", width=88), Column("test", "Parsers’ label", "text", width=100)),
    lambda row: (
        f"{row['test']} that gold lacks"
        if row["gold"] == NONE
        else f"gold {row['gold']}, which no parser has"
        if row["test"] == NONE
        else f"gold {row['gold']}, {row['test']} in all parses"
    ),
    source=_AGREED,
)
