"""Roles and properties that a text gives twice to one node, of which PyDelphin keeps the last."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

__all__ = ["repeated_in_dmrs", "repeated_in_eds", "repeated_in_mrs", "repeated_in_mrx"]

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_LIST_OF_EDS = re.compile(r"\[([^][{}<>]*)\]|\{[^\s{}:,]+\s+([^][{}<>:]*)\}")
_INNERMOST = re.compile(r"\[([^][]*)\]")
_FEATURE = re.compile(r"(?<=\s)([^\s:<>]+):(?=\s)")
_PROPERTY = re.compile(r"(?<=\s)([^\s=]+)=")
_PREDICATION = re.compile(r"<ep\b.*?</ep>", re.DOTALL)
_ROLE = re.compile(r"<rargname>\s*([^<]*?)\s*</rargname>")


def repeated_in_eds(body: str) -> list[str]:
    """Return the names that a list of roles or properties of an EDS has twice.

    >>> repeated_in_eds("{e2: e2:_see_v_1<3:8>{e TENSE pres}[ARG1 x1, ARG1 x2]}")
    ['ARG1']
    """
    lists = (match[1] or match[2] or "" for match in _LIST_OF_EDS.finditer(_STRING.sub('""', body)))
    return [*_twice([pair.split()[0] for pair in values.split(",") if pair.strip()] for values in lists)]


def repeated_in_mrs(body: str) -> list[str]:
    """Return the features that a bracket of a SimpleMRS has twice.

    >>> repeated_in_mrs('[ RELS: < [ _see_v_1<3:8> LBL: h1 ARG1: x1 [ x NUM: sg ] ARG1: x2 ] > ]')
    ['ARG1']
    """
    text = _STRING.sub('""', body)
    lists = []
    while inner := _INNERMOST.findall(text):  # a bracket's own features are those outside the brackets in it
        lists += [_FEATURE.findall(values) for values in inner]
        text = _INNERMOST.sub(" ", text)
    return [*_twice(lists)]


def repeated_in_dmrs(body: str) -> list[str]:
    """Return the properties that a node of a SimpleDMRS has twice.

    >>> repeated_in_dmrs("dmrs { 1 [_see_v_1<3:8> e TENSE=pres TENSE=past]; }")
    ['TENSE']
    """
    nodes = _INNERMOST.findall(_STRING.sub('""', body))
    return [*_twice(_PROPERTY.findall(values) for values in nodes)]


def repeated_in_mrx(body: str) -> list[str]:
    """Return the roles that a predication of an MRX has twice."""
    return [*_twice(_ROLE.findall(values) for values in _PREDICATION.findall(body))]


def _twice(lists: Iterable[list[str]]) -> Iterator[str]:
    for names in lists:
        yield from (name for name, n in Counter(name.upper() for name in names).items() if n > 1)
