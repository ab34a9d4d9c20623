"""The sample's files fit together, hold what its README says, and are read without a problem."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from delphin import edm
from delphin.codecs import eds as codec

from evaltools.corpus import Tree
from evaltools.corpus.semantic_graph import SemanticGraph
from evaltools.formats import FORMATS, read_semantics, read_treebank, write_eds
from evaltools.formats.small_tables import read_label_map
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary, corpus_functions
from evaltools.runs.sample import sample_run
from tests.slow.functions import overlap

SAMPLE = Path(__file__).parents[2] / "sample_data"
README = (SAMPLE / "README.md").read_text(encoding="utf-8")
PARSERS = sorted(path.stem for path in (SAMPLE / "parsers").iterdir())
RUNNING_TEXT = "shift-reduce-running-text"
SCHEMES = ("lexical", "functional")
DEPENDENCY_PARSERS = [f"{name}-{scheme}" for scheme in SCHEMES for name in ("transition", "spanning-tree")]
BY_HAND = [*range(87), *range(291, 296)]
"""Indices of the sentences whose trees were bracketed by hand."""


def trees(name: str) -> list[Tree | None]:
    bank = read_treebank(SAMPLE / name)
    assert not bank.problems, name
    return [bank.tree(i) if bank.n_words[i] else None for i in range(len(bank))]


GOLD = trees("gold.ptb")
ARCS = {name: trees(f"dependencies/{name}.conllu") for name in (*SCHEMES, *DEPENDENCY_PARSERS)}


# ------------------------------------------------------------------------------------------------- constituency trees


def test_size_sources_and_variety():
    rows = [line.split("\t") for line in (SAMPLE / "sources.tsv").read_text("utf-8").splitlines()[1:]]
    assert [(int(number), int(words)) for number, _, words in rows] == [
        (number, len(tree.words)) for number, tree in enumerate(GOLD, 1)
    ]
    sources = Counter(source.split(":")[0] for _, source, _ in rows)
    assert sources == {"literary": 26, "news": 28, "spoken": 33, "grammar": 204, "extraposed": 5}
    assert len({tree.words for tree in GOLD}) == len(GOLD) == 296
    assert sum(len(tree.words) >= 60 for tree in GOLD) >= 3
    labels = {label for tree in GOLD for label in tree.labels}
    assert {"SINV", "SBARQ", "SQ", "FRAG", "INTJ", "PRN", "UCP", "EDITED", "QP", "PRT", "WHADVP", "SBAR"} <= labels
    assert {"$", "*", "-LRB-", "-RRB-", "``", "''", "%", ";", "?", "!"} <= {
        word for tree in GOLD for word in tree.words
    }
    assert GOLD.count(Tree.from_string("(ROOT (NP (. .) (. ?)))")) == 1


def test_function_tags_are_only_in_the_second_copy():
    tagged = trees("gold-functions.ptb")
    assert [tree.words for tree in tagged] == [tree.words for tree in GOLD]
    for tree, plain in zip(tagged, GOLD, strict=True):
        phrases = [re.split("[-=]", label)[0] for label, kind in zip(tree.labels, tree.kinds, strict=True) if kind == 0]
        assert phrases == [label for label, kind in zip(plain.labels, plain.kinds, strict=True) if kind == 0]
    assert {"NP-SBJ", "PP-LOC", "S-NOM", "NP-SBJ-1", "NP-SBJ=1"} <= {label for tree in tagged for label in tree.labels}


@pytest.mark.parametrize("name", PARSERS)
def test_parsers_have_the_words_of_the_gold_but_for_the_one_that_cuts_its_own(name: str):
    outputs = trees(f"parsers/{name}.ptb")
    differing = [
        i for i, (gold, test) in enumerate(zip(GOLD, outputs, strict=True)) if test and test.words != gold.words
    ]
    if name == RUNNING_TEXT:
        assert f"in {len(differing)} sentences" in README
        words = {word for tree in outputs for word in tree.words}
        assert {"didn't", "pianist's", "$48", "12%", '"', "Dr"} <= words
    else:
        assert differing == []
    missing = [i for i, tree in enumerate(outputs) if tree is None]
    too_long = [i for i, tree in enumerate(GOLD) if len(tree.words) > 40]
    assert set(missing) >= (set(too_long) if name == "pcfg-plain" else set())
    assert bool(missing) == name.startswith("pcfg")


def test_the_readme_has_the_scores_of_the_constituency_parsers():
    run = sample_run()
    summary = run.summary().set_index(["parser", "metric"])
    exact = run.sentences().groupby("parser")["exact"].sum()
    for name in PARSERS:
        shares = [summary.loc[(name, metric), "pooled_all"] for metric in ("f1", "recall", "precision", "tagging")]
        row = " | ".join([f"`{name}`", *(f"{100 * share:.1f}" for share in shares)])
        missing = trees(f"parsers/{name}.ptb").count(None)
        assert f"| {row} | {exact[name]:.0f} | {missing} |" in README, f"| {row} | {exact[name]:.0f} | {missing} |"


# -------------------------------------------------------------------------------------------------------- dependencies


def test_dependencies_have_the_words_and_tags_of_the_treebank():
    for name, sentences in ARCS.items():
        assert [tree.forms for tree in sentences] == [tree.words for tree in GOLD], name
    for scheme in SCHEMES:
        assert [tree.relations.count("root" if scheme == "lexical" else "ROOT") for tree in ARCS[scheme]] == [1] * 296
    lines = (SAMPLE / "dependencies" / "lexical.conllu").read_text("utf-8").splitlines()
    ids = [line for line in lines if line.startswith("# sent_id")]
    assert ids == [f"# sent_id = sample-{number:03}" for number in range(1, 297)]


@pytest.mark.parametrize("name", DEPENDENCY_PARSERS)
def test_the_readme_has_the_scores_of_the_dependency_parsers(name: str):
    gold = ARCS[name.rpartition("-")[2]]
    figures = []
    for chosen in (range(296), BY_HAND):
        words = [
            (a == b, (a, x) == (b, y))
            for i in chosen
            for a, b, x, y in zip(
                gold[i].heads, ARCS[name][i].heads, gold[i].relations, ARCS[name][i].relations, strict=True
            )
        ]
        figures += [100 * sum(right[column] for right in words) / len(words) for column in (0, 1)]
    assert f"| `{name}` | {' | '.join(f'{figure:.1f}' for figure in figures)} |" in README


def test_the_label_map_knows_all_labels_and_brings_the_schemes_together():
    labels = read_label_map(SAMPLE / "dependencies" / "labels.tsv")
    assert {relation for sentences in ARCS.values() for tree in sentences for relation in tree.relations} <= set(labels)
    agreed = []
    for label_map in ({}, labels):
        vocabulary = FunctionVocabulary()
        banks = [read_treebank(SAMPLE / "dependencies" / f"{scheme}.conllu") for scheme in SCHEMES]
        agreed.append(overlap(*(corpus_functions(bank, vocabulary, label_map=label_map) for bank in banks)))
    assert 0.85 < agreed[0]["unlabeled"] == agreed[1]["unlabeled"] < 0.99
    assert agreed[0]["labeled"] < 0.3 < 0.7 < agreed[1]["labeled"]


def test_formats_hold_the_same_sentences():
    last = ARCS["functional"][-5:]
    assert [tree.heads for tree in trees("formats/dependencies.conllx")] == [tree.heads for tree in last]
    for name in ("discbracket", "export", "tigerxml"):
        discontinuous = trees(f"formats/discontinuous.{name}")
        assert [tree.words for tree in discontinuous] == [tree.forms for tree in last]
        assert not any(tree.is_continuous for tree in discontinuous)
    assert len(trees("formats/multiword.conllu")) == 2
    for name, expected in (("relational-realizational.txt", "rr"), ("function-trees.txt", "functions")):
        assert read_treebank(SAMPLE / "formats" / name).format == expected


# ------------------------------------------------------------------------------------------------------- other folders


def test_other_scripts():
    gold, test = (trees(f"nonascii/{side}.ptb") for side in ("gold", "test"))
    assert [tree is None or tree.words == right.words for tree, right in zip(test, gold, strict=True)] == [True] * 10
    text = (SAMPLE / "nonascii" / "gold.ptb").read_text(encoding="utf-8")
    for first, last in ("\u0600\u06ff", "\u0590\u05ff", "\u4e00\u9fff", "\u0900\u097f"):
        assert any(first <= character <= last for character in text)


# ----------------------------------------------------------------------------------------------------- semantic graphs


def graphs(name: str) -> dict[str, SemanticGraph | None]:
    """Return the first result of every item of a file."""
    return {item.id: item.graph for item in read_semantics(SAMPLE / "semantics" / name).items}


def test_the_readme_says_where_the_right_reading_stands_among_the_results():
    items = read_semantics(SAMPLE / "semantics" / "grammar.mrp", results="all").items
    ranks = []
    for item, right in zip(items, graphs("gold.eds").values(), strict=True):
        equal = [rank for rank, graph in enumerate(item.results) if graph and content(graph) == content(right)]
        ranks.append(equal[0] if equal else None)
    first, missing = ranks.count(0), ranks.count(None)
    lower = len(ranks) - first - missing
    assert f"first in {first} sentences, further down in {lower}, and missing in {missing}" in README
    assert f"{sum(len(item.results) for item in items)} in all" in README


def content(graph: SemanticGraph) -> Counter[tuple[str, ...]]:
    """Return the triples of a graph, without what only one of the notations has."""
    spans = [str(node.anchors) for node in graph.nodes]
    found = Counter((span, node.predicate) for span, node in zip(spans, graph.nodes, strict=True))
    for span, node in zip(spans, graph.nodes, strict=True):
        found.update((span, *pair) for pair in dict(node.properties).items())
    found.update((spans[edge.source], edge.role, spans[edge.target]) for edge in graph.edges)
    return found


@pytest.mark.parametrize("name", ["grammar.mrp", "grammar-small.eds", "graph-parser.eds"])
def test_the_readme_has_the_scores_of_the_graphs_as_pydelphin_counts_them(name: str):
    def read(file: str) -> dict[str, object]:
        text = write_eds(read_semantics(SAMPLE / "semantics" / file).items)
        return {graph.identifier: graph for graph in codec.loads(text)}

    gold, test = read("gold.eds"), read(name)
    pairs = [(graph, test.get(item)) for item, graph in gold.items()]
    kinds = ("name_weight", "argument_weight", "property_weight")
    plain = {"constant_weight": 0, "top_weight": 0}
    weights = [plain, *(plain | {other: int(other == kind) for other in kinds} for kind in kinds)]
    figures = [100 * edm.compute(*zip(*pairs, strict=True), **chosen)[2] for chosen in weights]
    assert f"| `{name}` | {' | '.join(f'{figure:.1f}' for figure in figures)} |" in README


# ----------------------------------------------------------------------------------------------------------- malformed


def test_malformed_files_are_described():
    table = (SAMPLE / "malformed" / "README.md").read_text(encoding="utf-8")
    names = {path.name for path in (SAMPLE / "malformed").iterdir()} - {"README.md"}
    assert {name for name in names if f"`{name}`" not in table} == set()
    endings = {path.suffix for path in SAMPLE.rglob("*.*") if path.parent.name in ("malformed", "semantics")}
    attributes = (SAMPLE / ".gitattributes").read_text(encoding="utf-8").splitlines()
    assert {f"*{ending} -text" for ending in endings - {".md"}} <= set(attributes)
    assert {"conllu", "ptb", "eds", "mrp"} <= set(FORMATS)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cycle", 13),
        ("two-roots", 24),
        ("no-root", 29),
        ("head-out-of-range", 4),
        ("head-not-a-number", 38),
        ("column-missing", 30),
        ("number-skipped", 13),
    ],
)
def test_what_is_wrong_in_dependencies_is_found_where_it_is(name: str, line: int):
    bank = read_treebank(SAMPLE / "malformed" / f"{name}.conllu")
    assert len(bank) == 5
    assert bank.problems[0].line == line


def test_spaces_for_tabs_are_read_and_said():
    corpus = read_treebank(SAMPLE / "malformed" / "spaces-for-tabs.conllu")
    assert corpus.format == "conllu"
    assert "other blanks than one tab" in corpus.problems[0].found
    gold = read_treebank(SAMPLE / "malformed" / "gold.conllu")
    assert [corpus.tree(index) for index in range(5)] == [gold.tree(index) for index in range(5)]


@pytest.mark.parametrize(
    ("name", "lines", "said", "without"),
    [
        ("unclosed.eds", [2], "not closed", [1]),
        ("stray-text.eds", [30], "It rained.", []),
        ("target-missing.eds", [10], "x44", []),
        ("node-twice.eds", [10] * 4, "x3", []),
        ("top-missing.eds", [31], "e22", []),
        ("without-top.eds", [], "", []),
        ("without-spans.eds", [10], "3 of 8 nodes without a span", []),
        ("span-beyond.eds", [37], "11 characters", []),
        ("span-backwards.eds", [37], "1 of 3 nodes without a span", []),
        ("empty-graph.eds", [], "", [4]),
        ("item-missing.eds", [], "", []),
        ("several-results.eds", [], "", []),
        ("latin-1.eds", [22], "looks like Latin-1", []),
        ("crlf-bom.eds", [], "", []),
        ("cut-off.eds", [37], "not closed", [5]),
        ("cut-off.mrp", [5], "does not parse", [5]),
        ("target-missing.mrp", [2], "99", []),
        ("not-an-object.mrp", [4], "does not parse", [4]),
        ("handle-missing.mrs", [7], "handle constraint", []),
        ("variable-missing.mrs", [7], "does not convert", [2]),
        ("bracket-missing.mrs", [9], "expected: ]", [2]),
    ],
)
def test_what_is_wrong_in_graphs_names_the_line(name: str, lines: list[int], said: str, without: list[int]):
    bank = read_semantics(SAMPLE / "malformed" / name)
    assert [problem.line for problem in bank.problems] == lines
    assert said in " ".join(map(str, bank.problems))
    assert [n for n, item in enumerate(bank.items, 1) if not any(item.results)] == without


def test_hostile_labels_are_read_literally():
    for side in ("gold", "test"):
        (item,) = read_semantics(SAMPLE / "malformed" / f"hostile-{side}.mrp").items
        predicates = {node.predicate for node in item.graph.nodes}
        assert any("<script>" in predicate for predicate in predicates)
        assert {edge.role for edge in item.graph.edges} <= predicates
