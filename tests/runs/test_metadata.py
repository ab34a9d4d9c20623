"""Metadata as columns of a run: from comments, from files, in parts of runs, and in older runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import evaltools
from evaltools.errors import InputError, ParameterError
from evaltools.runs.metadata import Group, group_keys, parse_group
from evaltools.runs.subset import subset
from evaltools.runs.sums import metadata_groups, units_of

TREES = "(S (NP (N a)) (VP (V b)))\n(S (NP (N a) (N c)))\n(S (VP (V b)))\n(S (NP (N d)) (VP (V b)))\n"
TEST = TREES.replace("(NP (N a) (N c))", "(NP (N a)) (N c)").replace("(NP (N d))", "(X (N d))")
DOCUMENTS = "document\tgenre\ttitle\tfirst_line\tlast_line\nd1\tnews\tOne\t1\t2\nd2\tfiction\tTwo\t3\t4\n"


def word(form: str) -> str:
    return f"1\t{form}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


CONLLU = (
    f"# newdoc id = d1\n# sent_id = s1\n# speaker = A\n{word('a')}# sent_id = s2\n{word('b')}"
    f"# newdoc id = d2\n# sent_id = s3\n# speaker = A\n{word('c')}# sent_id = s4\n{word('d')}"
)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "gold.ptb").write_text(TREES)
    (tmp_path / "test.ptb").write_text(TEST)
    (tmp_path / "gold.conllu").write_text(CONLLU)
    (tmp_path / "documents.tsv").write_text(DOCUMENTS)
    return tmp_path


def scored(files: Path, **options) -> evaltools.Run:
    return evaltools.score(
        files / "gold.ptb", {"p": files / "test.ptb"}, metrics=["e"], out=files / "run", force=True, **options
    )


def problems(run: evaltools.Run) -> list[tuple[str, int | None, str, str]]:
    rows = run.columns("select file, line, found, expected from problems where kind = 'metadata'")
    lines = [None if np.isnan(line) else int(line) for line in rows["line"]]
    return [
        (Path(file).name, line, found, expected)
        for file, line, found, expected in zip(rows["file"], lines, rows["found"], rows["expected"], strict=True)
    ]


def test_comments_of_the_gold_file_are_columns(files: Path):
    run = evaltools.score(files / "gold.conllu", {"p": files / "gold.conllu"}, metrics=["uas"], out=files / "run")
    frame = run.metadata()
    assert list(frame) == ["sentence", "document", "sent_id", "speaker"]
    assert frame["document"].tolist() == ["d1", "d1", "d2", "d2"]
    assert frame["speaker"].tolist() == ["A", None, "A", None]
    assert evaltools.verify(run).equal
    assert group_keys(run) == ["document"]  # ids have four values, speakers one


def test_a_table_of_documents_is_joined_by_lines_and_by_documents(files: Path):
    run = scored(files, metadata=files / "documents.tsv")
    assert run.metadata()["genre"].tolist() == ["news", "news", "fiction", "fiction"]
    assert (run.meta["metadata"]["keys"], problems(run)) == (["document", "genre", "title"], [])
    assert group_keys(run) == ["document"]  # genres and titles divide as documents do
    assert evaltools.verify(run).equal
    by_comments = scored(files, metadata=[files / "gold.conllu", files / "documents.tsv"])
    assert by_comments.metadata()["genre"].tolist() == run.metadata()["genre"].tolist()
    assert by_comments.metadata()["sent_id"].tolist() == ["s1", "s2", "s3", "s4"]


def test_a_changed_file_of_metadata_is_found_by_verify(files: Path):
    run = scored(files, metadata=files / "documents.tsv")
    (files / "documents.tsv").write_text(DOCUMENTS.replace("news", "blog"))
    (difference,) = evaltools.verify(run).differences
    assert (difference.table, difference.column) == ("source", f"SHA-256 of {files / 'documents.tsv'}")


def test_a_run_without_metadata_has_no_such_table(files: Path):
    run = scored(files)
    assert not (files / "run" / "metadata").exists()
    assert "metadata" not in run.meta
    assert list(run.metadata()) == ["sentence"]
    assert group_keys(run) == []
    with pytest.raises(ParameterError, match="the run has no metadata, so no genre"):
        metadata_groups(run, "genre")


def test_rows_and_sentences_that_have_no_partner_are_listed(files: Path):
    (files / "more.tsv").write_text("document\tgenre\nd1\tnews\nd9\tfiction\n")
    run = scored(files, metadata=[files / "gold.conllu", files / "more.tsv"])
    assert problems(run) == [
        ("more.tsv", 3, "document d9, which no gold sentence has", "a document of the gold file"),
        ("more.tsv", None, "no row of document d2, which has 2 gold sentences", "a row for each document"),
    ]
    (files / "more.tsv").write_text("sentence\tgenre\n1\tx\n5\ty\n")
    assert problems(scored(files, metadata=files / "more.tsv")) == [
        ("more.tsv", 3, "sentence 5, which no gold sentence has", "the number of a sentence of the gold file"),
        ("more.tsv", None, "no row of 3 gold sentences, first sentence 2", "a row for each sentence"),
    ]


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("document\tgenre\nd1\tnews\n", "neither ids nor documents", "columns first_line and last_line"),
        ("sent_id\tgenre\ns1\tnews\n", "gold sentences without one", "a column sentence"),
        (word("a"), "1 sentences, and no ids in both files", "4, as in the gold file"),
    ],
)
def test_metadata_that_cannot_be_joined_are_an_error(files: Path, text: str, found: str, expected: str):
    (files / "more.tsv").write_text(text)
    with pytest.raises(InputError) as caught:
        scored(files, metadata=files / "more.tsv")
    assert found in caught.value.problem.found
    assert expected in caught.value.problem.expected
    assert not (files / "run").exists()


def test_a_subset_keeps_the_metadata_of_its_sentences(files: Path):
    run = scored(files, metadata=files / "documents.tsv")
    part = subset(run, Group("genre", "fiction").sentences(run), files / "part")
    assert part.metadata()["title"].tolist() == ["Two", "Two"]
    assert evaltools.verify(part).equal


def test_groups_are_named_key_and_value(files: Path):
    run = scored(files, metadata=files / "documents.tsv")
    assert parse_group("title=One = 1") == Group("title", "One = 1")
    for text in ("genre", "=x", "genre="):
        with pytest.raises(ParameterError, match="KEY=VALUE"):
            parse_group(text)
    with pytest.raises(ParameterError, match=r"unknown genre 'blog'.*fiction, news"):
        Group("genre", "blog").mask(run)
    with pytest.raises(ParameterError, match=r"unknown metadata column 'year'.*document, genre, title"):
        Group("year", "1").mask(run)


def test_units_are_values_and_sentences_without_one_are_their_own(files: Path):
    run = evaltools.score(files / "gold.conllu", {"p": files / "gold.conllu"}, metrics=["uas"], out=files / "run")
    assert units_of(run) is None
    units = units_of(run, "speaker")
    assert units is not None
    assert units[0] == units[2]
    assert len(np.unique(units)) == 3


def test_damage_of_the_table_is_an_error(files: Path):
    run = scored(files, metadata=files / "documents.tsv")
    shutil.copytree(run.path, files / "copy")
    (files / "copy" / "metadata.parquet").write_bytes(b"")
    with pytest.raises(evaltools.RunError, match="metadata"):
        evaltools.Run(files / "copy").metadata()
    meta = json.loads((run.path / "meta.json").read_text())
    assert meta["tables"]["metadata"]["rows"] == 12


def test_gum_is_joined_by_lines_as_by_comments(shared_data: Path, tmp_path: Path):
    gum = shared_data / "data" / "gum"
    lines = {path: path.read_text("utf-8").splitlines(keepends=True) for path in [gum / "gold.ptb"]}
    (tmp_path / "gold.ptb").write_text("".join(lines[gum / "gold.ptb"]), "utf-8")
    options = {"metrics": ["tagging"], "force": True, "out": tmp_path / "run"}
    gold = tmp_path / "gold.ptb"
    by_lines = evaltools.score(gold, {"p": gold}, metadata=gum / "documents.tsv", **options).metadata()
    by_comments = evaltools.score(gold, {"p": gold}, metadata=gum / "gold.conllu", **options).metadata()
    assert by_lines["document"].tolist() == by_comments["document"].tolist()
    assert by_lines["genre"].tolist() == by_comments["genre"].tolist()
    assert by_lines["document"].nunique() == 29
