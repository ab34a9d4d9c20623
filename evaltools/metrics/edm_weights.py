"""The file of weights for elementary dependency match: TOML, checked line by line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaltools.errors import InputError, Problem, excerpt

__all__ = ["MOST", "WeightsFile", "read_weights"]

MOST = 1_000_000
"""The largest weight."""

_PLACE = re.compile(r"\s*\(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class WeightsFile:
    """What a file of weights says.

    Parameters
    ----------
    preset, spans : str or None
        None where it does not say.
    weights : dict of str to dict of str to float
        The tables of numbers, in the file's order.
    """

    preset: str | None = None
    spans: str | None = None
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


def read_weights(
    text: str,
    file: str,
    *,
    presets: Collection[str],
    spans: Collection[str],
    tables: Mapping[str, Collection[str] | None],
) -> WeightsFile:
    """Read the text of a file of weights.

    Parameters
    ----------
    text : str
        The file.
    file : str
        Its name, for problems.
    presets, spans : collection of str
        The values that ``preset`` and ``spans`` can have.
    tables : mapping of str to (collection of str or None)
        The tables of numbers and the keys that each can have; None where any can stand.

    Raises
    ------
    InputError
        If it is no TOML, or says something else.
    """
    try:
        content = tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:  # also for a number of too many digits
        raise InputError(_no_toml(str(error), text, file)) from None
    words = {"preset": presets, "spans": spans}
    found: dict[str, str] = {}
    weights: dict[str, dict[str, float]] = {}
    for key, value in content.items():
        if key in words:
            if value not in list(words[key]):
                raise _wrong(text, file, "", key, f"{key} = {_shown(value)}", " or ".join(words[key]))
            found[key] = value
        elif key not in tables:
            valid = ", ".join([*words, *(f"[{name}]" for name in tables)])
            raise _wrong(text, file, "", key, f"unknown key {excerpt(key)!r}", f"one of {valid}")
        elif not isinstance(value, dict):
            raise _wrong(text, file, "", key, f"{key} = {_shown(value)}", f"a table of numbers, [{key}]")
        else:
            weights[key] = {name: _weight(text, file, key, name, one, tables[key]) for name, one in value.items()}
    return WeightsFile(found.get("preset"), found.get("spans"), weights)


def _weight(text: str, file: str, table: str, key: str, value: Any, valid: Collection[str] | None) -> float:
    if valid is not None and key not in valid:
        found = f"unknown key {excerpt(key)!r} in [{table}]"
        raise _wrong(text, file, table, key, found, f"one of {', '.join(valid)}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST:
        found = f"{excerpt(key)} = {_shown(value)} in [{table}]"
        raise _wrong(text, file, table, key, found, f"a number from 0 to {MOST:,}")
    return float(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and abs(value) > 10**18:
        return "a number too large"  # which Python may refuse to write down
    return excerpt(repr(value) if isinstance(value, str) else str(value))


def _wrong(text: str, file: str, table: str, key: str, found: str, expected: str) -> InputError:
    return InputError(Problem("weights", file, _line_of(text, table, key), None, found, expected))


def _line_of(text: str, table: str, key: str) -> int | None:
    """Return the line where a key of a table stands, if it is written in a plain way."""
    spelled = rf"(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')"
    here = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if header := re.match(r"\s*\[+\s*([^\]]*?)\s*\]", line):
            here = header[1].strip("\"'")
            if not table and here.split(".")[0] == key:
                return number
        elif here == table and re.match(rf"\s*{spelled}\s*[=.]", line):
            return number
    return None


def _no_toml(message: str, text: str, file: str) -> Problem:
    place = _PLACE.search(message)
    line, column = text.count("\n") + 1 if place else None, None
    if place and place[1]:
        line, column = int(place[1]), int(place[2])
    said = message[: place.start()] if place else message
    return Problem("weights", file, line, column, f"no TOML: {said[:1].lower()}{said[1:]}", "a TOML file of weights")
