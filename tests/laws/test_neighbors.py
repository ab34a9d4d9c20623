"""A sentence's figures, repairs, types, texts and pictures are its own: they do not depend on any other sentence."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from random import Random
from typing import Any

import pandas as pd
import pytest

import evaltools
from evaltools import CostTable
from evaltools.drawing import Drawing
from evaltools.frameworks.presets import preset_from_parameters
from evaltools.frameworks.registry import framework_of
from evaltools.frameworks.views import Viewing, sentence_of
from evaltools.runs.meta import METADATA, tables_of
from evaltools.runs.subset import subset
from tests.laws.corpora import (
    Corpus,
    generated_amrs,
    generated_dependencies,
    generated_discontinuous,
)
from tests.slow.trees import perturbed, random_forest, text_of

# chains of equal labels and words, of which a sentence may have the ends and not the links
CHAINS = """\
DELETE_LABEL ,
EQ_LABEL ADVP PRT
EQ_LABEL A B
EQ_LABEL C B
EQ_LABEL C D
EQ_WORD x y
EQ_WORD y z
"""
LABELS = ("S", "ADVP", "PRT", "PP", "A", "C", "D", "NP-SBJ")
COSTS = CostTable(
    {
        ("PP", "PRT"): 0.25,
        ("PP", "ADVP"): 1.5,
        ("S", "A"): 0.75,
        ("S", "C"): 1.25,
        ("A", "C"): 1.75,
        ("nsubj", "obj"): 0.3,
    }
)


def equated_trees(seed: int, n: int) -> Corpus:
    """Make trees and parses with labels and words that presets equate; the last sentences have all of them."""
    random = Random(seed)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(n - 2):
        words = [random.choice("abxz") for _ in range(random.randint(2, 7))]
        tree = random_forest(random, words, bare=False, forest=False, labels=LABELS)
        text = text_of(perturbed(random, tree, random.randint(0, 2), labels=LABELS))
        sides[0].append(f"{text_of(tree)}\n")
        text = re.sub(r"\((?=ADVP|PRT|PP|A|C|D) *\S+", lambda _: f"({random.choice(LABELS[1:7])}", text)
        sides[1].append(re.sub(r" [xz]\)", lambda _: f" {random.choice('xz')})", text) + "\n")
    for side in sides:
        labels = random.sample(("ADVP", "PRT", "A", "B", "C", "D"), 6)
        side += [f"(S {' '.join(f'({label} (N a) (N y))' for label in labels)})\n", "(B (S y))\n"]
    return Corpus(f"equated {seed}", "constituency", "ptb", tuple(sides[0]), tuple(sides[1]))


def function_trees(seed: int, n: int) -> Corpus:
    """Make trees with functions; each has one, as a parser without any has no labeled figures."""
    random = Random(seed)

    def tree(words: list[str]) -> str:
        labels = ("S", "NP-SBJ", "NP-OBJ", "VP", "PP-TMP")
        text = text_of(random_forest(random, words, bare=False, forest=False, labels=labels))
        return f"(TOP-ROOT {text} (N e))\n"

    sentences = [[random.choice("abc") for _ in range(random.randint(1, 6))] for _ in range(n)]
    gold, test = (tuple(tree(words) for words in sentences) for _ in range(2))
    return Corpus(f"functions {seed}", "crossframework", "ptb", gold, test)


CORPORA = {
    "equated": equated_trees,
    "functions": function_trees,
    "discontinuous": generated_discontinuous,
    "dependencies": generated_dependencies,
    "graphs": generated_amrs,
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "collins": {"preset": "collins"},
    "new": {"preset": "new"},
    "chains": {"preset": preset_from_parameters("chains", CHAINS, "chains.prm")},
    "unlabeled": {"preset": preset_from_parameters("unlabeled", f"{CHAINS}LABELED 0\n", "unlabeled.prm")},
    "none": {"preset": "none", "engine": "apted"},
    "proper": {"preset": "proper", "multiword_only": True},
    "subtypes": {"subtypes": True, "punctuation": "unicode"},
    "mapped": {"label_map": {"NP": "A", "nsubj": "obj"}},
}
LINEAGES: dict[str, dict[str, Any]] = {
    "equated": {"la_table": COSTS, "la_preterminals": True},
    "discontinuous": {"la_table": COSTS},
    "dependencies": {"la_table": COSTS},
}
"""Options of leaf-ancestor, for the corpora that have it."""


@dataclass(frozen=True)
class Facts:
    rows: dict[str, list[str]]  # By table
    steps: list[tuple[object, ...]]  # Repairs with their types
    pictures: list[str]
    texts: str


def facts(run: evaltools.Run, number: int) -> Facts:
    framework = framework_of(run.meta)
    rows = {
        table: sorted(map(repr, _own(run, table, number).to_dict("records")))
        for table in tables_of(run.meta)
        if table not in ("problems", METADATA)
    }
    steps: list[tuple[object, ...]] = []
    if framework.figures.error_types is not None:
        all_steps = framework.figures.error_types.steps(run, "p", framework.figures.error_types.rules.default)
        own = all_steps[all_steps["sentence"] == number].drop(columns="sentence")
        steps = list(own.itertuples(index=False, name=None))
    if framework.id == "crossframework":
        return Facts(rows, steps, [], "")
    brief, view = (
        framework.view(sentence_of(run, number, "p"), Viewing(is_brief=is_brief)) for is_brief in (True, False)
    )
    pictures = [drawing.draw("svg") for drawing in brief.drawings]
    texts = [[_drawn(block) for block in section.blocks] for section in view.sections]
    return Facts(rows, steps, pictures, repr(texts))


def _drawn(block: object) -> object:
    return block.draw("text") if isinstance(block, Drawing) else block


def _own(run: evaltools.Run, table: str, number: int) -> pd.DataFrame:
    frame = run.query(f"select * from {table} where sentence = ?", [number])
    if "parser" in frame:
        frame = frame[frame["parser"].astype(object).isin(["p", None])]
    left_out = ["sentence", "line", "original"]
    frame = frame.drop(columns=[name for name in left_out if name in frame])
    return frame.astype(object).where(frame.notna(), None)  # a column of some rows may have another type


def scored(corpus: Corpus, order: list[int], options: dict[str, Any], *, others: bool = False) -> evaltools.Run:
    """Score some sentences, in an order; with parsers that exchange the sentences of the files."""
    gold, test = ([side[index] for index in order] for side in (corpus.gold, corpus.test))
    outputs = {"p": test}
    if others:
        outputs = {"q": gold, "p": test, "r": gold[::-1]}
    files = {name: io.BytesIO("".join(sentences).encode()) for name, sentences in outputs.items()}
    upper = io.BytesIO("".join(gold).encode())
    if corpus.kind == "crossframework":
        return evaltools.crossframework({"a": upper}, {name: ("a", file) for name, file in files.items()})
    return evaltools.score(upper, files, format=corpus.format, **options)


def a_sentence_is_its_own(corpus: Corpus, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    indices = list(range(len(corpus)))
    whole = scored(corpus, indices, options)
    shuffled = Random(seed).sample(indices, len(indices))
    chosen = Random(seed).sample(indices, 4)
    part = subset(whole, [index + 1 for index in chosen])
    with monkeypatch.context() as patch:
        patch.setattr("evaltools.runs.scoring._SENTENCES_PER_CHUNK", 3)
        jobs = {} if corpus.kind == "crossframework" else {"jobs": 3}
        chunked = scored(corpus, shuffled, {**options, **jobs}, others=True)
    for index in chosen:
        alone = facts(scored(corpus, [index], options), 1)
        assert facts(whole, index + 1) == alone
        assert facts(chunked, shuffled.index(index) + 1) == alone
        assert facts(part, sorted(chosen).index(index) + 1) == alone


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("equated", "collins"),
        ("equated", "chains"),
        ("functions", "plain"),
        ("discontinuous", "plain"),
        ("dependencies", "plain"),
        ("graphs", "plain"),
    ],
)
def test_a_sentence_is_its_own(kind: str, name: str, monkeypatch: pytest.MonkeyPatch):
    a_sentence_is_its_own(CORPORA[kind](1, 9), OPTIONS[name] | LINEAGES.get(kind, {}), monkeypatch, 1)


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("equated", ("plain", "collins", "new", "chains", "unlabeled", "none", "proper", "mapped")),
        ("functions", ("plain",)),
        ("discontinuous", ("plain", "none", "proper")),
        ("dependencies", ("plain", "subtypes", "mapped")),
        ("graphs", ("plain",)),
    ],
)
@pytest.mark.slow
def test_a_sentence_is_its_own_whatever_the_options(
    kind: str, names: tuple[str, ...], seed: int, monkeypatch: pytest.MonkeyPatch
):
    for name in names:
        a_sentence_is_its_own(CORPORA[kind](seed, 12), OPTIONS[name] | LINEAGES.get(kind, {}), monkeypatch, seed)
