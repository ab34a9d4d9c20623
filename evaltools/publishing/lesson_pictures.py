"""What a step of a lesson shows, as drawings and figures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from typing import Any

from evaltools.classroom.material import DependencyPair, FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.corpus import Kind, MultiFunctionTree, Tree
from evaltools.drawing import Bars, bars_of, bracket_bars, draw
from evaltools.drawing.blocks import Block, Languages, note, picture, table
from evaltools.frameworks.common.lineages import lineage_table
from evaltools.frameworks.common.word_views import word_strip
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.tedeval import metric_of
from evaltools.frameworks.registry import METRICS
from evaltools.marks import Status
from evaltools.publishing.drawings import drawings_of
from evaltools.text import percentage

__all__ = ["Panel", "StepPictures", "bracket_rows", "step_pictures", "tree_picture"]

_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_LINE = 36.0
"""Height of a heading or of a line of a table on a slide."""
_FIT = 70
"""How much of the window's height a drawing may take, in hundredths."""
_TREES, _ARCS, _GRAPHS = 147, 162, 158
"""The smallest scale on a slide, in hundredths: tags get 16 pixels, labels of phrases 18, words of trees 20."""
_MAPPINGS = {"e": "Matching brackets", "t": "Tree-edit alignment"}


@dataclass(frozen=True, slots=True)
class Panel:
    """A drawing with its title."""

    title: str  # What stands above
    blocks: tuple[Block, ...]  # What to show, for plain
    wide: bool = False  # Whether it takes the whole width

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels at the smallest scale of a slide."""
        first = self.blocks[0]
        drawn = _SIZE.search(str(first.get("svg", "")))
        heading = _LINE if self.title else 0.0
        if drawn is None:
            return 560.0, _LINE * (len(first.get("rows", ())) + 1) + heading
        scale = first["least"] / 100
        return float(drawn[1]) * scale, float(drawn[2]) * scale + heading


@dataclass(frozen=True, slots=True)
class StepPictures:
    """Pictures and formulas of a step."""

    panels: list[Panel] = field(default_factory=list)
    # Title, formula, the formula with numbers put in, value.
    formulas: list[tuple[str, str, str, str]] = field(default_factory=list)


def step_pictures(material: Material | None, *, hidden: bool = False, clicked: str = "") -> StepPictures:
    """Draw what a step shows; without marks, colors and formulas if they are hidden.

    Brackets can be clicked in the hidden tree that has those of a status, `clicked`: missing or spurious.
    """
    if isinstance(material, TreePair):
        return _plain_trees(material, clicked) if hidden else _trees(material)
    if isinstance(material, DependencyPair):
        return _dependencies(material, hidden=hidden)
    if isinstance(material, FunctionTrees):
        return _functions(material, hidden=hidden)
    if isinstance(material, GraphPair):
        return _graphs(material, hidden=hidden)
    if isinstance(material, Vote):
        names = ("Gold tree", "A", "B")
        return StepPictures(
            [Panel(name, (tree_picture(tree),)) for name, tree in zip(names, material.trees(), strict=True)]
        )
    return StepPictures()


def _dependencies(material: DependencyPair, *, hidden: bool) -> StepPictures:
    if hidden:
        sides = (("Gold tree", material.gold), ("Parse", material.test))
        panels = [
            Panel(title, (_picture(draw(tree, theme="auto"), _ARCS, drawings_of(tree)),)) for title, tree in sides
        ]
        return StepPictures(panels)
    arcs = material.align()
    drawn = draw(arcs, fold=False, theme="auto")
    rows = [_row(metric, arcs.scores[metric], arcs.counts) for metric in material.metrics]
    return StepPictures([Panel("", (_picture(drawn, _ARCS, drawings_of(arcs, fold=False)),))], rows)


def _graphs(material: GraphPair, *, hidden: bool) -> StepPictures:
    if hidden or material.gold == material.test:  # one graph, whose properties can all be counted
        material = replace(material, test=material.gold)
        options: dict[str, Any] = {"fold": False, "properties": "all", "legend": False}
    else:
        options = {"fold": False}
    graphs = material.align()
    content = (_picture(draw(graphs, theme="auto", **options), _GRAPHS, drawings_of(graphs, **options)),)
    if hidden:
        return StepPictures([Panel("Gold graph", content)])
    rows = [_row(metric, graphs.scores[metric], dict(graphs.counts)) for metric in material.metrics]
    return StepPictures([Panel("", content)], rows)


def _picture(svg: str, min_percent: int, others: Languages) -> Block:
    return picture(svg, fit=_FIT, min_percent=min_percent, languages=others)


def _row(metric: str, score: float | None, counts: dict[str, float]) -> tuple[str, str, str, str]:
    item = METRICS[metric]
    return item.title, item.formula, item.put_in(counts) if score is not None else "", item.text_with_sign(score)


def _trees(material: TreePair) -> StepPictures:
    aligned = material.align()
    panels: list[Panel] = []
    for what in material.show:
        if what == "trees":
            panels += _sides(material, aligned)
        elif what == "list":
            panels.append(_list(aligned))
        elif what in _MAPPINGS:
            drawn = draw(aligned, mapping=what, fold=False, theme="auto", test_name="parse", compact=True)
            others = drawings_of(aligned, mapping=what, test_name="parse", fold=False)
            panels.append(Panel(_MAPPINGS[what], (_picture(drawn, _TREES, others),)))
        elif what.startswith("brackets"):
            part = "whole" if what.endswith("_whole") else "roof"
            bars = bracket_bars(aligned, part=part)
            others = {"latex": partial(draw, bars, "latex", standalone=True)}
            panels.append(Panel("Brackets, gold above", (_picture(draw(bars, theme="auto"), _TREES, others),)))
        elif what == "words":
            panels.append(_words(aligned, material))
        else:
            panels.append(_lineage(aligned, material, whole=what == "table"))
    return StepPictures(panels, [_row(metric, aligned.scores[metric], aligned.counts) for metric in material.metrics])


def _plain_trees(material: TreePair, clicked: str) -> StepPictures:
    """Draw the trees without marks, or list their brackets side by side if the step shows nothing but a list."""
    aligned = material.align()
    if material.show == ("list",):
        return StepPictures([_list(aligned, marked=False)])
    panels = _sides(material, aligned)
    if clicked:
        at, side = (0, "gold") if clicked == "missing" else (1, "test")
        panels[at] = replace(panels[at], blocks=(_clickable_tree(aligned, side),))
    return StepPictures(panels)


def _clickable_tree(aligned: Alignment, side: str) -> Block:
    """Draw a tree whose brackets can be clicked, in the order of :func:`bracket_rows`."""
    tree = getattr(aligned, side)
    drawn = draw(tree, theme="auto", compact=True, interactive=True)
    return {**_picture(drawn, _TREES, drawings_of(tree)), "clickable": _bracket_nodes(tree)}


def _sides(material: TreePair, aligned: Alignment) -> list[Panel]:
    sides = (("Gold tree", aligned.gold), ("Parse", aligned.test))[: 1 if material.test is None else 2]
    return [Panel(title, (tree_picture(tree),)) for title, tree in sides]


def tree_picture(tree: Tree, **options: Any) -> Block:
    """Draw a tree with the letters of a slide; `options` are those of its drawing."""
    return _picture(draw(tree, theme="auto", compact=True, **options), _TREES, drawings_of(tree, **options))


def bracket_rows(aligned: Alignment, side: str) -> list[tuple[str, Status]]:
    """Return the brackets of one tree in the order of their first word, outer before inner, with their status."""
    tree, statuses = getattr(aligned, side), getattr(aligned.e, f"{side}_status")
    return [
        (f"{tree.labels[node]}: {' '.join(tree.words[tree.starts[node] : tree.ends[node]])}", statuses[node])
        for node in _bracket_nodes(tree)
    ]


def _bracket_nodes(tree: Tree) -> list[int]:
    nodes = [node for node in range(len(tree)) if tree.kinds[node] is Kind.PHRASE]
    return sorted(nodes, key=lambda node: (tree.starts[node], -tree.ends[node], -node))


def _list(aligned: Alignment, *, marked: bool = True) -> Panel:
    """List the brackets of both trees, equal ones in one row if they are marked."""
    gold, test = bracket_rows(aligned, "gold"), bracket_rows(aligned, "test")
    head = ("gold tree", "parse")
    if not marked:
        pairs = zip_longest(gold, test, fillvalue=("", Status.RIGHT))
        return Panel("Brackets", (table(head, [(False, (left, right)) for (left, _), (right, _) in pairs]),))
    rows: list[tuple[bool, tuple[str, ...]]] = []
    rest = list(test)
    for text, status in gold:
        if status is Status.RIGHT:
            rows.append((False, (text, text, "right")))
            rest.remove((text, status))
        else:
            rows.append((True, (f"< {text}", "", "missing")))
    rows += [(True, ("", f"> {text}", "spurious")) for text, _ in rest]
    return Panel("Brackets", (table((*head, ""), rows),))


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
        distances = lineage_table(word.gold, word.test, METRICS[scheme].scheme, classes=word.label_classes)
        drawn = draw(distances, theme="auto", test_name="parse")
        return Panel(f"The edit distance of “{word.form}”", (_picture(drawn, _TREES, drawings_of(distances)),))
    drawn = draw(word, metric=scheme, theme="auto", test_name="parse")
    return Panel(
        f"The lineages of “{word.form}”",
        (_picture(drawn, _TREES, drawings_of(word, metric=scheme, test_name="parse")),),
        wide=True,
    )


def _functions(material: FunctionTrees, *, hidden: bool) -> StepPictures:
    multiple, single = material.multiple(), material.single()
    panels: list[Panel] = []
    parts = [part for part in material.show if part in ("golds", "parse")] if hidden else material.show
    for part in parts:
        if part == "golds":
            panels += [Panel(f"Gold, {theory}", (_bars(tree, theory),)) for theory, tree in material.golds.items()]
        elif part == "common":
            panels.append(Panel("Common to all golds", (_bars(multiple.generalization, "generalization"),)))
        elif part == "parse":
            panels.append(Panel("The parse", (_bars(multiple.parse, "parse"),)))
        else:
            drawn = draw(multiple, theme="auto")
            unit = "functions" if multiple.labelled else "nodes"
            marks = (
                "< missing, > spurious; struck through: the parser’s own gold tree needs the same step. "
                f"|parse| = {multiple.n_parse} {unit}, |gen| = {multiple.n_generalized} {unit}"
            )
            steps = _picture(drawn, _TREES, drawings_of(multiple))
            panels.append(Panel("From the parse to the common tree", (steps, note(marks))))
    return StepPictures(panels, [] if hidden else [_protocol("single", single), _protocol("multiple", multiple)])


def _bars(tree: MultiFunctionTree, label: str) -> Block:
    bars = Bars(tree.words, bars_of(tree), label=label)
    return _picture(draw(bars, theme="auto"), _TREES, drawings_of(bars))


def _protocol(golds: str, protocol: TedEvalProtocol) -> tuple[str, str, str, str]:
    """Return title, formula, numbers and score of a protocol: those of its metric."""
    metric = metric_of(golds, labelled=protocol.labelled)
    numbers = f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized})"
    return metric.title, metric.formula, numbers, percentage(protocol.score, 2)
