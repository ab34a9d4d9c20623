"""A run can be had again from its sources; if not, it is said what differs."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import evaltools
from evaltools.runs import scoring
from tests.resealing import change_table, reseal, write_meta

N = 9
GOLD = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v) (NP (NN x{i}))) (. .))\n" for i in range(N))
TEST = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v)) (NP (NN x{i}))(. .))\n" if i % 4 else "\n" for i in range(N))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    made = {"gold": GOLD, "a": TEST, "b": GOLD.replace("x5", "y") + "(X (Y z))\n"}
    for name, text in made.items():
        (tmp_path / f"{name}.ptb").write_text(text)
    return {name: tmp_path / f"{name}.ptb" for name in made}


@pytest.fixture
def run(files: dict[str, Path]) -> evaltools.Run:
    return scored(files)


def scored(files: dict[str, Path], **options: Any) -> evaltools.Run:
    parsers = {"a": files["a"], "b": files["b"]}
    return evaltools.score(files["gold"], parsers, out=files["gold"].parent / "run", force=True, **options)


def edit(run: evaltools.Run, table: str, change: Callable[[pa.Table], pa.Table]) -> evaltools.Run:
    change_table(run, table, change)
    reseal(run.path)
    return evaltools.Run(run.path)


def put(column: str, row: int, value: Any, parser: str | None = "a") -> Callable[[pa.Table], pa.Table]:
    """Return a function that replaces a value in one of the rows of a parser."""

    def change(rows: pa.Table) -> pa.Table:
        place = rows.schema.get_field_index(column)
        values = rows[column].to_pylist()
        values[[index for index, name in enumerate(rows["parser"].to_pylist()) if name == parser][row]] = value
        kind = rows.schema.field(column).type
        plain = kind.value_type if pa.types.is_dictionary(kind) else kind
        return rows.set_column(place, column, pa.array(values, plain))

    return change


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"preset": "collins"},
        {"preset": evaltools.Preset(name="mine", summary="", delete_tags=frozenset({"."}))},
        {"metrics": ["t"], "engine": "apted"},
        {"metrics": ["la", "f1"], "la_preterminals": True, "format": "ptb"},
        {"la_table": evaltools.CostTable({("NP", "VP"): 0.25})},
    ],
    ids=str,
)
@pytest.mark.slow
def test_a_run_equals_itself_computed_again(options: dict[str, Any], files: dict[str, Path], monkeypatch):
    run = scored(files, **options)
    found = evaltools.verify(run)
    n_rows = sum(table["rows"] for table in run.meta["tables"].values())
    assert str(found) == f"equal: {n_rows} rows recomputed from the sources, no difference"
    assert (found.equal, found.exit_status, found.n_differences) == (True, 0, 0)
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", 2)  # how it was cut does not matter
    assert evaltools.verify(run, jobs=1).equal


def test_files_named_from_another_folder(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(files["gold"].parent)
    run = evaltools.score("gold.ptb", {"a": "a.ptb"}, out="run")
    (files["gold"].parent / "elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert evaltools.verify(evaltools.Run("../run")).equal
    assert run.meta["gold"]["file"] == "gold.ptb"


def test_parameter_files_may_be_gone(files: dict[str, Path], tmp_path: Path):
    rules = tmp_path / "mine.prm"
    rules.write_text("DELETE_LABEL .\nNONSENSE\n")
    run = scored(files, preset=f"evalb:{rules}")
    assert run.meta["problems"] > 0
    rules.unlink()
    assert str(evaltools.verify(run)).startswith("equal")


def test_every_cell_that_differs_is_named(run: evaltools.Run):
    run = edit(run, "sentences", put("e_gold_roof", 2, 77.0, "b"))
    run = edit(run, "words", put("la_exact", 5, None))
    run = edit(run, "trees", put("tree", 8, "(S (X y))", None))
    found = evaltools.verify(run)
    assert (found.exit_status, found.n_differences) == (1, 3)
    sentences, words, trees = found.differences
    assert (sentences.table, sentences.parser, sentences.sentence) == ("sentences", "b", 3)
    assert (sentences.column, sentences.found) == ("e_gold_roof", "77")
    assert (words.table, words.parser, words.column, words.found) == ("words", "a", "la_exact", "nothing")
    assert (trees.table, trees.parser, trees.sentence, trees.found) == ("trees", None, 9, "'(S (X y))'")
    assert str(trees).startswith("trees, sentence 9, tree: '(S (X y))'; expected '(S (NP (DT the)")


def test_twenty_are_shown_and_all_are_counted(run: evaltools.Run):
    def all_null(rows: pa.Table) -> pa.Table:
        for column in ("words_scored", "line"):
            rows = rows.set_column(rows.schema.get_field_index(column), column, pa.nulls(len(rows), pa.int32()))
        return rows

    n = 2 * len(run.counts())
    found = evaltools.verify(edit(run, "sentences", all_null))
    assert n > 20
    assert (len(found.differences), found.n_differences) == (20, n)
    assert str(found).endswith(f"… and {n - 20} more\n{n} differences")


def test_rows_too_few_and_too_many(run: evaltools.Run):
    def without_one(rows: pa.Table) -> pa.Table:
        return rows.slice(1)

    def one_twice(rows: pa.Table) -> pa.Table:
        return pa.concat_tables([rows, rows.slice(0, 1)])

    run = edit(run, "words", without_one)
    run = edit(run, "problems", one_twice)
    words, problem = evaltools.verify(run).differences
    assert (words.parser, words.sentence, words.found, words.expected) == ("a", 1, "0 rows", "1 other row")
    assert (problem.table, problem.parser, problem.sentence) == ("problems", "b", 6)
    assert (problem.found, problem.expected) == ("1 row", "0 other rows")


def test_rows_of_nobody(run: evaltools.Run):
    run = edit(run, "words", lambda rows: put("sentence", 0, 4711)(put("parser", 1, None)(rows)))
    found = evaltools.verify(run)
    assert "words, parser a, sentence 4711: 1 row; expected 0 other rows" in str(found)
    assert "words, sentence 1: 1 row; expected 0 other rows" in str(found)


def test_other_columns_and_damaged_parts(run: evaltools.Run):
    run = edit(run, "brackets", lambda rows: rows.drop_columns(["crossing"]))
    (run.path / "trees.parquet").write_bytes(b"PAR1 and nothing else PAR1")
    part, brackets, trees = evaltools.verify(run).differences
    assert str(part) == "trees: another content; expected the file that was written"
    assert (brackets.column, brackets.found, brackets.expected) == (
        "crossing",
        "no such column",
        "a column of boolean",
    )
    assert (trees.table, trees.expected) == ("trees", "a readable table")


def test_figures_in_meta(run: evaltools.Run):
    meta = json.loads((run.path / "meta.json").read_text())
    meta["parsers"][0]["scored"] += 1
    meta["evaltools"] = "0.0.9"
    meta["signature"] = meta["signature"].replace("evaltools:", "evaltools:0.0.9 not ")
    write_meta(run.path, meta)
    version, parsers = evaltools.verify(evaltools.Run(run.path)).differences
    assert (version.column, version.found, version.expected) == ("evaltools", "'0.0.9'", repr(evaltools.__version__))
    assert parsers.column == "parsers"


def test_a_changed_source(run: evaltools.Run, files: dict[str, Path]):
    files["b"].write_text("something else altogether")
    found = evaltools.verify(run)
    (source,) = found.differences
    assert (source.table, source.column, found.exit_status) == (
        "source",
        f"SHA-256 of {files['b']}",
        1,
    )
    assert source.found == repr(run.meta["parsers"][1]["sha256"][:12])
    assert str(found).endswith("1 difference; not recomputed, since the sources have changed")


def test_sources_that_are_gone(run: evaltools.Run, files: dict[str, Path]):
    files["gold"].unlink()
    found = evaltools.verify(run)
    assert (found.exit_status, found.equal) == (2, False)
    assert str(found) == f"{files['gold']}: no such file\ncannot be verified"


def test_uploads_are_no_files(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(files["gold"].parent)  # where a file of the upload's name happens to lie
    upload = io.BytesIO(GOLD.encode())
    upload.name = "gold.ptb"
    found = evaltools.verify(evaltools.score(upload, {"a": files["a"]}))
    assert found.obstacles == ("gold.ptb: was no file on this machine (an upload, a URL, or standard input)",)
