"""The questions about the errors of dependency trees: by head, relation, column, word, configuration and token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pandas as pd

from evaltools.blocks import Choice, Column
from evaltools.drawing import Drawing
from evaltools.frameworks.dependency.column_errors import COLUMNS
from evaltools.frameworks.dependency.errors import ARC, COLUMN, ROOT, SEGMENTATION
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.dependency.stored import DIRECTION_SQL, DISTANCE_SQL, RELATION_SQL
from evaltools.frameworks.questions import (
    MIN_COUNT,
    NONE,
    Configured,
    Example,
    Kind,
    Members,
    Options,
    Question,
    Scope,
    feature_control,
    group_name,
    scheme_control,
)

if TYPE_CHECKING:
    from evaltools.runs.store import Run

_EQUAL = "Only sentences with the same tokens."

# --------------------------------------------------------------------------------------------------------------- kinds


def _pictured(run: Run, parser: str, errors: pd.DataFrame, options: Options) -> Mapping[int, Example]:
    """Return errors of words as the repairs that mend them, with the words around and their arcs."""
    starts = dict(zip(errors["sentence"].tolist(), errors["start"].tolist(), strict=True))
    examples = {}
    for number, alignment in run.framework.align(run, parser, None, list(starts)).items():
        sentence = marked_arcs(alignment)
        marks = sentence.marks if sentence is not None else ()
        repairs = [at for mark in marks if mark.node == starts[number] for at in mark.repairs]
        if sentence is None or not repairs:
            continue
        repair = sentence.repairs[repairs[0] - 1]
        shape = {"focus": repair.number, "shorten": True, "height": 0, "parse_name": parser}
        examples[number] = Example(f"{repair.phrase} {repair.verdict}", Drawing(sentence, options=shape))
    return examples


ARCS = Kind(
    ARC,
    unit="wrong words",
    whole="wrong words",
    legend=(
        ("moved", "word with a wrong head"),
        ("missing", "right head and relation"),
        ("spurious", "the parser’s"),
        ("relabeled", "wrong relation"),
    ),
    pictured=_pictured,
    marks_words=True,
)
"""Words with a wrong head or relation."""

VALUES = Kind(COLUMN, unit="wrong values", whole="wrong values of this column", marks_words=True)
"""Wrong values of the other columns of words."""

DIVISIONS = Kind(SEGMENTATION, unit="lost words", whole="lost words", marks_words=True)
"""Words and sentences that are merged or split."""

# ------------------------------------------------------------------------------------------------------------- members

FEATURES = {
    "form": "word form",
    "tag": "tag",
    "relation": "relation",
    "head_tag": "tag of the head",
    "distance": "distance to the head",
    "direction": "side of the head",
    "position": "position in the sentence",
    "length": "sentence length",
}
"""The features of gold words, with their titles."""

SCORES = {
    "las": "LAS",
    "uas": "UAS",
    "la": "Leaf-ancestor (LA), graded",
    "la_exact": "Leaf-ancestor (LA), exact",
}
"""The scores of words, with their titles."""

_LENGTHS = (1, 5, 10, 15, 20, 25, 30, 40, 60)
_LENGTH = " ".join(
    f"when s.words < {end} then '{start}{f'–{end - 1}' if end > start + 1 else ''}'"
    for start, end in pairwise(_LENGTHS)
)
_WORDS = """
select sentence, word - 1 as start, form, tag, {relation} as relation, head_tag, {distance} as distance,
       {direction} as direction,
       case when s.words = 1 then 'alone' when word = 1 then 'first' when word = s.words then 'last'
            else 'inside' end as position,
       case {length} else '{longest} and more' end as length,
       la, la_exact, head_right::double as uas, (head_right and relation_right)::double as las,
       (not (head_right and relation_right))::integer as cost
from words join sentences s using (parser, sentence)
where parser = ? and s.status = 'ok' and {sentences} order by sentence, word
"""


def gold_words(run: Run, parser: str, scope: Scope, options: Options) -> pd.DataFrame:
    """Return the gold words of sentences with the same tokens, with their features and a parser's scores."""
    head = "greatest(head, 0)"  # words without a head are like roots
    sql = _WORDS.format(
        relation=RELATION_SQL[run.meta["options"]["subtypes"]].format("relation"),
        distance=DISTANCE_SQL.format(head, "word"),
        direction=DIRECTION_SQL.format(head, "word"),
        length=_LENGTH,
        longest=_LENGTHS[-1],
        sentences=scope.condition,
    )
    return run.query(sql, [parser]).astype(dict.fromkeys(FEATURES, "category"))


_CONDITIONS = {
    "tag": "tag {}",
    "form": "“{}”",
    "length": "sentence of {} words",
    "position": "{} in the sentence",
    "relation": "relation {}",
    "head_tag": "under {}",
    "direction": "head to the {}",
}
_ROOT = {"distance": "without a head", "direction": "without a head", "head_tag": "under the root"}
_FAR = {"7–": "7 or more"}


def condition(feature: str, value: str) -> str:
    """Return a condition of a configuration in words.

    Examples
    --------
    >>> ", ".join(condition(*pair) for pair in [("relation", "obj"), ("distance", "7–"), ("direction", "left")])
    'relation obj, head 7 or more words away, head to the left'
    """
    if feature in _ROOT and value in ("root", ROOT):
        return _ROOT[feature]
    if feature == "distance":
        return f"head {_FAR.get(value, value)} {'word' if value == '1' else 'words'} away"
    if (feature, value) == ("position", "inside"):
        return "inside the sentence"
    if feature == "length" and value == "1":
        return "sentence of one word"
    return _CONDITIONS[feature].format(value)


WORDS = Members(
    "words",
    gold_words,
    ("start",),
    {"las": "Mean LAS", "uas": "Mean UAS", "la": "Mean leaf-anc.", "la_exact": "Mean leaf-anc."},
    FEATURES,
    figures=(
        (Column("uas", "UAS", "points"), ""),
        (Column("las", "LAS", "points"), ""),
        (Column("la", "Leaf-anc.", "points", "mean leaf-ancestor similarity, graded"), ""),
    ),
    cost_help="words with a wrong head or a wrong relation",
)
"""Gold words."""

# ----------------------------------------------------------------------------------------------------------- questions

_GROUP = (Column("group", "Group", "text", width="large"),)
_COLUMN = Choice(
    "column",
    "Column",
    COLUMNS,
    "tag",
    "the column that is compared; features are the universal ones, each value on its own; enhanced dependencies are "
    "compared with those to the same head, with subtypes and case as in ELAS, or without them as in EULAS",
)
_HEADS = Choice(
    "heads", "Words", {"right": "right head", "all": "all"}, "right", "the words whose relations are compared"
)
_RIGHT_RELATIONS = """
select case when '{subtypes}' = 'True' then relation
            else coalesce(nullif(split_part(relation, ':', 1), ''), relation) end as label, count(*) as n
from words join sentences using (parser, sentence)
where parser = {parser} and {sentences} and status = 'ok' and relation_right and (head_right or '{heads}' = 'all')
group by label
"""
_RIGHT_VALUES = f"""
with own as (
    select unnest(case '{{column}}' when 'tag' then [tag] when 'xtag' then [xtag] when 'feats' then split(feats, '|')
                  when 'deps' then split(deps, '|')
                  else split(regexp_replace(deps, ':[^>|]*', '', 'g'), '|') end) as label
    from words where parser = {{parser}} and {{sentences}} and test_word is not null
), wrong as (
    select gold as label, count(*) as n from errors
    where parser = {{parser}} and {{sentences}} and kind = '{COLUMN}' and type = '{{column}}' group by gold
), counted as (
    select label, count(*) as n from own where label <> '' or '{{column}}' in ('tag', 'xtag') group by label
)
select label, counted.n - coalesce(wrong.n, 0) as n from counted left join wrong using (label)
"""

HEADS = Question(
    "heads",
    "Wrong heads",
    "Words with a wrong head, by the tags of the word, its gold head and the parser’s head. Two heads with the same "
    f"tag are different words. {_EQUAL}",
    ARCS,
    (
        Column("tag", "Word", "text", "tag of the word", 62),
        Column("head_tag", "Gold", "text", "tag of the gold head", 66),
        Column("test_head_tag", "Parser", "text", "tag of the parser’s head", 66),
    ),
    lambda row: (
        f"{row['tag']} attached to {row['test_head_tag']} instead of "
        f"{'another ' if row['test_head_tag'] == row['head_tag'] else ''}{row['head_tag']}"
    ),
    where="status = 'moved'",
    row_name="attachment",
    leads=True,
)

RELATIONS = Question(
    "relations",
    "Relation confusions",
    f"Words with a wrong relation, those with the right head or all. {_EQUAL}",
    ARCS,
    (Column("gold", "Gold relation", "text", width=98), Column("test", "Parser’s relation", "text", width=114)),
    "{gold} labeled as {test}".format_map,
    where="gold <> test and (status = 'relabeled' or '{heads}' = 'all')",
    controls=(_HEADS,),
    right=_RIGHT_RELATIONS,
    row_name="confusion",
)

COLUMN_CONFUSIONS = Question(
    "columns",
    "Column confusions",
    "Aligned words with a wrong UPOS, XPOS, universal feature or enhanced dependency. Of what only one side has, the "
    f"other has {NONE}.",
    VALUES,
    (Column("gold", "Gold", "text", width=110), Column("test", "Parser", "text", width=110)),
    "{test} instead of {gold}".format_map,
    source="(select * from errors where type = '{column}')",
    controls=(_COLUMN,),
    right=_RIGHT_VALUES,
    row_name="confusion",
)

DIVIDED = Question(
    "segmentation",
    "Tokens and sentences",
    "Words and sentences that the parser merged or split. Lost words cannot be right in LAS: those without an aligned "
    "word and those attached to them; of sentences, words whose gold head is in another sentence of the parser, or "
    "that the parser attaches to a word of another gold sentence.",
    DIVISIONS,
    (
        Column("type", "What", "text", width=140),
        Column("gold", "Gold", "text", width=110),
        Column("test", "Parser", "text", width=110),
    ),
    "{type}: {gold} → {test}".format_map,
    row_name="division",
)

WORD_GROUPS = Question(
    "words",
    "Words",
    f"Words with a wrong head or relation by group, and the score of the group compared with that of all other words. "
    f"{_EQUAL}",
    ARCS,
    _GROUP,
    group_name,
    controls=(feature_control(FEATURES, "relation"), scheme_control(SCORES), MIN_COUNT),
    members=WORDS,
    row_name="group",
)

CONFIGURATIONS = Question(
    "configurations",
    "Word configurations",
    "Combinations of two or three conditions whose words score lower than each condition alone predicts, with their "
    f"wrong words. {_EQUAL}",
    ARCS,
    _GROUP,
    group_name,
    controls=(scheme_control(SCORES), MIN_COUNT),
    members=replace(WORDS, conditions=Configured(tuple(FEATURES), condition)),
    row_name="configuration",
)

QUESTIONS = {
    question.id: question for question in (HEADS, RELATIONS, COLUMN_CONFUSIONS, DIVIDED, WORD_GROUPS, CONFIGURATIONS)
}
"""The questions by their names in the URL."""

EXCERPTS = ("words", "relations", "heads")
"""The questions whose first rows reports show."""
