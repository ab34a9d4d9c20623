"""A run does not depend on how its files were cut into chunks, nor on the number of threads."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import evaltools
from evaltools.runs import scoring

GOLD = "".join(
    f"(S (NP (DT the) (NN n{i % 7})) (VP (VBZ v{i % 3}) (PP (IN in) (NP (NN x{i % 5})))) (. .))\n" if i % 6 else "\n"
    for i in range(23)
)
TEST = "".join(
    f"(S (NP (DT the) (NN n{i % 7})) (VP (VBZ v{i % 4}) (NP (IN in) (NN x{i % 5}))) (. .))\n" if i % 5 else "(S (X y)\n"
    for i in range(25)
)
TABLES = ("sentences", "words", "brackets", "trees", "problems")


def scored(**options: object) -> evaltools.Run:
    files = {"one": io.BytesIO(TEST.encode()), "two": io.BytesIO(GOLD.encode())}
    return evaltools.score(io.BytesIO(GOLD.encode()), files, **options)  # type: ignore[arg-type]


def rows(run: evaltools.Run, table: str) -> pd.DataFrame:
    frame = run.query(f"select * from {table}").astype(object)
    order = [name for name in ("parser", "sentence", "position", "start", "end", "label", "kind") if name in frame]
    return frame.sort_values(order, kind="stable", na_position="first", ignore_index=True)


@pytest.mark.parametrize(
    ("size", "jobs", "preset"), [(1, 3, "standard"), (4, 1, "standard"), (4, 3, "collins"), (22, 3, "standard")]
)
@pytest.mark.slow
def test_chunks_and_threads_change_nothing(size: int, jobs: int, preset: str, monkeypatch: pytest.MonkeyPatch):
    whole = scored(preset=preset)
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", size)
    chunked = scored(preset=preset, jobs=jobs)
    for table in TABLES:
        pd.testing.assert_frame_equal(rows(chunked, table), rows(whole, table), check_like=True)
    pd.testing.assert_frame_equal(chunked.summary(), whole.summary())
    for key in ("signature", "sentences", "parsers", "problems"):
        assert chunked.meta[key] == whole.meta[key]
    n_rows = [{table: entry["rows"] for table, entry in run.meta["tables"].items()} for run in (chunked, whole)]
    assert n_rows[0] == n_rows[1]
    assert [row.kind for row in whole.problems().itertuples()].count("surplus") == 1


def test_problems_name_the_line_and_sentence_of_the_file(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", 4)
    problems = scored().problems()
    unbalanced = problems[(problems["kind"] == "unbalanced") & (problems["parser"] == "one")]
    assert unbalanced["line"].tolist() == unbalanced["sentence"].tolist() == [1, 6, 11, 16, 21]


def test_progress_ends_at_the_number_of_pairs():
    told: list[tuple[str, int, int]] = []
    progress = scoring.Progress(on_update=lambda stage, done, total: told.append((stage, done, total)))
    run = scored(progress=progress)
    assert told[-1] == ("writing", 2 * run.n_sentences, 2 * run.n_sentences)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
