"""Damaged profiles, n-best lists and tables of metadata: what can be read is read, the rest is listed with its line."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

import evaltools
from evaltools.errors import InputError, Problem
from evaltools.formats import read_semantics
from evaltools.formats.metadata_files import read_metadata
from evaltools.formats.nbest_lists import read_nbest
from evaltools.frameworks.semantics import edm
from tests.formats.semantic_texts import ITEM, PARSE, RESULT, profile
from tests.robustness.mutations import mutated

pytestmark = pytest.mark.slow

TABLES = ("relations", "item", "parse", "result")
LISTS = {
    "table": b"sent_id\trank\tlogprob\ttree\nx-2\t2\t-3.5\t(S (A b))\nx-2\t1\t-1\t(S (A a))\nx-1\t1\t?\t(S (A c))\n",
    "heads": b"sent_id\trank\theads_deprels\na\t1\t0:root 1:obj\na\t2\t2:nsubj 0:root\nb\t1\t0:root\n",
    "blocks": b"(S (A a))\n(S (B a))\n\n\n(S (C c))\n",
    "scores": b"2\tw-1\n-12.5\n(S1 (A a))\n-1e2\n(S1 (B a))\n\n1\tw-2\n-3\n(S1 (C c))\n",
}
METADATA = (
    b"sent_id\tgenre\tyear\na-1\tnews\t1999\na-2\tfiction\t\n",
    b"sentence\tgenre\n1\tnews\n2\tfiction\n",
    b"document\tfirst_line\tlast_line\tgenre\nd1\t1\t2\tnews\nd2\t3\t4\tfiction\n",
    b"# sent_id = a-1\n# genre = news\n1\tA\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
)
GOLD = b"(S (A a))\n(S (B b))\n(S (C c))\n(S (D d))\n"


def check(problems: list[Problem], n_lines: int) -> None:
    """Check that every problem says what is wrong, and in a line that there is."""
    for problem in problems:
        assert problem.kind
        assert problem.found
        assert problem.expected
        assert problem.line is None or 1 <= problem.line <= n_lines, problem


@pytest.mark.parametrize("table", TABLES)
def test_damaged_profiles(tmp_path: Path, table: str):
    random = Random(table)
    made = profile(tmp_path / "gold", item=ITEM, parse=PARSE, result=RESULT)
    path = made / table
    data = path.read_bytes()
    for _ in range(40):
        path.write_bytes(mutated(data, random, data))
        try:
            bank = read_semantics(made, "tsdb", results="all")
        except InputError:  # nothing is left of the file
            continue
        check(bank.problems, 10_000)
        for item in bank.items:
            assert all(graph is None or graph.nodes for graph in item.results)


def test_damaged_profiles_are_scored_as_far_as_they_go(tmp_path: Path):
    random = Random("profiles")
    gold, test = (profile(tmp_path / side, item=ITEM, parse=PARSE, result=RESULT) for side in ("gold", "test"))
    for table in TABLES * 2:
        data = (test / table).read_bytes()
        (test / table).write_bytes(mutated(data, random, data))
        try:
            run = evaltools.score(gold, {"p": test})
        except InputError:  # nothing is left of the file
            pass
        else:
            counts = run.counts("p").set_index("sentence")
            for sentence in range(1, run.n_sentences + 1):
                found = run.graphs(sentence, "p").counts
                assert [counts.loc[sentence, name] for name in edm.COLUMNS] == pytest.approx(
                    [found[name] for name in edm.COLUMNS], nan_ok=True
                )
        (test / table).write_bytes(data)


@pytest.mark.parametrize("name", LISTS)
def test_damaged_lists_of_analyses(name: str):
    random, data = Random(name), LISTS[name]
    for _ in range(150):
        changed = mutated(data, random, random.choice([*LISTS.values()]))
        try:
            lists = read_nbest(io.BytesIO(changed))
        except InputError:  # nothing is left of the file
            continue
        check(lists.problems, changed.count(b"\n") + changed.count(b"\r") + 1)


@pytest.mark.parametrize("index", range(len(METADATA)))
def test_damaged_tables_of_metadata(tmp_path: Path, index: int):
    random, data, path = Random(index), METADATA[index], tmp_path / "meta.tsv"
    for number in range(100):
        changed = mutated(data, random, random.choice(METADATA))
        path.write_bytes(changed)
        try:
            file = read_metadata(path)
        except InputError:  # nothing is left of the file
            continue
        check(file.problems, changed.count(b"\n") + changed.count(b"\r") + 1)
        if number % 25 == 0:
            try:
                run = evaltools.score(io.BytesIO(GOLD), {"p": io.BytesIO(GOLD)}, metadata=path)
            except InputError:  # nothing is left of the file
                pass
            else:
                assert len(run.metadata()) == 4
                assert run.summary().set_index("metric").loc["f1", "pooled"] == 1.0
