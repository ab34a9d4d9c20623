"""``why`` for graphs: conventions of Smatch and EDM."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaltools
from evaltools.analysis.why import Why, explain_figure
from evaltools.runs.rescoring import Rescoring, rescoring_of
from tests.analysis.test_why import applied

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data" / "semantics"


def explained(gold: Path, parse: Path, published: str | None = None) -> Why:
    return explain_figure(Rescoring(str(gold), str(parse), "p"), published)


@pytest.mark.parametrize(
    ("gold", "parse", "default", "expected"),
    [
        ("(w / want-01 :ARG0 (b / boy))", "(b / boy :ARG0-of (w / want-01))", 3 / 4, {"no-top": 1, "concepts": 1}),
        ("(w / want-01)", "(x / wish-01)", 1 / 2, {"top-concept": 0, "no-top": 0, "concepts": 0}),
        ("(w / want-01)", "(x / want-02)", 1 / 2, {"top-concept": 0, "no-top": 0, "concepts": 0, "no-senses": 1}),
        (
            "(a / and :op1 (b / boy))",
            "(a / and :op2 (b / boy))",
            3 / 4,
            {"unlabeled": 1, "no-top": 2 / 3, "concepts": 1},
        ),
        ("(g / go-02 :mode x :mode x)", "(g / go-02 :mode x :mode x)", 1, {"repeats-multiply": 6 / 4}),
        (
            "(g / go-02 :mode x :mode x)",
            "(g / go-02 :mode x)",
            6 / 7,
            {"once": 1, "repeats-multiply": 8 / 7, "no-top": 4 / 5, "concepts": 1},
        ),
    ],
)
def test_conventions_of_smatch(gold: str, parse: str, default: float, expected: dict[str, float], tmp_path: Path):
    sides = tmp_path / "gold.amr", tmp_path / "parse.amr"
    for path, text in zip(sides, (gold, parse), strict=True):
        path.write_text(f"# ::id 1\n{text}\n")
    why = explained(*sides)
    assert why.value == pytest.approx(default)
    assert {step.convention.id: step.value for step in why.single} == pytest.approx(expected)


SDP = """#1
1\tKim\tKim\tNNP\t-\t-\t_\tARG1
2\tsleeps\tsleep\tVBZ\t+\t+\t_\t_
3\t.\t.\t.\t-\t-\t_\tp
"""


def test_conventions_of_bilexical_graphs(tmp_path: Path):
    parse = SDP.replace("VBZ\t+", "VBZ\t-").replace("NNP\t-", "NNP\t+").replace("p\n", "x\n")
    sides = tmp_path / "gold.sdp", tmp_path / "parse.sdp"
    for path, text in zip(sides, (SDP, parse), strict=True):
        path.write_text(text)
    why = explained(*sides)
    assert why.value == pytest.approx(1 / 3)  # ARG1, of ARG1, p or x, and the top
    expected = {"no-top": 1 / 2, "unlabeled": 2 / 3}
    assert {step.convention.id: step.value for step in why.single} == pytest.approx(expected)


def test_each_convention_of_edm_gives_the_figure_of_a_run_with_its_rules():
    gold, parse = SAMPLE / "gold.eds", SAMPLE / "graph-parser.eds"
    rescoring = Rescoring(str(gold), str(parse), "p")
    why = explain_figure(rescoring)
    assert {step.convention.id for step in why.single} >= {"preset-pydelphin", "preset-mtool", "trimmed", "na", "once"}
    for step in why.single:
        reading = (setting := applied(rescoring, (step.convention,))).reading
        if reading.max_length is None and not reading.same_words:
            metric = reading.metric.id
            run = evaltools.evaluate(gold, parse, metrics=[metric], figure=reading.figure, preset=setting.preset)
            assert step.value == pytest.approx(run[metric], abs=1e-12), step.convention.id


def test_a_run_of_graphs_begins_with_its_rules(tmp_path: Path):
    gold, parse = SAMPLE / "gold.eds", SAMPLE / "graph-parser.eds"
    run = evaltools.score(gold, {"p": parse}, out=tmp_path / "run", preset="mtool")
    why = explain_figure(rescoring_of(run, "p"))
    assert why.value == pytest.approx(run.figures()[0]["pooled_all"])
    assert "preset-dridan-oepen-2011" in {step.convention.id for step in why.single}


@pytest.mark.parametrize(
    ("gold", "parse", "published"),
    [
        ("semantics/gold.eds", "semantics/graph-parser.eds", "95.37"),
        ("semantics/gold.eds", "semantics/graph-parser.eds", "96.2"),
        ("semantics/gold.eds", "semantics/graph-parser.eds", "80"),
        ("amr/gold.amr", "amr/parser.amr", "60"),
        ("dependencies/lexical.conllu", "dependencies/transition-lexical.conllu", "90"),
        ("gold.ptb", "parsers/shift-reduce.ptb", "70"),
    ],
)
def test_the_steps_of_a_ladder_add_up(gold: str, parse: str, published: str):
    why = explained(SAMPLE.parent / gold, SAMPLE.parent / parse, published)
    best = why.matches[0].value
    assert why.ladder
    assert sum(step.difference for step in why.ladder) == pytest.approx(best - why.value, abs=1e-12)
    assert why.ladder[-1].value == best
    assert all(step.n_touched and step.example for step in why.ladder)
