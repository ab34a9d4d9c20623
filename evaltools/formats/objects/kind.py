"""What a kind of objects in memory is, and the errors for objects that cannot be used."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evaltools.errors import EvaltoolsError, InputError, Problem
from evaltools.formats.reading.source import Source
from evaltools.formats.semantics.bank import SemanticBank
from evaltools.text import excerpt

__all__ = ["ObjectKind", "from_each", "has_members", "object_error", "text_source"]


@dataclass(frozen=True)
class ObjectKind:
    """A kind of objects in memory, one for each sentence."""

    title: str  # As errors name it
    matches: Callable[[Any], bool]  # Whether an object is of this kind, without importing the library that made it
    # Sentences, None for a missing one, and their name in problems, as what readers of files take
    corpus: Callable[[Sequence[Any], str], Source | SemanticBank]
    # The sentences of an object that is given alone, not in a list; by default it is one sentence
    sentences: Callable[[Any], list[Any]] | None = None


def has_members(item: object, *names: str) -> bool:
    """Return whether the class of an object has all these members; no property of the object is computed."""
    return all(hasattr(type(item), name) for name in names)


def object_error(name: str, found: str, expected: str, sentence: int | None = None) -> InputError:
    """Return the error for an object that cannot be used."""
    place = "" if sentence is None else f"sentence {sentence}: "
    return InputError(Problem("object", name, None, None, f"{place}{found}", expected, sentence))


def from_each(items: Iterable[Any], convert: Callable[[Any], Any], name: str) -> list[Any]:
    """Convert every sentence; None, a missing one, stays. An error names the sentence."""
    results = []
    for number, item in enumerate(items, start=1):
        try:
            results.append(None if item is None else convert(item))
        except (EvaltoolsError, AttributeError, LookupError, TypeError, ValueError) as error:
            kind = type(item).__name__
            raise object_error(name, excerpt(str(error), 160), f"a {kind} that is complete", number) from error
    return results


def text_source(
    text: str, name: str, format_name: str | None, layout: str | None = None, problems: Iterable[Problem] = ()
) -> Source:
    """Return text as the content of a file, with the problems of the objects it was made of."""
    data = text.encode("utf-8", "backslashreplace")
    return Source(name, data, hashlib.sha256(data).hexdigest(), list(problems), layout=layout, format=format_name)
