"""Material of a step: trees, dependency trees, function trees, graphs or two parses; and the figures computed of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from typing import Annotated, ClassVar, Protocol

from msgspec import Meta, Struct

from evaltools import EDM_PRESETS, align, align_dependencies, align_graphs, load_edm_rules, tedeval_protocol
from evaltools.corpus import (
    DependencyTree,
    MultiFunctionTree,
    SemanticGraph,
    Tree,
    constituency_function_tree,
    dependency_function_tree,
    multi_function_tree,
)
from evaltools.corpus.bracket_text import written_notation
from evaltools.errors import EvaltoolsError, InputError, Problem
from evaltools.formats import read_semantics
from evaltools.formats.source import Source
from evaltools.formats.toml_files import Key, TomlFile, choice, value_text
from evaltools.frameworks.common.lineages import OWN_COSTS
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.framework import CROSSFRAMEWORK
from evaltools.frameworks.dependency.aligned_arcs import DependencyAlignment
from evaltools.frameworks.dependency.framework import DEPENDENCY
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.presets import PRESETS
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.frameworks.semantics.framework import MRS
from evaltools.text import number as number_text, percent, with_direction_codes

_MAX_NODES = 400

Text = Annotated[str, Meta(pattern=r"\S", description="a text")]
"""A text that is not empty."""


@dataclass(frozen=True, slots=True)
class TreePair:
    """A gold tree and a test tree; without a test tree only the gold tree is shown.

    Parameters
    ----------
    gold : str
        The tree as it is written.
    test : str or None
        The tree to compare with it.
    show : tuple of str
        ``"trees"`` beside one another, the ``"list"`` of brackets, ``"e"`` and ``"t"`` mappings, ``"brackets"`` as
        bars, ``"brackets_whole"`` with those of tags, ``"words"`` shaded, ``"lineage"`` of a word, the ``"table"`` of
        its edit distance.
    word : int
        The word, from 1.
    metrics : tuple of str
        Metrics whose formulas are shown.
    preset : str
        What is deleted and equated first.
    """

    framework: ClassVar[Framework] = CONSTITUENCY

    gold: str
    test: str | None
    show: tuple[str, ...]
    word: int
    metrics: tuple[str, ...]
    preset: str

    def align(self) -> Alignment:
        """Return the alignment of the two trees."""
        gold, test = (Tree.from_string(text, written_notation(text)) for text in (self.gold, self.test or self.gold))
        return align(gold, test, self.preset)


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

    framework: ClassVar[Framework] = DEPENDENCY

    gold: DependencyTree
    test: DependencyTree
    metrics: tuple[str, ...]

    def align(self) -> DependencyAlignment:
        """Return the alignment of the two trees."""
        return align_dependencies(self.gold, self.test)


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

    framework: ClassVar[Framework] = CROSSFRAMEWORK

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
        """Return the steps from the parse to the common part of all gold trees."""
        own = list(self.golds).index(self.theory)
        return tedeval_protocol(self.parse, list(self.golds.values()), own=own, labelled=self.labelled)


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

    framework: ClassVar[Framework] = MRS

    gold: SemanticGraph
    test: SemanticGraph
    gold_text: str
    test_text: str
    rules: str
    metrics: tuple[str, ...]

    def align(self) -> GraphAlignment:
        """Return the alignment of the two graphs."""
        return align_graphs(self.gold, self.test, load_edm_rules(self.rules))


CHOICES: dict[str, str] = {"a": "A is worse", "b": "B is worse", "equal": "equally bad"}
"""Choices of a vote."""


@dataclass(frozen=True, slots=True)
class Vote:
    """Two parses of a sentence, of which one may be worse.

    Parameters
    ----------
    gold, a, b : str
        The trees as they are written.
    preset : str
        What is deleted and equated before the parses are scored.
    """

    framework: ClassVar[Framework] = CONSTITUENCY

    gold: str
    a: str
    b: str
    preset: str

    @property
    def id(self) -> str:
        """Key of its votes; it changes with the trees."""
        text = "\0".join((self.gold, self.a, self.b, self.preset))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def trees(self) -> tuple[Tree, Tree, Tree]:
        """Return the gold tree and the two parses."""
        gold, a, b = (Tree.from_string(text, written_notation(text)) for text in (self.gold, self.a, self.b))
        return gold, a, b

    def align(self) -> tuple[Alignment, Alignment]:
        """Return the alignments of both parses with the gold tree."""
        gold, a, b = self.trees()
        return align(gold, a, self.preset), align(gold, b, self.preset)


Material = TreePair | DependencyPair | FunctionTrees | GraphPair | Vote


# -------------------------------------------------------------------------------------------------- tables of the file


def _any_of(names: Sequence[str]) -> Meta:
    return choice(names, f"any of {', '.join(names)}")


def _metrics(framework: Framework) -> tuple[str, ...]:
    """Return the ids of the metrics that need nothing but two analyses of one sentence."""
    return tuple(metric.id for metric in framework.metrics if not (metric.place.if_defined or metric.id == OWN_COSTS))


_TOTALS = {f"edm_{side}": tuple(f"edm_{letter}_{side}" for letter in "napct") for side in ("gold", "test", "matched")}
"""Further figures that texts about graphs may name, and the counts that each adds up."""


_PARTS = ("trees", "list", "e", "t", "brackets", "brackets_whole", "words", "lineage", "table")
_FUNCTION_PARTS = ("golds", "common", "parse", "steps")

_Preset = Annotated[str, choice(PRESETS)]
_TreeMetric = Annotated[str, _any_of(_metrics(TreePair.framework))]
_DependencyMetric = Annotated[str, _any_of(_metrics(DependencyPair.framework))]
_GraphMetric = Annotated[str, _any_of(_metrics(GraphPair.framework))]
_Part = Annotated[str, _any_of(_PARTS)]
_FunctionPart = Annotated[str, _any_of(_FUNCTION_PARTS)]
_Rules = Annotated[str, choice(EDM_PRESETS)]
_Golds = Annotated[dict[str, str], Meta(min_length=1, description='a table, [step.functions.golds], theory = "tree"')]


class Reader(Protocol):
    """A table of a step in a TOML file."""

    def read(self, file: TomlFile, key: Key) -> Material:
        """Return the material of the table; the file and the key are for errors."""


class _TreeTable(Struct, forbid_unknown_fields=True):
    gold: str
    test: str | None = None
    show: list[_Part] | None = None
    word: int = 1
    metrics: list[_TreeMetric] = []
    preset: _Preset = "none"

    def read(self, file: TomlFile, key: Key) -> TreePair:
        gold = _tree(file, (*key, "gold"), self.gold)
        test = None if self.test is None else _tree(file, (*key, "test"), self.test)
        show = _unique(self.show or (("trees",) if test is None else ("t",)))
        if test is None:
            for name, values, valid in (("show", show, ("trees",)), ("metrics", self.metrics, ())):
                for value in values:
                    if value not in valid:
                        raise file.error((*key, name), f"{value!r} in {name}", f"any of {', '.join(valid)}")
        elif test.words != gold.words and any(part.startswith(("brackets", "list")) for part in show):
            raise file.error((*key, "show"), "brackets of trees whose words differ", "trees over the same words")
        if not 1 <= self.word <= len(gold.words):
            expected = f"a whole number from 1 to {len(gold.words)}"
            raise file.error((*key, "word"), f"word = {value_text(self.word)}", expected)
        return TreePair(self.gold, self.test, show, self.word, _unique(self.metrics), self.preset)


class _DependencyTable(Struct, forbid_unknown_fields=True):
    gold: str
    test: str
    metrics: list[_DependencyMetric] = []

    def read(self, file: TomlFile, key: Key) -> DependencyPair:
        gold, test = _dependencies(file, (*key, "gold"), self.gold), _dependencies(file, (*key, "test"), self.test)
        return DependencyPair(gold, test, _unique(self.metrics))


class _FunctionTable(Struct, forbid_unknown_fields=True):
    golds: _Golds
    parse: str
    theory: str | None = None
    labelled: bool = True
    show: tuple[_FunctionPart, ...] = ("golds", "steps")

    def read(self, file: TomlFile, key: Key) -> FunctionTrees:
        golds = {theory: _functions(file, (*key, "golds", theory), text) for theory, text in self.golds.items()}
        theory = next(iter(golds)) if self.theory is None else self.theory
        if theory not in golds:
            raise file.error((*key, "theory"), f"theory = {value_text(theory)}", f"one of {', '.join(golds)}")
        parse = _functions(file, (*key, "parse"), self.parse)
        texts = self.golds | {"": self.parse}
        material = FunctionTrees(golds, parse, theory, self.labelled, _unique(self.show), texts)
        try:
            material.multiple()
        except EvaltoolsError as error:
            raise file.error((*key, "parse"), str(error), "trees of one sentence") from None
        return material


class _GraphTable(Struct, forbid_unknown_fields=True):
    gold: str
    test: str
    rules: _Rules = next(iter(EDM_PRESETS))
    metrics: list[_GraphMetric] = []

    def read(self, file: TomlFile, key: Key) -> GraphPair:
        gold, test = _graph(file, (*key, "gold"), self.gold), _graph(file, (*key, "test"), self.test)
        return GraphPair(gold, test, self.gold, self.test, self.rules, _unique(self.metrics))


class _VoteTable(Struct, forbid_unknown_fields=True):
    gold: str
    a: str
    b: str
    preset: _Preset = "none"

    def read(self, file: TomlFile, key: Key) -> Vote:
        texts = {"gold": self.gold, "a": self.a, "b": self.b}
        words = {name: _tree(file, (*key, name), text).words for name, text in texts.items()}
        for name in ("a", "b"):
            if words[name] != words["gold"]:
                raise file.error((*key, name), f"other words in {name} than in gold", "two parses of one sentence")
        return Vote(self.gold, self.a, self.b, self.preset)


MATERIALS: dict[str, type[Reader]] = {
    "trees": _TreeTable,
    "dependencies": _DependencyTable,
    "functions": _FunctionTable,
    "graphs": _GraphTable,
    "vote": _VoteTable,
}
"""The tables of a step, by key."""


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _check_text(file: TomlFile, key: Key, text: str) -> None:
    """Raise an error if a text is empty."""
    if not text.strip():
        raise file.error(key, f"{key[-1]} = {value_text(text)}", "a text")


def _tree(file: TomlFile, key: Key, text: str) -> Tree:
    _check_text(file, key, text)
    try:
        tree = Tree.from_string(text, written_notation(text))
    except InputError as error:
        raise file.broken(key, error.problem) from None
    if not tree.words:
        raise file.error(key, f"no word in {key[-1]}", "a tree over words")
    if len(tree) > _MAX_NODES:
        expected = f"no more than {_MAX_NODES}, to fit on the screen"
        raise file.error(key, f"{len(tree):,} nodes in {key[-1]}", expected)
    return tree


def _dependencies(file: TomlFile, key: Key, text: str) -> DependencyTree:
    _check_text(file, key, text)
    lines: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) != 3 or not (parts[1].isascii() and parts[1].isdigit()):
            problem = Problem("lesson", "", number, None, f"{line.strip()!r}", "a word, its head’s number, a relation")
            raise file.broken(key, problem)
        if len(numbers) == _MAX_NODES:
            raise file.error(key, f"more than {_MAX_NODES} words in {key[-1]}", "a sentence that fits on the screen")
        numbers.append(number)
        lines.append(f"{len(lines) + 1}\t{parts[0]}\t_\t_\t_\t_\t{parts[1]}\t{parts[2]}\t_\t_\n")
    try:
        return DependencyTree.from_string("".join(lines))
    except InputError as error:
        fault = error.problem
        at = numbers[fault.line - 1] if fault.line and fault.line <= len(numbers) else None
        raise file.broken(key, Problem("lesson", "", at, None, fault.found, fault.expected)) from None


def _functions(file: TomlFile, key: Key, text: str) -> MultiFunctionTree:
    if text.lstrip().startswith(("(", "[")):
        return multi_function_tree(constituency_function_tree(_tree(file, key, text)))
    tree = _dependencies(file, key, text)
    return multi_function_tree(dependency_function_tree(tree.words, tree.heads, tree.relations))


def _graph(file: TomlFile, key: Key, text: str) -> SemanticGraph:
    _check_text(file, key, text)
    try:
        bank = read_semantics(Source.from_bytes(text.encode("utf-8", "surrogatepass"), str(key[-1])))
    except InputError as error:
        raise file.broken(key, error.problem) from None
    if bank.problems:
        raise file.broken(key, bank.problems[0])
    graphs = [graph for item in bank.items for graph in item.results[:1] if graph is not None]
    if len(graphs) != 1:
        raise file.error(key, f"{len(graphs)} graphs in {key[-1]}", "one graph")
    if len(graphs[0].nodes) > _MAX_NODES:
        raise file.error(key, f"{len(graphs[0].nodes):,} nodes in {key[-1]}", f"no more than {_MAX_NODES}")
    return graphs[0]


_FIGURE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_PROTOCOL = ("score", "delta", "discarded", "steps", "parse", "gold")


@cache
def reference_figures() -> dict[str, str]:
    """Return figures that do not belong to a step, such as those of the bundled sample; a test computes them."""
    text = (resources.files(__package__) / "data/figures.toml").read_text("utf-8")
    return {f"{group}.{name}": value for group, rows in tomllib.loads(text).items() for name, value in rows.items()}


def named(text: str) -> list[str]:
    """Return the names of the figures in a text.

    Examples
    --------
    >>> named("{{ted}} is more than {{ f1 }}")
    ['ted', 'f1']
    """
    return _FIGURE.findall(text)


def names_for(material: type[Material] | None) -> tuple[str, ...]:
    """Return the names of the figures of a class of material."""
    if material is FunctionTrees:
        return tuple(f"{golds}.{figure}" for golds in ("single", "multiple") for figure in _PROTOCOL)
    if material is None:
        return ()
    metrics = _metrics(material.framework)
    columns = [column for name in metrics for column in METRICS[name].columns]
    own = dict.fromkeys((*metrics, *columns, *(_TOTALS if material is GraphPair else ())))
    return tuple(f"{parse}.{name}" for parse in "ab" for name in own) if material is Vote else tuple(own)


def numbers_of(material: Material | None) -> dict[str, str]:
    """Compute the figures of a step.

    Parameters
    ----------
    material : Material or None
        What the step shows.

    Returns
    -------
    dict of str to str
        Every figure by name: scores as percentages, counts as they are, a dash if undefined.
    """
    return {**reference_figures(), **_own_numbers(material)}


def _own_numbers(material: Material | None) -> dict[str, str]:
    if isinstance(material, FunctionTrees):
        return _protocol("single", material.single()) | _protocol("multiple", material.multiple())
    if isinstance(material, Vote):
        a, b = material.align()
        return _written(a.scores, a.counts, "a.") | _written(b.scores, b.counts, "b.")
    if material is None:
        return {}
    aligned = material.align()
    totals = _TOTALS if isinstance(material, GraphPair) else {}
    sums = {name: sum(aligned.counts[column] for column in columns) for name, columns in totals.items()}
    return _written(aligned.scores, {**aligned.counts, **sums})


def _written(scores: Mapping[str, float | None], counts: Mapping[str, float], prefix: str = "") -> dict[str, str]:
    texts = {name: number_text(value) for name, value in counts.items()}
    for name, score in scores.items():
        texts[name] = METRICS[name].text(score, whole=True)
    return {prefix + name: text for name, text in texts.items()}


def _protocol(golds: str, protocol: TedEvalProtocol) -> dict[str, str]:
    values = {
        "score": percent(protocol.score),
        "delta": str(protocol.delta),
        "discarded": str(sum(item.discarded for item in protocol.operations)),
        "steps": str(len(protocol.operations)),
        "parse": str(protocol.n_parse),
        "gold": str(protocol.n_generalized),
    }
    return {f"{golds}.{name}": text for name, text in values.items()}


def filled(text: str, numbers: Mapping[str, str]) -> str:
    """Fill figures into a text, and write characters that change its direction as codes.

    Parameters
    ----------
    text : str
        The text; figures stand in two braces.
    numbers : mapping of str to str
        From :func:`numbers_of`.

    Returns
    -------
    str
        The text; unknown names are left unchanged.

    Examples
    --------
    >>> filled("T is {{ted}}.", {"ted": "0.750"})
    'T is 0.750.'
    """
    return with_direction_codes(_FIGURE.sub(lambda match: numbers.get(match[1], match[0]), text))
