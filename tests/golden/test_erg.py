"""Test suites as two releases of a grammar analyse them, scored into runs: PyDelphin's figures, whatever the format."""

from __future__ import annotations

from pathlib import Path

import pytest
from delphin import edm

import evaltools
from evaltools.formats.semantics import read_semantics, write_mrp
from tests.golden.test_edm import by_pydelphin

PROFILES = pytest.mark.parametrize("profile", ["mrs", pytest.param("csli", marks=pytest.mark.slow)])


@PROFILES
def test_the_figures_are_those_of_pydelphin(profile: str, shared_data: Path):
    gold, test = (shared_data / "data" / "erg" / year / profile for year in ("2024", "2025"))
    precision, recall, f1 = edm.compute(by_pydelphin(gold), by_pydelphin(test))
    run = evaltools.score(gold, {"2025": test}, preset="pydelphin")
    figures = {row["metric"]: row["pooled"] for row in run.summary().to_dict("records")}
    assert (figures["edm_precision"], figures["edm_recall"]) == (precision, recall)
    assert figures["edm"] == pytest.approx(f1, abs=1e-12)
    (entry,) = run.meta["parsers"]
    assert (entry["scored"], entry["paired"]) == ({"mrs": 107, "csli": 921}[profile], "id")


@PROFILES
def test_a_profile_is_verified_and_can_be_read_from_lines(profile: str, shared_data: Path, tmp_path: Path):
    gold, test = (shared_data / "data" / "erg" / year / profile for year in ("2024", "2025"))
    run = evaltools.score(gold, {"2025": test}, out=tmp_path / "run")
    assert evaltools.verify(run).equal
    for name, folder in (("gold", gold), ("test", test)):
        (tmp_path / f"{name}.mrp").write_text(write_mrp(read_semantics(folder).items), "utf-8")
    lines = evaltools.score(tmp_path / "gold.mrp", {"2025": tmp_path / "test.mrp"})
    assert lines.summary().equals(run.summary())
    assert run.summary().set_index("metric").loc["edm", "pooled"] == pytest.approx(0.999, abs=0.001)
