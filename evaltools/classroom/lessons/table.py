"""A table of a lesson's file, which knows the lines of its keys and says what is wrong with their values."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from evaltools.errors import InputError, Problem, excerpt

__all__ = ["Lines", "Table"]

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"' -]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([\w-]+|\"[^\"]*\"|'[^']*')\s*(\.[\w.-]+\s*)?=(.*)$", re.DOTALL)
_QUOTES = ('"""', "'''")


class Lines:
    """Where the keys of a TOML file stand, as far as it is written in a plain way.

    Parameters
    ----------
    text : str
        The file.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[int, str, str], int] = {}
        self._opens: set[int] = set()
        step, table, quote = -1, "", ""
        for number, line in enumerate(text.split("\n"), start=1):
            if quote:
                quote = "" if line.count(quote) % 2 else quote
                continue
            if header := _HEADER.match(line):
                name = header[2].replace('"', "").replace(" ", "")
                if name == "step" and header[1] == "[[":
                    step, table = step + 1, ""
                else:
                    table = name.removeprefix("step.")
                self._lines.setdefault((step, table, ""), number)
            elif key := _KEY.match(line):
                self._lines.setdefault((step, table, key[1].strip("\"'")), number)
                for one in _QUOTES:
                    if key[3].count(one) == 1:
                        quote = one
                        if key[3].strip() == one:
                            self._opens.add(number)

    def line(self, step: int, table: str, key: str = "") -> int | None:
        """Return the line of a key, or if that is unknown of its table or step."""
        inside = f"{table}.{key}" if table else key
        places = ((step, table, key), (step, inside, ""), (step, table, ""), (step, "", table), (step, "", ""))
        return next((self._lines[place] for place in places if place in self._lines), None)

    def inside(self, step: int, table: str, key: str, line: int) -> int | None:
        """Return the line of the file of a line of a value, from 1."""
        first = self._lines.get((step, table, key))
        return None if first is None else first + line - 1 + (first in self._opens)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the file.

    Parameters
    ----------
    content : mapping
        What TOML makes of it.
    lines : Lines
        Where its keys stand.
    file : str
        The file's name.
    step : int
        The step that it belongs to, from 0; -1 for the beginning of the file.
    name : str
        Its name in that step; empty for the step itself.
    """

    content: Mapping[str, Any]
    lines: Lines
    file: str
    step: int = -1
    name: str = ""

    def wrong(self, key: str, found: str, expected: str, *, line: int | None = None) -> InputError:
        """Return the error of a key."""
        place = self.lines.line(self.step, self.name, key) if line is None else line
        return InputError(Problem("lesson", self.file, place, None, f"{found}{self._where()}", expected))

    def _where(self) -> str:
        if self.step < 0:
            return ""
        return f" in step {self.step + 1}" + (f", [step.{self.name}]" if self.name else "")

    def check_keys(self, valid: Collection[str]) -> None:
        """Refuse keys that mean nothing.

        Raises
        ------
        InputError
            With the keys that are known.
        """
        for key in self.content:
            if key not in valid:
                raise self.wrong(key, f"unknown key {excerpt(key)!r}", f"one of {', '.join(valid)}")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text; one without a default must be there and not empty."""
        value = self.content.get(key, default)
        if value is None:
            raise self.wrong(key, f"no {key}", f'{key} = "…"')
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise self.wrong(key, f"{key} = {_shown(value)}", "a text")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        value = self.content.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, f"{key} = {_shown(value)}", "true or false")
        return value

    def number(self, key: str, default: int, low: int, high: int) -> int:
        """Return a whole number within bounds."""
        value = self.content.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.wrong(key, f"{key} = {_shown(value)}", f"a whole number from {low} to {high}")
        return value

    def chosen(self, key: str, default: str, valid: Collection[str]) -> str:
        """Return one of some names."""
        value = self.content.get(key, default)
        if not isinstance(value, str) or value not in valid:
            raise self.wrong(key, f"{key} = {_shown(value)}", f"one of {', '.join(valid)}")
        return value

    def several(self, key: str, default: tuple[str, ...], valid: Collection[str]) -> tuple[str, ...]:
        """Return any of some names, in the file's order."""
        value = self.content.get(key, list(default))
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.wrong(key, f"{key} = {_shown(value)}", f"a list of {', '.join(valid)}")
        for one in value:
            if one not in valid:
                raise self.wrong(key, f"{excerpt(one)!r} in {key}", f"any of {', '.join(valid)}")
        return tuple(dict.fromkeys(value))

    def table(self, key: str) -> Table:
        """Return a table inside this one."""
        value = self.content.get(key)
        name = f"{self.name}.{key}" if self.name else key
        if not isinstance(value, dict):
            found = f"no {key}" if value is None else f"{key} = {_shown(value)}"
            raise self.wrong(key, found, f"a table, [step.{name}]")
        return Table(value, self.lines, self.file, self.step, name)

    def broken(self, key: str, problem: Problem) -> InputError:
        """Return the error of a value that is a tree or a graph and cannot be read."""
        line = self.lines.inside(self.step, self.name, key, problem.line or 1)
        found = f"{key}: {problem.found}"
        if problem.column and line is not None and self.lines.inside(self.step, self.name, key, 1) == line:
            found += f" at its character {problem.column}"
        return self.wrong(key, found, problem.expected, line=line)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > 10**18:
        return "a number too large"
    return excerpt(repr(value) if isinstance(value, str) else str(value))
