"""Files of metadata: tables and comments, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaltools.errors import InputError
from evaltools.formats.metadata_files import read_metadata


def table(folder: Path, text: str) -> Path:
    path = folder / "meta.tsv"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize("by", ["sent_id", "sentence", "document"])
def test_rows_are_known_by_the_column_that_the_heading_has(tmp_path: Path, by: str):
    file = read_metadata(table(tmp_path, f"{by}\tgenre\tyear\r\n1\tnews\t\r\n\t\t\r\n2\tfiction\t1999\r\n"))
    assert (file.by, file.problems) == (by, [])
    keyed = {} if by == "sentence" else {by: "1"}
    assert file.rows["1"].values == keyed | {"genre": "news"}
    assert (file.rows["2"].line, file.rows["2"].values["year"]) == (4, "1999")


def test_ids_come_before_numbers_and_documents(tmp_path: Path):
    file = read_metadata(table(tmp_path, "document\tsentence\tsent_id\nd\t1\ts\n"))
    assert (file.by, file.rows["s"].values) == ("sent_id", {"document": "d", "sentence": "1", "sent_id": "s"})


def test_ranges_of_documents_are_no_values(tmp_path: Path):
    file = read_metadata(table(tmp_path, "document\tlast_line\tfirst_line\nb\t9\t5\na\t3\t1\n"))
    assert [file.document_at(line) for line in (1, 3, 4, 5, 9, 10)] == ["a", "a", None, "b", "b", None]
    assert file.rows["a"].values == {"document": "a"}


@pytest.mark.parametrize(
    ("text", "line", "found", "expected"),
    [
        ("", 1, "an empty line", "a heading with tabs"),
        ("genre\tyear\nx\ty\n", 1, "the heading 'genre\\tyear'", "a column sent_id, sentence or document"),
        ("document,genre\nx,y\n", 1, "the heading 'document,genre'", "a heading with tabs"),
        ("document\tgenre\tgenre\nx\ty\tz\n", 1, "the column 'genre' twice", "a name for each"),
        ("document\tgenre\t\nx\ty\tz\n", 1, "a column without a name", "a name for each"),
        ("document\tgenre\n", 1, "no row of metadata", "a row for each"),
        ("document\tfirst_line\tlast_line\na\t1\tx\n", 2, "first_line '1' and last_line 'x'", "numbers from 1"),
        ("document\tfirst_line\tlast_line\na\t4\t3\n", 2, "first_line '4' and last_line '3'", "the first not greater"),
        ("document\tfirst_line\tlast_line\na\t1\t4\nb\t4\t5\n", 3, "first_line 4, which is in document a", "above 4"),
    ],
)
def test_a_table_that_cannot_be_used_is_an_error(tmp_path: Path, text: str, line: int, found: str, expected: str):
    with pytest.raises(InputError) as caught:
        read_metadata(table(tmp_path, text))
    problem = caught.value.problem
    assert (problem.file, problem.line) == (str(tmp_path / "meta.tsv"), line)
    assert found in problem.found
    assert expected in problem.expected


@pytest.mark.parametrize(
    ("row", "found", "expected"),
    [
        ("1\ta\tb", "3 fields", "2, as in the heading"),
        ("1\tb", "sentence 1 again", "one row, as in line 2"),
        ("0\tb", "sentence '0'", "a number from 1"),
        ("x\tb", "sentence 'x'", "a number from 1"),
        ("9" * 5000 + "\tb", "sentence '999", "a number from 1"),
        ("\tb", "no sentence", "a number from 1"),
    ],
)
def test_a_row_that_cannot_be_used_is_left_out_and_listed(tmp_path: Path, row: str, found: str, expected: str):
    file = read_metadata(table(tmp_path, f"sentence\tgenre\n1\ta\n{row}\n2\tc\n"))
    assert {name: row.values for name, row in file.rows.items()} == {"1": {"genre": "a"}, "2": {"genre": "c"}}
    (problem,) = file.problems
    assert (problem.line, expected in problem.expected) == (3, True)
    assert found in problem.found


def test_a_treebank_is_read_by_its_comments(tmp_path: Path):
    word = "1\ta\t_\tX\t_\t_\t0\troot\t_\t_"
    file = read_metadata(table(tmp_path, f"# newdoc id = d\n# sent_id = s\n{word}\n\n# sent_id = t\n{word}\n\n"))
    assert (file.by, file.n_sentences) == ("sent_id", 2)
    assert file.rows["t"].values == {"document": "d", "sent_id": "t"}
    file = read_metadata(table(tmp_path, f"# newdoc id = d\n{word}\n\n{word}\n\n"))
    assert (file.by, file.rows["2"].values) == ("sentence", {"document": "d"})


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path):
    (tmp_path / "meta.tsv").write_bytes(b"document\tgenre\na\t\xff\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_metadata(tmp_path / "meta.tsv")
    with pytest.raises(InputError, match="none"):
        read_metadata(tmp_path / "none.tsv")
