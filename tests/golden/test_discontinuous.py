"""Real parses with discontinuous constituents: the figures of disco-dop's definitions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import evaltools
from evaltools import Tree, read_treebank
from evaltools.frameworks.presets import load_preset
from tests.slow import word_sets

PAIRS = [
    ("dutch.gold.export", "dutch.swap.export"),
    ("dutch.gold.discbracket", "dutch.continuous.discbracket"),
    ("alpino.gold.export", "alpino.attach.export"),
    ("hand.gold.discbracket", "hand.system.discbracket"),
]


def trees(path: Path) -> list[Tree]:
    treebank = read_treebank(path)
    return [treebank.tree(index) for index in range(len(treebank))]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["none", "proper"])
@pytest.mark.parametrize(("gold", "test"), PAIRS)
def test_the_figures_are_those_of_the_definitions(gold: str, test: str, preset: str, shared_data: Path):
    folder = shared_data / "data" / "discontinuous"
    run = evaltools.score(folder / gold, {"p": folder / test}, preset=preset, metrics=["e"])
    rows = run.sentences("p").to_dict("records")
    sums: Counter[str] = Counter()
    for row, one, other in zip(rows, trees(folder / gold), trees(folder / test), strict=True):
        left = [word_sets.left_of(side, one, load_preset(preset)) for side in (one, other)]
        if row["status"] == "missing":  # a parse of which the preset leaves nothing
            assert not left[1].tags or not left[0].tags
        expected = word_sets.counts(*left)
        assert {name: row[name] for name in expected} == expected, row["sentence"]
        sums.update(expected)
    summary = run.summary().set_index("metric")["pooled"]
    for part, metric in {"roof": "f1", "discontinuous": "f1_discontinuous"}.items():
        matched, *sizes = (sums[f"e_{what}_{part}"] for what in ("matched", "gold", "test"))
        assert summary[metric] == pytest.approx(2 * matched / sum(sizes), abs=1e-12)


@pytest.mark.slow
def test_both_notations_give_the_same_figures(shared_data: Path):
    folder = shared_data / "data" / "discontinuous"
    runs = [
        evaltools.score(folder / f"dutch.gold.{ending}", {"p": folder / f"dutch.swap.{ending}"})
        for ending in ("export", "discbracket")
    ]
    figures = [run.summary().set_index("metric")["pooled"].to_dict() for run in runs]
    assert figures[0] == pytest.approx(figures[1], nan_ok=True)


@pytest.mark.parametrize(
    ("gold", "test", "printed"),
    [
        ("dutch.gold.export", "dutch.swap.export", (58.18, 58.26, 58.22, 17.59, 33.02, 22.95, 13.81, 90.29)),
        ("dutch.gold.export", "dutch.continuous.export", (54.57, 54.33, 54.45, 0.00, None, 0.00, 11.67, 90.29)),
        ("alpino.gold.export", "alpino.attach.export", (93.62, 93.62, 93.62, 100.00, 100.00, 100.00, 0.00, None)),
    ],
)
def test_the_figures_are_those_that_disco_dop_prints(
    gold: str, test: str, printed: tuple[float | None, ...], shared_data: Path
):
    folder = shared_data / "data" / "discontinuous"
    run = evaltools.score(folder / gold, {"p": folder / test}, preset="proper", metrics=["e"])
    found = run.summary().set_index("metric")["pooled"]
    names = [f"{what}{end}" for end in ("", "_discontinuous") for what in ("recall", "precision", "f1")]
    expected = dict(zip([*names, "exact", "tagging"], printed, strict=True))  # by version 0.5.2
    assert {name: round(100 * found[name], 2) for name, value in expected.items() if value is not None} == {
        name: value for name, value in expected.items() if value is not None
    }
