"""Damaged semantic graphs and profiles: whatever the bytes, they are read or refused, and nothing is lost silently."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltools import InputError
from evaltools.errors import printable
from evaltools.formats.semantics import (
    SEMANTIC_FORMATS,
    SemanticBank,
    guess_semantic,
    read_semantics,
    write_mrp,
)
from evaltools.formats.source import Source
from evaltools.treebank import SemanticGraph
from tests.formats.semantic_texts import ITEM, PARSE, RAINS, RESULT, TEXTS, profile
from tests.robustness.mutations import mutated
from tests.slow.trees import randoms

FORMATS = sorted(TEXTS)
PIECES = (
    *(
        "SENT: It rains.\n",
        "\nSKIP:\n",
        "NOTE: 1\n",
        "#7 {",
        "{e2: ",
        "dmrs {",
        "[ TOP: h0 ",
        "<mrs>",
        "</mrs>",
        "<!--",
    ),
    *("-->", "<![CDATA[", "&a;", '"', '\\"', "\\", '("', '")', "<0:3>", "<-1:-1>", "<0:99999999999999999999>", "1e999"),
    *('{"id": "7", ', '"nodes": [', '"tops": [0], ', "null", "NaN", "]", "}", "[", "{", "RELS: <", "ARG1 x4", "\u2028"),
    *("e2:", "CARG: ", "\ud800", "\x85", "@", "\\s"),
)


def checked(bank: SemanticBank, data: bytes) -> None:
    """Check what holds for whatever has been read."""
    lines = data.count(b"\n") + data.count(b"\r") + 1
    assert bank.format in SEMANTIC_FORMATS
    for problem in bank.problems:
        assert str(problem) == printable(str(problem))
        assert problem.line is None or 1 <= problem.line <= lines
        assert problem.sentence is None or 1 <= problem.sentence <= len(bank.items)
    accused = {problem.sentence for problem in bank.problems if problem.kind == "graph"}
    for number, item in enumerate(bank.items, start=1):
        assert 1 <= item.line <= lines
        for graph in item.results:
            if graph is not None:
                assert graph.nodes
                assert len({node.id for node in graph.nodes}) == len(graph.nodes)
                assert SemanticGraph.from_json(graph.to_json().encode().decode()) == graph
        if None not in item.results:
            assert number not in accused
    named = [item.id for item in bank.items if item.id is not None]
    assert len(set(named)) == len(named)
    assert write_mrp(bank.items).encode().count(b"\n") >= len(bank.items)
    assert bank.items or bank.problems


def read(data: bytes, name: str | None = None) -> SemanticBank | None:
    guessed = guess_semantic(io.BytesIO(data))
    try:
        bank = read_semantics(io.BytesIO(data), name, results="all")
    except InputError:
        assert guessed is None or name == "tsdb"
        return None
    assert name is not None or guessed == bank.format
    checked(bank, data)
    return bank


@given(randoms, st.sampled_from(FORMATS), st.sampled_from([None, *FORMATS]))
@settings(deadline=None)
def test_damaged_bytes(random: Random, seed: str, name: str | None):
    text = TEXTS[seed]
    for _ in range(random.randrange(3)):
        at = random.randrange(len(text))
        text = text[:at] + random.choice(PIECES) + text[at + random.choice((0, 0, 1, 20)) :]
    data = text.encode("utf-8", "surrogatepass")
    other = TEXTS[random.choice(FORMATS)].encode()
    read(mutated(data, random, other) if random.random() < 0.7 else data, name)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=30), st.sampled_from([None, *FORMATS]))
@settings(deadline=None)
def test_any_text(parts: list[str], name: str | None):
    read("".join(parts).encode("utf-8", "surrogatepass"), name)


SEPARATOR = {"mrsjson": ",\n", "edsjson": ",\n", "dmrsjson": ",\n"}


def graphs_of(name: str) -> list[str]:
    """Return the texts of the graphs of a file, each by itself."""
    text = re.sub("</?d?mrs-list>", "", TEXTS[name])
    if "json" in name:
        return [text[1:-1].partition(",\n  {")[0], "{" + text[1:-1].partition(",\n  {")[2]]
    return [text[a.start() : b] for a, b in starts_and_ends(name, text)]


def starts_and_ends(name: str, text: str) -> list[tuple[re.Match[str], int]]:
    head = {
        "simplemrs": r"^\[ ",
        "simpledmrs": r"dmrs ",
        "eds": r"^\{",
        "mrx": "<mrs ",
        "dmrx": "<dmrs ",
        "mrp": r'^\{"id"',
    }[name]
    found = list(re.finditer(head, text, re.MULTILINE))
    return list(zip(found, [*(match.start() for match in found[1:]), len(text)], strict=True))


@given(randoms, st.sampled_from(FORMATS))
@settings(deadline=None)
def test_damage_in_one_graph_loses_no_other(random: Random, name: str):
    """Left out or doubled anywhere inside the graph in the middle; the first and the last of five stay as they are."""
    one, two = (graph.strip() for graph in graphs_of(name))
    if name == "mrp":
        one, two = (re.sub('"id":"."', '"id":"%s"', graph, count=1) for graph in (one, two))
    start, end = sorted(random.randrange(2, len(one) - 1) for _ in range(2))
    if name == "mrp":
        start, end = max(start, 20), max(end, 20)
    broken = one[:start] + (one[start:end] * 2 if random.random() < 0.3 else "") + one[end:]
    graphs = [two, one, broken, two, one]
    if name == "mrp":
        graphs = [graph.replace("%s", f"i{i}", 1) for i, graph in enumerate(graphs)]
    text = SEPARATOR.get(name, "\n").join(graphs)
    bank = read(f"[{text}]".encode() if "json" in name else text.encode(), name)
    assert bank is not None
    whole = read(TEXTS[name].encode(), name)
    assert whole is not None
    expected = [(item.graph.nodes, item.graph.edges, item.graph.tops) for item in whole.items if item.graph]
    found = [(graph.nodes, graph.edges, graph.tops) for item in bank.items for graph in item.results if graph]
    assert found[0] == expected[1]
    assert found[1] == expected[0]
    assert found[-1] == expected[0]
    assert found[-2] == expected[1]
    assert len(found) >= 5 or bank.problems or any(not item.graph for item in bank.items)


@given(randoms)
@settings(deadline=None)
def test_damaged_profiles(tmp_path_factory: pytest.TempPathFactory, random: Random):
    folder = profile(tmp_path_factory.mktemp("profile"), item=ITEM, parse=PARSE, result=RESULT)
    stored = b""
    for table in ("relations", "item", "parse", "result"):
        path: Path = folder / table
        if random.random() < 0.5:
            path.write_bytes(mutated(path.read_bytes(), random, RAINS.encode()))
        stored += path.read_bytes()
        if table != "relations" and random.random() < 0.1:
            path.unlink()
    try:
        bank = read_semantics(folder, results="all")
    except InputError:  # bytes that look like those of a damaged compressed file
        return
    checked(bank, stored)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "unit", ["{", "[", '("', '"', "<!--", "<mrs", "<?", "<!DOCTYPE [", "#1 ", "SENT:\n", "[ ", '{"id":']
)
def test_time_grows_with_the_text(name: str, unit: str):
    bank = read_semantics(Source.from_bytes((TEXTS[name] + unit * 50_000).encode(), "x"), name)
    assert bank.items
