"""Normalization, by building the trees anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from evaltools import Preset
from tests.slow.trees import Nested


def is_preterminal(node: Nested) -> bool:
    return isinstance(node, list) and len(node) == 2 and isinstance(node[1], str)


def tagged_words(nodes: list[Nested], tag: str | None = None) -> Iterator[tuple[str, str | None]]:
    """List the words of some nodes and their tags."""
    for node in nodes:
        if isinstance(node, str):
            yield node, tag
        else:
            yield from tagged_words(node[1:], node[0] if is_preterminal(node) else None)


def without_empty_elements(gold: list[Nested], test: list[Nested], preset: Preset) -> tuple[list[Nested], list[Nested]]:
    """Remove the empty elements of both sides.

    A test word is one by the gold word's tag where the words are equal; no test word is one where they are equal
    without those of the gold tree; else it is one by its own tag.
    """

    def empty(forest: list[Nested]) -> list[bool]:
        return [tag in preset.empty_tags for _, tag in tagged_words(forest)]

    def forms(forest: list[Nested]) -> list[str]:
        return [form for form, _ in tagged_words(forest)]

    gold_left = without_words(gold, empty(gold))
    if forms(gold) == forms(test):
        return gold_left, without_words(test, empty(gold))
    if forms(gold_left) == forms(test):
        return gold_left, test
    return gold_left, without_words(test, empty(test))


def without_words(forest: list[Nested], dropped: list[bool]) -> list[Nested]:
    """Build the trees without some words, and without the phrases that are empty then."""
    position = 0

    def rebuilt(node: Nested) -> list[Nested]:
        nonlocal position
        if isinstance(node, str):
            position += 1
            return [] if dropped[position - 1] else [node]
        children = [made for child in node[1:] for made in rebuilt(child)]
        return [[node[0], *children]] if children or not list(tagged_words([node])) else []

    return [made for root in forest for made in rebuilt(root)]


def relabeled(node: Nested, preset: Preset) -> Nested:
    """Replace labels: the whole label, or else what stands before the first dash or equals sign."""
    if isinstance(node, str):
        return node
    label = node[0]
    parts = re.match("(.[^-=]*)(.*)", label)
    if label in preset.label_map:
        label = preset.label_map[label]
    elif parts is not None and parts[1] in preset.label_map:
        label = preset.label_map[parts[1]] + parts[2]
    return [label, *(relabeled(child, preset) for child in node[1:])]


def normalized(forest: list[Nested], preset: Preset, dropped: Callable[[int], bool]) -> list[Nested]:
    """Apply a preset's rules; `dropped` tells which word positions go."""
    position = 0

    def rebuilt(node: Nested, at_top: bool) -> list[Nested]:
        nonlocal position
        if isinstance(node, str):
            position += 1
            return [] if dropped(position - 1) else [node]
        label = node[0]
        if is_preterminal(node):
            return [[label, word] for word in rebuilt(node[1], False)]
        label = preset.cut_label(label)
        n_words = sum(1 for _ in tagged_words([node]))
        n_left = sum(not dropped(at) for at in range(position, position + n_words))
        if not n_left and (n_words or preset.drop_empty):
            goes = True
        else:
            goes = label in preset.delete_labels or (at_top and label in preset.delete_top)
        children = [made for child in node[1:] for made in rebuilt(child, at_top and goes)]
        return children if goes else [[label, *children]]

    return [made for root in forest for made in rebuilt(root, True)]
