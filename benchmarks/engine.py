"""All functions of evaltools that the benchmark calls."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from evaltools.analysis.significance import moved_sums
from evaltools.corpus import Dependencies, SemanticEdge, SemanticGraph, SemanticNode, Tree, Treebank, Vocabulary
from evaltools.formats import Source, read_semantics, read_treebank
from evaltools.formats.corpus_stream import CorpusStream
from evaltools.frameworks.common.leaf_ancestor import COLUMNS as LA_COLUMNS
from evaltools.frameworks.common.tables import problems_table
from evaltools.frameworks.constituency import tables
from evaltools.frameworks.constituency.bracketing import COLUMNS as E_COLUMNS, Bracketing
from evaltools.frameworks.constituency.leaf_ancestor import LeafAncestor
from evaltools.frameworks.constituency.normalization import TreeComparison, normalize_gold, normalize_pair
from evaltools.frameworks.constituency.tree_distance import COLUMNS as T_COLUMNS, TreeDistance
from evaltools.frameworks.crossframework.function_columns import FunctionColumns, FunctionVocabulary, corpus_functions
from evaltools.frameworks.crossframework.tedeval import TedEval
from evaltools.frameworks.dependency.options import DependencyOptions
from evaltools.frameworks.dependency.pair import DependencyComparison, pair_dependencies
from evaltools.frameworks.dependency.universal import COLUMNS as UNIVERSAL_COLUMNS, FIGURES, Universal
from evaltools.frameworks.pairing.paired_stream import GoldIds
from evaltools.frameworks.pairing.text_pairing import TextPairedStream
from evaltools.frameworks.passes import Passes
from evaltools.frameworks.presets import load_preset
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.frameworks.semantics.edm import COLUMNS as EDM_COLUMNS, TripleCounter
from evaltools.frameworks.semantics.edm_rules import load_edm_rules
from evaltools.frameworks.semantics.smatch import smatch_counts
from evaltools.frameworks.semantics.smatch_matching import best_mapping, triples_of
from evaltools.frameworks.views import Viewing, sentence_of
from evaltools.progress import Progress
from evaltools.runs.scoring import evaluate as evaluate_lists
from evaltools.runs.store import Run
from evaltools.runs.warm import warm as compile_kernels
from evaltools.runs.writer import RunWriter

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from benchmarks.generate import Corpus
    from benchmarks.graphs import Graph


def score_command(files: Corpus, run: Path) -> list[str]:
    """Return the command that scores the parsers' files against the gold file and writes a run."""
    program = "import sys; from evaltools.cli import main; sys.exit(main())"
    answers = [f"{name}={path}" for name, path in files.parsers.items()]
    return [sys.executable, "-c", program, "score", str(files.gold), *answers, "-o", str(run), "--force"]


def small_commands(files: Corpus, folder: Path) -> dict[str, list[str]]:
    """Return commands that do little, so that their time is that of the start: on the first three sentences."""
    program = "import sys; from evaltools.cli import main; sys.exit(main())"
    small = []
    for path in (files.gold, next(iter(files.parsers.values()))):
        small.append(folder / f"small-{path.name}")
        small[-1].write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:3]), "utf-8")
    run = str(folder / "small.run")
    arguments = {
        "score, 3 sentences": ["score", str(small[0]), f"parser={small[1]}", "-o", run, "--force"],
        "report": ["report", run],
        "--help": ["--help"],
    }
    return {name: [sys.executable, "-c", program, *given] for name, given in arguments.items()}


def warm() -> None:
    """Compile the kernels that most runs need, or load them."""
    compile_kernels()


def app_command(run: Path, port: int) -> list[str]:
    """Return the command that starts the app on a run."""
    program = "import sys; from evaltools.cli import main; sys.exit(main())"
    return [sys.executable, "-c", program, "app", str(run), "--port", str(port)]


def imperfect(folder: Path) -> dict[str, dict[int, tuple[int, int]]]:
    """Return words and errors of the imperfect sentences of each parser that have the gold words."""
    run = Run(folder)
    errors = run.framework.figures.errors
    found: dict[str, dict[int, tuple[int, int]]] = {}
    if errors is None:
        return found
    for parser in run.parsers:
        rows = run.sentences(parser)
        rows = rows[rows["status"] == "ok"]
        wrong = errors.metric.score({name: rows[name].to_numpy() for name in errors.metric.columns})
        rows = rows.assign(wrong=wrong)[wrong > 0]
        columns = (rows[name].astype(int).tolist() for name in ("sentence", "words", "wrong"))
        found[parser] = {sentence: (words, wrong) for sentence, words, wrong in zip(*columns, strict=True)}
    return found


def repairs(folder: Path, parser: str, sentence: int) -> int:
    """Return how many repairs a marked sentence has."""
    run = Run(folder)
    view = run.framework.view(sentence_of(run, sentence, parser), Viewing(is_brief=True))
    return 0 if view.marked is None else len(view.marked.verdicts)


def draws_brackets(folder: Path) -> bool:
    """Return whether the marks of a run's sentences are brackets, one for each error."""
    return Run(folder).framework.id == "constituency"


def metric_title(metric: str) -> str:
    """Return the title of a metric in the app."""
    return METRICS[metric].title


def hotspot_views() -> list[str]:
    """Return the titles of the views of *Hotspots* for constituency trees."""
    return [group.title for group in FRAMEWORKS["constituency"].groups.values()]


def parsers(run: Path) -> list[str]:
    """Return the names of a run's parsers, that which pages show first before the others."""
    opened = Run(run)
    summary = opened.summary()
    figures = summary[summary["metric"] == opened.framework.figures.main].set_index("parser")["pooled_all"]
    leader = figures.idxmax()
    return [leader, *(parser for parser in opened.parsers if parser != leader)]


def size(run: Path) -> int:
    """Return the number of sentences of a run."""
    return Run(run).n_sentences


def read(files: Corpus) -> tuple[Treebank, dict[str, Treebank]]:
    """Read the gold file and the parsers' files into columns."""
    vocabulary = Vocabulary()
    gold = read_treebank(files.gold, "ptb", vocabulary)
    return gold, {name: read_treebank(path, "ptb", vocabulary) for name, path in files.parsers.items()}


def prepare(gold: Treebank, tests: dict[str, Treebank], preset_name: str) -> dict[str, TreeComparison]:
    """Apply a preset to all the files and compare their words."""
    preset = load_preset(preset_name)
    normalized = normalize_gold(gold, preset)
    pairs = {name: normalize_pair(gold, test, preset, normalized) for name, test in tests.items()}
    return {name: TreeComparison.of(pair, preset) for name, pair in pairs.items()}


def bracketing(comparison: TreeComparison) -> NDArray[np.int32]:
    """Count the brackets of every sentence: with and without POS tags, labeled and unlabeled, crossing."""
    work = Bracketing(comparison)
    work.run(0, len(comparison.pair.status))
    return work.counts


def matched_brackets(comparison: TreeComparison) -> list[int]:
    """Return how many roof brackets of every sentence are matched."""
    matched: list[int] = bracketing(comparison)[:, E_COLUMNS.index("e_matched_roof")].tolist()
    return matched


def tree_distance(comparison: TreeComparison) -> list[int]:
    """Return the tree distance of every sentence; the canonical mapping and the moves are computed as well."""
    work = TreeDistance(comparison)
    work.run(0, len(comparison.pair.status))
    changes = [T_COLUMNS.index(name) for name in ("t_deleted", "t_inserted", "t_swapped")]
    costs: list[int] = work.counts[:, changes].sum(axis=1).tolist()
    return costs


def leaf_ancestor(comparison: TreeComparison) -> list[float]:
    """Return the strict leaf-ancestor score of every sentence; the partial one is computed as well."""
    work = LeafAncestor(comparison)
    work.run(0, len(comparison.pair.status))
    counts = work.counts
    scores: list[float] = (
        counts[:, LA_COLUMNS.index("la_exact_sum")] / counts[:, LA_COLUMNS.index("la_words")]
    ).tolist()
    return scores


def lists(files: Corpus) -> dict[str, tuple[list[Any], list[Any]]]:
    """Return the gold sentences and the first parser's as lists in memory, of several types."""
    paths = files.gold, next(iter(files.parsers.values()))
    texts = tuple(path.read_text("utf-8").splitlines() for path in paths)
    trees = tuple([Tree.from_string(text) for text in side] for side in texts)
    return {"lists of strings": (texts[0], texts[1]), "lists of trees": (trees[0], trees[1])}


def evaluate(sentences: tuple[list[Any], list[Any]]) -> dict[str, float | int | None]:
    """Return the headline figures of lists."""
    return evaluate_lists(*sentences)


def functions(gold: Treebank, tests: dict[str, Treebank]) -> list[FunctionColumns]:
    """Turn all trees into multi-function trees."""
    vocabulary = FunctionVocabulary()
    return [corpus_functions(trees, vocabulary) for trees in (gold, *tests.values())]


def tedeval(corpora: list[FunctionColumns]) -> list[NDArray[np.float64]]:
    """Count every parser's edit operations against two golds: the gold trees, and the first parser's."""
    gold, *parsers = corpora
    return [TedEval(parser, [gold, parsers[0]]).counts for parser in parsers]


def shuffle(counts: list[NDArray[Any]], iterations: int) -> None:
    """Shuffle the counts of the first two parsers."""
    counts_a, counts_b = (side.astype(np.float64) for side in counts[:2])
    moved_sums(counts_a - counts_b, iterations)


def passes(comparison: TreeComparison) -> Passes[TreeComparison]:
    """Score a comparison by every metric."""
    done = Passes(FRAMEWORKS["constituency"].passes, comparison, comparison.options)
    done.run(0, len(comparison.pair.status))
    return done


def write(gold: Treebank, tests: dict[str, Treebank], scored: dict[str, Passes[TreeComparison]], folder: Path) -> None:
    """Make the tables of a run and write them to a folder."""
    writer = RunWriter(folder, force=True)
    writer.write("trees", tables.trees_table(None, gold, gold))
    writer.write("problems", problems_table([]))
    for name, done in scored.items():
        made = tables.parser_tables(name, tests[name], done, gold.n_words, gold.n_words)
        for table, rows in made.items():
            writer.write(table, rows)
    writer.finish({"kind": "constituency", "sentences": len(gold)}, Progress())


def semantic_graphs(pairs: list[tuple[Graph, Graph]]) -> list[list[SemanticGraph]]:
    """Return the gold graphs and the answers as they are read."""
    return [[_semantic_graph(pair[side]) for pair in pairs] for side in (0, 1)]


def _semantic_graph(graph: Graph) -> SemanticGraph:
    nodes = tuple(
        SemanticNode(
            f"n{index}", node.predicate, ((node.start, node.end),), node.properties, node.constant, "x", node.quantifier
        )
        for index, node in enumerate(graph)
    )
    edges = tuple(SemanticEdge(index, role, to) for index, node in enumerate(graph) for role, to in node.roles)
    return SemanticGraph(nodes, edges, (0,))


def edm_sums(sides: list[list[SemanticGraph]]) -> NDArray[np.float64]:
    """Return the sums of the counts of all pairs of graphs, by PyDelphin's rules."""
    counter = TripleCounter(load_edm_rules("pydelphin"))
    rows = [counter.counts(gold, test) for gold, test in zip(*sides, strict=True)]
    sums: NDArray[np.float64] = np.sum(rows, axis=0)
    return sums


def edm_figures(sides: list[list[SemanticGraph]]) -> tuple[float, float]:
    """Return precision and recall over all pairs."""
    columns = dict(zip(EDM_COLUMNS, edm_sums(sides)[:, np.newaxis], strict=True))
    precision, recall = (float(METRICS[f"edm_{name}"].score(columns)[0]) for name in ("precision", "recall"))
    return precision, recall


def amrs(pairs: list[tuple[str, str]]) -> list[list[SemanticGraph]]:
    """Return the gold AMRs and the answers from their texts."""
    banks = [
        read_semantics(Source.from_bytes("\n\n".join(pair[side] for pair in pairs).encode(), "amr"), "penman")
        for side in (0, 1)
    ]
    return [[item.graph for item in bank.items if item.graph is not None] for bank in banks]


def smatch_matched(sides: list[list[SemanticGraph]]) -> tuple[list[int], int]:
    """Return the matched triples of each pair of graphs, and how many pairs are not proven."""
    found = [best_mapping(triples_of(gold), triples_of(test)) for gold, test in zip(*sides, strict=True)]
    return [one.matched for one in found], sum(one.gap > 0 for one in found)


def smatch_parts(sides: list[list[SemanticGraph]]) -> None:
    """Count the triples of Smatch and of all its fine-grained figures."""
    for gold, test in zip(*sides, strict=True):
        smatch_counts(gold, test)


def universal_figures(gold: bytes, test: bytes) -> dict[str, float]:
    """Return the F1 of every figure of Universal Dependencies of two texts in CoNLL-U, read and aligned."""
    streams = [CorpusStream(Source(name, data, ""), "conllu") for name, data in (("gold", gold), ("test", test))]
    ids, vocabulary = GoldIds(streams[0]), Vocabulary()
    trees = streams[0].read(sys.maxsize, vocabulary)
    assert isinstance(trees, Dependencies)
    ids.note(trees)
    answers = TextPairedStream(streams[1], streams[0], ids).read(len(trees), vocabulary)
    assert isinstance(answers, Dependencies)
    pair = pair_dependencies(trees, answers, DependencyOptions())
    sums = Universal(DependencyComparison(pair, DependencyOptions())).counts.sum(axis=0, keepdims=True)
    columns = dict(zip(UNIVERSAL_COLUMNS, sums.T, strict=True))
    return {figure.name: float(METRICS[figure.metric].score(columns)[0]) for figure in FIGURES}
