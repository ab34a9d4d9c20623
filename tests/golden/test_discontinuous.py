"""Real parses with discontinuous constituents: the figures of disco-dop's definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaltools


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
