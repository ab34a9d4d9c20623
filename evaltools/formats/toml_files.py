"""TOML files written by users: checked against types; errors have the line.

The types are those of :mod:`msgspec`: a ``Struct`` for a table, ``Annotated[…, Meta(…)]`` for bounds. The description
in ``Meta`` is the expected value in an error message.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Collection, Iterator
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from evaltools.errors import InputError, Problem
from evaltools.text import excerpt

__all__ = ["Key", "TomlFile", "as_type", "choice", "value_text"]

T = TypeVar("T")
Key = tuple[str | int, ...]
"""The path of a value: names of keys and tables, and for arrays the index from 0."""

_POSITION = re.compile(r"\s*\(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")
_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]#]+?)\s*\]\]?\s*(#.*)?$")
_ASSIGNMENT = re.compile(
    r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=(.*)$", re.DOTALL
)
_NAME = re.compile(r"\"([^\"]*)\"|'([^']*)'|([\w-]+)")
_QUOTES = ('"""', "'''")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")


def choice(valid: Collection[str], description: str | None = None) -> Meta:
    """Return the condition that a text is one of some names."""
    pattern = "|".join(map(re.escape, valid))
    return Meta(pattern=rf"^(?:{pattern})\Z", description=description or f"one of {', '.join(valid)}")


def value_text(value: object) -> str:
    """Return a value as an error message shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > 10**18:
        return "a number too large"  # Python may refuse to convert it to text
    return excerpt(repr(value) if isinstance(value, str) else str(value))


_TYPES = threading.Lock()


def as_type(value: Any, kind: Any) -> Any:
    """Return a value as a type; raise ValidationError if it is not of that form.

    A process ends if two threads of it use a type of msgspec for the first time at once.
    """
    with _TYPES:
        return msgspec.convert(value, kind)


class TomlFile:
    """The content of a TOML file, and the lines of its keys."""

    def __init__(self, text: str, name: str, kind: str, title: str) -> None:
        import tomllib

        self._name, self._kind = name, kind
        text = text.replace("\r\n", "\n")
        try:
            self.content: dict[str, Any] = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # also for a number of too many digits
            raise InputError(self._no_toml(str(error), text, title)) from None
        self._lines: dict[Key, int] = {}
        self._opened: set[int] = set()
        self._find_lines(text)

    def _no_toml(self, message: str, text: str, title: str) -> Problem:
        position = _POSITION.search(message)
        line, column = text.count("\n") + 1 if position else None, None
        if position and position[1]:
            line, column = int(position[1]), int(position[2])
        reason = message[: position.start()] if position else message
        found = f"no TOML: {reason[:1].lower()}{reason[1:]}"
        return Problem(self._kind, self._name, line, column, found, title)

    def _find_lines(self, text: str) -> None:
        """Note the lines of tables and keys, as far as they are written in a plain way."""
        sizes: dict[Key, int] = {}
        table: Key = ()
        quote = ""
        for number, line in enumerate(text.split("\n"), start=1):
            if quote:
                quote = "" if line.count(quote) % 2 else quote
            elif header := _HEADER.match(line):
                table = ()
                names = list(_names(header[2]))
                for depth, name in enumerate(names, start=1):
                    table += (name,)
                    self._lines.setdefault(table, number)
                    if depth == len(names) and header[1] == "[[":
                        sizes[table] = sizes.get(table, 0) + 1
                    if table in sizes:
                        table += (sizes[table] - 1,)
                        self._lines.setdefault(table, number)
            elif key := _ASSIGNMENT.match(line):
                path = table
                for name in _names(key[1]):
                    path += (name,)
                    self._lines.setdefault(path, number)
                for mark in _QUOTES:
                    if key[2].count(mark) == 1:
                        quote = mark
                        if key[2].strip() == mark:
                            self._opened.add(number)

    def line(self, key: Key) -> int | None:
        """Return the line of a key, or of the table it is in."""
        return next((self._lines[key[:n]] for n in range(len(key), 0, -1) if key[:n] in self._lines), None)

    def line_inside(self, key: Key, line: int) -> int | None:
        """Return the line in the file of a line of a text, from 1."""
        first = self._lines.get(key)
        return None if first is None else first + line - 1 + (first in self._opened)

    def value(self, key: Key) -> Any:
        """Return the value of a key."""
        value: Any = self.content
        for step in key:
            value = value[step]
        return value

    def error(self, key: Key, found: str, expected: str, *, line: int | None = None) -> InputError:
        """Return the error of a key."""
        where = ""
        if len(key) > 2 and isinstance(key[1], int):
            inner = [str(step) for step in key[2:-1] if isinstance(step, str)]
            where = f" in {key[0]} {key[1] + 1}" + (f", [{'.'.join([str(key[0]), *inner])}]" if inner else "")
        elif len(key) > 1:
            where = f" in [{_dotted(key[:-1])}]"
        number = self.line(key) if line is None else line
        return InputError(Problem(self._kind, self._name, number, None, f"{found}{where}", expected))

    def broken(self, key: Key, problem: Problem) -> InputError:
        """Return the error of a text in some notation that cannot be read."""
        line = self.line_inside(key, problem.line or 1)
        found = f"{key[-1]}: {problem.found}"
        if problem.column and line is not None and self.line_inside(key, 1) == line:
            found += f" at its character {problem.column}"
        return self.error(key, found, problem.expected, line=line)

    def convert(self, kind: type[T], key: Key = ()) -> T:
        """Return the value of a key as a type."""
        value = self.value(key)
        try:
            return cast("T", as_type(value, kind))
        except msgspec.ValidationError as error:
            raise self._invalid(str(error), kind, key) from None

    def _invalid(self, message: str, kind: Any, key: Key) -> InputError:
        """Return the error of the value that a message of msgspec names."""
        value, annotation = self.value(key), kind
        start = message.rfind(" - at `$")
        for name, index in _STEP.findall(message[start + 8 : -1] if start >= 0 else ""):
            bare = _bare(annotation)
            if name:
                annotation, step = get_type_hints(bare, include_extras=True)[name], name
            elif index == "...":  # the message does not name keys of dictionaries or elements of sets
                annotation = get_args(bare)[-1]
                items = value.items() if isinstance(value, dict) else enumerate(value)
                step = next(each for each, item in items if not _is_valid(item, annotation))
            else:
                annotation, step = get_args(bare)[0], int(index)
            value, key = value[step], (*key, step)
        if message.startswith("Object contains unknown field"):
            return self._unknown_key(_bare(annotation), value, key)
        if message.startswith("Object missing required field"):
            return self._missing_key(_bare(annotation), value, key)
        expected = _expected(annotation, key)
        if key and isinstance(key[-1], int):
            return self.error(key[:-1], f"{value_text(value)} in {key[-2]}", expected)
        return self.error(key, f"{excerpt(str(key[-1]))} = {value_text(value)}" if key else value_text(value), expected)

    def _unknown_key(self, kind: type[Struct], table: dict[str, Any], key: Key) -> InputError:
        hints = get_type_hints(kind, include_extras=True)
        fields = msgspec.structs.fields(kind)
        unknown = next(name for name in table if name not in {field.name for field in fields})
        valid = [f"[{_dotted((*key, field.name))}]" if _is_table(hints[field.name]) else field.name for field in fields]
        return self.error((*key, unknown), f"unknown key {excerpt(unknown)!r}", f"one of {', '.join(valid)}")

    def _missing_key(self, kind: type[Struct], table: dict[str, Any], key: Key) -> InputError:
        fields = msgspec.structs.fields(kind)
        name = next(field.name for field in fields if field.required and field.name not in table)
        hint = get_type_hints(kind, include_extras=True)[name]
        expected = f'{name} = "…"' if _bare(hint) is str else _expected(hint, (*key, name))
        return self.error((*key, name), f"no {name}", expected)

    def problems(self, kind: type[Struct]) -> list[Problem]:
        """Return the problems of the top-level keys: the first unknown key, and one problem of each other key."""
        hints = get_type_hints(kind, include_extras=True)
        errors: list[InputError] = []
        if set(self.content) - set(hints):
            errors.append(self._unknown_key(kind, self.content, ()))
        for field in msgspec.structs.fields(kind):
            if field.name not in self.content and field.required:
                rest = {name: None for name in hints if name != field.name}
                errors.append(self._missing_key(kind, rest, ()))
            elif field.name in self.content:
                try:
                    self.convert(hints[field.name], (field.name,))
                except InputError as error:
                    errors.append(error)
        return [error.problem for error in errors]


def _names(header: str) -> Iterator[str]:
    for double, single, bare in _NAME.findall(header):
        yield double or single or bare


def _dotted(key: Key) -> str:
    return ".".join(step for step in key if isinstance(step, str))


def _bare(annotation: Any) -> Any:
    """Return a type without its conditions, and without None."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return _bare(next(each for each in get_args(annotation) if each is not NoneType))
    return annotation


def _is_table(annotation: Any) -> bool:
    bare = _bare(annotation)
    return get_origin(bare) is dict or (isinstance(bare, type) and issubclass(bare, Struct))


def _is_valid(value: object, kind: Any) -> bool:
    try:
        as_type(value, kind)
    except msgspec.ValidationError:
        return False
    return True


_EXPECTED = {bool: "true or false", str: "a text", int: "a whole number", float: "a number"}


def _expected(annotation: Any, key: Key) -> str:
    """Return what a type expects: the description in its conditions, or what kind of value it is."""
    if get_origin(annotation) is Annotated:
        for condition in get_args(annotation)[1:]:
            if isinstance(condition, Meta) and condition.description:
                return condition.description
    if get_origin(annotation) in (Union, UnionType):
        return _expected(next(each for each in get_args(annotation) if each is not NoneType), key)
    if _is_table(annotation):
        return f"a table, [{_dotted(key)}]"
    bare = _bare(annotation)
    if isinstance(bare, type) and issubclass(bare, Enum):
        return f"one of {', '.join(str(each.value) for each in bare)}"
    return _EXPECTED.get(bare, "a list")
