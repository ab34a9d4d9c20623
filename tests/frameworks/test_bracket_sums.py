"""The tables of *Hotspots* count the missing and the spurious brackets that the E-mapping counts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import evaltools
from evaltools.frameworks.constituency.bracket_errors import (
    NO_BRACKET,
    attachments,
    bracket_features,
    confused_brackets,
    phrase_sides,
    wrong_brackets,
)
from evaltools.frameworks.constituency.error_table import tree_pair

PARAMETERS = "LABELED 1\nEQ_LABEL A B\nEQ_LABEL B C\n"
PARSERS = ("one", "two")


def tree(source: random.Random, words: list[str]) -> str:
    """Return a tree over words with few labels, of which some are also tags, and with unary chains."""
    label = source.choice(["A", "B", "C", "ADVP", "PRT"])
    if len(words) == 1:
        inner = f"({source.choice(['A', 'N'])} {words[0]})"
        return f"({label} {inner})" if source.random() < 0.6 else inner
    at = source.randrange(1, len(words))
    inner = f"{tree(source, words[:at])} {tree(source, words[at:])}"
    return f"({label} ({source.choice(['A', 'B', 'PRT'])} {inner}))" if source.random() < 0.4 else f"({label} {inner})"


def sums(run: evaltools.Run, parser: str) -> dict[str, tuple[int, int]]:
    """Return the numbers of missing and spurious brackets that each table lists."""
    size = run.n_sentences
    pair, listed = tree_pair(run, parser, range(1, size + 1)), wrong_brackets(run, parser, size)["status"]
    confused = confused_brackets(run, parser, size)
    sides, features = phrase_sides(pair, run.rules), bracket_features(pair, run.rules)["status"]
    return {
        "words": ((listed == "missing").sum(), (listed == "spurious").sum()),
        "labels": ((confused["gold"] != NO_BRACKET).sum(), (confused["test"] != NO_BRACKET).sum()),
        "rules": (sides.gold["wrong"].sum(), sides.test["wrong"].sum()),
        "brackets": ((features == "missing").sum(), (features == "spurious").sum()),
    }


@pytest.mark.parametrize("multiword_only", [False, True])
@pytest.mark.parametrize("preset", ["none", "collins", "chain"])
def test_sums_are_those_of_the_counts(tmp_path: Path, preset: str, multiword_only: bool):
    source = random.Random(7)
    sentences = [["a", "b", "c", "d", "e"][: source.randint(1, 5)] for _ in range(80)]
    for name in ("gold", *PARSERS):
        (tmp_path / f"{name}.ptb").write_text("".join(f"(S {tree(source, words)})\n" for words in sentences))
    (tmp_path / "chain.prm").write_text(PARAMETERS)
    rules = f"evalb:{tmp_path / 'chain.prm'}" if preset == "chain" else preset
    parses = {name: tmp_path / f"{name}.ptb" for name in PARSERS}
    run = evaltools.score(tmp_path / "gold.ptb", parses, preset=rules, multiword_only=multiword_only)
    for parser in PARSERS:
        counts = run.counts(parser)[["e_gold_roof", "e_test_roof", "e_matched_roof"]].sum()
        gold, test, matched = counts.tolist()
        expected = gold - matched, test - matched
        assert matched
        assert min(expected) > 0
        assert sums(run, parser) == dict.fromkeys(("words", "labels", "rules", "brackets"), expected)


def test_equated_labels_are_one_bracket_and_one_parent(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("(S (ADVP (NP (N a)) (N b)) (N c))\n")
    (tmp_path / "test.ptb").write_text("(S (PRT (NP (N a)) (N b)) (N c))\n")
    run = evaltools.score(tmp_path / "gold.ptb", {"p": tmp_path / "test.ptb"}, preset="collins")
    assert set(sums(run, "p").values()) == {(0, 0)}
    assert attachments(phrase_sides(tree_pair(run, "p", [1]), run.rules)).empty
