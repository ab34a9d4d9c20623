"""Lessons: what a step shows, as drawings and figures; exercise sheet, solutions and hand-out, as HTML and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from evaltools.blocks import Block, Column, Picture, Table, Text, Words, drawn, formulas, note, table
from evaltools.classroom.lessons import Exercise, Lesson
from evaltools.classroom.material import (
    DependencyPair,
    FunctionTrees,
    GraphPair,
    Material,
    TreePair,
    Vote,
    filled,
    numbers_of,
)
from evaltools.corpus import Kind, MultiFunctionTree, Tree
from evaltools.drawing import Bars, Drawing, bars_of, bracket_bars
from evaltools.drawing.tikz import escape_latex, table_row
from evaltools.frameworks.common.lineages import SCHEMES, lineage_table
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.tedeval import metric_of
from evaltools.frameworks.formulas import formula, formula_with
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.views import word_strip
from evaltools.marks import Status
from evaltools.outputs.page import Page, escaped
from evaltools.outputs.tables import table_html
from evaltools.text import percentage

_BLOCKS = {
    "paragraph": ("<p>", "</p>", "", "\n\n"),
    "bullet_list": ("<ul>", "</ul>", "\\begin{itemize}\n", "\\end{itemize}\n\n"),
    "ordered_list": ("<ol>", "</ol>", "\\begin{enumerate}\n", "\\end{enumerate}\n\n"),
    "list_item": ("<li>", "</li>", "\\item ", ""),
    "blockquote": ("<blockquote>", "</blockquote>", "\\begin{quote}\n", "\\end{quote}\n\n"),
    "heading": ("<h4>", "</h4>", "\\paragraph{", "}\n\n"),
    "table": ("<table>", "</table>", "", "\\end{tabular}\n\n"),
    "thead": ("<thead>", "</thead>", "", "\\hline\n"),
    "tbody": ("<tbody>", "</tbody>", "", ""),
    "tr": ("<tr>", "</tr>", "", " \\\\\n"),
    "th": ("<th>", "</th>", "", ""),
    "td": ("<td>", "</td>", "", ""),
    "em": ("<em>", "</em>", r"\emph{", "}"),
    "strong": ("<strong>", "</strong>", r"\textbf{", "}"),
}
"""Beginning and end of each element in HTML and in LaTeX; of others, such as links, the text alone is kept."""


def to_html(text: str) -> str:
    """Return a text in Markdown as HTML.

    Examples
    --------
    >>> to_html("*E* is <b>7</b>.")
    '<p><em>E</em> is &lt;b&gt;7&lt;/b&gt;.</p>'
    """
    return "".join(_parts(_parsed(text), 0))


def to_latex(text: str) -> str:
    r"""Return a text in Markdown as LaTeX.

    Examples
    --------
    >>> to_latex("*E* is 7 %.")
    '\\emph{E} is 7 \\%.'
    """
    return "".join(_parts(_parsed(text), 2)).strip()


def _parsed(text: str) -> list[Token]:
    return MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)


def _parts(tokens: Iterable[Token], language: int) -> Iterable[str]:
    tokens = list(tokens)
    write = escape_latex if language else escaped
    for index, token in enumerate(tokens):
        name, _, edge = token.type.rpartition("_")
        if token.type == "inline":
            yield from _parts(token.children or [], language)
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif edge == "open" and name in _BLOCKS:
            if name == "paragraph" and token.hidden:
                continue
            yield _BLOCKS[name][language]
            if name == "table" and language:
                yield f"\\begin{{tabular}}{{{'l' * _columns(tokens[index:])}}}\n"
        elif edge == "close" and name in _BLOCKS:
            if name == "paragraph" and token.hidden:
                yield "\n"
                continue
            yield _BLOCKS[name][language + 1]
            is_cell = name in ("th", "td")
            if is_cell and language and tokens[index + 1].type != "tr_close":
                yield " & "
        elif token.content:
            yield write(token.content)


def _columns(tokens: Iterable[Token]) -> int:
    """Return the number of columns of the table that begins here."""
    number = 0
    for token in tokens:
        if token.type == "tr_close":
            break
        number += token.type in ("th_open", "td_open")
    return number


_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_LINE = 36.0
"""Height of a heading or of a line of a table on a slide."""
_FIT = 70
"""How much of the window's height a drawing may take, in hundredths."""
_TREES, _ARCS, _GRAPHS = 147, 162, 158
"""The smallest scale on a slide, in hundredths: tags get 16 pixels, labels of phrases 18, words of trees 20."""
_MAPPINGS = {"e": "Matching brackets", "t": "Tree-edit alignment"}


@dataclass(frozen=True)
class Panel:
    """A drawing with its title."""

    title: str  # What stands above
    blocks: tuple[Block, ...]  # The first one has the title
    wide: bool = False  # Whether it takes the whole width

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels at the smallest scale of a slide."""
        first = self.blocks[0]
        heading = _LINE if self.title else 0.0
        if not isinstance(first, Picture):
            return 560.0, _LINE * (len(first.rows if isinstance(first, Table) else ()) + 1) + heading
        drawn = _SIZE.search(first.drawings[0].draw(theme="auto"))
        assert drawn is not None
        scale = first.min_percent / 100
        return float(drawn[1]) * scale, float(drawn[2]) * scale + heading

    def titled(self) -> list[Block]:
        """Return its blocks under its title."""
        first, *rest = self.blocks
        if isinstance(first, Text):
            return [*([Text(self.title, "heading")] if self.title else []), first, *rest]
        return [replace(first, title=self.title), *rest]


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
        panels = [Panel(title, (_picture(tree, _ARCS),)) for title, tree in sides]
        return StepPictures(panels)
    arcs = material.align()
    rows = [_row(metric, arcs.scores[metric], arcs.counts) for metric in material.metrics]
    return StepPictures([Panel("", (_picture(arcs, _ARCS, fold=False),))], rows)


def _graphs(material: GraphPair, *, hidden: bool) -> StepPictures:
    if hidden or material.gold == material.test:  # one graph, whose properties can all be counted
        material = replace(material, test=material.gold)
        options: dict[str, Any] = {"fold": False, "properties": "all", "legend": False}
    else:
        options = {"fold": False}
    graphs = material.align()
    content = (_picture(graphs, _GRAPHS, **options),)
    if hidden:
        return StepPictures([Panel("Gold graph", content)])
    rows = [_row(metric, graphs.scores[metric], dict(graphs.counts)) for metric in material.metrics]
    return StepPictures([Panel("", content)], rows)


def _picture(subject: object, min_percent: int, **options: Any) -> Picture:
    return drawn(Drawing(subject, options=options), "", fit=_FIT, min_percent=min_percent)


def _row(metric: str, score: float | None, counts: dict[str, float]) -> tuple[str, str, str, str]:
    item = METRICS[metric]
    return (
        item.title,
        formula(item),
        formula_with(item, counts) if score is not None else "",
        item.text(score, sign=True),
    )


def _trees(material: TreePair) -> StepPictures:
    aligned = material.align()
    panels: list[Panel] = []
    for what in material.show:
        if what == "trees":
            panels += _sides(material, aligned)
        elif what == "list":
            panels.append(_list(aligned))
        elif what in _MAPPINGS:
            options = {"mapping": what, "fold": False, "parse_name": "parse", "compact": True}
            panels.append(Panel(_MAPPINGS[what], (_picture(aligned, _TREES, **options),)))
        elif what.startswith("brackets"):
            part = "whole" if what.endswith("_whole") else "roof"
            bars = bracket_bars(aligned, part=part)
            panels.append(Panel("Brackets, gold above", (_picture(bars, _TREES),)))
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
    return replace(_picture(tree, _TREES, compact=True, interactive=True), keys=_bracket_nodes(tree))


def _sides(material: TreePair, aligned: Alignment) -> list[Panel]:
    sides = (("Gold tree", aligned.gold), ("Parse", aligned.test))[: 1 if material.test is None else 2]
    return [Panel(title, (tree_picture(tree),)) for title, tree in sides]


def tree_picture(tree: Tree, title: str = "", *, fit: int = _FIT, min_percent: int = _TREES, **options: Any) -> Picture:
    """Draw a tree with the letters of a slide; `options` are those of its drawing."""
    drawing = Drawing(tree, options={"compact": True, **options})
    return drawn(drawing, title, fit=fit, min_percent=min_percent)


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
        return Panel("Brackets", (table(head, [(left, right) for (left, _), (right, _) in pairs]),))
    rows: list[tuple[str, ...]] = []
    rest = list(test)
    for text, status in gold:
        if status is Status.RIGHT:
            rows.append((text, text, "right"))
            rest.remove((text, status))
        else:
            rows.append((f"< {text}", "", "missing"))
    rows += [("", f"> {text}", "spurious") for text, _ in rest]
    wrong = {at for at, row in enumerate(rows) if row[-1] != "right"}
    return Panel("Brackets", (table((*head, ""), rows, marked=wrong),))


def _scheme(material: TreePair) -> str:
    """Return the metric that shades words: the step's first that compares lineages, else the one of summaries."""
    summaries = [metric.id for metric in material.framework.metrics if metric.place.lists]
    return next(name for name in (*material.metrics, *summaries) if name in SCHEMES)


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
        distances = lineage_table(word.gold, word.test, scheme, classes=word.label_classes)
        table_of = _picture(distances, _TREES, parse_name="parse")
        return Panel(f"The edit distance of “{word.form}”", (table_of,))
    lineages = _picture(word, _TREES, metric=scheme, parse_name="parse")
    return Panel(f"The lineages of “{word.form}”", (lineages,), wide=True)


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
            unit = "functions" if multiple.labelled else "nodes"
            marks = (
                "< missing, > spurious; struck through: the parser’s own gold tree needs the same step. "
                f"|parse| = {multiple.n_parse} {unit}, |gen| = {multiple.n_generalized} {unit}"
            )
            steps = _picture(multiple, _TREES)
            panels.append(Panel("From the parse to the common tree", (steps, note(marks))))
    return StepPictures(panels, [] if hidden else [_protocol("single", single), _protocol("multiple", multiple)])


def _bars(tree: MultiFunctionTree, label: str) -> Block:
    return _picture(Bars(tree.words, bars_of(tree), label=label), _TREES)


def _protocol(golds: str, protocol: TedEvalProtocol) -> tuple[str, str, str, str]:
    """Return title, formula, numbers and score of a protocol: those of its metric."""
    metric = metric_of(golds, labelled=protocol.labelled)
    numbers = f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized})"
    return metric.title, formula(metric), numbers, percentage(protocol.score, 2)


SHEETS = {"exercises": "Exercise sheet", "solutions": "Solutions", "handout": "Hand-out"}
"""Sheets of a lesson by name."""

_BODY = re.compile(r"\\begin\{document\}(.*)\\end\{document\}", re.DOTALL)
_LINES, _DRAWING_LINES = 6, 12
"""Lines to write on below an exercise, or as many as its brackets if those are more; room to draw if it shows none."""
_PRINT = "<style>@media print { figure svg { zoom: 1.4; } }</style>"
_AFTERWARDS = "For afterwards: with all answers of the lesson."
_NAME = "Name: "


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sheet."""

    title: str
    text: str  # Markdown
    pictures: StepPictures
    lines: int = 0  # Empty lines below


def lesson_sheet(lesson: Lesson, sheet: str, language: str) -> str:
    r"""Write a sheet of a lesson.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    sheet : {"exercises", "solutions", "handout"}
        Which sheet.
    language : {"html", "latex"}
        Its language.

    Returns
    -------
    str
        A complete file.

    Examples
    --------
    >>> from evaltools.classroom.lessons import bundled_lessons
    >>> lesson_sheet(bundled_lessons()["brackets"], "exercises", "latex")[:14]
    '\\documentclass'
    """
    parts = _handout(lesson) if sheet == "handout" else _exercises(lesson, solved=sheet == "solutions")
    title = f"{lesson.title}: {SHEETS[sheet].lower()}"
    head = {"exercises": f"{_NAME}{'_' * 40}", "handout": _AFTERWARDS}.get(sheet, "")
    return (_html if language == "html" else _latex)(title, head, lesson, parts)


def _exercises(lesson: Lesson, *, solved: bool) -> list[_Part]:
    parts: list[_Part] = []
    for number, exercise in enumerate(lesson.exercises, start=1):
        text = exercise.text
        if solved:
            text += f"\n\n**Solution.** {filled(exercise.solution, numbers_of(exercise.material))}"
        pictures = step_pictures(exercise.material, hidden=not solved)
        parts.append(_Part(f"Exercise {number}", text, pictures, 0 if solved else _lines(exercise)))
    return parts


def _lines(exercise: Exercise) -> int:
    """Return the number of lines to write on: one for each bracket of the larger tree, and some for figures."""
    if exercise.material is None:
        return _DRAWING_LINES
    if not isinstance(exercise.material, TreePair):
        return _LINES
    aligned = exercise.material.align()
    return max(_LINES, max(tree.kinds.count(Kind.PHRASE) for tree in (aligned.gold, aligned.test)) + 3)


def _handout(lesson: Lesson) -> list[_Part]:
    """Return goals, steps with their answers, and recap; votes have no answers before the class.

    A picture or list that was there before is not repeated.
    """
    parts: list[_Part] = []
    known: set[str] = set()
    for step in lesson.steps:
        is_click = step.task is not None and step.task.kind == "click"
        texts = [step.text, "" if is_click else step.question]
        open_vote = isinstance(step.material, Vote)
        if not open_vote:
            texts.append(step.answer)
        numbers = numbers_of(step.material)
        text = "\n\n".join(filled(item, numbers) for item in texts if item)
        pictures = step_pictures(step.material)
        keys = [_key(panel) for panel in pictures.panels]
        new = [panel for panel, key in zip(pictures.panels, keys, strict=True) if key not in known]
        known.update(keys)
        parts.append(_Part(filled(step.title, numbers), text, StepPictures(new, pictures.formulas)))
    return parts


def _key(panel: Panel) -> str:
    """Return what a panel shows."""
    return repr([*panel.blocks, *(_svg(block) for block in panel.blocks if isinstance(block, Picture))])


def _svg(picture: Picture) -> str:
    return picture.drawings[0].draw(theme="auto")


# ---- HTML


def _html(title: str, head: str, lesson: Lesson, parts: Sequence[_Part]) -> str:
    page = Page(title)
    page.markup(_PRINT)
    if head:
        page.text(head)
    if lesson.source:
        page.text(f"Source: {lesson.source}", "note")
    for part in parts:
        page.section(part.title)
        page.markup(to_html(part.text))
        for panel in part.pictures.panels:
            _panel_html(page, panel)
        if part.pictures.formulas:
            page.markup(table_html(formulas(part.pictures.formulas)))
        if part.lines:
            page.markup('<p class="line">&nbsp;</p>' * part.lines)
    return str(page)


def _panel_html(page: Page, panel: Panel) -> None:
    for block in panel.blocks:
        if isinstance(block, Picture):
            page.picture(_svg(block), panel.title)
        elif isinstance(block, Table):
            page.markup(table_html(block))
        elif isinstance(block, Words):
            columns = [Column(word.form, word.form, "interval") for word in block.words]
            page.markup(table_html(Table(columns, [[word.hint for word in block.words]])))
        elif isinstance(block, Text):
            page.text(block.text, "note")


# ---- LaTeX


def _latex(title: str, head: str, lesson: Lesson, parts: Sequence[_Part]) -> str:
    preamble: dict[str, None] = {}
    body = []
    for part in parts:
        body.append(f"\\section*{{{escape_latex(part.title)}}}\n\n{to_latex(part.text)}\n")
        for panel in part.pictures.panels:
            body.append(_panel_latex(panel, preamble))
        if part.pictures.formulas:
            body.append(_tabular(formulas(part.pictures.formulas)))
        body += ["\n\\vspace{8mm}\\noindent\\hrulefill\n"] * part.lines
    above = f"\\noindent {escape_latex(head)}\n\n" if head else ""
    source = f"\\noindent Source: {escape_latex(lesson.source)}\n" if lesson.source else ""
    packages = "\n".join(preamble)
    return (
        "\\documentclass[a4paper]{article}\n"
        "\\usepackage[margin=22mm]{geometry}\n\\usepackage{adjustbox}\n"
        f"{packages}\n\\begin{{document}}\n\\title{{{escape_latex(title)}}}\n\\date{{}}\n\\maketitle\n\n"
        f"{above}{source}\n" + "\n".join(body) + "\n\\end{document}\n"
    )


def _panel_latex(panel: Panel, preamble: dict[str, None]) -> str:
    parts = [f"\\subsection*{{{escape_latex(panel.title)}}}\n"] if panel.title else []
    for block in panel.blocks:
        if isinstance(block, Picture):
            parts.append(_drawing(block.drawings[0], preamble))
        elif isinstance(block, Table):
            parts.append(_tabular(block))
        elif isinstance(block, Words):
            words = " ".join(
                f"{escape_latex(word.form)}\\,{{\\footnotesize({escape_latex(word.hint)})}}" for word in block.words
            )
            parts.append(f"\\noindent {words}\n")
        elif isinstance(block, Text):
            parts.append(f"\\noindent {escape_latex(block.text)}\n")
    return "\n".join(parts)


def _drawing(drawing: Drawing, preamble: dict[str, None]) -> str:
    """Return the picture of a complete document, and keep what its preamble needs."""
    document = drawing.draw("latex", standalone=True)
    inside = _BODY.search(document)
    if inside is None:
        return ""
    lines = document[: inside.start()].splitlines()[1:]  # the first line is the class of the document
    preamble.update(dict.fromkeys(line for line in lines if line.startswith("\\")))
    size = "max width=\\linewidth,max height=0.4\\textheight"
    return f"\\begin{{adjustbox}}{{{size}}}\n{inside[1].strip()}\n\\end{{adjustbox}}\n"


def _tabular(table: Table) -> str:
    """Return a table that is as wide as the lines at most; empty cells stay empty."""
    head = table.heads
    lines = [table_row([escape_latex(cell) if cell else "" for cell in cells]) for cells in (head, *table.cells)]
    return (
        f"\\noindent\\begin{{adjustbox}}{{max width=\\linewidth}}\n\\begin{{tabular}}{{{'l' * len(head)}}}\n"
        f"{lines[0]}\n\\hline\n" + "\n".join(lines[1:]) + "\n\\end{tabular}\n\\end{adjustbox}\n"
    )
