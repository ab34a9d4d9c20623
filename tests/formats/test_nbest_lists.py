"""Lists of analyses: tables and blocks, and what is wrong with them."""

from __future__ import annotations

import gzip
import io

import pytest
from hypothesis import given, strategies as st

from evaltools.corpus import Dependencies, Treebank
from evaltools.errors import InputError
from evaltools.formats import Source
from evaltools.formats.nbest_lists import read_nbest

TABLE = "sent_id\trank\tlogprob\ttree\nx-2\t2\t-3.5\t(S (A b))\nx-2\t1\t-1\t(S (A a))\nx-1\t1\t?\t(S (A c))\n"
BLOCKS = "(S (A a))\n(S (B a))\n\n\n(S (C c))\n"
CHARNIAK = "2\tw-1\n-12.5\n(S1 (A a))\n-1e2\n(S1 (B a))\n\n1\tw-2\n-3\n(S1 (C c))\n"


def read(text: str | bytes) -> object:
    return read_nbest(Source.from_bytes(text if isinstance(text, bytes) else text.encode(), "list"))


def shown(text: str | bytes) -> list[tuple[str | None, list[str]]]:
    found = read_nbest(Source.from_bytes(text if isinstance(text, bytes) else text.encode(), "list"))
    assert found.problems == []
    return [(item.id, [parse.text for parse in item.parses]) for item in found.items]


@pytest.mark.parametrize(
    "change", [str, lambda text: text.replace("\n", "\r\n"), lambda text: gzip.compress(text.encode())]
)
def test_a_table_is_ordered_by_rank(change):
    assert shown(change(TABLE)) == [("x-2", ["(S (A a))", "(S (A b))"]), ("x-1", ["(S (A c))"])]


def test_blocks_are_parted_by_blank_lines():
    assert shown(BLOCKS) == [(None, ["(S (A a))", "(S (B a))"]), (None, ["(S (C c))"])]


def test_blocks_with_names_and_scores():
    assert shown(CHARNIAK) == [("w-1", ["(S1 (A a))", "(S1 (B a))"]), ("w-2", ["(S1 (C c))"])]


@pytest.mark.parametrize(("column", "holds"), [("tree", Treebank), ("heads_deprels", Dependencies)])
def test_the_last_column_says_what_it_holds(column: str, holds: type):
    found = read_nbest(io.BytesIO(f"sent_id\trank\t{column}\na\t1\t0:root\n".encode()))
    assert (found.holds, found.max_length, found.has_ids) == (holds, 1, True)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("x-2\t1", "2 columns"),
        ("x-2\t0\t1\t(S a)", "rank 0"),
        ("x-2\t1.5\t1\t(S a)", "rank 1.5"),
        ("x-2\t1\t1\t(S a)", "rank 1 of x-2 again"),
        ("\t1\t1\t(S a)", "no name"),
    ],
)
def test_lines_that_cannot_be_read_are_named_and_left_out(line: str, found: str):
    lists = read_nbest(Source.from_bytes(f"{TABLE}{line}\n".encode(), "list"))
    (problem,) = lists.problems
    assert (problem.line, problem.found) == (5, found)
    assert [len(item.parses) for item in lists.items] == [2, 1]


def test_other_lines_of_blocks_are_named():
    (problem,) = read_nbest(Source.from_bytes(b"(S (A a))\nnonsense here\n", "list")).problems
    assert (problem.line, problem.found) == (2, "nonsense here")


@pytest.mark.parametrize("text", ["", "\n\n", "sent_id\trank\tlemma\na\t1\tb\n", "a b c\n", "sent_id\trank\ttree\n"])
def test_what_is_no_list_is_refused(text: str):
    with pytest.raises(InputError):
        read(text)


@given(st.binary(max_size=80), st.sampled_from([b"", b"sent_id\trank\ttree\n", b"(S (A a))\n"]))
def test_any_bytes_give_lists_or_an_error(data: bytes, before: bytes):
    try:
        found = read_nbest(Source.from_bytes(before + data, "list"))
    except InputError:
        return
    assert found.max_length >= 1
