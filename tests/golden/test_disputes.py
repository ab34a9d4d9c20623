"""Public disputes about figures: both come out, under the conventions that the dispute is about (disputes.toml)."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from delphin import edm
from delphin.codecs import eds as delphin_eds
from udtools import udeval

from evaltools.analysis.why import explain_figure
from evaltools.runs.rescoring import Rescoring
from tests.slow.conventions import Counts, amr, constituency, dependency, eds, figure

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
DISPUTES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("disputes.toml").read_text("utf-8"))["dispute"]


def nltk_las(gold: Path, parse: Path) -> float:
    """Return LAS by NLTK's evaluation, which takes the columns of CoNLL-X."""
    nltk = pytest.importorskip("nltk.parse")

    def graphs(path: Path) -> list[Any]:
        rows = re.sub(r"^#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE)
        return [nltk.DependencyGraph(block) for block in rows.strip().split("\n\n")]

    return 100 * float(nltk.DependencyEvaluator(graphs(parse), graphs(gold)).eval()[0])


def udtools_las(gold: Path, parse: Path) -> float:
    """Return LAS by the official evaluation of Universal Dependencies."""
    return 100 * float(_official(gold, parse).f1)


def udtools_accuracy(gold: Path, parse: Path) -> float:
    """Return LAS over aligned words by the official evaluation of Universal Dependencies."""
    return 100 * float(_official(gold, parse).aligned_accuracy)


def _official(gold: Path, parse: Path) -> Any:
    sides = [udeval.load_conllu(io.StringIO(path.read_text("utf-8")), path.name, {}) for path in (gold, parse)]
    return udeval.evaluate(*sides)["LAS"]


def pydelphin_edm(gold: Path, parse: Path) -> float:
    """Return EDM by PyDelphin, without the classes that the paper does not have."""
    texts = (re.sub(r"^SENT:.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE) for path in (gold, parse))
    golds, parses = ({graph.identifier: graph for graph in delphin_eds.loads(text)} for text in texts)
    pairs = [(graph, parses.get(name)) for name, graph in golds.items()]
    return 100 * float(edm.compute(*zip(*pairs, strict=True), constant_weight=0, top_weight=0)[2])


PROGRAMS: dict[str, Callable[[Path, Path], float]] = {
    "nltk": nltk_las,
    "udtools": udtools_las,
    "udtools, aligned": udtools_accuracy,
    "pydelphin": pydelphin_edm,
}
COUNTED: dict[str, Callable[[Path, Path, set[str]], list[Counts]]] = {
    ".ptb": constituency,
    ".conllu": dependency,
    ".amr": amr,
    ".eds": eds,
}


@cache
def rescored(gold: Path, parse: Path) -> Rescoring:
    return Rescoring(str(gold), str(parse), "parser")


def marks_of(dispute: dict[str, Any]) -> list[pytest.MarkDecorator]:
    """Return the mark of what takes long: Smatch of a corpus, by each convention."""
    return [pytest.mark.slow] * str(dispute["gold"]).endswith(".amr")


@pytest.fixture(
    params=[pytest.param(dispute, marks=marks_of(dispute)) for dispute in DISPUTES],
    ids=[dispute["reference"].removeprefix("https://github.com/") for dispute in DISPUTES],
)
def dispute(request: pytest.FixtureRequest) -> dict[str, Any]:
    return dict(request.param)


def sides_of(dispute: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    """Return the files of a dispute; those whose texts stand in it are written."""
    if "format" not in dispute:
        return SAMPLE / dispute["gold"], SAMPLE / dispute["parse"]
    gold, parse = (folder / f"{side}.{dispute['format']}" for side in ("gold", "parse"))
    for path, side in ((gold, "gold"), (parse, "parse")):
        path.write_text(f"{dispute[side].strip()}\n\n", "utf-8")
    return gold, parse


@pytest.mark.filterwarnings("ignore:The graph doesn't contain a node:UserWarning")  # NLTK, of relations not named ROOT
def test_both_figures_come_out(dispute: dict[str, Any], tmp_path: Path):
    gold, parse = sides_of(dispute, tmp_path)
    files = rescored(gold, parse)
    for item in dispute["figures"]:
        names, text = set(item["by"]), item["text"]
        counts = COUNTED[gold.suffix](gold, parse, names)
        assert f"{figure(counts, names):.2f}" == text, names
        if "program" in item:
            assert f"{PROGRAMS[item['program']](gold, parse):.2f}" == text
        found = explain_figure(files, text).matches
        assert names in [{convention.id for convention in match.conventions} for match in found], (names, found)


def test_the_figures_of_a_dispute_are_different(dispute: dict[str, Any]):
    texts = [item["text"] for item in dispute["figures"]]
    assert len({*texts}) == len(texts) >= 2


def test_there_are_twenty_threads():
    assert len({dispute["reference"] for dispute in DISPUTES}) >= 20
