"""What formats have in common whose graphs PyDelphin reads."""

from __future__ import annotations

import io
import re
from types import ModuleType
from typing import Any

from delphin import predicate
from delphin.exceptions import PyDelphinSyntaxError

__all__ = ["GraphError", "decoded", "normalized", "unescaped"]

_WHITE_SPACE = re.compile(r'("(?:[^"\\\n]|\\.)*")|[\t\r\v\f]')
_ESCAPE = re.compile(r'\\(["\\])')


class GraphError(ValueError):
    """A graph that cannot be read; ``line`` counts from the graph's first, from 0."""

    def __init__(self, found: str, line: int = 0) -> None:
        super().__init__(found)
        self.line = line


def decoded(codec: ModuleType, body: str) -> Any:
    """Read one graph with a codec of PyDelphin.

    Parameters
    ----------
    codec : module
        One of :mod:`delphin.codecs`.
    body : str
        The graph's text.

    Raises
    ------
    GraphError
        If it is not one graph.
    """
    plain = _WHITE_SPACE.sub(lambda match: match[1] or " ", body)
    try:
        # not `decode`, which takes line separators inside words for ends of lines
        found = codec.load(io.StringIO(plain, newline="\n"))
    except PyDelphinSyntaxError as error:
        raise GraphError(_said(error), (error.lineno or 1) - 1) from None
    if len(found) != 1:
        raise GraphError("it is never closed" if not found else "more than one graph")
    return found[0]


def _said(error: PyDelphinSyntaxError) -> str:
    where = "" if error.offset is None or error.text is None else f" at {error.text[error.offset :][:20].rstrip()!r}"
    return f"{error.message}{where}"


def unescaped(text: str) -> str:
    r"""Return what a text with backslashes before quotes and backslashes means.

    >>> unescaped(r"the \"one\"")
    'the "one"'
    """
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


def normalized(structure: Any) -> Any:
    """Write the predicates of a structure as SimpleMRS has them: in small letters, without quotes and ``_rel``."""
    for one in structure.predications:
        one.predicate = predicate.normalize(one.predicate)
    return structure
