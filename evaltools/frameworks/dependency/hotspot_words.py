"""The gold words of a run with what a parser made of them, for the questions of *Hotspots*."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.corpus import Dependencies, Vocabulary
from evaltools.corpus.dependency_tree import without_subtype
from evaltools.errors import RunError
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.common.categories import categories, classes, coded
from evaltools.frameworks.common.gold_words import GoldWords
from evaltools.frameworks.common.label_map import relabeled
from evaltools.frameworks.dependency.figures import DIRECTIONS, DISTANCES
from evaltools.frameworks.groups import Part
from evaltools.frameworks.stored import StoredRun

__all__ = [
    "DEPENDENCY_FEATURES",
    "NONE",
    "ROOT",
    "confusions",
    "counted",
    "dependency_features",
    "dependency_scores",
    "gold_dependencies",
    "gold_of_part",
    "in_order",
    "trees_of_part",
    "words_of_part",
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
"""Stands for the head of a root."""

NONE = "(none)"
"""Stands for what one side does not have: a feature, or the head of a word to which the parser gives none."""

_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)
_POSITIONS = ("first", "inside", "last", "alone")


def gold_dependencies(run: StoredRun, n: int) -> Dependencies:
    """Read the first `n` gold trees of a run of dependency trees."""
    return _trees(run, n, "parser is null", [])


def _trees(run: StoredRun, n: int, whose: str, values: list[str]) -> Dependencies:
    if run.framework.reads is not Dependencies:
        raise RunError(f"{run.folder} compares {run.framework.title}, not dependency trees")
    query = f"select tree, notation from trees where {whose} and sentence <= ? order by sentence"
    rows = run.query(query, [*values, n])
    notation = str(rows["notation"].iloc[0]) if len(rows) else "conllu"
    missing = FORMATS[notation].write([None]).strip()
    blocks = [tree if isinstance(tree, str) else missing for tree in rows["tree"]]
    data = "".join(f"{block}\n\n" for block in blocks).encode("utf-8", "backslashreplace")
    trees: Dependencies = FORMATS[notation].read(Source("gold", data, ""), Vocabulary())
    return relabeled(trees.resized(len(blocks)), run.rules.label_map)


def dependency_features(gold: Dependencies, *, subtypes: bool) -> pd.DataFrame:
    """Describe every gold word."""
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), gold.n_words)
    index = np.arange(len(gold.head)) - gold.offsets[sentence]
    n = gold.n_words[sentence]
    head = gold.head.astype(np.int64)
    labels = [*gold.vocabulary.labels.strings(), NONE, ROOT]
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
    """Return the number of the tag of each word's head; that of :data:`ROOT` or :data:`NONE` where it is no word."""
    root = len(gold.vocabulary.labels.strings()) + 1
    return np.where(head < 0, root + 1 + head, gold.tag[gold.offsets[sentence] + np.maximum(head, 0)]).astype(np.int64)


def dependency_scores(run: StoredRun, parser: str, gold: Dependencies) -> pd.DataFrame:
    """Return the heads and relations that a parser gave to the gold words, with their scores."""
    rows = run.query(
        "select w.sentence, w.word, w.head_right, w.relation_right, w.la_partial, w.la_strict, "
        "coalesce(w.test_head, -1) as test_head, coalesce(w.test_relation, '') as test_relation "
        "from words w join sentences s using (parser, sentence) "
        "where w.parser = ? and s.status = 'ok' and w.sentence <= ? order by w.sentence, w.word",
        [parser, len(gold)],
    )
    right = rows.pop("head_right").to_numpy(dtype=np.float64)
    labelled = rows.pop("relation_right").to_numpy(dtype=np.float64)
    sentence = rows["sentence"].to_numpy(dtype=np.int64) - 1
    head = np.minimum(rows["test_head"].to_numpy(dtype=np.int64), gold.n_words[sentence]) - 1
    names = [*gold.vocabulary.labels.strings(), NONE, ROOT]
    subtypes = bool(run.meta["options"]["subtypes"])
    return rows.assign(
        uas=right,
        las=right * labelled,
        test_head_tag=coded(_head_tags(gold, sentence, head), names),
        test_relation=[_relation(item, subtypes=subtypes) for item in rows["test_relation"].tolist()],
    )


def counted(words: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Count words and sentences by some columns, the most words first."""
    plain = words[["sentence", *keys]].astype(dict.fromkeys(keys, object))
    groups = plain.groupby(keys, sort=False)
    rows = pd.DataFrame({"count": groups.size(), "sentences": groups["sentence"].nunique()}).reset_index()
    return rows.sort_values(["count", *keys], ascending=[False] + [True] * len(keys), ignore_index=True)


def confusions(compared: pd.DataFrame) -> pd.DataFrame:
    """Count the pairs of a gold label and another label of a parser: ``gold``, ``test``, with shares of the label."""
    wrong = compared[compared["gold"] != compared["test"]]
    rows = counted(wrong, ["gold", "test"])
    totals = compared["gold"].value_counts()
    right = totals.sub(wrong["gold"].value_counts(), fill_value=0)
    share = rows["count"] / rows["gold"].map(totals)
    return rows.assign(right=rows["gold"].map(right).astype(np.int64), share=share)


def in_order(indices: pd.DataFrame) -> pd.DataFrame:
    """Return positions of words sorted: sentences with the most first."""
    n_words = indices.groupby("sentence")["start"].transform("size")
    order = np.lexsort((indices["start"], indices["sentence"], -n_words))
    return indices.iloc[order].reset_index(drop=True)


def gold_of_part(part: Part) -> tuple[Dependencies, pd.DataFrame, GoldWords]:
    """Return the gold trees of some sentences, their words with features, and their forms."""
    gold = gold_dependencies(part.run, part.size)
    features = dependency_features(gold, subtypes=bool(part.run.meta["options"]["subtypes"]))
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.form]
    return gold, features, GoldWords.of(forms, gold.n_words)


def trees_of_part(part: Part, parser: str) -> Dependencies:
    """Return a parser's trees of some gold sentences."""
    return _trees(part.run, part.size, "parser = ?", [parser])


def words_of_part(part: Part, parser: str) -> pd.DataFrame:
    """Return the gold words of sentences with the same tokens, with a parser's heads, relations and scores."""
    gold, features, _ = part.cached(gold_of_part)
    words = features.merge(dependency_scores(part.run, parser, gold), on=["sentence", "word"], how="inner")
    return words.assign(cost=(words["las"] == 0).astype(np.int64))
