"""Leaf-ancestor scores: a word's two lineages, and the table of their edit distance."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.scene import Box, Group, Item, Line, Mark, Rectangle, Scene, Text, framed, outline
from evaltools.errors import ParameterError
from evaltools.frameworks.common.lineages import CostTable, LineageTable, WordComparison, lineage_table
from evaltools.frameworks.constituency.aligned_trees import WordLink, WordMatch
from evaltools.marks import Status
from evaltools.text import count_of, excerpt, percentage, significant

_MATCHED = Status.RIGHT
_NO_SCORE = float("nan")
_SIZE, _HEIGHT, _LEADING = 14.0, 24.0, 30.0
_MAX_LENGTH = 40


def lineage_scene(
    word: WordComparison,
    metric: str = "la",
    *,
    gold_name: str = "gold",
    parse_name: str = "parse",
    table: CostTable | None = None,
    link: WordLink | None = None,
    title: str | None = None,
) -> Scene:
    """Place a word's two lineages under one another, with the cost of every step and the sum."""
    if word.test is None:
        raise ParameterError(f"the word {word.form!r} has no partner in the parse")
    steps = lineage_table(word.gold, word.test, metric, table, word.label_classes).steps
    x = max(text_width(name, 12.0) for name in (gold_name, parse_name, "cost")) + 26
    items: list[Item] = [
        Text(name, 12.0, y, 12.0, "soft", "start")
        for y, name in ((_GOLD_ROW, gold_name), (_COST_ROW, "cost"), (_TEST_ROW, parse_name))
    ]
    for gold, test, cost in steps:
        size = max(text_width(excerpt(visible(s), 24), 13.0) for s in (gold, test) if s is not None) + 14
        items.append(_step(gold, test, cost, x, size))
        x += size + 6
    total = sum(cost for _, _, cost in steps)
    length = len(word.gold) + len(word.test)
    value = (
        "1"
        if not length
        else f"1 − {significant(total)} / ({len(word.gold)} + {len(word.test)}) = {percentage(1 - total / length, 2)}"
    )
    end = 12.0
    for text, role in _compared(word, link):  # one text per word: words may run from right to left, the sum does not
        size = text_width(text, 13.0)
        items.append(Text(text, end + size / 2, 104.0, 13.0, role))
        end += size + 3
    items.append(Text(f":  {value}", end - 3, 104.0, 13.0, "sum", "start"))
    width = max(x + 8, end + text_width(value, 13.0) + 28)
    return framed(Scene(width, 120.0, tuple(items), "lineage", f"lineages of {word.form}"), title=title)


_GOLD_ROW, _COST_ROW, _TEST_ROW = 20.0, 47.0, 74.0


def _compared(word: WordComparison, link: WordLink | None) -> list[tuple[str, str]]:
    """Return the words whose lineages are compared, and how they are aligned, as texts with their roles."""
    texts = [(excerpt(visible(word.form), _MAX_LENGTH), "symbol")]
    if link is None or link.how is WordMatch.EXACT:
        return texts
    how = "except for case or escapes"
    if link.how is WordMatch.CHARACTERS:
        how = count_of(link.characters, "character")
    return [
        *texts,
        (" ↔ ", "soft"),
        (excerpt(visible(word.test_form or ""), _MAX_LENGTH), "symbol"),
        (f" {how}", "soft"),
    ]


def _step(gold: str | None, test: str | None, cost: float, x: float, size: float) -> Group:
    status = _MATCHED
    if gold is None:
        status = Status.SPURIOUS
    elif test is None:
        status = Status.MISSING
    elif cost:
        status = Status.RELABELED
    middle = x + size / 2
    items: list[Item] = []
    if not cost:
        items.append(Line(((middle, _GOLD_ROW + 12), (middle, _TEST_ROW - 12)), "edge"))
    for symbol, y in ((gold, _GOLD_ROW), (test, _TEST_ROW)):
        if symbol is not None:
            items.append(outline(Box(middle, y, size, 21), status))
            items.append(Text(excerpt(visible(symbol), 24), middle, y, 13.0, "symbol"))
    if cost:
        items.append(Text(significant(cost), middle, _COST_ROW, 12.0, "cost"))
    title = {
        _MATCHED: f"{gold} in both",
        Status.MISSING: f"{gold} only in gold’s lineage: 1",
        Status.SPURIOUS: f"{test} only in the parse’s lineage: 1",
        Status.RELABELED: f"{gold} replaced by {test}: {significant(cost)}",
    }[status]
    return Group(tuple(items), "step", status=status, title=title)


# ----------------------------------------------------------------------------------------------- table of edit distance

_ROW, _NUMBER_SIZE, _MAX_SYMBOL_LENGTH = 30.0, 13.0, 12


def lineage_table_scene(
    table: LineageTable, *, gold_name: str = "gold", parse_name: str = "parse", title: str | None = None
) -> Scene:
    """Place the table of two lineages: the gold one downwards, the test one across, and the cheapest path."""
    names = [excerpt(visible(symbol), _MAX_SYMBOL_LENGTH) for symbol in table.gold]
    heads = [excerpt(visible(symbol), _MAX_SYMBOL_LENGTH) for symbol in table.test]
    first = max([text_width(name, _NUMBER_SIZE) for name in names] + [text_width(gold_name, 11.0) + 8, 24.0]) + 18
    edges = [first]
    for width in [46.0, *(max(46.0, text_width(head, _NUMBER_SIZE) + 16) for head in heads)]:
        edges.append(edges[-1] + width)
    top = 46.0
    bottom = top + _ROW * (len(names) + 1)

    def middle(i: int, j: int) -> tuple[float, float]:
        return (edges[j] + edges[j + 1]) / 2, top + _ROW * (i + 0.5)

    items: list[Item] = [
        Text(f"{parse_name} →", edges[1] + 4, 12.0, 11.0, "soft", "start"),
        Text(f"{gold_name} ↓", 8.0, 34.0, 11.0, "soft", "start"),
    ]
    items += [Text(head, middle(0, j)[0], 34.0, _NUMBER_SIZE, "symbol") for j, head in enumerate(heads, start=1)]
    items += [Text(name, first / 2, middle(i, 0)[1], _NUMBER_SIZE, "symbol") for i, name in enumerate(names, start=1)]
    items += [Line(((edge, top), (edge, bottom)), "grid") for edge in edges]
    rows = (top + _ROW * row for row in range(len(names) + 2))
    items += [Line(((first, y), (edges[-1], y)), "grid") for y in rows]
    if len(table.path) > 1:
        items.append(Line(tuple(middle(*cell) for cell in table.path), "way"))
    on_path = {cell: index for index, cell in enumerate(table.path)}
    for i, row in enumerate(table.costs):
        for j, cost in enumerate(row):
            x, y = middle(i, j)
            if (i, j) in on_path:
                items.append(_cell(table, on_path[i, j], x, y))
            else:
                items.append(Text(significant(cost), x, y, _NUMBER_SIZE, "number soft"))
    label = f"edit distance of two lineages: {significant(table.distance)}"
    return framed(Scene(edges[-1] + 10, bottom + 10, tuple(items), "table", label), title=title)


def _status(table: LineageTable, index: int) -> Status:
    """Return the kind of the step that leads to a cell of the path."""
    if not index:
        return _MATCHED
    (i, j), (k, m) = table.path[index - 1], table.path[index]
    if k > i and m > j:
        return _MATCHED if table.costs[k][m] == table.costs[i][j] else Status.RELABELED
    return Status.MISSING if k > i else Status.SPURIOUS


def _cell(table: LineageTable, index: int, x: float, y: float) -> Group:
    """Return a cell of the path: the cost so far, and the kind of the last step."""
    i, j = table.path[index]
    status = _status(table, index)

    def symbol(lineage: Sequence[str], at: int) -> str:
        return excerpt(visible(lineage[at - 1]), 24) if at else ""

    gold, test = symbol(table.gold, i), symbol(table.test, j)
    title = {
        _MATCHED: f"{gold} in both: no cost" if index else "the beginning",
        Status.RELABELED: f"{gold} replaced by {test}",
        Status.MISSING: f"{gold} deleted: 1",
        Status.SPURIOUS: f"{test} inserted: 1",
    }[status]
    field = Box(x, y, 40.0, 22.0)
    differs = status is not _MATCHED
    items: list[Item] = [Rectangle(field, "field", radius=4), outline(field, status)]
    items += [Mark(status, x - 12, y, 0.8)] if differs else []
    items.append(Text(significant(table.costs[i][j]), x + (6 if differs else 0), y, _NUMBER_SIZE, "number"))
    more = "result" if index == len(table.path) - 1 else ""
    return Group(tuple(items), "cell", status=status, more=more, title=title, is_symbol=True)
