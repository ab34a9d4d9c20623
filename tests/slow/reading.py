"""Reading brackets line by line, with a regular expression and recursion."""

from __future__ import annotations

import re

from tests.slow.trees import Nested


def read_line(line: str, brackets: str = "()") -> list[Nested] | None:
    """Return the trees of a line; None if it cannot be read."""
    opening, closing = map(re.escape, brackets)
    other = rf"[^\s{opening}{closing}]"
    tokens = re.findall(rf"{opening}[ \t\r]*{other}*|{closing}|{other}+", line, re.ASCII)
    at = 0

    def node() -> Nested:
        nonlocal at
        made: list[Nested] = [tokens[at][1:].strip(" \t\r")]
        at += 1
        while at < len(tokens) and tokens[at] != brackets[1]:
            if tokens[at][0] == brackets[0]:
                made.append(node())
            else:
                made.append(tokens[at])
                at += 1
        if at == len(tokens):
            raise ValueError("never closed")
        at += 1
        return made

    roots = []
    while at < len(tokens):
        if tokens[at][0] != brackets[0]:
            return None
        try:
            roots.append(node())
        except ValueError:
            return None
    return roots


def has_words(item: Nested) -> bool:
    if isinstance(item, str):
        return False
    children = item[1:] if item and isinstance(item[0], str) else item
    return any(isinstance(child, str) or has_words(child) for child in children)
