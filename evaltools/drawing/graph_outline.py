"""Positions of the nodes and roles of two graphs whose nodes have no place in the sentence: an outline, a node a row.

A node stands below the node whose role leads to it, or to which its own role leads, indented as in PENMAN notation.
Roles that make a node part of several others, or lead back, run beside the boxes on the right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from evaltools.drawing.graph_content import DrawnArc, DrawnNode, GraphContent
from evaltools.drawing.graph_placement import GraphLayout, PlacedArc, box_size, label_width
from evaltools.drawing.measure import CORNER
from evaltools.drawing.scene import Box, Point

_MARGIN = 12.0
_GAP = 9.0  # between rows
_TRUNK = 14.0  # from the left side of a box to the line to its children
_INVERSE = 6.0  # to the line of roles of the children themselves
_LEAD = 8.0  # of a line on both sides of the name of its role
_ARROW = 8.0
_SLOT = 6.0  # between the ends of two roles at the right side of a box
_LANE = 12.0  # between roles beside the boxes


@dataclass(slots=True)
class _Outline:
    """The nodes in the order of the rows, each with the role by which it stands below another."""

    content: GraphContent
    order: list[DrawnNode] = field(default_factory=list)
    role_to: dict[int, DrawnArc] = field(default_factory=dict)  # By the number of the node
    parent: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        nodes = [node for node in self.content.nodes if node.number in self.content.drawn]
        roles = [role for role in self.roles() if role.source != role.target]
        outgoing, incoming = defaultdict(list), defaultdict(list)
        for role in sorted(roles, key=lambda role: (role.status == "spurious", role.number)):
            outgoing[role.source].append(role)
            incoming[role.target].append(role)
        children: dict[int, list[int]] = defaultdict(list)
        placed: list[int] = []

        def add(number: int) -> None:
            """Place a node and those that its roles lead to."""
            waiting = [number]
            while waiting:
                current = waiting.pop()
                if current in seen:
                    continue
                seen.add(current)
                placed.append(current)
                if current in self.parent:
                    children[self.parent[current]].append(current)
                for role in reversed(outgoing[current]):
                    if role.target not in seen:
                        self.parent[role.target], self.role_to[role.target] = current, role
                        waiting.append(role.target)

        seen: set[int] = set()
        tops = [node.number for node in nodes if any(line.kind == "top" for line in node.lines)]
        roots: list[int] = []
        for first in [*tops[:1], *(node.number for node in nodes)]:
            if first in seen:
                continue
            roots.append(first)
            add(first)
            done = 0
            while done < len(placed):  # nodes that are not reached, but whose roles lead here
                for role in incoming[placed[done]]:
                    if role.source not in seen:
                        self.parent[role.source], self.role_to[role.source] = placed[done], role
                        add(role.source)
                done += 1
        by_number = {node.number: node for node in nodes}
        rows = roots[::-1]
        while rows:
            number = rows.pop()
            self.order.append(by_number[number])
            rows += reversed(children[number])

    def roles(self) -> Iterator[DrawnArc]:
        """Yield the roles between drawn nodes."""
        drawn = self.content.drawn
        return (role for role in self.content.roles if role.source in drawn and role.target in drawn)


def layout_outline(content: GraphContent) -> GraphLayout:
    """Place the nodes and roles of two graphs as an outline."""
    outline = _Outline(content)
    widest: dict[int, float] = defaultdict(float)  # The widest name of a role below a node
    for number, role in outline.role_to.items():
        parent = outline.parent[number]
        widest[parent] = max(widest[parent], label_width(role))
    boxes: dict[int, Box] = {}
    y = _MARGIN
    for node in outline.order:
        width, height = box_size(node)
        left = _MARGIN
        if node.number in outline.parent:
            parent = outline.parent[node.number]
            left = boxes[parent].left + _TRUNK + 2 * _LEAD + widest[parent] + _ARROW
        boxes[node.number] = Box(left + width / 2, y + height / 2, width, height)
        y += height + _GAP
    in_tree = {role.number for role in outline.role_to.values()}
    beside = [*_beside(outline, [role for role in outline.roles() if role.number not in in_tree], boxes)]
    roles = (*_branches(outline, boxes), *beside)
    rights = [box.right for box in boxes.values()] + [placed.box.right for placed in beside]
    width, height = max([*rights, 60.0]) + _MARGIN, y - _GAP + _MARGIN
    nodes = tuple((node, boxes[node.number]) for node in outline.order)
    return GraphLayout(width, height, (), nodes, roles, height / 2)


def _branch(outline: _Outline, number: int, boxes: dict[int, Box], start: float | None) -> PlacedArc:
    """Return the role between a node and the one that it stands below; `start`: the height of the role before it."""
    role, above, box = outline.role_to[number], boxes[outline.parent[number]], boxes[number]
    size = label_width(role)
    x = above.left + _TRUNK
    middle = x + (box.left - _ARROW - x) / 2
    if role.target == number:
        from_y = above.bottom if start is None else start - CORNER
        points: tuple[Point, ...] = ((x, from_y), (x, box.y), (box.left, box.y))
    else:
        x = above.left + _INVERSE
        points = ((box.left, box.y), (x, box.y), (x, above.bottom))
    return PlacedArc(role, points, Box(middle, box.y, size, 14.0), halo=False)


def _branches(outline: _Outline, boxes: dict[int, Box]) -> Iterator[PlacedArc]:
    """Yield the roles by which nodes stand below others; each goes on where the one before it left the line."""
    last: dict[int, float] = {}
    for node in outline.order:
        if (parent := outline.parent.get(node.number)) is not None:
            yield _branch(outline, node.number, boxes, last.get(parent))
            if outline.role_to[node.number].target == node.number:
                last[parent] = boxes[node.number].y


def _beside(outline: _Outline, roles: list[DrawnArc], boxes: dict[int, Box]) -> Iterator[PlacedArc]:
    """Yield the roles that run on the right, each right of what is between its ends, the shortest first."""
    row = {node.number: index for index, node in enumerate(outline.order)}
    ends: dict[int, list[tuple[int, bool]]] = defaultdict(list)
    for role in roles:
        ends[role.source].append((role.number, True))
        ends[role.target].append((role.number, False))

    def height(role: DrawnArc, *, is_source: bool) -> float:
        number = role.source if is_source else role.target
        listed = ends[number]
        step = min(_SLOT, boxes[number].height / (len(listed) + 1))
        return boxes[number].y + (listed.index((role.number, is_source)) - (len(listed) - 1) / 2) * step

    lanes: list[tuple[float, float, float]] = []  # Upper and lower end, and right side, of what is placed
    for role in sorted(roles, key=lambda role: abs(row[role.source] - row[role.target])):
        start, end = height(role, is_source=True), height(role, is_source=False)
        low, high = min(start, end), max(start, end)
        size = label_width(role)
        middle = (low + high) / 2
        top, bottom = min(low, middle - 8), max(high, middle + 8)
        covered = [*((box.top, box.bottom, box.right) for box in boxes.values()), *lanes]
        right = max((side for upper, lower, side in covered if upper <= bottom and lower >= top), default=0.0)
        x = right + _LANE + size / 2
        lanes.append((top, bottom, x + size / 2))
        points = ((boxes[role.source].right, start), (x, start), (x, end), (boxes[role.target].right, end))
        yield PlacedArc(role, points, Box(x, middle, size, 14.0))
