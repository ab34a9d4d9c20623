"""How many rows each node stands away from the words."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["NodeKey", "assign_levels"]

NodeKey = tuple[str, int]
"""Side and node number."""


def assign_levels(
    least: Mapping[NodeKey, int],
    children: Mapping[NodeKey, tuple[NodeKey, ...]],
    mates: Mapping[NodeKey, NodeKey],
) -> dict[NodeKey, int]:
    """Give every node a row above all its children, and mapped nodes the same row where that is possible.

    A T-mapping keeps ancestry, so all its pairs can stand in matching rows; of an E-mapping
    that turns a chain round, some pair is released.

    Parameters
    ----------
    least : mapping
        The lowest row each node may have.
    children : mapping
        Children of each node, words left out.
    mates : mapping
        Mapped nodes, in both directions.

    Returns
    -------
    dict
        Row of every node of `least`.
    """
    mates = dict(mates)
    parents = {child: node for node, below in children.items() for child in below}
    waiting = {node: len(children[node]) for node in least}
    own = dict(least)
    level: dict[NodeKey, int] = {}
    held: set[NodeKey] = set()
    ready = [node for node, number in waiting.items() if not number]

    def settle(node: NodeKey, row: int) -> None:
        level[node] = row
        parent = parents.get(node)
        if parent is not None:
            own[parent] = max(own[parent], row + 1)
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)

    while ready or held:
        if not ready:  # a chain turned round: every held node waits for another one
            node = min(held, key=lambda key: (own[key], key))
            held.remove(node)
            del mates[mates.pop(node)]
            ready.append(node)
        node = ready.pop()
        mate = mates.get(node)
        if mate is None:
            settle(node, own[node])
        elif waiting[mate]:
            held.add(node)
        else:
            held.discard(mate)
            row = max(own[node], own[mate])
            settle(node, row)
            settle(mate, row)
            ready = [key for key in ready if key != mate]
    return level
