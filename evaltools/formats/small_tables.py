"""Small tables of the user's own: a row on each line, fields with white space between them, comments after ``#``."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from evaltools.errors import InputError, Problem
from evaltools.text import excerpt

__all__ = ["read_label_map", "read_label_pairs", "table_lines"]


def table_lines(path: str | os.PathLike[str], kind: str, expected: str) -> list[str]:
    """Return the lines of a table."""
    name = str(path)
    try:
        data = Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf")
    except (OSError, ValueError) as error:  # the latter for a NUL in the path
        found = getattr(error, "strerror", None) or str(error)
        raise InputError(Problem(kind, name, None, None, found, expected)) from None
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    except UnicodeDecodeError as error:
        number, column = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
        found = f"bytes {data[error.start : error.end].hex(' ')} that are not UTF-8"
        raise InputError(Problem(kind, name, number, column, found, "UTF-8 text")) from None


def _rows(path: str | os.PathLike[str], kind: str, expected: str) -> Iterator[tuple[int, str, str]]:
    """Yield the number of every line that is not empty, and its two fields."""
    for number, line in enumerate(table_lines(path, kind, expected), start=1):
        fields = line.split()
        comment = next((index for index, field in enumerate(fields) if field.startswith("#")), len(fields))
        if not comment:
            continue
        if comment != 2:
            raise InputError(Problem(kind, str(path), number, 1, excerpt(line.strip()), "two labels"))
        yield number, fields[0], fields[1]


def read_label_map(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read a map from labels to labels.

    Each line holds a label and the label to put in its place, separated by white space; ``#`` at the beginning of a
    field begins a comment.

    Parameters
    ----------
    path : path
        The file, in UTF-8.

    Returns
    -------
    dict of str to str
        The second label for each first one.

    Raises
    ------
    InputError
        If the file cannot be read, a line is not of this form, or a label is mapped to two.
    """
    name = str(path)
    labels: dict[str, str] = {}
    first: dict[str, int] = {}
    for number, label, replacement in _rows(path, "label_map", "a map of labels"):
        if labels.setdefault(label, replacement) != replacement:
            found = f"label {excerpt(label)} mapped to {excerpt(replacement)}"
            expected = f"{excerpt(labels[label])} as on line {first[label]}"
            raise InputError(Problem("label_map", name, number, 1, found, expected))
        first.setdefault(label, number)
    return labels


def read_label_pairs(path: str | os.PathLike[str]) -> frozenset[tuple[str, str]]:
    """Read pairs of labels that agree: relabeling one as the other costs nothing."""
    # Each line holds two labels, separated by white space; ``#`` at the beginning of a field begins a comment.
    return frozenset((first, second) for _, first, second in _rows(path, "label_pairs", "pairs of labels"))
