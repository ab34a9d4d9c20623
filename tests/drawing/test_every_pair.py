"""Whatever scores is drawn, and what cannot be drawn costs one note."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random

import pytest

import evaltools
from evaltools.drawing import Drawing, languages
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.views import STANDING_ALONE, Sentence
from evaltools.outputs.html_report import html_report, write_bundle

ROW = "{}\t{}\t_\tX\t_\t_\t{}\tdep\t{}\t_\n"

SELF = [
    ROW.format(1, "go", 0, "0:root|1:x") + "\n",
    ROW.format(1, "go", 0, "0:root|1:a_relation_that_is_longer_than_its_word")
    + ROW.format(2, "on", 1, "2:x|1:x")
    + "\n",
    ROW.format(1, "go", 0, "1:x|1:y|0:root") + ROW.format("1.1", "_", "_", "1.1:x|1:z") + "\n",
    "".join(ROW.format(at, "go", at - 1, f"{at}:x|1.1:y") for at in (1, 2)) + "\n",
]


def random_graph(random: Random) -> str:
    """Return a sentence of CoNLL-U whose enhanced dependencies are any edges at all."""
    n = random.randint(1, 4)
    nodes = [str(word) for word in range(1, n + 1)]
    nodes += [f"{word}.1" for word in range(n + 1) if random.random() < 0.4]
    rows = []
    for node in sorted(nodes, key=float):
        edges = [f"{random.choice(['0', *nodes])}:{random.choice(['x', 'conj:and'])}" for _ in range(3)]
        head = str(int(node) - 1) if node.isdigit() else "_"
        rows.append(ROW.format(node, "w", head, "|".join(edges)))
    return "".join(rows) + "\n"


def drawings(gold: str, test: str) -> list[Drawing]:
    alignment = evaltools.align_dependencies(gold, test)
    return list(FRAMEWORKS["dependency"].view(Sentence(alignment), STANDING_ALONE).by_kind.values())


@pytest.mark.parametrize("language", ["svg", "latex", "dot", "text", "json"])
def test_enhanced_dependencies_of_any_form(language: str):
    random = Random(1)
    pairs = [(text, other) for text in SELF for other in SELF if text.count("go") == other.count("go")]
    pairs += [(text, text) for text in (random_graph(random) for _ in range(10))]
    n_enhanced = 0
    for gold, test in pairs:
        for drawing in drawings(gold, test):
            n_enhanced += drawing.suffix == "enhanced"
            if language in languages(drawing.subject):
                assert drawing.draw(language)
    assert n_enhanced == len(pairs)


@pytest.mark.slow
def test_a_sentence_that_cannot_be_drawn_costs_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gold, test = (io.BytesIO("".join(SELF).encode()) for _ in range(2))
    run = evaltools.score(gold, {"p": test}, out=tmp_path / "p.run")
    whole = html_report(run)

    def fails(*args: object, **options: object) -> str:
        raise IndexError("list index out of range")

    monkeypatch.setattr("evaltools.drawing.draw", fails)
    page = html_report(run)
    assert page.count("<summary>") == whole.count("<summary>")
    assert page.count("this cannot be drawn (IndexError: list index out of range)") >= 4
    write_bundle(run, tmp_path / "bundle")
    assert "this cannot be drawn" in (tmp_path / "bundle" / "worst-1-1.html").read_text()
