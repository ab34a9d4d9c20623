"""The questions about the errors of constituency trees, and the pictures of these errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from evaltools.blocks import Column
from evaltools.corpus import Span
from evaltools.corpus.stretches import gap_spans, stretches_without
from evaltools.drawing import Drawing
from evaltools.frameworks.constituency.error_types import OTHER, RULES, WIDE, bundled_rules
from evaltools.frameworks.constituency.errors import BRACKET, REPAIR
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.members import BRACKETS, CONFIGURED_WORDS, FEATURES, WORDS
from evaltools.frameworks.questions import (
    MIN_COUNT,
    NONE,
    Example,
    Kind,
    Options,
    Question,
    Scope,
    feature_control,
    group_name,
    scheme_control,
)
from evaltools.marks import Mark, Marks, Repair, Status
from evaltools.text import count_of

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.store import Run

_MAX_QUOTED = 30
"""Maximum number of characters of a quoted bracket."""

# ------------------------------------------------------------------------------------------------------------ pictures


def marked_sentences(run: Run, parser: str, sentences: Sequence[int], rules: str) -> dict[int, Marks]:
    """Return the marked sentences of a parser."""
    alignments = run.framework.align(run, parser, None, sentences)
    return {number: marked_sentence(item, bundled_rules(rules)) for number, item in alignments.items()}


def brackets_over(marks: Marks, error: Mapping[Any, Any]) -> list[Mark]:
    """Return the brackets over the words of an error."""
    words = _words_of(marks, error)
    return [mark for mark in marks.marks if mark.kind == "bracket" and mark.stretches == words]


def _words_of(marks: Marks, error: Mapping[Any, Any]) -> tuple[Span, ...]:
    span, gaps = Span(int(error["start"]), int(error["end"])), gap_spans(str(error.get("gaps") or ""))
    return marks.placed(stretches_without(span, gaps))


def _example(sentence: Marks, own: Mark | None, repair: Repair, parser: str, *, explained: bool) -> Example:
    """Return a repair, in which the bracket that is asked for is stressed, or with the reason for its type."""
    text = f"{repair.phrase} {repair.verdict}"
    if explained and repair.reason:
        text += f" ({repair.type}: {repair.reason})"
    if own is not None:
        marks = tuple(replace(mark, follows=False) if mark == own else mark for mark in sentence.marks)
        sentence = replace(sentence, marks=marks)
        text = f"{_described_bracket(own, sentence)}: {text}" if repair.has_parents else text
    shape = {"focus": repair.number, "shorten": True, "numbered": False, "height": 0, "parse_name": parser}
    return Example(text, Drawing(sentence, options=shape))


def _own_bracket(sentence: Marks, error: Mapping[Any, Any]) -> Mark | None:
    """Return the wrong bracket that is the error, if it is one."""
    labels = [error.get(name) for name in ("label", "gold", "test")]
    wrong = (mark for mark in brackets_over(sentence, error) if mark.status is not Status.RIGHT)
    return next((mark for mark in wrong if mark.text in labels), None)


def _described_bracket(bracket: Mark, sentence: Marks) -> str:
    words = sentence.quoted(bracket.stretches, _MAX_QUOTED)
    return f"{'missing' if bracket.side == 'gold' else 'spurious'} {bracket.text} “{words}”"


def _unrepaired_example(sentence: Marks, own: Mark, parser: str) -> Example:
    """Return a wrong bracket of a sentence without repairs."""
    drawn = replace(sentence, marks=(own,), right=())
    shape = {"shorten": True, "numbered": False, "height": 0, "parse_name": parser}
    return Example(_described_bracket(own, sentence), Drawing(drawn, options=shape))


def _pictured(
    run: Run, parser: str, errors: pd.DataFrame, options: Options, *, are_brackets: bool
) -> Mapping[int, Example]:
    """Return the repairs of errors in words, with the words around and their brackets; wrong brackets are stressed."""
    marked = marked_sentences(run, parser, errors["sentence"].tolist(), str(options.get(RULES.name, RULES.default)))
    examples = {}
    for error in errors.to_dict("records"):
        sentence = marked[error["sentence"]]
        own = _own_bracket(sentence, error) if are_brackets else None
        repair = next((repair for repair in sentence.repairs if repair.step == error["repair"]), None)
        if repair is not None:
            examples[int(error["sentence"])] = _example(sentence, own, repair, parser, explained=not are_brackets)
        elif own is not None:
            examples[int(error["sentence"])] = _unrepaired_example(sentence, own, parser)
    return examples


def _pictured_agreed(run: Run, parser: str, errors: pd.DataFrame, options: Options) -> Mapping[int, Example]:
    """Return brackets over their words, without the repairs of any one parser."""
    marked = marked_sentences(run, parser, errors["sentence"].tolist(), RULES.default)
    examples = {}
    for error in errors.to_dict("records"):
        sentence = marked[error["sentence"]]
        own = tuple(
            replace(mark, repairs=(), follows=False)
            for mark in brackets_over(sentence, error)
            if mark.status is not Status.RIGHT and mark.text == error[mark.side]
        )
        drawn = replace(sentence, marks=own, repairs=(), right=())
        shape = {"shorten": True, "numbered": False, "height": 0, "parse_name": "all"}
        examples[int(error["sentence"])] = Example(str(error["remark"]), Drawing(drawn, options=shape))
    return examples


# --------------------------------------------------------------------------------------------------------------- kinds


def _left_out(run: Run, parser: str, scope: Scope) -> str:
    """Return how many sentences have no repair, and why."""
    rows = run.query(
        "select text as reason, count(*) as n, sum(cost)::bigint as brackets from errors where parser = ? "
        f"and kind = '{REPAIR}' and type is null and {scope.condition} group by text order by n desc",
        [parser],
    )
    if rows.empty:
        return ""
    sql = f"select count(*) as n from sentences where parser = ? and status = 'ok' and {scope.condition}"
    n = int(run.columns(sql, [parser])["n"][0])
    return (
        f"Without {rows['n'].sum():,} of {n:,} sentences: {', or '.join(rows['reason'])}, so they have no repairs. "
        f"Their {count_of(int(rows['brackets'].sum()), 'wrong bracket')} count in the shares."
    )


REPAIRS = Kind(
    REPAIR,
    unit="brackets",
    whole="wrong brackets",
    verb="loses most",
    legend=(
        ("moved", "moved: the phrase, ↑ where it belongs, × where it is"),
        ("missing", "missing bracket"),
        ("spurious", "spurious bracket"),
        ("relabeled", "label"),
    ),
    pictured=partial(_pictured, are_brackets=False),
    typical="sentences in which a phrase is attached elsewhere",
    part="construction",
    left_out=_left_out,
)
"""Steps of repairs, counted in wrong brackets."""

WRONG_BRACKETS = replace(REPAIRS, id=BRACKET, pictured=partial(_pictured, are_brackets=True), part="", left_out=None)
"""Missing and spurious brackets."""

AGREED = Kind(
    BRACKET,
    unit="brackets",
    whole="brackets on which they agree against gold",
    verb="differ alike from gold in most",
    legend=(("missing", "only in gold"), ("spurious", "in all parses, not in gold"), ("relabeled", "label")),
    pictured=_pictured_agreed,
    of_all_parsers=True,
)
"""Brackets on which all parsers agree against the gold tree."""

# ----------------------------------------------------------------------------------------------------------- questions

CONSTRUCTIONS = Question(
    "constructions",
    "Constructions",
    "Where the parser has a phrase and where it belongs. Each wrong bracket counts once, at the repair that mends it. "
    "The labels after “over” are those of the children of a bracket.",
    REPAIRS,
    (Column("construction", "Construction", "text", width="large"),),
    "{construction}".format_map,
    where="type is not null",
    row_name="construction",
)

TYPES = Question(
    "errors",
    "Error types",
    "Wrong brackets by the type of the error: a step that turns the parser’s tree into the gold tree has one type, by "
    "the rules of Kummerfeld et al. (2012), or the same for more labels.",
    REPAIRS,
    (Column("type", "Error type", "text", width="large"),),
    "{type}".format_map,
    where="type is not null",
    row_name="error type",
    source=f"(select * replace (case when '{{rules}}' = '{WIDE}' then wide_type else type end as type) from errors)",
    controls=(RULES,),
    leads=True,
    residual=(OTHER.title, "no rule of error types matches these errors"),
)

LABELS = Question(
    "labels",
    "Label confusions",
    "Brackets of gold and parse over the same words with different labels, two brackets each, one missing and one "
    "spurious; and missed or spurious brackets, of which the other tree has none over the same words.",
    WRONG_BRACKETS,
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
    where parser = {parser} and {sentences} and status = 'ok' and e_status = 'right'
      and gold_kind = 'phrase' and test_kind = 'phrase'
    group by label
    """,
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
    replace(WRONG_BRACKETS, part="text"),
    (Column("rule", "Rule", "text", width="large"),),
    "{rule}".format_map,
    where="rule is not null",
    source=SINGLE,
    row_name="rule",
)

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
        from counted where n > 1 and n = (select count(distinct parser) from sentences)
    )
    select parser, sentence, start, "end", gaps, rank, 'bracket' as kind, true as typical, null as status,
           concat('gold ', coalesce(min(label) filter (status = 'missing'), 'none'), ', all parsers ',
                  coalesce(min(label) filter (status = 'spurious'), 'none')) as text,
           sum(cost)::integer as cost, min(number) as number, min(repair) as repair, min(words) as words,
           coalesce(min(label) filter (status = 'missing'), '{NONE}') as gold,
           coalesce(min(label) filter (status = 'spurious'), '{NONE}') as test
    from agreed group by parser, sentence, start, "end", gaps, rank
)"""

SUSPECTS = Question(
    "suspects",
    "Possible errors in the gold trees",
    "Brackets on which all parsers of the run agree against the gold tree, in the sentences that all have parsed: "
    "constructions that are hard for all of them, or errors of the annotation. Gold brackets that no parser has "
    "are gray: parsers may lack a bracket for different reasons.",
    AGREED,
    (Column("test", "Parsers’ label", "text", width=100), Column("gold", "Gold label", "text", width=88)),
    lambda row: (
        f"{row['test']} that gold lacks"
        if row["gold"] == NONE
        else f"gold {row['gold']}, which no parser has"
        if row["test"] == NONE
        else f"gold {row['gold']}, {row['test']} in all parses"
    ),
    source=_AGREED,
    residual=(NONE, "parsers may lack a bracket for different reasons"),
)

_GROUP = (Column("group", "Group", "text", width="large"),)
_SCORE = scheme_control({"la": "Leaf-ancestor (LA), graded", "la_exact": "Leaf-ancestor (LA), exact"})

WORD_GROUPS = Question(
    "words",
    "Words",
    "Wrong brackets by the gold word at which they begin; and the leaf-ancestor similarity (LA) of these words "
    "compared with that of all other words.",
    WRONG_BRACKETS,
    _GROUP,
    group_name,
    controls=(feature_control(FEATURES, "tag"), _SCORE, MIN_COUNT),
    members=WORDS,
    row_name="group",
)

BRACKET_CONFIGURATIONS = Question(
    "brackets",
    "Bracket configurations",
    "Combinations of two or three conditions whose gold brackets are found less often than each condition alone "
    "predicts, with the missing and the spurious brackets that meet them.",
    WRONG_BRACKETS,
    _GROUP,
    group_name,
    where="cost > 0",
    source=SINGLE,
    controls=(MIN_COUNT,),
    members=BRACKETS,
    row_name="configuration",
)

WORD_CONFIGURATIONS = Question(
    "configurations",
    "Word configurations",
    "Combinations of two or three conditions whose words score lower than each condition alone predicts, with the "
    "wrong brackets that begin at them.",
    WRONG_BRACKETS,
    _GROUP,
    group_name,
    controls=(_SCORE, MIN_COUNT),
    members=replace(WORDS, conditions=CONFIGURED_WORDS),
    row_name="configuration",
)

QUESTIONS = {
    question.id: question
    for question in (
        *(CONSTRUCTIONS, TYPES, LABELS, RULES_OF_BRACKETS),
        *(WORD_GROUPS, BRACKET_CONFIGURATIONS, WORD_CONFIGURATIONS, SUSPECTS),
    )
}
"""The questions by their names in the URL: first constructions, then what is counted by label, rule or word."""

EXCERPTS = ("errors", "words", "labels")
"""The questions whose first rows reports show."""
