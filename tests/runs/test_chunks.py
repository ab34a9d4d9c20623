"""A run does not depend on how its files were cut into chunks, nor on the number of threads."""

from __future__ import annotations

import io

import pandas as pd
import pytest

import evaltools
from evaltools.progress import Progress
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
CHUNK = 8
NEAR_ENDS = (1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 2 * CHUNK + 1)
N = 2 * CHUNK + 5


def scored(gold: str = GOLD, one: str = TEST, **options: object) -> evaltools.Run:
    files = {name: io.BytesIO(text.encode()) for name, text in (("one", one), ("two", gold))}
    return evaltools.score(io.BytesIO(gold.encode()), files, **options)  # type: ignore[arg-type]


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "_SENTENCES_PER_CHUNK", CHUNK)


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


def test_problems_name_the_line_and_sentence_of_the_file(small_chunks: None):
    problems = scored().problems()
    unbalanced = problems[(problems["kind"] == "unbalanced") & (problems["parser"] == "one")]
    assert unbalanced["line"].tolist() == unbalanced["sentence"].tolist() == [1, 6, 11, 16, 21]


def test_progress_ends_at_the_number_of_pairs():
    told: list[tuple[str, int, int]] = []
    run = scored(progress=Progress(on_update=lambda *state: told.append(state)))
    assert {stage for stage, _, _ in told} == {"reading", "scoring", "writing"}
    assert told[-1] == ("writing", 2 * run.n_sentences, 2 * run.n_sentences)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def gold_tree(number: int) -> str:
    return f"(S (NP (N w{number})) (VP (V b) (NP (N c))))"


def near_tree(number: int) -> str:
    return f"(S (NP (N w{number})) (VP (V b)) (NP (N c)))"


@pytest.mark.parametrize("preset", ["standard", "collins"])
def test_sentences_keep_their_places(preset: str, small_chunks: None):
    gold = [gold_tree(number) for number in range(1, N + 1)]
    test = [near_tree(number) if number in NEAR_ENDS else tree for number, tree in enumerate(gold, start=1)]
    run = scored("\n".join(gold) + "\n", "\n".join(test) + "\n", preset=preset)
    rows = run.sentences("one")
    assert rows["sentence"].tolist() == rows["line"].tolist() == list(range(1, N + 1))
    assert set(rows["status"]) == {"ok"}
    assert rows.loc[rows["f1"] < 1, "sentence"].tolist() == list(NEAR_ENDS)
    words = run.words("one")
    assert words.loc[words["position"] == 0, "form"].tolist() == [f"w{number}" for number in range(1, N + 1)]
    for number in NEAR_ENDS:
        assert run.text(number) == [f"w{number}", "b", "c"]
        assert str(run.tree(number, "one")) == near_tree(number)
        assert run.alignment(number, "one").scores["f1"] == 0.75
    assert run.brackets("one").query("e_status == 'spurious'")["sentence"].tolist() == list(NEAR_ENDS)


def test_trees_over_several_lines(small_chunks: None):
    sides = ("".join(tree(n).replace(" (VP", "\n  (VP") + "\n\n" for n in range(N)) for tree in (gold_tree, near_tree))
    run = scored(*sides)
    rows = run.sentences("one")
    assert rows["line"].tolist() == [3 * n + 1 for n in range(N)]
    assert set(rows["f1"]) == {0.75}
    assert len(run.problems()) == 0


@pytest.mark.parametrize("n_gold", [CHUNK - 1, CHUNK, CHUNK + 1])
def test_blank_lines_at_the_end_are_no_sentences(n_gold: int, small_chunks: None):
    gold = "".join(f"{gold_tree(number)}\n" for number in range(n_gold))
    for blank in (3, CHUNK + 3):
        run = scored(gold + "\n" * blank, gold + "\n")
        assert run.n_sentences == n_gold
        assert len(run.problems()) == 0
    assert scored(gold + "\n", gold, preset="collins").n_sentences == n_gold + 1


def test_a_blank_stretch_longer_than_a_chunk_keeps_the_sentences_after_it(small_chunks: None):
    gold = gold_tree(1) + "\n" * (2 * CHUNK + 1) + gold_tree(2) + "\n"
    run = scored(gold, gold)
    assert run.n_sentences == 2 * CHUNK + 2
    rows = run.sentences("one")
    assert rows["status"].value_counts().to_dict() == {"missing": 2 * CHUNK, "ok": 2}
    assert rows["status"].iloc[-1] == "ok"
    figures = run.summary().set_index(["parser", "metric"]).loc[("one", "f1")]
    assert figures[["pooled_all", "mean_all"]].tolist() == [1, 1]
