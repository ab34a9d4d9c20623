"""``--metadata``, ``report --by``, ``--cluster`` and ``subset --where``."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import evaltools
from tests.commands import call, check_refused, json_of, rows_of

GOLD = "(S (NP (N a)) (VP (V b) (NP (N c))))"
WRONG = "(S (NP (N a)) (VP (V b)) (NP (N c)))"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("metadata")
    (folder / "gold.ptb").write_text(f"{GOLD}\n" * 6)
    (folder / "one.ptb").write_text(f"{GOLD}\n" * 4 + f"{WRONG}\n" * 2)
    (folder / "two.ptb").write_text(f"{WRONG}\n" * 5 + "(())\n")
    rows = "d1\tnews\t1\t2\nd2\tblog\t3\t4\nd3\tblog\t5\t6\n"
    (folder / "documents.tsv").write_text(f"document\tgenre\tfirst_line\tlast_line\n{rows}")
    options = ("--metadata", folder / "documents.tsv", "--metrics", "e", "-o", folder / "run")
    result = call("score", folder / "gold.ptb", folder / "one.ptb", folder / "two.ptb", *options)
    assert result.returncode == 0, result.stderr
    return folder / "run"


def test_figures_by_genre_have_their_sentences_documents_and_intervals(run: Path):
    printed = call("report", run, "--by", "genre", "--cluster", "document").stdout
    lines = [line.split() for line in printed.splitlines()]
    assert lines[0] == "Bracketing F1, micro, percent, all sentences, by genre".split()
    assert ["genre", "sentences", "documents", "one", "two"] in lines
    blog = next(line for line in lines if line[:1] == ["blog"])
    assert blog[1:3] == ["4", "2"]
    # four brackets on both sides, three of them matched in a wrong tree; one sentence of two has no parse
    assert blog[3:6] == ["87.50", "[75.00,", "100.00]"]
    assert blog[6:] == ["64.29", "[50.00,", "75.00]"]
    assert next(line for line in lines if line[:1] == ["all"])[1:3] == ["6", "3"]
    assert "An interval over fewer than 10 documents is a rough guide, usually too narrow" in printed
    over_sentences = call("report", run, "--by", "genre").stdout
    assert "documents  " not in over_sentences
    assert "Sentences of one document are alike" in over_sentences


def test_json_and_csv_have_all_metrics_groups_and_figures(run: Path):
    found = json_of("report", run, "--by", "genre")
    assert (found["by"], found["cluster"]) == ("genre", None)
    rows = rows_of("report", run, "--by", "genre")
    assert len(rows) == len(found["groups"])
    assert {row["group"] for row in rows} == {"blog", "news", "all"}
    assert {row["metric"] for row in rows} >= {"f1", "tagging"}
    row = next(row for row in rows if (row["group"], row["parser"], row["metric"]) == ("blog", "two", "f1"))
    assert (row["sentences"], row["units"], row["n_pooled"], row["n_pooled_all"]) == ("4", "4", "3", "4")
    assert float(row["pooled_low"]) <= float(row["pooled"]) <= float(row["pooled_high"])


def test_a_comparison_names_its_documents(run: Path):
    printed = call("compare", run, "one", "two", "--cluster", "document", "--iterations", 50).stdout
    assert "One paired permutation test over 3 documents, two-sided" in printed
    found = json_of("compare", run, "one", "two", "--cluster", "genre", "--iterations", 50)
    assert (found["cluster"], found["groups"]) == ("genre", 2)


def test_a_subset_by_metadata(run: Path, tmp_path: Path):
    assert call("subset", run, "--where", "genre=blog", "-o", tmp_path / "blog").returncode == 0
    assert evaltools.Run(tmp_path / "blog").metadata()["document"].tolist() == ["d2", "d2", "d3", "d3"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("report --by year", "unknown metadata column 'year'"),
        ("report --by genre --labels", "--labels and --by cannot be combined"),
        ("report --by genre --format evalb", "cannot be combined with --format evalb"),
        ("report --metric ted", "--metric goes with --by and --section"),
        ("report --by genre --metric ted", "unknown metric 'ted'"),
        ("report --section significance --cluster year", "unknown metadata column 'year'"),
        ("compare one two --cluster year", "unknown metadata column 'year'"),
        ("subset -o x", "either --sentences or --where"),
        ("subset -o x --where genre", "a group is given as KEY=VALUE"),
        ("subset -o x --where genre=verse", "unknown genre 'verse'"),
    ],
)
def test_wrong_names_are_one_line(run: Path, arguments: str, message: str):
    command, *options = shlex.split(arguments)
    check_refused(message, command, run, *options)


def test_metadata_that_cannot_be_read_is_one_line(run: Path, tmp_path: Path):
    (tmp_path / "bad.tsv").write_text("genre\tyear\nx\ty\n")
    gold = run.parent / "gold.ptb"
    result = call("score", gold, gold, "--metadata", tmp_path / "bad.tsv", "-o", tmp_path / "run")
    assert result.returncode == 2
    assert f"{tmp_path / 'bad.tsv'}:1: the heading 'genre\\tyear'; expected" in result.stderr


@pytest.mark.slow
def test_a_bundle_draws_documents(run: Path, tmp_path: Path):
    done = call("bundle", run, "-o", tmp_path / "site", "--worst", 0, "--cluster", "document")
    assert done.returncode == 0, done.stderr
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "over 3 documents" in index
    assert call("bundle", run, "-o", tmp_path / "plain", "--worst", 0).returncode == 0
    assert "documents" not in (tmp_path / "plain" / "index.html").read_text("utf-8")
    wrong = call("bundle", run, "-o", tmp_path / "other", "--cluster", "year")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "unknown metadata column 'year'" in wrong.stderr
    assert not (tmp_path / "other").exists()
