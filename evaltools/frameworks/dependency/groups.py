"""Where the errors of dependency trees are: by word, configuration, relation and head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType

import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.differences import hotspots
from evaltools.frameworks.common.word_groups import COST, ScoredWords, WordConfigurations, WordGroups
from evaltools.frameworks.controls import Choice
from evaltools.frameworks.dependency.errors import ARC, ROOT, SEGMENTATION
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.dependency.stored import align
from evaltools.frameworks.dependency.word_errors import (
    DEPENDENCY_FEATURES,
    Columns,
    gold_of_part,
    in_order,
    words_of_part,
)
from evaltools.frameworks.groups import Column, Example, Excerpt, GroupBy, Line, Options, Part
from evaltools.frameworks.questions import ErrorGroups, Question
from evaltools.marks import Marks

_EXCERPT = 8
"""Number of rows in a report."""
_EQUAL = "Only sentences with the same tokens."


def dependency_hotspots(words: pd.DataFrame, by: str, score: str, *, least: int = 1) -> pd.DataFrame:
    """Compare groups of words with the rest."""
    table = hotspots(words, by, score, least=least)
    means = words.groupby(by, observed=True)[["uas", "las", "la"]].mean()
    of_groups = means.reindex(table[by].tolist())
    return table.assign(**{name: of_groups[name].to_numpy() for name in of_groups.columns})


def _marked_sentences(part: Part, parser: str, sentences: tuple[int, ...]) -> dict[int, Marks | None]:
    return {number: marked_arcs(item) for number, item in align(part.run, parser, None, sentences).items()}


def _word_errors(part: Part, parser: str) -> dict[int, int]:
    words = part.cached(words_of_part, parser)
    counts = words[words["las"] == 0].groupby("sentence").size()
    return dict(zip(counts.index.tolist(), counts.tolist(), strict=True))


def _places(part: Part, words: pd.DataFrame) -> pd.DataFrame:
    """Return the positions of words, each with a remark on its error; sentences with the most words first.

    The error is the wrong head, if it is wrong, else the wrong relation.
    """
    forms = part.cached(gold_of_part)[2].forms
    names = ("sentence", "word", "head", "test_head", "relation", "test_relation", "uas", "las")
    remarks = []
    for sentence, word, head, test_head, relation, test_relation, uas, las in zip(
        *(words[name].tolist() for name in names), strict=True
    ):
        of_sentence = forms[sentence - 1]
        right, chosen = (
            f"“{of_sentence[number - 1]}”" if 0 < number <= len(of_sentence) else "the root"
            for number in (head, test_head)
        )
        form = of_sentence[word - 1]
        if uas and las:
            remarks.append("")
        elif uas:
            remarks.append(f"“{form}”: {test_relation} instead of {relation}")
        elif test_head < 0:
            remarks.append(f"“{form}” without a head instead of attached to {right}")
        else:
            remarks.append(f"“{form}” attached to {chosen} instead of {right}")
    indices = words[["sentence"]].assign(start=words["word"] - 1, end=words["word"], remark=remarks)
    return in_order(indices)


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


_WRONG = "words with a wrong head or a wrong relation"
_COUNT = Column("count", "Wrong words")
_SHARE = Column("share", "Share", "percent", help=f"of all {_WRONG}", width=62)
"""The unit of cost of all questions about dependency trees."""


class _Arcs(GroupBy):
    """Groups of gold words, which are marked in the arcs of a sentence."""

    marks_words = True
    unit = "wrong words"
    whole = "wrong words"
    legend = (
        ("moved", "word with a wrong head"),
        ("missing", "right head and relation"),
        ("spurious", "the parser’s"),
        ("relabeled", "wrong relation"),
    )

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words that are marked in them."""
        return part.cached(gold_of_part)[2].lines(sentences, places)

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of words with a wrong head or relation in each sentence."""
        return part.cached(_word_errors, parser)

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first error of some sentences: the repair in words, and the words around it with their arcs."""
        marked = part.cached(_marked_sentences, parser, tuple(sentences))
        first = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
        examples = {}
        for number, word in zip(first["sentence"].tolist(), first["start"].tolist(), strict=True):
            sentence = marked[number]
            marks = sentence.marks if sentence is not None else ()
            repairs = [at for mark in marks if mark.node == word for at in mark.repairs]
            if sentence is None or not repairs:
                continue
            repair = sentence.repairs[repairs[0] - 1]
            shape = {"focus": repair.number, "shorten": True, "height": 0, "parse_name": parser}
            examples[int(number)] = Example(f"{repair.phrase} {repair.verdict}", Drawing(sentence, options=shape))
        return examples


class _ArcWords(_Arcs, ScoredWords):
    schemes = MappingProxyType(
        {
            "las": "LAS",
            "uas": "UAS",
            "la": "Leaf-ancestor (LA), graded",
            "la_exact": "Leaf-ancestor (LA), exact",
        }
    )
    short_schemes = MappingProxyType({"las": "LAS", "uas": "UAS", "la": "LA", "la_exact": "LA"})
    default_scheme = "las"
    cost_columns = (Column(COST, "Wrong words", help=_WRONG), _SHARE)

    def words(self, part: Part, parser: str) -> pd.DataFrame:
        """Return the gold words with their features and a parser's heads, relations and scores."""
        return part.cached(words_of_part, parser)

    def word_errors(self, part: Part, parser: str, words: pd.DataFrame) -> pd.DataFrame:
        """Return the positions of words, each with a remark on its error."""
        return _places(part, words)


class Words(_ArcWords, WordGroups):
    """Groups of gold words."""

    description = (
        f"Words with a wrong head or relation by group, and the score of the group compared with that of all other "
        f"words. {_EQUAL}"
    )
    features = DEPENDENCY_FEATURES
    default_feature = "relation"
    row_name = "group"
    means = (
        Column("uas", "UAS", "points"),
        Column("las", "LAS", "points"),
        Column("la", "LA", "points", "mean leaf-ancestor similarity, graded"),
    )

    def compare(self, words: pd.DataFrame, by: str, options: Options) -> pd.DataFrame:
        """Return the groups by a feature, with all their means."""
        return dependency_hotspots(words, by, options["scheme"], least=options["least"])


class ConfiguredWords(_ArcWords, WordConfigurations):
    """Configurations of words."""

    description = (
        f"Combinations of two or three conditions whose words score lower than each condition alone predicts, with "
        f"their wrong words. {_EQUAL}"
    )
    conditions = tuple(DEPENDENCY_FEATURES)

    def condition(self, feature: str, value: str) -> str:
        """Return a condition in words."""
        return condition(feature, value)


class ArcErrors(ErrorGroups, _Arcs):
    """Groups of words with a wrong head or relation."""


class SegmentationErrors(ErrorGroups):
    """Groups of words and sentences that were merged or split."""

    unit = "lost words"
    whole = "lost words"
    marks_words = True


HEADS = Question(
    "heads",
    "Wrong heads",
    "Words with a wrong head, by the tags of the word, its gold head and the parser’s head. Two heads with the same "
    f"tag are different words. {_EQUAL}",
    ARC,
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
    ARC,
    (Column("gold", "Gold relation", "text", width=98), Column("test", "Parser’s relation", "text", width=114)),
    "{gold} labeled as {test}".format_map,
    where="gold <> test and (status = 'relabeled' or '{heads}' = 'all')",
    controls=(
        Choice(
            "heads", "Words", {"right": "right head", "all": "all"}, "right", "the words whose relations are compared"
        ),
    ),
    right="""
    select case when '{subtypes}' = 'True' then relation
                else coalesce(nullif(split_part(relation, ':', 1), ''), relation) end as label, count(*) as n
    from words join sentences using (parser, sentence)
    where parser = ? and sentence <= ? and status = 'ok' and relation_right and (head_right or '{heads}' = 'all')
    group by label
    """,
)


SEGMENTATIONS = Question(
    "segmentation",
    "Tokens and sentences",
    "Words and sentences that the parser merged or split. Lost words cannot be right in LAS: those without an aligned "
    "word and those attached to them; of sentences, words whose gold head is in another sentence of the parser, or "
    "that the parser attaches to a word of another gold sentence.",
    SEGMENTATION,
    (
        Column("type", "What", "text", width=140),
        Column("gold", "Gold", "text", width=110),
        Column("test", "Parser", "text", width=110),
    ),
    "{type}: {gold} → {test}".format_map,
)


GROUPS: dict[str, GroupBy] = {
    group.id: group
    for group in (
        *map(ArcErrors, (HEADS, RELATIONS)),
        Columns(),
        SegmentationErrors(SEGMENTATIONS),
        *(Words(), ConfiguredWords()),
    )
}
"""The questions by their names in the URL."""


def _low_words(part: Part, parser: str, least: int, *, by: str) -> pd.DataFrame:
    if part.cached(words_of_part, parser).empty:
        return pd.DataFrame()
    rows = GROUPS["words"].rows(part, parser, {"by": by, "scheme": "las", "least": least})
    return rows[(rows["mean"] < 1) & ~(rows["difference"] > 0)].head(_EXCERPT)


def _most_frequent(part: Part, parser: str, least: int, *, name: str) -> pd.DataFrame:
    return GROUPS[name].rows(part, parser, GROUPS[name].options()).head(_EXCERPT)


EXCERPTS: tuple[Excerpt, ...] = (
    *(
        Excerpt(
            f"Wrongly attached words, by {by}",
            partial(_low_words, by=by),
            (
                Column("group", by, "text"),
                Column("count", "words"),
                Column("mean", "LAS", "points"),
                Column("difference", "difference to the rest", "points difference"),
                Column("share", "of the loss", "percent"),
            ),
            "Groups of at least {least} gold words, in sentences with the same tokens.",
        )
        for by in ("relation", "tag")
    ),
    Excerpt(
        "Confused relations",
        partial(_most_frequent, name="relations"),
        (
            Column("gold", "gold", "text"),
            Column("test", "parse", "text"),
            Column("errors", "words"),
            Column("of_label", "share", "percent"),
        ),
        "Words with the right head; share: of the words with the gold relation and the right head.",
    ),
    Excerpt(
        "Confused heads",
        partial(_most_frequent, name="heads"),
        (
            Column("tag", "word", "text"),
            Column("head_tag", "gold head", "text"),
            Column("test_head_tag", "parser’s head", "text"),
            Column("errors", "words"),
            Column("share", "share", "percent"),
        ),
        f"Tags; share: of all {_WRONG}.",
    ),
)
"""The tables of groups in reports."""
