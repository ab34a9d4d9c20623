"""Pages of text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltools.drawing.measure import cells
from evaltools.drawing.palette import ANSI
from evaltools.drawing.scene import Row, Segment, Table
from evaltools.marks import Status


def write_text(page: Sequence[Table | str], color: bool = False) -> str:
    """Return lines and tables as text."""
    lines: list[str] = []
    for part in page:
        lines += [part] if isinstance(part, str) else _table(part, color)
    return "\n".join(lines)


def _table(table: Table, color: bool) -> Iterator[str]:
    rows = [row for row in table.rows if isinstance(row, Row)]
    columns = max((len(row.cells) for row in rows), default=0)
    widths = [max((_width(row.cells[at]) for row in rows if at < len(row.cells)), default=0) for at in range(columns)]
    for row in table.rows:
        if isinstance(row, str):
            yield row
            continue
        padded = (
            "".join(_painted(segment, color) for segment in cell) + " " * (width - _width(cell))
            for cell, width in zip(row.cells, widths, strict=False)
        )
        yield _painted((table.gap.join(padded).rstrip(), row.status), color)


def _width(cell: Sequence[Segment]) -> int:
    return sum(cells(part) for part, _ in cell)


def _painted(segment: Segment, color: bool) -> str:
    content, status = segment
    code = ANSI[Status(status)] if color and status else ""
    return f"\x1b[{code}m{content}\x1b[0m" if code else content
