"""Corpora longer than what is read at one time: no sentence, line number or problem depends on where a part ends."""

from __future__ import annotations

import io

import pytest

from evaltools import score
from evaltools.runs.store import Run

PART = 4096
NEAR_ENDS = (1, PART - 1, PART, PART + 1, 2 * PART, 2 * PART + 1)
N = 2 * PART + 5


def gold_tree(number: int) -> str:
    return f"(S (NP (N w{number})) (VP (V b) (NP (N c))))"


def near_tree(number: int) -> str:
    return f"(S (NP (N w{number})) (VP (V b)) (NP (N c)))"


def scored(gold: list[str], test: list[str], *, end: str = "\n", preset: str = "standard") -> Run:
    files = [io.BytesIO("".join(line + end for line in lines).encode()) for lines in (gold, test)]
    return score(files[0], {"p": files[1]}, preset=preset, metrics=["e", "la"])


@pytest.mark.parametrize("preset", ["standard", "collins"])
def test_sentences_keep_their_places(preset: str):
    gold = [gold_tree(number) for number in range(1, N + 1)]
    test = [near_tree(number) if number in NEAR_ENDS else tree for number, tree in enumerate(gold, start=1)]
    run = scored(gold, test, preset=preset)
    rows = run.sentences("p")
    assert rows["sentence"].tolist() == list(range(1, N + 1))
    assert rows["line"].tolist() == list(range(1, N + 1))
    assert set(rows["status"]) == {"ok"}
    assert rows.loc[rows["f1"] < 1, "sentence"].tolist() == list(NEAR_ENDS)
    words = run.words("p")
    assert words.loc[words["position"] == 0, "form"].tolist() == [f"w{number}" for number in range(1, N + 1)]
    for number in NEAR_ENDS:
        assert run.text(number) == [f"w{number}", "b", "c"]
        assert str(run.tree(number, "p")) == near_tree(number)
        assert run.alignment(number, "p").scores["f1"] == 0.75
    inserted = run.brackets("p").query("e_status == 'spurious'")
    assert inserted["sentence"].tolist() == list(NEAR_ENDS)


def test_trees_over_several_lines():
    def spread(tree: str) -> str:
        return tree.replace(" (VP", "\n  (VP")

    numbers = range(1, N + 1)
    run = scored([spread(gold_tree(n)) for n in numbers], [spread(near_tree(n)) for n in numbers], end="\n\n")
    rows = run.sentences("p")
    assert rows["line"].tolist() == [3 * n - 2 for n in numbers]
    assert set(rows["f1"]) == {0.75}
    assert len(run.problems()) == 0


@pytest.mark.parametrize("n_gold", [PART - 1, PART, PART + 1])
def test_blank_lines_at_the_end_are_no_sentences(n_gold: int):
    gold = [gold_tree(number) for number in range(n_gold)]
    for blank in (3, PART + 3):
        run = scored([*gold, *[""] * blank], [*gold, ""])
        assert run.n_sentences == n_gold
        assert len(run.problems()) == 0
    assert scored([*gold, ""], gold, preset="collins").n_sentences == n_gold + 1


def test_a_blank_stretch_longer_than_a_part_keeps_the_sentences_after_it():
    gold = [gold_tree(1), *[""] * (2 * PART), gold_tree(2)]
    run = scored(gold, gold)
    assert run.n_sentences == 2 * PART + 2
    rows = run.sentences("p")
    assert rows["status"].value_counts().to_dict() == {"missing": 2 * PART, "ok": 2}
    assert rows["status"].iloc[-1] == "ok"
    assert run.summary().set_index("metric").loc["f1", ["pooled_all", "mean_all"]].tolist() == [1, 1]
