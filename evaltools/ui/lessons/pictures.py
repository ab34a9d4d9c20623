"""What a step of a lesson shows, as drawings and figures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

from evaltools.analysis.explain import number, put_in
from evaltools.classroom.lessons import DependencyPair, FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.drawing import Bars, bars_of, bracket_bars, draw
from evaltools.metrics import METRICS
from evaltools.metrics.lineage_table import lineage_table
from evaltools.metrics.mapping import Alignment
from evaltools.metrics.tedeval_protocol import TedEvalProtocol
from evaltools.publishing.drawings import (
    alignment_picture,
    arcs_picture,
    bars_picture,
    graph_picture,
    protocol_picture,
    tree_picture,
)
from evaltools.treebank import MultiFunctionTree, Tree
from evaltools.ui.components.plain import Block, note, picture, strip
from evaltools.ui.widgets.saved_blocks import strip_picture
from evaltools.ui.widgets.saving import made_here
from evaltools.ui.wording.trees import three

__all__ = ["Panel", "Shown", "shown_of"]

_BESIDE, _BELOW, _VOTE, _VERDICTS, _SMALL, _LINE, _BARS = 66, 46, 27, 22, 26, 20, 36
"""How much of the window's height a drawing may take, in hundredths."""
_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_NARROW = 330.0
_LOW = 1.4
_MAPPINGS = {"e": "E: the brackets", "t": "T: tree distance"}


@dataclass(frozen=True, slots=True)
class Panel:
    """A drawing with its title.

    Parameters
    ----------
    title : str
        What stands above.
    blocks : tuple of dict
        What to show, for :func:`evaltools.ui.components.plain.plain`.
    wide : bool
        Whether it takes the whole width.
    """

    title: str
    blocks: tuple[Block, ...]
    wide: bool = False

    @property
    def tall(self) -> bool:
        """Whether the drawing is higher than wide, and two of it find room beside the text."""
        size = self._size()
        return size is not None and size[0] < min(size[1], _NARROW)

    @property
    def low(self) -> bool:
        """Whether it leaves room below, being a row of words or a drawing that is much wider than high."""
        size = self._size()
        return size is None or size[0] > _LOW * size[1]

    def _size(self) -> tuple[float, float] | None:
        """Return width and height of the drawing."""
        size = _SIZE.search(str(self.blocks[0].get("svg", "")))
        return None if size is None else (float(size[1]), float(size[2]))


@dataclass(frozen=True, slots=True)
class Shown:
    """What a step shows.

    Parameters
    ----------
    panels : list of Panel
        Its drawings.
    formulas : list of (str, str, str, str)
        Title, formula, the formula with numbers put in, value.
    """

    panels: list[Panel] = field(default_factory=list)
    formulas: list[tuple[str, str, str, str]] = field(default_factory=list)


def shown_of(material: Material | None, *, small: bool = False) -> Shown:
    """Draw what a step shows; of two parses to vote on only the trees.

    Parameters
    ----------
    material : Material or None
        What the step has.
    small : bool
        Whether trees to vote on leave room for something below.
    """
    if isinstance(material, TreePair):
        return _trees(material)
    if isinstance(material, DependencyPair):
        arcs = material.align()
        drawn = draw(arcs, fold=False, theme="auto")
        rows = [_row(metric, arcs.scores[metric], arcs.counts) for metric in material.metrics]
        others = arcs_picture(arcs, "", "", fold=False).drawings
        return Shown([Panel("", (picture(drawn, fit=_BESIDE, languages=others),))], rows)
    if isinstance(material, FunctionTrees):
        return _functions(material)
    if isinstance(material, GraphPair):
        graphs = material.align()
        same = material.gold == material.test
        drawn = draw(graphs, fold=False, theme="auto", legend=not same)
        rows = [_row(metric, graphs.scores[metric], dict(graphs.counts)) for metric in material.metrics]
        others = graph_picture(graphs, "", "", fold=False).drawings
        return Shown([Panel("", (picture(drawn, fit=_BESIDE, languages=others),))], rows)
    if isinstance(material, Vote):
        names = ("Gold tree", "A", "B")
        high, least = (_VERDICTS, 65) if small else (_VOTE, 90)
        return Shown(
            [Panel(name, (_tree(tree, high, least),)) for name, tree in zip(names, material.trees(), strict=True)]
        )
    return Shown()


def _row(metric: str, score: float | None, counts: dict[str, float]) -> tuple[str, str, str, str]:
    one = METRICS[metric]
    value = three(score) if one.is_share or score is None else number(score)
    return one.title, one.formula, put_in(metric, counts) if score is not None else "", value


def _trees(material: TreePair) -> Shown:
    aligned = material.align()
    panels: list[Panel] = []
    high = _BESIDE if set(material.show) <= set(_MAPPINGS) else _BELOW
    room = _BELOW if set(material.show) <= {"trees", "e", "t"} else _SMALL
    for what in material.show:
        if what == "trees":
            sides = (("Gold tree", aligned.gold), ("Parse", aligned.test))[: 1 if material.test is None else 2]
            panels += [Panel(title, (_tree(tree, room),)) for title, tree in sides]
        elif what in _MAPPINGS:
            drawn = draw(aligned, mapping=what, fold=False, theme="auto", test_name="parse")
            others = alignment_picture(aligned, what, "", "", test_name="parse", fold=False).drawings
            panels.append(Panel(_MAPPINGS[what], (picture(drawn, fit=high, languages=others),)))
        elif what.startswith("brackets"):
            part = "whole" if what.endswith("_whole") else "roof"
            bars = bracket_bars(aligned, part=part)
            others = {"latex": partial(draw, bars, "latex", standalone=True)}
            drawn = draw(bars, theme="auto")
            panels.append(Panel("Brackets, gold above", (picture(drawn, fit=high, languages=others),)))
        elif what == "words":
            panels.append(_words(aligned, material))
        else:
            panels.append(_lineage(aligned, material, whole=what == "table"))
    return Shown(panels, [_row(metric, aligned.scores[metric], aligned.counts) for metric in material.metrics])


def _tree(tree: Tree, fit: int, least: int = 90) -> Block:
    others = tree_picture(tree, "", "").drawings
    return picture(draw(tree, theme="auto"), fit=fit, least=least, languages=others)


def _scheme(material: TreePair) -> str:
    return next((one for one in material.metrics if one.startswith("la_")), "la_partial")


def _words(aligned: Alignment, material: TreePair) -> Panel:
    scheme = _scheme(material)
    scores = {word.position: word.scores.get(scheme) for word in aligned.words}
    placed = [
        (one.form, one.position, None if one.position is None else scores.get(one.position))
        for one in aligned.gold_words
    ]
    title = f"Each word’s score: {METRICS[scheme].title}"
    files = strip_picture(aligned, scheme, made_here("lesson", "trees of a lesson"))
    return Panel(title, (strip(placed, files=files),), wide=True)


def _lineage(aligned: Alignment, material: TreePair, *, whole: bool) -> Panel:
    """Draw the lineages of a word, or the whole table of their edit distance."""
    word = next((one for one in aligned.words if one.position == material.word - 1), None)
    if word is None or word.test is None:
        return Panel("Lineages", (note(f"Word {material.word} has no partner to be compared with."),))
    scheme = _scheme(material)
    if whole:
        table = lineage_table(word.gold, word.test, scheme.removeprefix("la_"))
        drawn = draw(table, theme="auto", test_name="parse")
        return Panel(f"The edit distance of “{word.form}”", (picture(drawn, fit=_BELOW),))
    drawn = draw(word, metric=scheme, theme="auto", test_name="parse")
    return Panel(f"The lineages of “{word.form}”", (picture(drawn, fit=_LINE),), wide=True)


def _functions(material: FunctionTrees) -> Shown:
    made, own = material.multiple(), material.single()
    panels: list[Panel] = []
    for what in material.show:
        if what == "golds":
            panels += [Panel(f"Gold, {theory}", (_bars(tree, theory),)) for theory, tree in material.golds.items()]
        elif what == "common":
            panels.append(Panel("What all golds have in common", (_bars(made.generalization, "generalization"),)))
        elif what == "parse":
            panels.append(Panel("The parse", (_bars(made.parse, "parse"),)))
        else:
            drawn = draw(made, theme="auto")
            unit = "functions" if made.labelled else "nodes"
            marks = (
                "< deleted, > added; struck through: the parser’s own gold tree needs the same step. "
                f"|parse| = {made.n_parse} {unit}, |gen| = {made.n_generalized} {unit}"
            )
            steps = picture(drawn, fit=_BARS, languages=protocol_picture(made, "", "").drawings)
            panels.append(Panel("From the parse to what is common", (steps, note(marks))))
    return Shown(panels, [_protocol("single", own), _protocol("multiple", made)])


def _bars(tree: MultiFunctionTree, label: str) -> Block:
    bars = Bars(tree.words, bars_of(tree), label=label)
    return picture(draw(bars, theme="auto"), fit=_BARS, languages=bars_picture(bars, "", "").drawings)


def _protocol(golds: str, made: TedEvalProtocol) -> tuple[str, str, str, str]:
    """Return title, formula, numbers and score of a protocol: those of its metric."""
    metric = METRICS[f"tedeval_{golds}_{'labelled' if made.labelled else 'unlabelled'}"]
    numbers = f"1 − {made.delta} / ({made.n_parse} + {made.n_generalized})"
    return metric.title, metric.formula, numbers, three(made.score)
