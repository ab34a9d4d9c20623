"""Where the errors of dependency trees live: features of gold words, confused relations, wrong heads.

Features come from the gold trees, so that they are the same for all parsers. Only sentences whose words are equal
count, as for the figures by relation, distance and direction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from evaltools.analysis.hotspots import hotspots
from evaltools.analysis.word_features import classes, coded
from evaltools.errors import RunError
from evaltools.formats import FORMATS, Source
from evaltools.runs.dependency_figures import DISTANCES
from evaltools.runs.store import Run
from evaltools.treebank import Dependencies, Vocabulary

__all__ = [
    "DEPENDENCY_FEATURES",
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
    "position": "place in the sentence",
    "length": "sentence length",
}
"""The features and what people call them."""

ROOT = "(root)"
"""Stands for the head of a word that has none."""

_SENTENCES = (1, 5, 10, 15, 20, 25, 30, 40, 60)
_DIRECTIONS = ("root", "left", "right")
_PLACES = ("first", "inside", "last", "alone")


def gold_dependencies(run: Run, most: int) -> Dependencies:
    """Read the gold trees of a run of dependency trees.

    Parameters
    ----------
    run : Run
        The run.
    most : int
        At most so many sentences, from the first.
    """
    if run.kind != "dependency":
        raise RunError(f"{run.folder} compares {run.kind} trees, no dependency trees")
    rows = run.query(
        "select tree, notation from trees where parser is null and sentence <= ? order by sentence", [most]
    )
    notation = str(rows["notation"].iloc[0]) if len(rows) else "conllu"
    missing = FORMATS[notation].write([None]).strip()
    blocks = [tree if isinstance(tree, str) else missing for tree in rows["tree"]]
    data = "".join(f"{block}\n\n" for block in blocks).encode("utf-8", "backslashreplace")
    trees: Dependencies = FORMATS[notation].read(Source("gold", data, ""), Vocabulary())
    return trees.resized(len(blocks))


def dependency_features(gold: Dependencies, *, subtypes: bool) -> pd.DataFrame:
    """Describe every gold word.

    Parameters
    ----------
    gold : Dependencies
        The gold trees.
    subtypes : bool
        Whether relations are told apart by their subtypes.

    Returns
    -------
    DataFrame
        ``sentence`` and ``word``, both from 1; ``head`` (0 for a root); and a categorical column for each of
        :data:`DEPENDENCY_FEATURES`.
    """
    sentence = np.repeat(np.arange(len(gold), dtype=np.int64), gold.n_words)
    place = np.arange(len(gold.head)) - gold.offsets[sentence]
    n = gold.n_words[sentence]
    head = gold.head.astype(np.int64)
    labels = [*gold.vocabulary.labels.strings(), ROOT]
    away = np.where(head < 0, 0, np.abs(head - place))
    where = np.where(n == 1, 3, np.where(place == 0, 0, np.where(place == n - 1, 2, 1)))
    columns: dict[str, Any] = {
        "sentence": sentence + 1 + gold.first_sentence,
        "word": place + 1,
        "head": head + 1,
        "form": coded(gold.form, gold.vocabulary.words.strings()),
        "tag": coded(gold.tag, labels),
        "relation": _relations(gold, subtypes=subtypes),
        "head_tag": coded(_head_tags(gold, sentence, head), labels),
        "distance": _ordered(np.digitize(away, [1, 2, 3, 7]), DISTANCES),
        "direction": _ordered(np.where(head < 0, 0, np.where(head < place, 1, 2)), _DIRECTIONS),
        "position": _ordered(where, _PLACES),
        "length": classes(n, _SENTENCES),
    }
    return pd.DataFrame(columns)


def _relations(gold: Dependencies, *, subtypes: bool) -> Any:
    names = [_relation(one, subtypes=subtypes) for one in gold.vocabulary.labels.strings()]
    distinct = {name: number for number, name in enumerate(dict.fromkeys(names))}
    numbers = np.array([distinct[name] for name in names], dtype=np.int64)
    return coded(numbers[gold.relation], list(distinct))


def _relation(name: str, *, subtypes: bool) -> str:
    return name if subtypes else name.partition(":")[0] or name


def _head_tags(gold: Dependencies, sentence: NDArray[np.int64], head: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the tag of each word's head; that of :data:`ROOT` for a root."""
    root = len(gold.vocabulary.labels.strings())
    return np.where(head < 0, root, gold.tag[gold.offsets[sentence] + np.maximum(head, 0)]).astype(np.int64)


def _ordered(codes: NDArray[Any], names: tuple[str, ...]) -> Any:
    return pd.Categorical.from_codes(codes.astype(np.intp), dtype=pd.CategoricalDtype(list(names), ordered=True))


def dependency_scores(run: Run, parser: str, gold: Dependencies) -> pd.DataFrame:
    """Return what a parser made of the gold words.

    Parameters
    ----------
    run : Run
        The run.
    parser : str
        The parser.
    gold : Dependencies
        The gold trees, from :func:`gold_dependencies`.

    Returns
    -------
    DataFrame
        ``sentence``, ``word``; ``uas`` (1 if the head is right) and ``las`` (1 if the relation is right, too);
        ``la_partial``, ``la_strict``; ``test_head`` (0 for a root), ``test_head_tag`` (the gold tag of the chosen
        head), ``test_relation``, without subtypes where the run drops them. Words that do not count are left out.
    """
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
        test_relation=[_relation(one, subtypes=subtypes) for one in rows["test_relation"].tolist()],
    )


def dependency_hotspots(words: pd.DataFrame, by: str, score: str, *, least: int = 1) -> pd.DataFrame:
    """Compare groups of words with the rest.

    Parameters
    ----------
    words : DataFrame
        Features and scores, merged.
    by : str
        One of :data:`DEPENDENCY_FEATURES`.
    score : {"las", "uas", "la_partial", "la_strict"}
        What is lost.
    least : int
        Least number of words of a group.

    Returns
    -------
    DataFrame
        As from :func:`evaltools.analysis.hotspots.hotspots`, and ``uas``, ``las``, ``la``: the means of each group, the
        last of `la_partial`.
    """
    table = hotspots(words, by, score, least=least)
    means = words.groupby(by, observed=True)[["uas", "las", "la_partial"]].mean().rename(columns={"la_partial": "la"})
    found = means.reindex(table[by].tolist())
    return table.assign(**{name: found[name].to_numpy() for name in means.columns})


def relation_confusions(words: pd.DataFrame) -> pd.DataFrame:
    """Count which relation was chosen for which, where the head is right.

    Parameters
    ----------
    words : DataFrame
        Features and scores, merged.

    Returns
    -------
    DataFrame
        ``gold``, ``test``, ``count``, ``sentences``; ``right``: words of the gold relation with the right head and
        relation; ``share``: of the words of the gold relation with the right head. The most frequent first.
    """
    attached = words[words["uas"] == 1].astype({"relation": object})
    wrong = attached[(attached["las"] == 0) & (attached["relation"] != attached["test_relation"])]
    rows = _counted(wrong.rename(columns={"relation": "gold", "test_relation": "test"}), ["gold", "test"])
    every = attached.groupby("relation")["las"].agg(["size", "sum"])
    share = rows["count"] / rows["gold"].map(every["size"])
    return rows.assign(right=rows["gold"].map(every["sum"]).astype(np.int64), share=share)


def head_confusions(words: pd.DataFrame) -> pd.DataFrame:
    """Count what was attached to what instead of what.

    Parameters
    ----------
    words : DataFrame
        Features and scores, merged.

    Returns
    -------
    DataFrame
        ``child`` (the word's tag), ``gold_head``, ``test_head_tag`` (tags of the right and of the chosen head, or
        :data:`ROOT`), ``count``, ``sentences``; ``share``: of all wrong heads. The most frequent first.
    """
    wrong = words[words["uas"] == 0].rename(columns={"tag": "child", "head_tag": "gold_head"})
    rows = _counted(wrong, ["child", "gold_head", "test_head_tag"])
    return rows.assign(share=rows["count"] / max(len(wrong), 1))


def _counted(words: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    plain = words[["sentence", *keys]].astype(dict.fromkeys(keys, object))
    groups = plain.groupby(keys, sort=False)
    rows = pd.DataFrame({"count": groups.size(), "sentences": groups["sentence"].nunique()}).reset_index()
    return rows.sort_values(["count", *keys], ascending=[False] + [True] * len(keys), ignore_index=True)
