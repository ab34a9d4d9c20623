"""Figures by a column of the metadata, with intervals over documents, against slow twins."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

import evaltools
from evaltools.analysis.bootstrap import SEED
from evaltools.analysis.comparison import compare_in_run
from evaltools.analysis.leaderboard import ALL, NO_VALUE, figures_by_group
from evaltools.errors import ParameterError
from evaltools.runs.metadata import Group
from evaltools.runs.subset import subset

GOLD = "(S (NP (N a)) (VP (V b) (NP (N c))))"
WRONG = ("(S (NP (N a)) (VP (V b)) (NP (N c)))", "(S (X (N a)) (VP (V b) (NP (N c))))", "(())", GOLD)
N = 24
DOCUMENTS = [f"d{number // 4}" for number in range(N)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    folder = tmp_path_factory.mktemp("by_group")
    random = np.random.default_rng(3)
    (folder / "gold.ptb").write_text(f"{GOLD}\n" * N)
    for parser in ("a", "b"):
        (folder / f"{parser}.ptb").write_text("".join(f"{WRONG[choice]}\n" for choice in random.integers(0, 4, N)))
    rows = [f"{number + 1}\t{DOCUMENTS[number]}\t{'xy'[number // 12]}\n" for number in range(N - 2)]
    (folder / "meta.tsv").write_text("sentence\tdocument\tgenre\n" + "".join(rows))
    parsers = {parser: folder / f"{parser}.ptb" for parser in ("a", "b")}
    return evaltools.score(
        folder / "gold.ptb", parsers, metrics=["e"], metadata=folder / "meta.tsv", out=folder / "run"
    )


def dice(counts, drawn) -> float:
    """Return F1 of some sentences, those drawn twice twice."""
    gold, test, matched = (counts[f"e_{name}_roof"].to_numpy()[drawn].sum() for name in ("gold", "test", "matched"))
    return 2 * matched / (gold + test) if gold + test else float("nan")


def documents_of(frame) -> list[np.ndarray]:
    """Return the indices of the sentences of every unit: documents by name, after sentences without one."""
    alone = [np.array([index]) for index in reversed(range(len(frame))) if frame["document"].iloc[index] is None]
    named = sorted(name for name in frame["document"].unique() if name is not None)
    return alone + [np.flatnonzero(frame["document"] == name) for name in named]


def test_figures_of_a_group_are_those_of_its_sentences_alone(run: evaltools.Run, tmp_path: Path):
    board = figures_by_group(run, "genre", ["f1", "tagging"], resamples=20)
    assert list(dict.fromkeys(board["group"])) == ["x", "y", NO_VALUE, ALL]
    for value in ("x", "y"):
        part = subset(run, Group("genre", value).sentences(run), tmp_path / value).summary()
        own = board[board["group"] == value].reset_index(drop=True)
        for name in ("pooled", "mean", "pooled_all", "mean_all"):
            wanted = part[part["metric"].isin(["f1", "tagging"])]
            assert own.set_index(["parser", "metric"])[name].to_dict() == pytest.approx(
                wanted.set_index(["parser", "metric"])[name].to_dict(), nan_ok=True
            )
    assert board[board["group"] == NO_VALUE]["sentences"].tolist() == [2] * 4
    assert board[board["group"] == ALL]["pooled"].notna().all()


@pytest.mark.parametrize("group", ["x", ALL])
def test_intervals_over_documents_are_those_of_drawing_them_one_by_one(run: evaltools.Run, group: str):
    board = figures_by_group(run, "genre", ["f1"], cluster="document", parsers=["a"], resamples=200)
    frame = run.counts("a").merge(run.metadata(), on="sentence")
    if group != ALL:
        frame = frame[frame["genre"] == group]
    counts = frame.where(frame["status"] == "ok", other=0) if "status" in frame else frame
    units = documents_of(frame)
    draws = np.random.default_rng(SEED).integers(0, len(units), size=(200, len(units)))
    figures = [dice(counts, np.concatenate([units[unit] for unit in draw])) for draw in draws]
    row = board[board["group"] == group].iloc[0]
    assert row["units"] == len(units)
    assert (row["pooled_low"], row["pooled_high"]) == pytest.approx(tuple(np.nanquantile(figures, [0.025, 0.975])))


def test_a_comparison_over_documents_moves_and_draws_them_as_a_whole(run: evaltools.Run):
    found = compare_in_run(run, "f1", "a", "b", over="scored", iterations=400, cluster="document").comparison
    sides = [run.counts(parser).merge(run.metadata(), on="sentence") for parser in ("a", "b")]
    both = ((sides[0]["status"] == "ok") & (sides[1]["status"] == "ok")).to_numpy()
    names = ["e_gold_roof", "e_test_roof", "e_matched_roof"]
    units = documents_of(sides[0])
    summed = [
        np.array([side[names].to_numpy()[unit[both[unit]]].sum(axis=0) for unit in units], dtype=float)
        for side in sides
    ]
    counted = np.array([both[unit].any() for unit in units])
    assert (found.n_units, found.cluster, found.units) == (counted.sum(), "document", f"{counted.sum()} documents")

    def f1(sums):
        return 2 * sums[..., 2] / (sums[..., 0] + sums[..., 1])

    draws = np.random.default_rng(SEED).integers(0, counted.sum(), size=(400, counted.sum()))
    differences = [
        f1(summed[0][counted][draw].sum(axis=0)) - f1(summed[1][counted][draw].sum(axis=0)) for draw in draws
    ]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(differences, [0.025, 0.975])))
    # all ways of swapping documents; with so few the permutation test is close to this share
    swaps = np.array(np.meshgrid(*[[0, 1]] * len(units))).reshape(len(units), -1).T.astype(float)
    moved = swaps @ (summed[0] - summed[1])
    far = np.abs(f1(summed[0].sum(axis=0) - moved) - f1(summed[1].sum(axis=0) + moved))
    assert found.p == pytest.approx(np.mean(far >= abs(found.difference) - 1e-12), abs=0.08)


def test_intervals_over_documents_are_wider_where_documents_differ(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text(f"{GOLD}\n" * 200)
    test = "".join(f"{WRONG[0] if number // 10 % 2 else GOLD}\n" for number in range(200))
    (tmp_path / "test.ptb").write_text(test)
    rows = "".join(f"{number + 1}\td{number // 10}\n" for number in range(200))
    (tmp_path / "meta.tsv").write_text("sentence\tdocument\n" + rows)
    files = tmp_path / "gold.ptb", {"p": tmp_path / "test.ptb"}
    run = evaltools.score(*files, metrics=["e"], metadata=tmp_path / "meta.tsv", out=tmp_path / "run")
    widths = {}
    for cluster in ("", "document"):
        (row,) = figures_by_group(run, "", ["f1"], cluster=cluster).to_dict("records")
        widths[cluster] = row["pooled_high"] - row["pooled_low"]
        assert row["units"] == (20 if cluster else 200)
    assert widths["document"] / widths[""] == pytest.approx(10**0.5, rel=0.2)  # ten equal sentences are one


def test_a_column_that_is_unknown_or_has_too_many_values_is_an_error(run: evaltools.Run, monkeypatch):
    with pytest.raises(ParameterError, match="unknown metadata column 'year'"):
        figures_by_group(run, "year", ["f1"])
    with pytest.raises(ParameterError, match="unknown metadata column 'year'"):
        figures_by_group(run, "", ["f1"], cluster="year")
    monkeypatch.setattr(importlib.import_module("evaltools.analysis.leaderboard"), "MAX_GROUPS", 1)
    with pytest.raises(ParameterError, match="genre has 2 values"):
        figures_by_group(run, "genre", ["f1"])
