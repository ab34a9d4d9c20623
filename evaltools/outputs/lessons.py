"""Lessons: what a step shows, as drawings and figures; exercise sheet, solutions, hand-out and notes, to be printed."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import zip_longest
from typing import Any

from markdown_it import MarkdownIt
from msgspec import structs

from evaltools.blocks import Block, Column, Picture, Table, Text, Words, drawn, formulas, note, table
from evaltools.classroom import shelf
from evaltools.classroom.exercises import Item, check_edits, mark, read_answer
from evaltools.classroom.lessons import Exercise, Lesson, Step, bundled_lessons
from evaltools.classroom.material import (
    CHOICES,
    DependencyPair,
    FunctionTrees,
    GraphPair,
    Material,
    TreePair,
    Vote,
    filled,
    numbers_of,
)
from evaltools.classroom.questions import PhonePicture, Poll
from evaltools.classroom.votes import Ballots
from evaltools.corpus import Kind, MultiFunctionTree, Tree
from evaltools.drawing import Bars, Drawing, bars_of, bracket_bars, draw
from evaltools.errors import ParameterError
from evaltools.frameworks.common.lineages import SCHEMES, lineage_table
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.crossframework.tedeval import metric_of
from evaltools.frameworks.metric import formula, formula_with
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.views import word_strip
from evaltools.marks import Status
from evaltools.outputs.page import Page
from evaltools.outputs.tables import safe_cell, table_html
from evaltools.text import decimals, percentage

_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])


def to_html(text: str) -> str:
    r"""Return a text in Markdown as HTML, without links and pictures.

    Examples
    --------
    >>> to_html("*E* is <b>7</b>.")
    '<p><em>E</em> is &lt;b&gt;7&lt;/b&gt;.</p>\n'
    """
    return str(_MARKDOWN.render(text))


_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_LINE = 36.0
"""Height of a heading or of a line of a table on a slide."""
_WORD, _MAX_WORDS_BESIDE = 62.0, 6
"""Width of a word with its score, and the number of words that have room beside a text."""
_FIT = 70
"""How much of the window's height a drawing may take, in hundredths."""
_TREES, _BARS, _ARCS, _GRAPHS = 147, 141, 162, 158
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
        if isinstance(first, Words):
            return _WORD * len(first.words), 2 * _LINE + heading
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


def phone_question(step: Step) -> Poll | None:
    """Return what phones are asked in a step, with its pictures before the answer is shown; None if nothing.

    Examples
    --------
    >>> from evaltools.classroom.lessons import bundled_lessons
    >>> question = phone_question(bundled_lessons()["brackets"].steps[1])
    >>> question.text, question.correct
    ('Count the brackets of this tree.', '4')
    """
    material, task = step.material, step.task
    if isinstance(material, Vote):
        trees = dict(zip(("gold", "a", "b"), material.trees(), strict=True))
        titles = {"gold": "Gold tree", "a": "A", "b": "B"}
        pictures = tuple(
            PhonePicture(name, titles[name], draw(tree, theme="auto"), tree.to_string()) for name, tree in trees.items()
        )
        return Poll("Which parse is worse?", options=CHOICES, pictures=pictures)
    if not step.ballot or task is None:
        return None
    text = re.sub(r"[*`]", "", step.question or step.title)
    options = {str(number): option for number, option in enumerate(task.options, start=1)}
    correct = str(task.correct or "") if options else numbers_of(material)[task.figure].removesuffix(" %")
    return Poll(text, task.kind == "predict", options, _phone_pictures(material), correct)


def _phone_pictures(material: Material | None) -> tuple[PhonePicture, ...]:
    if isinstance(material, TreePair):
        sides = dict(zip(("Gold tree", "Parse"), (material.align().gold, material.align().test), strict=True))
        if material.test is None:
            del sides["Parse"]
        return tuple(
            PhonePicture(f"p{number}", title, draw(tree, theme="auto"), tree.to_string())
            for number, (title, tree) in enumerate(sides.items())
        )
    panels = step_pictures(material, hidden=True).panels
    drawings = [(panel.title, _svg(block)) for panel in panels for block in panel.blocks if isinstance(block, Picture)]
    return tuple(PhonePicture(f"p{number}", title or "Picture", svg) for number, (title, svg) in enumerate(drawings))


def _dependencies(material: DependencyPair, *, hidden: bool) -> StepPictures:
    if hidden:
        sides = zip(("Gold tree", "Parse"), material.trees(), strict=True)
        return StepPictures([Panel(title, (_picture(tree, _ARCS),)) for title, tree in sides])
    arcs = material.align()
    rows = [_row(metric, arcs.scores[metric], arcs.counts) for metric in material.metrics]
    return StepPictures([Panel("", (_picture(arcs, _ARCS),))], rows)


def _graphs(material: GraphPair, *, hidden: bool) -> StepPictures:
    if hidden or material.gold == material.test:  # one graph, whose properties can all be counted
        material = structs.replace(material, test=material.gold)
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
    """Draw two trees with what a step shows of them; what stood there before the answer stays, or has got marks."""
    aligned = material.align()
    shows_trees = bool(set(material.show) & {*_MAPPINGS, "trees"}) or _is_alone(material)
    panels = [] if shows_trees else _sides(material, aligned)
    for what in material.show:
        if what == "trees":
            panels += _sides(material, aligned)
        elif what == "list":
            panels.append(_list(aligned))
        elif what in _MAPPINGS:
            options = {"mapping": what, "fold": False, "parse_name": "parse", "compact": True}
            panels.append(Panel(_MAPPINGS[what], (_picture(aligned, _TREES, **options),)))
        elif what.startswith("brackets"):
            panels.append(_bracket_bars(aligned, what))
        elif what == "words":
            panels.append(_words(aligned, material))
        else:
            panels.append(_lineage(aligned, material, whole=what == "table"))
    return StepPictures(panels, [_row(metric, aligned.scores[metric], aligned.counts) for metric in material.metrics])


def _is_alone(material: TreePair) -> bool:
    """Return whether a step shows nothing but the brackets of its trees, as a list or as bars."""
    return len(material.show) == 1 and material.show[0].startswith(("list", "brackets"))


def _plain_trees(material: TreePair, clicked: str) -> StepPictures:
    """Draw the trees without marks, or their brackets if the step shows nothing else."""
    aligned = material.align()
    if _is_alone(material):
        what = material.show[0]
        return StepPictures(
            [_list(aligned, marked=False) if what == "list" else _bracket_bars(aligned, what, marked=False)]
        )
    panels = _sides(material, aligned)
    if clicked:
        at, side = (0, "gold") if clicked == "missing" else (1, "test")
        panels[at] = replace(panels[at], blocks=(_clickable_tree(aligned, side),))
    return StepPictures(panels)


def _bracket_bars(aligned: Alignment, what: str, *, marked: bool = True) -> Panel:
    bars = bracket_bars(aligned, part="whole" if what.endswith("_whole") else "roof", marked=marked)
    return Panel("Brackets, gold above", (_picture(bars, _TREES),))


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
    strip = word_strip(aligned, scheme)
    numbered = replace(strip, words=[word._replace(below=word.hint) for word in strip.words])
    return Panel(title, (numbered,), wide=len(strip.words) > _MAX_WORDS_BESIDE)


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
    parts = ("golds",) if hidden else dict.fromkeys(("golds", *material.show))
    for part in parts:
        if part == "golds":
            panels += [
                Panel(f"Gold, {theory}", (_bars(tree, theory),)) for theory, tree in material.gold_trees().items()
            ]
        elif part == "common" and multiple.generalization is not None:
            panels.append(Panel("Common to all golds", (_bars(multiple.generalization, "generalization"),)))
        elif part == "parse":
            panels.append(Panel("The parse", (_bars(multiple.parse, "parse"),)))
        elif part == "steps":
            marks = (
                "Struck through: its own gold tree needs the edit too. δ counts the others. "
                f"{'Functions' if multiple.labeled else 'Nodes'}: |parse| = {multiple.n_parse}, "
                f"|gen| = {multiple.n_generalized} (common), |gold| = {single.n_generalized} (own)."
            )
            panels.append(Panel("The edits of the parse", (_picture(multiple, _BARS),)))
            panels.append(Panel("", (note(marks),), wide=True))
    scores = [_protocol("single", single), _protocol("multiple", multiple)]
    return StepPictures(panels, scores if {"steps", "scores"} & set(parts) else [])


def _bars(tree: MultiFunctionTree, label: str) -> Block:
    return _picture(Bars(tree.words, bars_of(tree), label=label), _BARS)


def _protocol(golds: str, protocol: TedEvalProtocol) -> tuple[str, str, str, str]:
    """Return title, formula, numbers and score of a protocol: those of its metric."""
    metric = metric_of(golds, labeled=protocol.labeled)
    numbers = f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized})"
    return metric.title, formula(metric), numbers, percentage(protocol.score, 2)


SHEETS = {"exercises": "Exercise sheet", "solutions": "Solutions", "handout": "Hand-out", "script": "Notes"}
"""Sheets of a lesson by name."""

_LINES, _DRAWING_LINES = 6, 12
"""Lines to write on below an exercise, or as many as its brackets if those are more; room to draw if it shows none."""
_PRINT = "<style>p.line { border-bottom: 1px solid; } @media print { figure svg { zoom: 1.4; } }</style>"
_TWO_PAGES = """<style>
@page { size: A4; margin: 9mm; }
main { max-width: none; padding: 0; font-size: 7.6pt; line-height: 1.25; columns: 3; column-gap: 5mm; }
nav { display: none; }
h1 { font-size: 12pt; column-span: all; }
h2 { font-size: 8.6pt; margin: 5px 0 1px; padding-top: 2px; }
main p, main ul { margin: 1px 0; } main ul { padding-left: 11px; }
main figure { margin: 2px 0; } main .wide { overflow: visible; }
main figure svg, main .picture svg { max-width: 100% !important; max-height: 44mm; width: auto; height: auto; }
main table { font-size: 6.6pt; width: 100%; } main th, main td { white-space: normal; padding: 0 3px; }
main figcaption, main p.note { font-size: 6.6pt; }
</style>"""
"""Pictures are drawn as large as a column allows: a hand-out has two pages."""
_HEADS = {
    "exercises": f"Name: {'_' * 40}",
    "handout": "For afterwards: with all answers of the lesson.",
    "script": "For the teacher.",
}


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a sheet."""

    title: str
    text: str  # Markdown
    pictures: StepPictures
    lines: int = 0  # Empty lines below


def answers_csv(ballots: Ballots, began: str) -> str:
    """Write the answers of a class to the questions of all lessons and exercises, a row each; hands are counted."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["class", "lesson", "step", "question", "student", "count", "answer", "right", "points"])
    numbers = ballots.numbers()

    def write(where: tuple[object, ...], question_id: str, judge: Callable[[str], tuple[object, ...]]) -> None:
        given = ballots.answers(question_id)
        for device in sorted(given, key=lambda each: numbers.get(each, 0)):
            writer.writerow(
                [began, *map(safe_cell, map(str, where)), numbers.get(device, "app"), 1, *judge(given[device])]
            )
        for choice, number in ballots.hands_of(question_id).items():
            writer.writerow([began, *map(safe_cell, map(str, where)), "hands", number, *judge(choice)])

    for lesson in (bundled_lessons() | shelf.own_lessons()).values():
        for number, step in enumerate(lesson.steps, start=1):
            if step.ballot and (question := phone_question(step)) is not None:
                write((lesson.title, number, question.text), step.ballot, partial(_judged, question))
    for name, exercise in shelf.exercises().items():
        for item in exercise.items:
            sentence = " ".join(item.gold_tree.words)
            write((exercise.title, item.id, sentence), shelf.question_of(name, item), partial(_marked, item))
    return file.getvalue()


def _judged(question: Poll, given: str) -> tuple[object, ...]:
    right = ("yes" if question.is_right(given) else "no") if question.correct else ""
    return safe_cell(question.shown(given)), right, ""


def _marked(item: Item, given: str) -> tuple[object, ...]:
    try:
        edits = read_answer(item, given).edits
    except ParameterError:  # the answer is damaged
        return "", "no", ""
    marked = mark(item, check_edits(edits))
    return safe_cell(marked.tree.to_string()), "yes" if marked.is_right else "no", decimals(marked.points, 1)


def lesson_sheet(lesson: Lesson, sheet: str) -> str:
    """Write a sheet of a lesson as HTML, to be printed.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    sheet : {"exercises", "solutions", "handout", "script"}
        Which sheet.

    Examples
    --------
    >>> from evaltools.classroom.lessons import bundled_lessons
    >>> lesson_sheet(bundled_lessons()["brackets"], "exercises")[:15]
    '<!DOCTYPE html>'
    """
    page = Page(f"{lesson.title}: {SHEETS[sheet].lower()}")
    page.markup(_TWO_PAGES if sheet == "handout" else _PRINT)
    if sheet in _HEADS:
        page.text(_HEADS[sheet])
    if lesson.source:
        page.text(f"Source: {lesson.source}", "note")
    if sheet == "handout":
        parts = _handout(lesson)
    elif sheet == "script":
        parts = _script(lesson)
    else:
        parts = _exercises(lesson, solved=sheet == "solutions")
    for part in parts:
        page.section(part.title)
        page.markup(to_html(part.text))
        for panel in part.pictures.panels:
            _write_panel(page, panel)
        if part.pictures.formulas:
            page.markup(table_html(formulas(part.pictures.formulas)))
        page.markup('<p class="line">&nbsp;</p>' * part.lines)
    return str(page)


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
        if not isinstance(step.material, Vote):
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


def _script(lesson: Lesson) -> list[_Part]:
    """Return the notes of every step with its question, its answer, and when it begins."""
    parts, begin = [], 0
    for number, step in enumerate(lesson.steps, start=1):
        numbers = numbers_of(step.material)
        texts = (step.notes, f"**Question.** {step.question}" if step.question else "",
                 f"**Answer.** {step.answer}" if step.answer else "")  # fmt: skip
        time = f" (minute {begin}, for {step.minutes})" if step.minutes else ""
        text = "\n\n".join(filled(each, numbers) for each in texts if each)
        parts.append(_Part(f"{number}. {filled(step.title, numbers)}{time}", text, StepPictures()))
        begin += step.minutes
    return parts


def _write_panel(page: Page, panel: Panel) -> None:
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
