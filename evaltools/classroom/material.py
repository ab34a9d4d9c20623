"""Material of a step: trees, dependency trees, function trees, graphs or two parses; and the figures computed of it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib import resources
from typing import Annotated, ClassVar, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

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
from evaltools.text import number as number_text, percentage, with_direction_codes

_MAX_NODES = 400

Text = Annotated[str, Meta(pattern=r"\S", description="a text")]
"""A text that is not empty."""
T = TypeVar("T")


def _any_of(names: Sequence[str]) -> Meta:
    return choice(names, f"any of {', '.join(names)}")


def _metrics(framework: Framework) -> tuple[str, ...]:
    """Return the ids of the metrics that need nothing but two analyses of one sentence."""
    return tuple(metric.id for metric in framework.metrics if not (metric.place.if_defined or metric.id == OWN_COSTS))


_PARTS = ("trees", "list", "e", "t", "brackets", "brackets_whole", "words", "lineage", "table")
_FUNCTION_PARTS = ("golds", "common", "parse", "steps", "scores")

_Preset = Annotated[str, choice(PRESETS)]
_TreeMetric = Annotated[str, _any_of(_metrics(CONSTITUENCY))]
_DependencyMetric = Annotated[str, _any_of(_metrics(DEPENDENCY))]
_GraphMetric = Annotated[str, _any_of(_metrics(MRS))]
_Part = Annotated[str, _any_of(_PARTS)]
_FunctionPart = Annotated[str, _any_of(_FUNCTION_PARTS)]
_Rules = Annotated[str, choice(EDM_PRESETS)]
_Golds = Annotated[dict[str, str], Meta(min_length=1, description='a table, [step.functions.golds], theory = "tree"')]


# -------------------------------------------------------------------------------------------------------------- reading


def _tree(text: str) -> Tree:
    tree = Tree.from_string(text, written_notation(text))
    if not tree.words:
        raise _error("no word", "a tree over words")
    if len(tree) > _MAX_NODES:
        raise _error(f"{len(tree):,} nodes", f"no more than {_MAX_NODES}, to fit on the screen")
    return tree


def _dependency_tree(text: str) -> DependencyTree:
    """Read a tree of a word, its head's number and a relation a line."""
    rows = [(number, parts) for number, line in enumerate(text.split("\n"), start=1) if (parts := line.split())]
    for number, parts in rows:
        if len(parts) != 3 or not (parts[1].isascii() and parts[1].isdigit()):
            raise _error(f"{' '.join(parts)!r}", "a word, its head’s number, a relation", number)
    if len(rows) > _MAX_NODES:
        raise _error(f"more than {_MAX_NODES} words", "a sentence that fits on the screen")
    lines = (f"{at}\t{word}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n"
             for at, (_, (word, head, relation)) in enumerate(rows, start=1))  # fmt: skip
    try:
        return DependencyTree.from_string("".join(lines))
    except InputError as error:
        line, found, expected = error.problem.line, error.problem.found, error.problem.expected
        raise _error(found, expected, rows[line - 1][0] if line and line <= len(rows) else None) from None


def _function_tree(text: str) -> MultiFunctionTree:
    if text.lstrip().startswith(("(", "[")):
        return multi_function_tree(constituency_function_tree(_tree(text)))
    tree = _dependency_tree(text)
    return multi_function_tree(dependency_function_tree(tree.words, tree.heads, tree.relations))


def _graph(text: str) -> SemanticGraph:
    bank = read_semantics(Source.from_bytes(text.encode("utf-8", "surrogatepass"), "graph"))
    if bank.problems:
        raise InputError(bank.problems[0])
    graphs = [graph for item in bank.items for graph in item.results[:1] if graph is not None]
    if len(graphs) != 1:
        raise _error(f"{len(graphs)} graphs", "one graph")
    if len(graphs[0].nodes) > _MAX_NODES:
        raise _error(f"{len(graphs[0].nodes):,} nodes", f"no more than {_MAX_NODES}")
    return graphs[0]


def _error(found: str, expected: str, line: int | None = None) -> InputError:
    return InputError(Problem("lesson", "", line, None, found, expected))


def _checked(file: TomlFile, key: Key, text: str, read: Callable[[str], T]) -> T:
    """Return what a text of a file is read as; errors have the line in the file."""
    if not text.strip():
        raise file.error(key, f"{key[-1]} = {value_text(text)}", "a text")
    try:
        return read(text)
    except InputError as error:
        raise file.broken(key, error.problem) from None


def _unique(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


# ------------------------------------------------------------------------------------------------------------ material
# Each class is a table of a lesson's file; `checked` returns it as it is shown, or raises an error with the line.


class TreePair(Struct, frozen=True, forbid_unknown_fields=True):
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
    test: str | None = None
    show: tuple[_Part, ...] = ()
    word: int = 1
    metrics: tuple[_TreeMetric, ...] = ()
    preset: _Preset = "none"

    def checked(self, file: TomlFile, key: Key) -> Material:
        """Check trees and word, and that all can be shown."""
        gold = _checked(file, (*key, "gold"), self.gold, _tree)
        test = None if self.test is None else _checked(file, (*key, "test"), self.test, _tree)
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
        return replace(self, show=show, metrics=_unique(self.metrics))

    def align(self) -> Alignment:
        """Return the alignment of the two trees."""
        return align(_tree(self.gold), _tree(self.test or self.gold), self.preset)


class DependencyPair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two dependency trees as they are written, and the metrics whose formulas are shown."""

    framework: ClassVar[Framework] = DEPENDENCY

    gold: str
    test: str
    metrics: tuple[_DependencyMetric, ...] = ()

    def checked(self, file: TomlFile, key: Key) -> Material:
        """Check both trees."""
        for name, text in (("gold", self.gold), ("test", self.test)):
            _checked(file, (*key, name), text, _dependency_tree)
        return replace(self, metrics=_unique(self.metrics))

    def trees(self) -> tuple[DependencyTree, DependencyTree]:
        """Return the two trees."""
        return _dependency_tree(self.gold), _dependency_tree(self.test)

    def align(self) -> DependencyAlignment:
        """Return the alignment of the two trees."""
        return align_dependencies(*self.trees())


class FunctionTrees(Struct, frozen=True, forbid_unknown_fields=True):
    """A parse and the gold trees of one theory or several.

    Parameters
    ----------
    golds : dict of str to str
        The gold tree of each theory as it is written, in brackets or as dependencies.
    parse : str
        The parse, in the same way.
    theory : str
        Its theory; if empty, the first one.
    labeled : bool
        Whether functions count.
    show : tuple of str
        ``"golds"``, what they have in ``"common"``, the ``"parse"``, the ``"steps"`` from it to that with their scores,
        and the ``"scores"`` alone.
    """

    framework: ClassVar[Framework] = CROSSFRAMEWORK

    golds: _Golds
    parse: str
    theory: str | None = None
    labeled: bool = True
    show: tuple[_FunctionPart, ...] = ("golds", "steps")

    def checked(self, file: TomlFile, key: Key) -> Material:
        """Check trees and theory."""
        theory = next(iter(self.golds)) if self.theory is None else self.theory
        for name, text in self.golds.items():
            _checked(file, (*key, "golds", name), text, _function_tree)
        _checked(file, (*key, "parse"), self.parse, _function_tree)
        if theory not in self.golds:
            raise file.error((*key, "theory"), f"theory = {value_text(theory)}", f"one of {', '.join(self.golds)}")
        material = replace(self, theory=theory, show=_unique(self.show))
        try:
            material.multiple()
        except EvaltoolsError as error:
            raise file.error((*key, "parse"), str(error), "trees of one sentence") from None
        return material

    @property
    def own(self) -> int:
        """The index of the gold tree of the parse's theory."""
        return list(self.golds).index(self.theory or "")

    def gold_trees(self) -> dict[str, MultiFunctionTree]:
        """Return the gold tree of each theory."""
        return {theory: _function_tree(text) for theory, text in self.golds.items()}

    def parse_tree(self) -> MultiFunctionTree:
        """Return the parse."""
        return _function_tree(self.parse)

    def single(self) -> TedEvalProtocol:
        """Return the steps from the parse to the gold tree of its own theory."""
        gold = list(self.gold_trees().values())[self.own]
        return tedeval_protocol(self.parse_tree(), [gold], labeled=self.labeled)

    def multiple(self) -> TedEvalProtocol:
        """Return the steps from the parse to the common part of all gold trees."""
        golds = list(self.gold_trees().values())
        return tedeval_protocol(self.parse_tree(), golds, own=self.own, labeled=self.labeled)


class GraphPair(Struct, frozen=True, forbid_unknown_fields=True):
    """Two semantic graphs as they are written, rules of elementary dependency match, and metrics with formulas."""

    framework: ClassVar[Framework] = MRS

    gold: str
    test: str
    rules: _Rules = next(iter(EDM_PRESETS))
    metrics: tuple[_GraphMetric, ...] = ()

    def checked(self, file: TomlFile, key: Key) -> Material:
        """Check both graphs."""
        for name, text in (("gold", self.gold), ("test", self.test)):
            _checked(file, (*key, name), text, _graph)
        return replace(self, metrics=_unique(self.metrics))

    def align(self) -> GraphAlignment:
        """Return the alignment of the two graphs."""
        return align_graphs(_graph(self.gold), _graph(self.test), load_edm_rules(self.rules))


CHOICES: dict[str, str] = {"a": "A is worse", "b": "B is worse", "equal": "equally bad"}
"""Choices of a vote."""


class Vote(Struct, frozen=True, forbid_unknown_fields=True):
    """Two parses of a sentence as they are written, of which one may be worse; what is deleted and equated first."""

    framework: ClassVar[Framework] = CONSTITUENCY

    gold: str
    a: str
    b: str
    preset: _Preset = "none"

    def checked(self, file: TomlFile, key: Key) -> Material:
        """Check that both are parses of the sentence."""
        texts = {"gold": self.gold, "a": self.a, "b": self.b}
        words = {name: _checked(file, (*key, name), text, _tree).words for name, text in texts.items()}
        for name in ("a", "b"):
            if words[name] != words["gold"]:
                raise file.error((*key, name), f"other words in {name} than in gold", "two parses of one sentence")
        return self

    @property
    def id(self) -> str:
        """Key of its votes; it changes with the trees."""
        text = "\0".join((self.gold, self.a, self.b, self.preset))
        return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()

    def trees(self) -> tuple[Tree, Tree, Tree]:
        """Return the gold tree and the two parses."""
        return _tree(self.gold), _tree(self.a), _tree(self.b)

    def align(self) -> tuple[Alignment, Alignment]:
        """Return the alignments of both parses with the gold tree."""
        gold, a, b = self.trees()
        return align(gold, a, self.preset), align(gold, b, self.preset)


Material = TreePair | DependencyPair | FunctionTrees | GraphPair | Vote
MATERIALS: dict[str, type[Material]] = {
    "trees": TreePair,
    "dependencies": DependencyPair,
    "functions": FunctionTrees,
    "graphs": GraphPair,
    "vote": Vote,
}
"""The tables of a step, by key."""


# ------------------------------------------------------------------------------------------------------------- figures


_TOTALS = {f"edm_{side}": tuple(f"edm_{letter}_{side}" for letter in "napct") for side in ("gold", "test", "matched")}
"""Further figures that texts about graphs may name, and the counts that each adds up."""

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
        Every figure by name: shares as percentages with their sign, counts as they are, a dash if undefined.
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
        texts[name] = METRICS[name].text(score, sign=True, whole=True)
    return {prefix + name: text for name, text in texts.items()}


def _protocol(golds: str, protocol: TedEvalProtocol) -> dict[str, str]:
    values = {
        "score": percentage(protocol.score, 2),
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
