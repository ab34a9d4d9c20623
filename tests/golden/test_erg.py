"""Test suites as two releases of a grammar analyze them, scored into runs: PyDelphin's figures, whatever the format."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from delphin import edm
from delphin.eds import EDS

import evaltools
from evaltools.formats import read_semantics, write_mrp
from tests.golden.test_edm import by_pydelphin, converted

PROFILES = pytest.mark.parametrize("profile", ["mrs", pytest.param("csli", marks=pytest.mark.slow)])


RENAMED = {"mrs": ["901"], "csli": ["847", "904", "1105", "1106", "1108"]}
"""Items in which something modifies a quantifier, such as *nearly* in *nearly every dog*."""


def arguments(graph: EDS) -> Counter[tuple[str, int, int, str, int, int]]:
    """Return the roles of a graph as PyDelphin looks them up: those to a name that it does not know are left out."""
    return Counter(
        (node.predicate, node.cfrom, node.cto, role, graph[target].cfrom, graph[target].cto)
        for node in graph.nodes
        for role, target in graph.arguments()[node.id]
        if target in graph
    )


@PROFILES
def test_pydelphin_loses_a_role_where_it_renamed_a_quantifier_and_a_reread_eds_has_it(profile: str, shared_data: Path):
    """The six items of the two profiles; ours is the figure of the EDS that was written and read again."""
    gold, test = folders = [shared_data / "data" / "erg" / year / profile for year in ("2024", "2025")]
    for folder in folders:
        direct = [arguments(graph) for graph in converted(folder).values()]
        again = [arguments(graph) for graph in by_pydelphin(folder)]
        lost = [one - other for one, other in zip(again, direct, strict=True)]
        assert [name for name, roles in zip(converted(folder), lost, strict=True) if roles] == RENAMED[profile]
        assert [sorted(roles.values()) for roles in lost if roles] == [[1]] * len(RENAMED[profile])
        assert not any(one - other for one, other in zip(direct, again, strict=True))
    run = evaltools.score(gold, {"2025": test}, preset="pydelphin")
    (entry,) = run.meta["parsers"]
    assert (entry["scored"], entry["paired"]) == ({"mrs": 107, "csli": 921}[profile], "id")
    summary = run.summary().set_index("metric")["pooled"]
    direct, reread = (
        edm.compute(converted(gold).values(), converted(test).values()),
        edm.compute(*map(by_pydelphin, (gold, test))),
    )
    assert summary["edm_precision"] == reread.precision > direct.precision
    assert summary["edm_recall"] == reread.recall > direct.recall
    figures = f"{summary['edm']:.7f}"[1:], f"{direct.fscore:.7f}"[1:]
    assert figures == {"mrs": (".9992703", ".9992701"), "csli": (".9991311", ".9991309")}[profile]
    documented = (Path(evaltools.__file__).parent / "app" / "about_chapters" / "differences.md").read_text("utf-8")
    assert f"{figures[0]} against {figures[1]} on `{profile}`" in documented


def test_a_profile_is_verified_and_can_be_read_from_lines(shared_data: Path, tmp_path: Path):
    gold, test = (shared_data / "data" / "erg" / year / "mrs" for year in ("2024", "2025"))
    run = evaltools.score(gold, {"2025": test}, out=tmp_path / "run")
    assert evaltools.verify(run).equal
    for name, folder in (("gold", gold), ("test", test)):
        (tmp_path / f"{name}.mrp").write_text(write_mrp(read_semantics(folder).items), "utf-8")
    lines = evaltools.score(tmp_path / "gold.mrp", {"2025": tmp_path / "test.mrp"})
    assert lines.summary().equals(run.summary())
    assert run.summary().set_index("metric").loc["edm", "pooled"] == pytest.approx(0.999, abs=0.001)
