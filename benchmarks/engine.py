"""All that the benchmark calls in evaltools, in one place."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from evaltools.analysis.shuffling import shuffled_sums
from evaltools.formats import read_treebank
from evaltools.metrics import METRICS
from evaltools.metrics.base import Symbols, symbols_of
from evaltools.metrics.bracketing import COLUMNS as E_COLUMNS
from evaltools.metrics.bracketing import Bracketing
from evaltools.metrics.edm import COLUMNS as EDM_COLUMNS
from evaltools.metrics.edm_rules import load_edm_rules
from evaltools.metrics.edm_triples import TripleColumns, TripleVocabulary, match
from evaltools.metrics.function_columns import FunctionColumns, FunctionVocabulary
from evaltools.metrics.function_conversion import corpus_functions
from evaltools.metrics.leaf_ancestor import COLUMNS as LA_COLUMNS
from evaltools.metrics.leaf_ancestor import LeafAncestor
from evaltools.metrics.tedeval import TedEval
from evaltools.metrics.tree_distance import COLUMNS as T_COLUMNS
from evaltools.metrics.tree_distance import TreeDistance
from evaltools.normalize import Pair, Preset, load_preset, normalize_gold, normalize_pair
from evaltools.runs import tables
from evaltools.runs.passes import Options, Passes
from evaltools.runs.store import Run
from evaltools.runs.writer import RunWriter
from evaltools.treebank import SemanticEdge, SemanticGraph, SemanticNode, Treebank, Vocabulary

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.generate import Corpus
    from benchmarks.graphs import Graph


@dataclass(frozen=True, slots=True)
class Comparison:
    """The gold trees and one parser's, as the metrics take them."""

    pair: Pair
    preset: Preset
    symbols: Symbols

    @property
    def n(self) -> int:
        """Number of sentences."""
        return len(self.pair.status)


def score_command(files: Corpus, run: Path) -> list[str]:
    """Return the command that scores the parsers' files against the gold file and writes a run."""
    program = "import sys; from evaltools.cli import main; sys.exit(main())"
    answers = [f"{name}={path}" for name, path in files.parsers.items()]
    return [sys.executable, "-c", program, "score", str(files.gold), *answers, "-o", str(run), "--force"]


def app_command(run: Path, port: int) -> list[str]:
    """Return the command that starts the app on a run."""
    program = "import sys; from evaltools.cli import main; sys.exit(main())"
    return [sys.executable, "-c", program, "app", str(run), "--port", str(port)]


def parsers(run: Path) -> list[str]:
    """Return the names of a run's parsers."""
    return Run(run).parsers


def read(files: Corpus) -> tuple[Treebank, dict[str, Treebank]]:
    """Read the gold file and the parsers' files into columns."""
    vocabulary = Vocabulary()
    gold = read_treebank(files.gold, "ptb", vocabulary)
    return gold, {name: read_treebank(path, "ptb", vocabulary) for name, path in files.parsers.items()}


def prepare(gold: Treebank, tests: dict[str, Treebank], preset_name: str) -> dict[str, Comparison]:
    """Apply a preset to all the files and compare their words."""
    preset = load_preset(preset_name)
    normalized = normalize_gold(gold, preset)
    pairs = {name: normalize_pair(gold, test, preset, normalized) for name, test in tests.items()}
    return {name: Comparison(pair, preset, symbols_of(pair, preset)) for name, pair in pairs.items()}


def bracketing(comparison: Comparison) -> NDArray[np.int32]:
    """Count the brackets of every sentence: roof and whole, labelled and not, crossing, tags."""
    work = Bracketing(comparison.pair, comparison.preset, comparison.symbols)
    work.run(0, comparison.n)
    return work.counts


def matched_brackets(comparison: Comparison) -> list[int]:
    """Return how many roof brackets of every sentence are matched."""
    matched: list[int] = bracketing(comparison)[:, E_COLUMNS.index("e_matched_roof")].tolist()
    return matched


def tree_distance(comparison: Comparison) -> list[int]:
    """Return the tree distance of every sentence; the canonical mapping and the moves are computed as well."""
    work = TreeDistance(comparison.pair, comparison.symbols)
    work.run(0, comparison.n)
    changes = [T_COLUMNS.index(name) for name in ("t_deleted", "t_inserted", "t_swapped")]
    costs: list[int] = work.counts[:, changes].sum(axis=1).tolist()
    return costs


def leaf_ancestor(comparison: Comparison) -> list[float]:
    """Return the strict leaf-ancestor score of every sentence; the partial one is computed as well."""
    work = LeafAncestor(comparison.pair, comparison.symbols)
    work.run(0, comparison.n)
    counts = work.counts
    scores: list[float] = (
        counts[:, LA_COLUMNS.index("la_strict_sum")] / counts[:, LA_COLUMNS.index("la_words")]
    ).tolist()
    return scores


def functions(gold: Treebank, tests: dict[str, Treebank]) -> list[FunctionColumns]:
    """Turn all trees into multi-function trees."""
    vocabulary = FunctionVocabulary()
    return [corpus_functions(trees, vocabulary) for trees in (gold, *tests.values())]


def tedeval(corpora: list[FunctionColumns]) -> list[NDArray[np.int64]]:
    """Count every parser's edit operations against two golds: the gold trees, and the first parser's."""
    gold, *parsers = corpora
    return [TedEval(parser, [gold, parsers[0]]).counts for parser in parsers]


def shuffle(counts: list[NDArray[np.int64]], iterations: int) -> None:
    """Shuffle the counts of the first two parsers."""
    one, other = (side.astype(np.float64) for side in counts[:2])
    shuffled_sums(one, other, iterations)


def passes(comparison: Comparison) -> Passes:
    """Score a comparison by every metric."""
    done = Passes.prepare(comparison.pair, comparison.preset, Options())
    done.run(0, comparison.n)
    return done


def write(gold: Treebank, tests: dict[str, Treebank], scored: dict[str, Passes], folder: Path) -> None:
    """Make the tables of a run and write them to a folder."""
    writer = RunWriter(folder, force=True)
    writer.write("trees", "gold", tables.trees_table(None, gold, gold))
    writer.write("problems", "all", tables.problems_table([]))
    for i, (name, done) in enumerate(scored.items()):
        made = tables.parser_tables(name, tests[name], done, gold.n_words, gold.n_words)
        for table, rows in made.items():
            writer.write(table, str(i), rows)
    writer.finish({"kind": "constituency", "sentences": len(gold)})


def semantic_graphs(pairs: list[tuple[Graph, Graph]]) -> list[list[SemanticGraph]]:
    """Return the gold graphs and the answers as they are read."""
    return [[_semantic_graph(pair[side]) for pair in pairs] for side in (0, 1)]


def _semantic_graph(graph: Graph) -> SemanticGraph:
    nodes = tuple(
        SemanticNode(
            f"n{place}", one.predicate, ((one.start, one.end),), one.properties, one.constant, "x", one.quantifier
        )
        for place, one in enumerate(graph)
    )
    edges = tuple(SemanticEdge(place, role, to) for place, one in enumerate(graph) for role, to in one.roles)
    return SemanticGraph(nodes, edges, (0,))


def triple_columns(sides: list[list[SemanticGraph]]) -> list[TripleColumns]:
    """Take the graphs of both sides apart into triples, by PyDelphin's rules."""
    rules, vocabulary = load_edm_rules("pydelphin"), TripleVocabulary()
    return [TripleColumns.of(graphs, rules, vocabulary) for graphs in sides]


def match_triples(sides: list[TripleColumns]) -> NDArray[np.float64]:
    """Count the triples that the sides share, for every pair of graphs."""
    return match(*sides)


def edm_figures(sides: list[TripleColumns]) -> tuple[float, float]:
    """Return precision and recall over all pairs."""
    sums = match(*sides).sum(axis=0, keepdims=True)
    columns = dict(zip(EDM_COLUMNS, sums.T, strict=True))
    precision, recall = (float(METRICS[f"edm_{name}"].score(columns)[0]) for name in ("precision", "recall"))
    return precision, recall
