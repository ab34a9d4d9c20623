"""Profiles of [incr tsdb()]: small ones made here, with what can be wrong in them, and real ones."""

from __future__ import annotations

import gzip
import hashlib
import time
from pathlib import Path

import pytest
import zstandard

from evaltools import InputError
from evaltools.formats import SemanticBank, profile_digest, read_semantics
from tests.formats.semantic_texts import (
    GRAPHS,
    ITEM,
    PARSE,
    PERSUADED,
    RAINS,
    RELATIONS,
    RESULT,
    TEXTS,
    escaped,
    profile,
)


def problem_texts(bank: SemanticBank) -> list[str]:
    return [str(problem).removeprefix(f"{bank.name}/") for problem in bank.problems]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return profile(tmp_path / "profile", item=ITEM, parse=PARSE, result=RESULT)


def test_items_and_their_results(made: Path):
    bank = read_semantics(made, results="all")
    assert (bank.format, bank.has_ids, bank.problems) == ("tsdb", True, [])
    assert [(item.id, item.line, item.text) for item in bank.items] == [
        ("1", 1, "He persuaded Kim to leave."),
        ("2", 2, "It rains."),
        ("3", 3, "Rains it."),
    ]
    assert [len(item.results) for item in bank.items] == [2, 1, 0]
    first = bank.items[0].results
    assert first[0] == GRAPHS[0]
    assert first[1] is not None
    assert first[1].text == "He persuaded Kim to leave."
    assert [len(item.results) for item in read_semantics(f"{made}/").items] == [1, 1, 0]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ([(11, 1, 1)], RAINS),
        ([(11, 1, 0), (11, 2, 1)], RAINS),  # the latest version of the annotation counts
        ([(11, 2, 0), (11, 1, 1)], PERSUADED),
        ([(11, 1, 7)], PERSUADED),  # there is no such result
        ([(99, 1, 1)], PERSUADED),
        ([], PERSUADED),
    ],
)
def test_where_one_result_is_wanted_it_is_the_chosen_one(tmp_path: Path, chosen: list[tuple[int, ...]], expected: str):
    relations = f"{RELATIONS}\npreference:\n  parse-id :integer :key\n  t-version :integer\n  result-id :integer\n"
    tables = {"item": ITEM, "parse": PARSE, "result": RESULT, "relations": relations, "preference": chosen}
    folder = profile(tmp_path / "profile", **tables)
    (item, *_), (listed, *_) = (read_semantics(folder, results=results).items for results in ("first", "all"))
    assert item.results == (listed.results[[PERSUADED, RAINS].index(expected)],)
    assert read_semantics(folder).digest == profile_digest(folder, "p")
    if chosen:  # who chose otherwise has other gold graphs
        before = profile_digest(folder, "p")
        (folder / "preference").write_text("11@3@0\n")
        assert profile_digest(folder, "p") != before


def test_the_digest_is_that_of_the_tables(made: Path):
    stored = b"".join((made / table).read_bytes() for table in ("relations", "item", "parse", "result"))
    assert read_semantics(made).digest == profile_digest(made, "") == hashlib.sha256(stored).hexdigest()
    with pytest.raises(InputError, match="a folder without the table relations"):
        profile_digest(made / "absent", "absent")


def test_compressed_tables(made: Path, tmp_path: Path):
    plain = read_semantics(made, results="all")
    for table, ending in (("item", ".gz"), ("result", ".gz"), ("parse", ".zst")):
        data = (made / table).read_bytes()
        packed = gzip.compress(data) if ending == ".gz" else zstandard.ZstdCompressor().compress(data)
        (made / f"{table}{ending}").write_bytes(packed)
        (made / table).write_bytes(b"")
    bank = read_semantics(made, results="all")
    assert (bank.items, bank.problems) == (plain.items, [])
    assert bank.digest == profile_digest(made, "") != plain.digest
    (made / "result.gz").write_bytes(b"\x1f\x8bnonsense")
    with pytest.raises(InputError, match=r"result\.gz: .*expected a whole compressed file"):
        read_semantics(made)


def test_a_table_that_is_there_twice(made: Path):
    (made / "item.gz").write_bytes(gzip.compress(b"9@x@1\n"))
    bank = read_semantics(made)
    assert [item.id for item in bank.items] == ["1", "2", "3"]
    assert problem_texts(bank) == ["item.gz: another table item; expected one, here item is used"]


@pytest.mark.parametrize("table", ["item", "parse", "result"])
@pytest.mark.parametrize("content", [None, ""])
def test_a_table_that_is_missing_or_empty(tmp_path: Path, table: str, content: str | None):
    # with equal names of items and parses, as profiles nearly always have them
    tables: dict[str, object] = {
        "item": ITEM,
        "parse": [(i, i, 1) for i in (1, 2, 3)],
        "result": [(1, 0, "", PERSUADED), (2, 0, "", RAINS)],
    }
    bank = read_semantics(profile(tmp_path, **{**tables, table: content}))  # type: ignore[arg-type]
    found = "no such table" if content is None else "an empty table"
    expected = f"the table {table}" if content is None else "rows"
    assert problem_texts(bank) == [f"{table}: {found}; expected {expected}"]
    assert [item.id for item in bank.items] == ["1", "2", "3"]
    assert [item.graph is None for item in bank.items] == ([True] * 3 if table == "result" else [False, False, True])
    assert [bool(item.text) for item in bank.items] == [True, True, table != "item"]


def test_results_alone_name_their_items(tmp_path: Path):
    bank = read_semantics(profile(tmp_path, result=[(5, 0, "", RAINS)]))
    assert [(item.id, item.graph is None) for item in bank.items] == [("5", False)]


def test_rows_that_are_odd(tmp_path: Path):
    item = "1@one@1\n2@two\n1@again@1\n\n@nameless@1\n3@t\\sh\\\\r\\qee\\@1"
    parse = [(11, 1, 1), (12, 2, 1), (12, 2, 1), (19, 9, 1)]
    result = [(11, 1, "", RAINS), (11, "x", "", RAINS), (12, 0, "", ""), (12, 1, "", "[ nonsense"), (77, 0, "", RAINS)]
    bank = read_semantics(profile(tmp_path, item=item, parse=parse, result=result), results="all")
    assert [(one.id, one.text, len(one.results)) for one in bank.items] == [
        ("1", "one", 2),
        ("2", "two", 2),
        ("3", "t@h\\r\\qee\\", 0),
        ("9", "", 0),
    ]
    assert problem_texts(bank) == [
        "item:2: 2 fields; expected 3 fields, as in relations",
        "item:3: item 1 again; expected one row for each item; the first is used",
        "item:5: no i-id; expected a value of i-id; the row is left out",
        "parse:3: parse 12 again; expected one row for each parse; the first is used",
        "parse:4: parse 19 of item 9, which is not in the table item; expected an item of the profile",
        "result:5: a result of parse 77, which is not in the table parse; expected a parse of the profile",
        *(
            f"result:{line}: item 1: 1 of 1 nodes with a span beyond the sentence's 3 characters; "
            "expected spans inside the sentence"
            for line in (1, 2)
        ),
        "result:3: item 2: result 0 without an MRS; expected an MRS",
        "result:4: item 2: an MRS in no known notation: '[ nonsense'; "
        "expected SimpleMRS, EDS or another known notation",
    ]


def test_any_notation_may_stand_in_a_profile(tmp_path: Path):
    texts = {name: text for name, text in TEXTS.items() if name != "mrp"}
    rows = [(i, 0, "", text) for i, text in enumerate(texts.values(), start=1)]
    bank = read_semantics(profile(tmp_path, item=[(i, "", 1) for i, *_ in rows], result=rows, parse=None))
    assert all(item.graph is not None for item in bank.items)
    assert [problem.found.partition(": ")[2] for problem in bank.problems[1:]] == [
        "2 graphs in one row; the first is used"
    ] * len(rows)


def test_a_broken_row_touches_no_other(made: Path):
    lines = (made / "result").read_text().splitlines()
    (made / "result").write_text("\n".join([lines[0], lines[1].replace("HCONS", "["), lines[2]]) + "\n")
    bank = read_semantics(made, results="all")
    assert [[graph is None for graph in item.results] for item in bank.items] == [[True, False], [False], []]
    assert bank.items[0].results[1] is not None
    assert [(problem.line, problem.sentence, problem.kind) for problem in bank.problems] == [(2, 1, "graph")]


def test_folders_that_are_no_profiles(tmp_path: Path):
    with pytest.raises(InputError, match="a folder without the table relations; expected a profile"):
        read_semantics(tmp_path)
    with pytest.raises(InputError, match="a folder; expected a file of EDS"):
        read_semantics(tmp_path, "eds")


def test_relations_that_lack_what_is_needed(tmp_path: Path):
    folder = profile(tmp_path, item="1@x\n", parse="1@1\n", result=f"1@{escaped(RAINS)}\n")
    (folder / "relations").write_text("item:\n  i-id :integer\n  i-input :string\n\nparse:\n  i-id :integer\n")
    bank = read_semantics(folder)
    assert [(item.id, item.text, item.results) for item in bank.items] == [("1", "x", ())]
    assert [problem.found for problem in bank.problems] == [
        "no field parse-id of the table parse",
        "no field parse-id of the table result",
        "no field result-id of the table result",
        "no field mrs of the table result",
    ]


@pytest.mark.parametrize("year", ["2024", "2025"])
@pytest.mark.parametrize(("name", "n_items", "n_graphs"), [("csli", 1348, 921), ("mrs", 107, 107)])
def test_real_profiles(shared_data: Path, year: str, name: str, n_items: int, n_graphs: int):
    folder = shared_data / "data" / "erg" / year / name
    if not folder.is_dir():
        pytest.skip("no profiles of the English Resource Grammar here")
    begun = time.perf_counter()
    bank = read_semantics(folder, results="all")
    assert time.perf_counter() - begun < 20  # half a second on a free machine
    assert (len(bank), sum(item.graph is not None for item in bank.items)) == (n_items, n_graphs)
    assert bank.has_ids
    assert [problem.kind for problem in bank.problems] == (["no_span"] if name == "mrs" else [])
    assert all(graph.text and len(graph.tops) == 1 for item in bank.items for graph in item.results if graph)
    assert all(node.type or node.is_quantifier for item in bank.items if item.graph for node in item.graph.nodes)
