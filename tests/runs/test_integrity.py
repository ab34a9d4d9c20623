"""A run that is not what was written is refused before a figure is shown, and `verify` names what was changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evaltools
from evaltools.errors import ResourceError, RunError
from evaltools.runs.folders import integrity
from evaltools.runs.folders.digests import digest_of_meta
from evaltools.runs.notes import Note, Notes
from evaltools.runs.sums import sum_sentences
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
from tests.resealing import reseal, write_meta

if TYPE_CHECKING:
    from collections.abc import Callable

OLD = Path(__file__).parent / "schema4"
N = 6
GOLD = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v) (NP (NN x{i}))) (. .))\n" for i in range(N))
FLAT = "".join(f"(S (NP (DT the) (NN n{i})) (VP (VBZ v)) (NP (NN x{i})) (. .))\n" for i in range(N))


def scored(folder: Path, a: str = FLAT, b: str = GOLD, out: str = "run") -> evaltools.Run:
    for name, text in (("gold", GOLD), ("a", a), ("b", b)):
        (folder / f"{name}.ptb").write_text(text)
    parsers = {name: folder / f"{name}.ptb" for name in "ab"}
    return evaltools.score(folder / "gold.ptb", parsers, out=folder / out, metrics=["e"])


@pytest.fixture
def run(tmp_path: Path) -> evaltools.Run:
    return scored(tmp_path)


@pytest.fixture(params=["small", "large"])
def any_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Check tables whole, as small ones are, or only size and footer of each part."""
    if request.param == "large":
        monkeypatch.setattr(integrity, "MAX_BYTES_CHECKED", 0)
        monkeypatch.setattr("evaltools.runs.folders.database.MAX_BYTES_CHECKED", 0)
    return str(request.param)


def part_of(run: evaltools.Run, table: str, parser: int = 0) -> Path:
    return run.path / table / f"00000-{parser:04d}.parquet"


def refused(run: evaltools.Run, name: str) -> None:
    """Assert that no figure can be had, that the error is one line, and that it and `verify` name the part."""
    for figure in (evaltools.Run.summary, evaltools.Run.sentences, evaltools.Run.problems, evaltools.Run.labels):
        with pytest.raises(RunError) as error:
            figure(evaltools.Run(run.path))
        assert f"{run.path} is damaged: {name} " in str(error.value)
        assert "\n" not in str(error.value)
    assert name in [one.table for one in evaltools.verify(evaltools.Run(run.path)).differences]


@pytest.mark.parametrize("table", ["sentences", "words", "brackets", "trees"])
@pytest.mark.slow
def test_a_part_of_another_run_is_refused(table: str, any_size: str, run: evaltools.Run, tmp_path: Path):
    (tmp_path / "second").mkdir()
    second = scored(tmp_path / "second", a=GOLD.replace("x3", "y3"))
    shutil.copy(part_of(second, table), part_of(run, table))
    refused(run, f"{table}/00000-0000.parquet")


def test_meta_of_another_run_is_refused(run: evaltools.Run, tmp_path: Path):
    (tmp_path / "second").mkdir()
    second = scored(tmp_path / "second", a=GOLD)
    shutil.copy(second.path / "meta.json", run.path / "meta.json")
    refused(run, "sentences/00000-0000.parquet")


@pytest.mark.parametrize("table", ["sentences", "words", "brackets", "trees"])
@pytest.mark.slow
def test_swapped_parser_names_in_parts_are_refused(table: str, any_size: str, run: evaltools.Run):
    for parser in (0, 1):
        rows = pq.read_table(part_of(run, table, parser))
        place = rows.schema.get_field_index("parser")
        names = pa.array(["ba"[parser]] * len(rows)).dictionary_encode()
        pq.write_table(rows.set_column(place, "parser", names), part_of(run, table, parser))
    refused(run, f"{table}/00000-0000.parquet")


def test_parts_whose_files_are_exchanged_are_refused(any_size: str, run: evaltools.Run):
    one, two = (part_of(run, "sentences", parser) for parser in (0, 1))
    one.rename(run.path / "kept")
    two.rename(one)
    (run.path / "kept").rename(two)
    refused(run, "sentences/00000-0000.parquet")


def test_a_part_too_many_and_one_too_few_are_refused(any_size: str, run: evaltools.Run):
    shutil.copy(part_of(run, "words"), run.path / "words" / "00001-0000.parquet")
    refused(run, "words/00001-0000.parquet")
    (run.path / "words" / "00001-0000.parquet").unlink()
    assert len(evaltools.Run(run.path).summary())
    part_of(run, "words").unlink()
    refused(run, "words/00000-0000.parquet")


def swap_names(meta: dict[str, Any]) -> None:
    first, second = meta["parsers"]
    first["name"], second["name"] = second["name"], first["name"]


@pytest.mark.parametrize(
    "change",
    [
        swap_names,
        lambda meta: meta["parsers"][0].update(scored=5),
        lambda meta: meta["parsers"].reverse(),
        lambda meta: meta.update(signature=meta["signature"].replace("standard", "collins")),
        lambda meta: meta["gold"].update(sha256="0" * 64),
        lambda meta: meta["metrics"].pop(),
        lambda meta: meta["digests"]["parts"].clear(),
    ],
)
def test_meta_that_was_edited_is_refused(change: Callable[[Any], object], run: evaltools.Run):
    meta = json.loads((run.path / "meta.json").read_text())
    change(meta)
    (run.path / "meta.json").write_text(json.dumps(meta))
    with pytest.raises(RunError, match=r"is damaged: its meta\.json was changed after the run was written$"):
        evaltools.Run(run.path)


@pytest.mark.parametrize(("key", "says"), [("digest", "no digest of itself"), ("digests", "no digests of its parts")])
def test_digests_cannot_be_left_out(key: str, says: str, run: evaltools.Run):
    meta = json.loads((run.path / "meta.json").read_text())
    del meta[key]
    (run.path / "meta.json").write_text(json.dumps(meta))
    with pytest.raises(RunError, match=says):
        evaltools.Run(run.path)


def test_layout_and_order_of_meta_do_not_matter(run: evaltools.Run):
    meta = json.loads((run.path / "meta.json").read_text())
    (run.path / "meta.json").write_text(json.dumps(dict(reversed(meta.items())), indent=7))
    assert len(evaltools.Run(run.path).summary()) == 2 * len(run.metrics)
    assert digest_of_meta(meta) == run.meta["digest"]


def test_verify_reads_all_bytes_of_parts_that_opening_does_not(run: evaltools.Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(integrity, "MAX_BYTES_CHECKED", 0)
    stored = bytearray(part_of(run, "trees").read_bytes())
    stored[40] ^= 1  # size and footer stay
    part_of(run, "trees").write_bytes(stored)
    opened = evaltools.Run(run.path)
    opened.check()
    assert "trees/00000-0000.parquet" in [one.table for one in evaltools.verify(opened).differences]
    with pytest.raises(RunError, match=r"trees/00000-0000\.parquet was changed"):  # a sentence is read from this part
        opened.tree(2, "a")


def test_a_damaged_run_is_not_copied(run: evaltools.Run, tmp_path: Path):
    opened = evaltools.Run(run.path)
    part_of(run, "words").write_bytes(part_of(run, "words", 1).read_bytes())
    with pytest.raises(RunError, match=r"cannot copy .*words/00000-0000\.parquet: another content"):
        opened.save(tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.fixture
def long_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> evaltools.Run:
    monkeypatch.setattr("evaltools.runs.folders.answers.MAX_SINGLE", 3)
    return scored(tmp_path)


def summed(run: evaltools.Run, *, kept: bool = True) -> Any:
    return sum_sentences(run.answer if kept else run.query, run.metrics, run.n_sentences, common=True)


@pytest.mark.slow
def test_halved_answers_are_refused(long_run: evaltools.Run):
    for path in sorted((long_run.path / "answers").glob("*.parquet")):
        rows = pq.read_table(path)
        for at, name in enumerate(rows.column_names):
            if pa.types.is_floating(rows.schema.field(name).type) or pa.types.is_integer(rows.schema.field(name).type):
                halved = pa.array([None if one is None else one / 2 for one in rows[name].to_pylist()], pa.float64())
                rows = rows.set_column(at, name, halved)
        pq.write_table(rows, path)
    with pytest.raises(RunError, match=r"is damaged: answers/[0-9a-f]{32}\.parquet was changed"):
        summed(evaltools.Run(long_run.path))
    differences = evaltools.verify(evaltools.Run(long_run.path)).differences
    assert {one.table.partition("/")[0] for one in differences} == {"answers"}


@pytest.mark.slow
def test_answers_of_other_tables_are_not_believed(long_run: evaltools.Run, tmp_path: Path):
    (tmp_path / "second").mkdir()
    second = scored(tmp_path / "second", a=GOLD)
    shutil.rmtree(long_run.path / "answers")
    shutil.copytree(second.path / "answers", long_run.path / "answers")
    with pytest.raises(RunError, match="was changed after"):
        summed(evaltools.Run(long_run.path))
    meta = json.loads((long_run.path / "meta.json").read_text())
    meta["digests"]["answers"] = second.meta["digests"]["answers"]
    write_meta(long_run.path, meta)
    mixed = evaltools.Run(long_run.path)
    assert str(summed(mixed)) == str(summed(long_run, kept=False))


@pytest.mark.slow
def test_answers_may_be_removed(long_run: evaltools.Run):
    before = str(summed(long_run))
    shutil.rmtree(long_run.path / "answers")
    assert str(summed(evaltools.Run(long_run.path))) == before
    assert evaltools.verify(evaltools.Run(long_run.path)).equal


@pytest.mark.parametrize("path", sorted(OLD.iterdir()), ids=lambda path: path.name)
def test_runs_without_digests_open_and_verify_says_so(path: Path, tmp_path: Path):
    run = evaltools.Run(path)
    assert len(run.summary())
    assert "the parts of this run carry no digests" in str(evaltools.verify(run))
    copy = run.save(tmp_path / "copy")
    assert "digests" not in copy.meta
    part = evaltools.subset(run, [1, 2], tmp_path / "part")
    assert set(part.meta["digests"]["parts"]) == {
        str(file.relative_to(part.path)) for file in part.path.rglob("*.parquet")
    }
    assert len(evaltools.Run(tmp_path / "part").summary())


@pytest.mark.parametrize("make", [score_dependencies, score_graphs])
def test_every_kind_of_run_has_digests_of_all_its_parts(
    make: Callable[[Path], evaltools.Run], fresh_home: Path, tmp_path: Path
):
    run = make(tmp_path)
    for one in (run, evaltools.subset(run, [1, 2]), run.save(tmp_path / "copy")):
        files = {f"{path.parent.name}/{path.name}" for path in one.path.rglob("*.parquet")}
        assert set(one.meta["digests"]["parts"]) == files
        assert len(evaltools.Run(one.path).summary())


def test_a_run_across_frameworks_has_digests(tmp_path: Path):
    brackets = tmp_path / "gold.ptb"
    brackets.write_text("(S (NP-SBJ (N it)) (VP (V rains)))\n")
    run = evaltools.crossframework({"p": brackets}, {"a": ("p", brackets)}, out=tmp_path / "run")
    (golds,) = (run.path / "golds").glob("*.parquet")
    pq.write_table(pq.read_table(golds), golds)
    with pytest.raises(RunError, match=rf"golds/{golds.name} was changed"):
        evaltools.Run(run.path).summary()


def test_notes_are_no_part_of_the_digests(run: evaltools.Run):
    Notes(run).put(2, Note(marked=True, text="mine"))
    again = evaltools.Run(run.path)
    assert len(again.summary())
    assert evaltools.verify(again).equal
    assert (run.path / "notes.sqlite").is_file()


def test_too_many_open_files_are_no_damage(run: evaltools.Run, monkeypatch: pytest.MonkeyPatch):
    def open_nothing(*arguments: object, **options: object) -> None:
        raise OSError(24, "Too many open files")

    opened = evaltools.Run(run.path)
    monkeypatch.setattr(Path, "open", open_nothing)
    with pytest.raises(ResourceError, match=r"^too many open files"):
        opened.summary()


def test_what_was_resealed_is_compared_cell_by_cell(run: evaltools.Run):
    rows = pq.read_table(part_of(run, "sentences"))
    place = rows.schema.get_field_index("e_gold_roof")
    pq.write_table(rows.set_column(place, "e_gold_roof", pa.array([9.0] * len(rows))), part_of(run, "sentences"))
    reseal(run.path)
    found = evaltools.verify(evaltools.Run(run.path))
    assert {(one.table, one.column) for one in found.differences} == {("sentences", "e_gold_roof")}
