"""What a step of a lesson shows, as drawings and figures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

from evaltools.alignments.lineages import lineage_table
from evaltools.alignments.tedeval import TedEvalProtocol
from evaltools.alignments.trees import Alignment
from evaltools.classroom.lessons import DependencyPair, FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.corpus import MultiFunctionTree, Tree
from evaltools.drawing import Bars, bars_of, bracket_bars, draw
from evaltools.drawing.blocks import Block, note, picture
from evaltools.frameworks.common.word_views import word_strip
from evaltools.frameworks.crossframework.tedeval import metric_of
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.wording import number, three
from evaltools.publishing.drawings import drawings_of

__all__ = ["Panel", "Shown", "shown_of"]

_BESIDE, _BELOW, _VOTE, _VERDICTS, _SMALL, _LINE, _BARS = 66, 46, 27, 22, 26, 20, 36
"""How much of the window's height a drawing may take, in hundredths."""
_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_NARROW = 330.0
_LOW = 1.4
_MAPPINGS = {"e": "E-mapping: matching brackets", "t": "T-mapping: tree-edit alignment"}


@dataclass(frozen=True, slots=True)
class Panel:
    """A drawing with its title."""

    title: str  # What stands above
    blocks: tuple[Block, ...]  # What to show, for plain
    wide: bool = False  # Whether it takes the whole width

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
    """What a step shows."""

    panels: list[Panel] = field(default_factory=list)
    # Title, formula, the formula with numbers put in, value.
    formulas: list[tuple[str, str, str, str]] = field(default_factory=list)


def shown_of(material: Material | None, *, small: bool = False) -> Shown:
    """Draw what a step shows; of two parses to vote on only the trees."""
    if isinstance(material, TreePair):
        return _trees(material)
    if isinstance(material, DependencyPair):
        arcs = material.align()
        drawn = draw(arcs, fold=False, theme="auto")
        rows = [_row(metric, arcs.scores[metric], arcs.counts) for metric in material.metrics]
        others = drawings_of(arcs, fold=False)
        return Shown([Panel("", (picture(drawn, fit=_BESIDE, languages=others),))], rows)
    if isinstance(material, FunctionTrees):
        return _functions(material)
    if isinstance(material, GraphPair):
        graphs = material.align()
        same = material.gold == material.test
        drawn = draw(graphs, fold=False, theme="auto", legend=not same)
        rows = [_row(metric, graphs.scores[metric], dict(graphs.counts)) for metric in material.metrics]
        others = drawings_of(graphs, fold=False)
        return Shown([Panel("", (picture(drawn, fit=_BESIDE, languages=others),))], rows)
    if isinstance(material, Vote):
        names = ("Gold tree", "A", "B")
        high, minimum = (_VERDICTS, 65) if small else (_VOTE, 90)
        return Shown(
            [Panel(name, (_tree(tree, high, minimum),)) for name, tree in zip(names, material.trees(), strict=True)]
        )
    return Shown()


def _row(metric: str, score: float | None, counts: dict[str, float]) -> tuple[str, str, str, str]:
    item = METRICS[metric]
    value = three(score) if item.is_share or score is None else number(score)
    return item.title, item.formula, item.put_in(counts) if score is not None else "", value


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
            others = drawings_of(aligned, mapping=what, test_name="parse", fold=False)
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
    others = drawings_of(tree)
    return picture(draw(tree, theme="auto"), fit=fit, min_percent=least, languages=others)


def _scheme(material: TreePair) -> str:
    """Return the metric that shades words: the step's first that compares lineages, else the one of summaries."""
    summaries = [metric.id for metric in material.framework.metrics if metric.summary]
    return next(name for name in (*material.metrics, *summaries) if METRICS[name].scheme)


def _words(aligned: Alignment, material: TreePair) -> Panel:
    scheme = _scheme(material)
    title = f"Each word’s score: {METRICS[scheme].title}"
    return Panel(title, (word_strip(aligned, scheme),), wide=True)


def _lineage(aligned: Alignment, material: TreePair, *, whole: bool) -> Panel:
    """Draw the lineages of a word, or the whole table of their edit distance."""
    word = next((item for item in aligned.words if item.position == material.word - 1), None)
    if word is None or word.test is None:
        return Panel("Lineages", (note(f"Word {material.word} has no aligned word to be compared with."),))
    scheme = _scheme(material)
    if whole:
        table = lineage_table(word.gold, word.test, METRICS[scheme].scheme)
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
            panels.append(Panel("Common to all golds", (_bars(made.generalization, "generalization"),)))
        elif what == "parse":
            panels.append(Panel("The parse", (_bars(made.parse, "parse"),)))
        else:
            drawn = draw(made, theme="auto")
            unit = "functions" if made.labelled else "nodes"
            marks = (
                "< spurious, > missing; struck through: the parser’s own gold tree needs the same step. "
                f"|parse| = {made.n_parse} {unit}, |gen| = {made.n_generalized} {unit}"
            )
            steps = picture(drawn, fit=_BARS, languages=drawings_of(made))
            panels.append(Panel("From the parse to the common tree", (steps, note(marks))))
    return Shown(panels, [_protocol("single", own), _protocol("multiple", made)])


def _bars(tree: MultiFunctionTree, label: str) -> Block:
    bars = Bars(tree.words, bars_of(tree), label=label)
    return picture(draw(bars, theme="auto"), fit=_BARS, languages=drawings_of(bars))


def _protocol(golds: str, made: TedEvalProtocol) -> tuple[str, str, str, str]:
    """Return title, formula, numbers and score of a protocol: those of its metric."""
    metric = metric_of(golds, labelled=made.labelled)
    numbers = f"1 − {made.delta} / ({made.n_parse} + {made.n_generalized})"
    return metric.title, metric.formula, numbers, three(made.score)
