"""Where the errors of dependency trees are: by word, configuration, relation and head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import pandas as pd

from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.differences import hotspots
from evaltools.frameworks.common.word_groups import COST, FIGURES, ScoredWords, WordConfigurations, WordGroups
from evaltools.frameworks.controls import Choice, Control
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.dependency.word_errors import (
    DEPENDENCY_FEATURES,
    ROOT,
    Columns,
    Segmentations,
    confusions,
    counted,
    gold_of_part,
    in_order,
    words_of_part,
)
from evaltools.frameworks.groups import Column, Example, Excerpt, GroupBy, Line, Matrix, Options, Part
from evaltools.frameworks.stored import alignments_of
from evaltools.marks import MarkedArcs

_EXCERPT = 8
"""Number of rows in a report."""
_EQUAL = "Only sentences with the same tokens."


def dependency_hotspots(words: pd.DataFrame, by: str, score: str, *, least: int = 1) -> pd.DataFrame:
    """Compare groups of words with the rest."""
    table = hotspots(words, by, score, least=least)
    means = words.groupby(by, observed=True)[["uas", "las", "la_partial"]].mean().rename(columns={"la_partial": "la"})
    of_groups = means.reindex(table[by].tolist())
    return table.assign(**{name: of_groups[name].to_numpy() for name in of_groups.columns})


def relation_confusions(words: pd.DataFrame, heads: str = "right") -> pd.DataFrame:
    """Count the pairs of gold relation and wrong test relation, where the head is right or of all words."""
    return confusions(_compared_relations(words, heads))


def _compared_relations(words: pd.DataFrame, heads: str) -> pd.DataFrame:
    """Return words with their relations ``gold`` and ``test``; by default those with the right head."""
    compared = words if heads == "all" else words[words["uas"] == 1]
    return compared.assign(gold=compared["relation"].astype(object), test=compared["test_relation"].astype(object))


def head_confusions(words: pd.DataFrame) -> pd.DataFrame:
    """Count the wrong heads by the tags of word, gold head and test head."""
    wrong = words[words["uas"] == 0].rename(columns={"tag": "child", "head_tag": "gold_head"})
    rows = counted(wrong, ["child", "gold_head", "test_head_tag"])
    return rows.assign(share=rows["count"] / max(len(wrong), 1))


def _words_compared(part: Part, parser: str, heads: str) -> pd.DataFrame:
    return _compared_relations(part.cached(words_of_part, parser), heads)


def _pair_counts(words: pd.DataFrame) -> pd.DataFrame:
    return words.groupby(["gold", "test"], sort=True).size().rename("count").reset_index()


def _marked_sentences(part: Part, parser: str, sentences: tuple[int, ...]) -> dict[int, MarkedArcs | None]:
    return {number: marked_arcs(item) for number, item in alignments_of(part.run, parser, sentences).items()}


def _word_errors(part: Part, parser: str) -> dict[int, int]:
    words = part.cached(words_of_part, parser)
    counts = words[words["las"] == 0].groupby("sentence").size()
    return dict(zip(counts.index.tolist(), counts.tolist(), strict=True))


def _places(part: Part, words: pd.DataFrame, *, of_relations: bool = False) -> pd.DataFrame:
    """Return the positions of words, each with a remark on its error; sentences with the most words first.

    The error is the wrong head, if it is wrong, else the wrong relation; or always the relation.
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
        elif uas or of_relations:
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
            labels = sentence.labels if sentence is not None else ()
            repairs = [at for label in labels if label.node == word for at in label.repairs]
            if sentence is None or not repairs:
                continue
            repair = sentence.repairs[repairs[0] - 1]
            shape = {"focus": repair.number, "shorten": True, "height": 0, "test_name": parser}
            examples[int(number)] = Example(f"{repair.phrase} {repair.verdict}", Drawing(sentence, options=shape))
        return examples


class _ArcWords(_Arcs, ScoredWords):
    schemes = MappingProxyType(
        {
            "las": "LAS",
            "uas": "UAS",
            "la_partial": "Leaf-ancestor (LA), graded",
            "la_strict": "Leaf-ancestor (LA), exact",
        }
    )
    short_schemes = MappingProxyType({"las": "LAS", "uas": "UAS", "la_partial": "LA", "la_strict": "LA"})
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


_HEADS = Choice(
    "heads", "Words", {"right": "right head", "all": "all"}, "right", "the words whose relations are compared"
)


class Relations(_Arcs):
    """Relations that are confused."""

    id = "relations"
    title = "Relation confusions"
    description = f"Words with a wrong relation, those with the right head or all. {_EQUAL}"
    keys = ("gold", "test")

    @property
    def controls(self) -> tuple[Control, ...]:
        """The words that are compared."""
        return (_HEADS,)

    def _compared(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        return part.cached(_words_compared, parser, options["heads"])

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of relations."""
        words = part.cached(words_of_part, parser)
        rows = relation_confusions(words, options["heads"]).rename(columns={"share": "of_label"})
        return rows.assign(share=rows["count"] / max(int(words[COST].sum()), 1))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the words."""
        words = self._compared(part, parser, options)
        return _places(part, words[in_cell(words, row, commonest(_pair_counts(words)))], of_relations=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the words, each counted once."""
        words = self._compared(part, parser, options)
        return words.loc[words["gold"] != words["test"], [*self.keys, "sentence"]].assign(value=1)

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of words, the correct ones on the diagonal."""
        rows = _pair_counts(self._compared(part, parser, options))
        which = "with the right head" if options["heads"] == "right" else "with any head"
        return Matrix(confusion_matrix(rows, commonest(rows)), f"Words {which}; pale: right.")

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the relations and their figures."""
        relations = (
            Column("gold", "Gold relation", "text", width=98),
            Column("test", "Parser’s relation", "text", width=114),
        )
        of_label = Column("of_label", "Of the relation", "percent", "of the compared words with the gold relation")
        return (*relations, _COUNT, _SHARE, FIGURES["sentences"], of_label, Column("right", "Right"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        return f"{row['gold']} labeled as {row['test']}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


class Heads(_Arcs):
    """Words with a wrong head."""

    id = "heads"
    title = "Wrong heads"
    description = (
        "Words with a wrong head, by the tags of the word, its gold head and the parser’s head. Two heads with the "
        f"same tag are different words. {_EQUAL}"
    )
    row_name = "attachment"
    leads = True
    keys = ("child", "gold_head", "test_head_tag")

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the tags of words and heads."""
        words = part.cached(words_of_part, parser)
        rows = head_confusions(words)
        return rows.assign(share=rows["count"] / max(int(words[COST].sum()), 1))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the words."""
        words = part.cached(words_of_part, parser)
        same = (words["tag"] == row["child"]) & (words["head_tag"] == row["gold_head"])
        return _places(part, words[same & (words["test_head_tag"] == row["test_head_tag"]) & (words["uas"] == 0)])

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the words, each counted once."""
        words = part.cached(words_of_part, parser)
        wrong = words[words["uas"] == 0].rename(columns={"tag": "child", "head_tag": "gold_head"})
        return wrong[[*self.keys, "sentence"]].assign(value=1)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the tags and their figures."""
        tags = (
            Column("child", "Word", "text", "tag of the word", 62),
            Column("gold_head", "Gold", "text", "tag of the gold head", 66),
            Column("test_head_tag", "Parser", "text", "tag of the parser’s head", 66),
        )
        return (*tags, _COUNT, _SHARE, FIGURES["sentences"])

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        same = "another " if row["test_head_tag"] == row["gold_head"] else ""
        return f"{row['child']} attached to {row['test_head_tag']} instead of {same}{row['gold_head']}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


GROUPS: dict[str, GroupBy] = {
    group.id: group for group in (Heads(), Relations(), Columns(), Segmentations(), Words(), ConfiguredWords())
}
"""The questions by their names in the URL."""


def _low_words(part: Part, parser: str, least: int, *, by: str) -> pd.DataFrame:
    if part.cached(words_of_part, parser).empty:
        return pd.DataFrame()
    rows = GROUPS["words"].rows(part, parser, {"by": by, "scheme": "las", "least": least})
    return rows[(rows["mean"] < 1) & ~(rows["difference"] > 0)].head(_EXCERPT)


def _most_frequent(part: Part, parser: str, least: int, *, name: str) -> pd.DataFrame:
    if part.cached(words_of_part, parser).empty:
        return pd.DataFrame()
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
            Column("count", "words"),
            Column("of_label", "share", "percent"),
        ),
        "Words with the right head; share: of the words with the gold relation and the right head.",
    ),
    Excerpt(
        "Confused heads",
        partial(_most_frequent, name="heads"),
        (
            Column("child", "word", "text"),
            Column("gold_head", "gold head", "text"),
            Column("test_head_tag", "parser’s head", "text"),
            Column("count", "words"),
            Column("share", "share", "percent"),
        ),
        f"Tags; share: of all {_WRONG}.",
    ),
)
"""The tables of groups in reports."""
