"""Where the errors of dependency trees are: by word, configuration, relation and head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.alignments.marked_arcs import MarkedArcs
from evaltools.corpus import Dependencies, Vocabulary
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.drawing.blocks import Drawing
from evaltools.errors import RunError
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.categories import categories, classes, coded
from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.gold_words import GoldWords
from evaltools.frameworks.common.group_difference import hotspots
from evaltools.frameworks.common.word_groups import COST, FIGURES, ScoredWords, WordConfigurations, WordGroups
from evaltools.frameworks.controls import Choice, Control
from evaltools.frameworks.dependency.figures import DIRECTIONS, DISTANCES
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.groups import Column, Example, Excerpt, GroupBy, Line, Matrix, Options, Part
from evaltools.frameworks.stored import StoredRun, alignments_of

__all__ = [
    "DEPENDENCY_FEATURES",
    "EXCERPTS",
    "GROUPS",
    "ROOT",
    "dependency_features",
    "dependency_hotspots",
    "dependency_scores",
    "gold_dependencies",
    "head_confusions",
    "relation_confusions",
]

DEPENDENCY_FEATURES: dict[str, str] = {
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

ROOT = "(root)"
"""Stands for the head of a word that has none."""

_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)
_POSITIONS = ("first", "inside", "last", "alone")
_EXCERPT = 8
"""Number of rows in a report."""
_EQUAL = "Only sentences with the same tokens."


def gold_dependencies(run: StoredRun, n: int) -> Dependencies:
    """Read the first `n` gold trees of a run of dependency trees."""
    if run.framework.reads is not Dependencies:
        raise RunError(f"{run.folder} compares {run.framework.title}, not dependency trees")
    rows = run.query("select tree, notation from trees where parser is null and sentence <= ? order by sentence", [n])
    notation = str(rows["notation"].iloc[0]) if len(rows) else "conllu"
    missing = FORMATS[notation].write([None]).strip()
    blocks = [tree if isinstance(tree, str) else missing for tree in rows["tree"]]
    data = "".join(f"{block}\n\n" for block in blocks).encode("utf-8", "backslashreplace")
    trees: Dependencies = FORMATS[notation].read(Source("gold", data, ""), Vocabulary())
    return trees.resized(len(blocks))


def dependency_features(gold: Dependencies, *, subtypes: bool) -> pd.DataFrame:
    """Describe every gold word."""
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), gold.n_words)
    index = np.arange(len(gold.head)) - gold.offsets[sentence]
    n = gold.n_words[sentence]
    head = gold.head.astype(np.int64)
    labels = [*gold.vocabulary.labels.strings(), ROOT]
    distance = np.digitize(np.where(head < 0, 0, np.abs(head - index)), [1, 2, 3, 7])
    direction = np.where(head < 0, 0, np.where(head < index, 1, 2))
    position = np.where(n == 1, 3, np.where(index == 0, 0, np.where(index == n - 1, 2, 1)))
    columns: dict[str, Any] = {
        "sentence": sentence + 1 + gold.first_sentence,
        "word": index + 1,
        "head": head + 1,
        "form": coded(gold.form, gold.vocabulary.words.strings()),
        "tag": coded(gold.tag, labels),
        "relation": _relations(gold, subtypes=subtypes),
        "head_tag": coded(_head_tags(gold, sentence, head), labels),
        "distance": categories(distance, DISTANCES, ordered=True),
        "direction": categories(direction, DIRECTIONS, ordered=True),
        "position": categories(position, _POSITIONS, ordered=True),
        "length": classes(n, _SENTENCES),
    }
    return pd.DataFrame(columns)


def _relations(gold: Dependencies, *, subtypes: bool) -> Any:
    names = [_relation(item, subtypes=subtypes) for item in gold.vocabulary.labels.strings()]
    distinct = {name: number for number, name in enumerate(dict.fromkeys(names))}
    numbers = np.array([distinct[name] for name in names], dtype=np.int64)
    return coded(numbers[gold.relation], list(distinct))


def _relation(name: str, *, subtypes: bool) -> str:
    return name if subtypes else without_subtype(name)


def _head_tags(gold: Dependencies, sentence: NDArray[np.int64], head: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the tag of each word's head; that of :data:`ROOT` for a root."""
    root = len(gold.vocabulary.labels.strings())
    return np.where(head < 0, root, gold.tag[gold.offsets[sentence] + np.maximum(head, 0)]).astype(np.int64)


def dependency_scores(run: StoredRun, parser: str, gold: Dependencies) -> pd.DataFrame:
    """Return the heads and relations that a parser gave to the gold words, with their scores."""
    rows = run.query(
        "select w.sentence, w.word, w.head_right, w.relation_right, w.la_partial, w.la_strict, "
        "coalesce(w.test_head, 0) as test_head, coalesce(w.test_relation, '') as test_relation "
        "from words w join sentences s using (parser, sentence) "
        "where w.parser = ? and s.status = 'ok' and w.sentence <= ? order by w.sentence, w.word",
        [parser, len(gold)],
    )
    right = rows.pop("head_right").to_numpy(dtype=np.float64)
    labelled = rows.pop("relation_right").to_numpy(dtype=np.float64)
    sentence = rows["sentence"].to_numpy(dtype=np.int64) - 1
    head = np.minimum(rows["test_head"].to_numpy(dtype=np.int64), gold.n_words[sentence]) - 1
    names = [*gold.vocabulary.labels.strings(), ROOT]
    subtypes = bool(run.meta["options"]["subtypes"])
    return rows.assign(
        uas=right,
        las=right * labelled,
        test_head_tag=coded(_head_tags(gold, sentence, head), names),
        test_relation=[_relation(item, subtypes=subtypes) for item in rows["test_relation"].tolist()],
    )


def dependency_hotspots(words: pd.DataFrame, by: str, score: str, *, least: int = 1) -> pd.DataFrame:
    """Compare groups of words with the rest."""
    table = hotspots(words, by, score, least=least)
    means = words.groupby(by, observed=True)[["uas", "las", "la_partial"]].mean().rename(columns={"la_partial": "la"})
    of_groups = means.reindex(table[by].tolist())
    return table.assign(**{name: of_groups[name].to_numpy() for name in of_groups.columns})


def relation_confusions(words: pd.DataFrame, heads: str = "right") -> pd.DataFrame:
    """Count the pairs of gold relation and wrong test relation, where the head is right or of all words."""
    compared = _compared_relations(words, heads)
    wrong = compared[compared["gold"] != compared["test"]]
    rows = _counted(wrong, ["gold", "test"])
    totals = compared["gold"].value_counts()
    right = totals.sub(wrong["gold"].value_counts(), fill_value=0)
    share = rows["count"] / rows["gold"].map(totals)
    return rows.assign(right=rows["gold"].map(right).astype(np.int64), share=share)


def _compared_relations(words: pd.DataFrame, heads: str) -> pd.DataFrame:
    """Return words with their relations ``gold`` and ``test``; by default those with the right head."""
    compared = words if heads == "all" else words[words["uas"] == 1]
    return compared.assign(gold=compared["relation"].astype(object), test=compared["test_relation"].astype(object))


def head_confusions(words: pd.DataFrame) -> pd.DataFrame:
    """Count the wrong heads by the tags of word, gold head and test head."""
    wrong = words[words["uas"] == 0].rename(columns={"tag": "child", "head_tag": "gold_head"})
    rows = _counted(wrong, ["child", "gold_head", "test_head_tag"])
    return rows.assign(share=rows["count"] / max(len(wrong), 1))


def _counted(words: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    plain = words[["sentence", *keys]].astype(dict.fromkeys(keys, object))
    groups = plain.groupby(keys, sort=False)
    rows = pd.DataFrame({"count": groups.size(), "sentences": groups["sentence"].nunique()}).reset_index()
    return rows.sort_values(["count", *keys], ascending=[False] + [True] * len(keys), ignore_index=True)


def _gold(part: Part) -> tuple[Dependencies, pd.DataFrame, GoldWords]:
    gold = gold_dependencies(part.run, part.size)
    features = dependency_features(gold, subtypes=bool(part.run.meta["options"]["subtypes"]))
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.form]
    return gold, features, GoldWords.of(forms, gold.n_words)


def _words(part: Part, parser: str) -> pd.DataFrame:
    gold, features, _ = part.cached(_gold)
    words = features.merge(dependency_scores(part.run, parser, gold), on=["sentence", "word"], how="inner")
    return words.assign(cost=(words["las"] == 0).astype(np.int64))


def _words_compared(part: Part, parser: str, heads: str) -> pd.DataFrame:
    return _compared_relations(part.cached(_words, parser), heads)


def _pair_counts(words: pd.DataFrame) -> pd.DataFrame:
    return words.groupby(["gold", "test"], sort=True).size().rename("count").reset_index()


def _marked_sentences(part: Part, parser: str, sentences: tuple[int, ...]) -> dict[int, MarkedArcs | None]:
    return {number: marked_arcs(item) for number, item in alignments_of(part.run, parser, sentences).items()}


def _word_errors(part: Part, parser: str) -> dict[int, int]:
    words = part.cached(_words, parser)
    counts = words[words["las"] == 0].groupby("sentence").size()
    return dict(zip(counts.index.tolist(), counts.tolist(), strict=True))


def _places(part: Part, words: pd.DataFrame, *, of_relations: bool = False) -> pd.DataFrame:
    """Return the positions of words, each with a remark on its error; sentences with the most words first.

    The error is the wrong head, if it is wrong, else the wrong relation; or always the relation.
    """
    forms = part.cached(_gold)[2].forms
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
        else:
            remarks.append(f"“{form}” attached to {chosen} instead of {right}")
    indices = words[["sentence"]].assign(start=words["word"] - 1, end=words["word"], remark=remarks)
    n_words = indices.groupby("sentence")["start"].transform("size")
    order = np.lexsort((indices["start"], indices["sentence"], -n_words))
    return indices.iloc[order].reset_index(drop=True)


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
        return f"head {_FAR.get(value, value)} word{'' if value == '1' else 's'} away"
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
        ("deleted", "right head and relation"),
        ("inserted", "the parser’s"),
        ("relabeled", "wrong relation"),
    )

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words that are marked in them."""
        return part.cached(_gold)[2].lines(sentences, places)

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
        return part.cached(_words, parser)

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
        Column("uas", "UAS", "score"),
        Column("las", "LAS", "score"),
        Column("la", "LA", "score", "mean leaf-ancestor similarity, graded"),
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
        words = part.cached(_words, parser)
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
    is_construction = True
    keys = ("child", "gold_head", "test_head_tag")

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the tags of words and heads."""
        words = part.cached(_words, parser)
        rows = head_confusions(words)
        return rows.assign(share=rows["count"] / max(int(words[COST].sum()), 1))

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the words."""
        words = part.cached(_words, parser)
        same = (words["tag"] == row["child"]) & (words["head_tag"] == row["gold_head"])
        return _places(part, words[same & (words["test_head_tag"] == row["test_head_tag"]) & (words["uas"] == 0)])

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the words, each counted once."""
        words = part.cached(_words, parser)
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


GROUPS: dict[str, GroupBy] = {group.id: group for group in (Heads(), Relations(), Words(), ConfiguredWords())}
"""The questions by their names in the URL."""


def _low_words(part: Part, parser: str, least: int, *, by: str) -> pd.DataFrame:
    if part.cached(_words, parser).empty:
        return pd.DataFrame()
    rows = GROUPS["words"].rows(part, parser, {"by": by, "scheme": "las", "least": least})
    return rows[(rows["mean"] < 1) & ~(rows["difference"] > 0)].head(_EXCERPT)


def _most_frequent(part: Part, parser: str, least: int, *, name: str) -> pd.DataFrame:
    if part.cached(_words, parser).empty:
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
