"""What a step shows: trees, dependency trees, function trees, semantic graphs, or two parses to vote on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from evaltools.classroom.lessons.table import Table
from evaltools.errors import EvaltoolsError, InputError, Problem
from evaltools.formats.semantics import read_semantics
from evaltools.formats.source import Source
from evaltools.metrics import metrics_of
from evaltools.metrics.alignment import align
from evaltools.metrics.dependency_alignment import align_dependencies
from evaltools.metrics.dependency_mapping import DependencyAlignment
from evaltools.metrics.edm_alignment import GraphAlignment, align_graphs
from evaltools.metrics.edm_rules import EDM_PRESETS, load_edm_rules
from evaltools.metrics.mapping import Alignment
from evaltools.metrics.tedeval_protocol import TedEvalProtocol, tedeval_protocol
from evaltools.normalize import PRESETS
from evaltools.treebank import (
    DependencyTree,
    MultiFunctionTree,
    SemanticGraph,
    Tree,
    constituency_function_tree,
    dependency_function_tree,
    multi_function_tree,
)

__all__ = ["MATERIALS", "DependencyPair", "FunctionTrees", "GraphPair", "Material", "TreePair", "Vote", "notation_of"]

_METRICS = {kind: [name for name in metrics_of(kind) if name != "la_table"] for kind in ("constituency", "dependency")}
_EDM = metrics_of("semantics")
_MOST_NODES = 400


@dataclass(frozen=True, slots=True)
class TreePair:
    """A gold tree and a test tree; without a test tree only the gold tree is shown.

    Parameters
    ----------
    gold : str
        The tree as it is written.
    test : str or None
        The other one.
    show : tuple of str
        ``"trees"`` beside one another, ``"e"`` and ``"t"`` mappings, ``"brackets"`` as bars, ``"brackets_whole"`` with
        those of tags, ``"words"`` shaded, ``"lineage"`` of a word, the ``"table"`` of its edit distance.
    word : int
        The word, from 1.
    metrics : tuple of str
        Metrics whose formulas are shown.
    preset : str
        What is deleted and equated first.
    """

    gold: str
    test: str | None
    show: tuple[str, ...]
    word: int
    metrics: tuple[str, ...]
    preset: str

    def align(self) -> Alignment:
        """Return the alignment of the two trees."""
        gold, test = (Tree.from_string(text, notation_of(text)) for text in (self.gold, self.test or self.gold))
        return align(gold, test, self.preset)

    @classmethod
    def read(cls, table: Table) -> TreePair:
        """Return what the `table` of a step says."""
        table.check_keys(("gold", "test", "show", "word", "metrics", "preset"))
        gold = _tree(table, "gold")
        test = _tree(table, "test") if "test" in table.content else None
        both = ("trees", "e", "t", "brackets", "brackets_whole", "words", "lineage", "table")
        show = table.several("show", ("t",) if test else ("trees",), both if test else ("trees",))
        if test is not None and test.words != gold.words and any(one.startswith("brackets") for one in show):
            raise table.wrong("show", "brackets of trees whose words differ", "trees over the same words")
        return cls(
            table.text("gold"),
            table.text("test") if test else None,
            show,
            table.number("word", 1, 1, len(gold.words)),
            table.several("metrics", (), _METRICS["constituency"] if test else ()),
            table.chosen("preset", "none", PRESETS),
        )


@dataclass(frozen=True, slots=True)
class DependencyPair:
    """Two dependency trees.

    Parameters
    ----------
    gold, test : DependencyTree
        The trees.
    metrics : tuple of str
        Metrics whose formulas are shown.
    """

    gold: DependencyTree
    test: DependencyTree
    metrics: tuple[str, ...]

    def align(self) -> DependencyAlignment:
        """Return the alignment of the two trees."""
        return align_dependencies(self.gold, self.test)

    @classmethod
    def read(cls, table: Table) -> DependencyPair:
        """Return what the `table` of a step says."""
        table.check_keys(("gold", "test", "metrics"))
        return cls(
            _dependencies(table, "gold"),
            _dependencies(table, "test"),
            table.several("metrics", (), _METRICS["dependency"]),
        )


@dataclass(frozen=True, slots=True)
class FunctionTrees:
    """A parse and the gold trees of one theory or several.

    Parameters
    ----------
    golds : dict of str to MultiFunctionTree
        The gold tree of each theory.
    parse : MultiFunctionTree
        The parse.
    theory : str
        Its theory.
    labelled : bool
        Whether functions count.
    show : tuple of str
        ``"golds"``, what they have in ``"common"``, the ``"parse"``, and the ``"steps"`` from it to that.
    written : dict of str to str
        The gold trees as they are written, and under the empty name the parse.
    """

    golds: Mapping[str, MultiFunctionTree]
    parse: MultiFunctionTree
    theory: str
    labelled: bool
    show: tuple[str, ...]
    written: Mapping[str, str]

    def single(self) -> TedEvalProtocol:
        """Return the steps from the parse to the gold tree of its own theory."""
        return tedeval_protocol(self.parse, [self.golds[self.theory]], labelled=self.labelled)

    def multiple(self) -> TedEvalProtocol:
        """Return the steps from the parse to what all gold trees have in common."""
        own = list(self.golds).index(self.theory)
        return tedeval_protocol(self.parse, list(self.golds.values()), own=own, labelled=self.labelled)

    @classmethod
    def read(cls, table: Table) -> FunctionTrees:
        """Return what the `table` of a step says."""
        table.check_keys(("golds", "parse", "theory", "labelled", "show"))
        inner = table.table("golds")
        if not inner.content:
            raise inner.wrong("", "no gold tree", 'theory = "tree", at least one')
        golds = {theory: _functions(inner, theory) for theory in inner.content}
        made = cls(
            golds,
            _functions(table, "parse"),
            table.chosen("theory", next(iter(golds)), list(golds)),
            table.flag("labelled", True),
            table.several("show", ("golds", "steps"), ("golds", "common", "parse", "steps")),
            {theory: inner.text(theory) for theory in golds} | {"": table.text("parse")},
        )
        try:
            made.multiple()
        except EvaltoolsError as error:
            raise table.wrong("parse", str(error), "trees of one sentence") from None
        return made


@dataclass(frozen=True, slots=True)
class GraphPair:
    """Two semantic graphs.

    Parameters
    ----------
    gold, test : SemanticGraph
        The graphs.
    gold_text, test_text : str
        The graphs as they are written.
    rules : str
        The rules of elementary dependency match.
    metrics : tuple of str
        Metrics whose formulas are shown.
    """

    gold: SemanticGraph
    test: SemanticGraph
    gold_text: str
    test_text: str
    rules: str
    metrics: tuple[str, ...]

    def align(self) -> GraphAlignment:
        """Return the alignment of the two graphs."""
        return align_graphs(self.gold, self.test, load_edm_rules(self.rules))

    @classmethod
    def read(cls, table: Table) -> GraphPair:
        """Return what the `table` of a step says."""
        table.check_keys(("gold", "test", "rules", "metrics"))
        rules = table.chosen("rules", next(iter(EDM_PRESETS)), list(EDM_PRESETS))
        gold, test = _graph(table, "gold"), _graph(table, "test")
        return cls(gold, test, table.text("gold"), table.text("test"), rules, table.several("metrics", (), _EDM))


@dataclass(frozen=True, slots=True)
class Vote:
    """Two parses of a sentence, of which one may be worse.

    Parameters
    ----------
    gold, a, b : str
        The trees as they are written.
    preset : str
        What is deleted and equated before metrics are asked.
    """

    gold: str
    a: str
    b: str
    preset: str

    @property
    def id(self) -> str:
        """What votes on it are kept under: a change of the trees makes another question."""
        told = "\0".join((self.gold, self.a, self.b, self.preset))
        return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def trees(self) -> tuple[Tree, Tree, Tree]:
        """Return the gold tree and the two parses."""
        gold, a, b = (Tree.from_string(text, notation_of(text)) for text in (self.gold, self.a, self.b))
        return gold, a, b

    def align(self) -> tuple[Alignment, Alignment]:
        """Return the alignments of both parses with the gold tree."""
        gold, a, b = self.trees()
        return align(gold, a, self.preset), align(gold, b, self.preset)

    @classmethod
    def read(cls, table: Table) -> Vote:
        """Return what the `table` of a step says."""
        table.check_keys(("gold", "a", "b", "preset"))
        words = {key: _tree(table, key).words for key in ("gold", "a", "b")}
        for key in ("a", "b"):
            if words[key] != words["gold"]:
                raise table.wrong(key, f"other words in {key} than in gold", "two parses of one sentence")
        preset = table.chosen("preset", "none", PRESETS)
        return cls(table.text("gold"), table.text("a"), table.text("b"), preset)


Material = TreePair | DependencyPair | FunctionTrees | GraphPair | Vote

MATERIALS: dict[str, Callable[[Table], Material]] = {
    "trees": TreePair.read,
    "dependencies": DependencyPair.read,
    "functions": FunctionTrees.read,
    "graphs": GraphPair.read,
    "vote": Vote.read,
}
"""The tables that a step can have."""


def notation_of(text: str) -> str:
    """Return ``"sampson"`` for a tree in square brackets, ``"ptb"`` for others."""
    return "sampson" if text.lstrip().startswith("[") else "ptb"


def _tree(table: Table, key: str) -> Tree:
    text = table.text(key)
    try:
        tree = Tree.from_string(text, notation_of(text))
    except InputError as error:
        raise table.broken(key, error.problem) from None
    if not tree.words:
        raise table.wrong(key, f"no word in {key}", "a tree over words")
    if len(tree) > _MOST_NODES:
        raise table.wrong(key, f"{len(tree):,} nodes in {key}", f"no more than {_MOST_NODES}, to be seen at once")
    return tree


def _dependencies(table: Table, key: str) -> DependencyTree:
    lines: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(table.text(key).split("\n"), start=1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) != 3 or not (parts[1].isascii() and parts[1].isdigit()):
            problem = Problem("lesson", "", number, None, f"{line.strip()!r}", "a word, its head’s number, a relation")
            raise table.broken(key, problem)
        if len(numbers) == _MOST_NODES:
            raise table.wrong(key, f"more than {_MOST_NODES} words in {key}", "a sentence that can be seen at once")
        numbers.append(number)
        lines.append(f"{len(lines) + 1}\t{parts[0]}\t_\t_\t_\t_\t{parts[1]}\t{parts[2]}\t_\t_\n")
    try:
        return DependencyTree.from_string("".join(lines))
    except InputError as error:
        said = error.problem
        at = numbers[said.line - 1] if said.line and said.line <= len(numbers) else None
        raise table.broken(key, Problem("lesson", "", at, None, said.found, said.expected)) from None


def _functions(table: Table, key: str) -> MultiFunctionTree:
    if table.text(key).lstrip().startswith(("(", "[")):
        return multi_function_tree(constituency_function_tree(_tree(table, key)))
    tree = _dependencies(table, key)
    return multi_function_tree(dependency_function_tree(tree.words, tree.heads, tree.relations))


def _graph(table: Table, key: str) -> SemanticGraph:
    try:
        bank = read_semantics(Source.from_bytes(table.text(key).encode("utf-8", "surrogatepass"), key))
    except InputError as error:
        raise table.broken(key, error.problem) from None
    if bank.problems:
        raise table.broken(key, bank.problems[0])
    graphs = [graph for item in bank.items for graph in item.results[:1] if graph is not None]
    if len(graphs) != 1:
        raise table.wrong(key, f"{len(graphs)} graphs in {key}", "one graph")
    if len(graphs[0].nodes) > _MOST_NODES:
        raise table.wrong(key, f"{len(graphs[0].nodes):,} nodes in {key}", f"no more than {_MOST_NODES}")
    return graphs[0]
