"""``why`` of dependency trees: every figure is that of a run with the same options."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import evaltools
from evaltools.analysis.why import explain_figure
from evaltools.corpus import DependencyTree
from evaltools.frameworks.options import changed
from evaltools.runs.rescoring import Rescoring
from tests.analysis.test_why import applied
from tests.runs.dependency_files import conllu
from tests.slow.dependency_pairs import random_tree

N_SENTENCES = 30


@pytest.fixture(scope="module")
def sentences() -> list[tuple[str, str | None]]:
    """Give gold sentences with ids, and parses: some are missing, some have other words."""
    random, pairs = Random(11), list[tuple[str, str | None]]()
    for number in range(N_SENTENCES):
        n_words = 43 if number < 2 else random.randint(1, 14)
        forms = tuple(random.choice(("a", "b", ",", "Ünï")) for _ in range(n_words))
        gold = random_tree(random, forms)
        other = random_tree(random, (*forms[:-1], "other") if number in (7, 8) else forms)
        keep = [random.random() < 0.6 for _ in forms]
        heads = tuple(a if kept else b for a, b, kept in zip(gold.heads, other.heads, keep, strict=True))
        relations = tuple(_changed(random, relation) for relation in gold.relations)
        parse = other if _has_cycle(heads) else DependencyTree(other.forms, heads, relations, tags=other.tags)
        texts = [f"# sent_id = s{number}\n{conllu(tree)}" for tree in (gold, parse)]
        pairs.append((texts[0], None if number == 4 else texts[1]))
    return pairs


def _changed(random: Random, relation: str) -> str:
    """Drop the subtype of some relations, and replace others."""
    choice = random.random()
    return relation.split(":")[0] or "obj" if choice < 0.4 else "obl" if choice < 0.5 else relation


def _has_cycle(heads: tuple[int, ...]) -> bool:
    for word in range(len(heads)):
        seen = set[int]()
        while word >= 0 and word not in seen:
            seen.add(word)
            word = heads[word]
        if word >= 0:
            return True
    return False


@pytest.fixture(scope="module")
def files(sentences: list[tuple[str, str | None]], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder: Path = tmp_path_factory.mktemp("why")
    for name, side in (("gold", 0), ("parse", 1)):
        (folder / f"{name}.conllu").write_text("".join(pair[side] or "" for pair in sentences))
    return str(folder / "gold.conllu"), str(folder / "parse.conllu")


SHARES = {"aligned": "dep_aligned", "recall": "dep_gold", "precision": "dep_test"}
"""The words that attachment scores are shares of under some conventions."""


@pytest.mark.parametrize("metric", ["las", "uas"])
def test_each_convention_gives_the_figure_of_a_run_with_its_options(
    files: tuple[str, str], sentences: list[tuple[str, str | None]], metric: str
):
    rescoring = Rescoring(*files, "p", metric)
    why = explain_figure(rescoring)
    expected = {"no-punct", "no-punctuation", "no-root", "parsed", "same-words", "max-40", "max-10", "macro"}
    expected |= set(SHARES)
    expected |= {"subtypes", "unlabeled"} if metric == "las" else set()
    assert {step.convention.id for step in why.single} == expected
    own = evaltools.score(*_sides(sentences), metrics=[metric]).counts().fillna(0)
    for step in why.single:
        if step.convention.id in SHARES:
            total = own[SHARES[step.convention.id]].sum()
            assert step.value == pytest.approx(own[f"{metric}_right"].sum() / total)
            continue
        setting = applied(rescoring, (step.convention,))
        reading, rules = setting.reading, changed(setting.options)
        counts = evaltools.score(*_sides(sentences), metrics=[metric], **rules).counts()
        is_member = [True] * len(sentences)
        if reading.max_length is not None:
            is_member = [length <= reading.max_length for length in counts["words"]]
        if reading.same_words:
            is_member = [status == "ok" for status in counts["status"]]
        chosen = [pair for pair, is_chosen in zip(sentences, is_member, strict=True) if is_chosen]
        gold, parsers = _sides(chosen)
        found = evaltools.evaluate(gold, parsers["p"], metrics=[reading.metric.id], figure=reading.figure, **rules)
        assert step.value == pytest.approx(found[reading.metric.id], abs=1e-12), step.convention.id


def _sides(pairs: list[tuple[str, str | None]]) -> tuple[list[str], dict[str, list[str | None]]]:
    return [gold for gold, _ in pairs], {"p": [parse for _, parse in pairs]}


def test_a_published_figure_and_its_ladder(files: tuple[str, str], sentences: list[tuple[str, str | None]]):
    gold, parsers = _sides(sentences)
    rules = {"punctuation": "unicode", "skip_root": True}
    figure = evaltools.evaluate(gold, parsers["p"], metrics="las", figure="mean_all", **rules)["las"]
    assert figure is not None
    why = explain_figure(Rescoring(*files, "p"), f"{100 * figure:.8f}")
    assert [item.id for item in why.matches[0].conventions] == ["no-punctuation", "no-root", "macro"]
    assert sum(step.difference for step in why.ladder) == pytest.approx(figure - why.value, abs=1e-12)


def test_words_that_gold_attaches_to_the_root_do_not_count():
    gold = DependencyTree(("it", "rains", "now"), (1, -1, 1), ("nsubj", "root", "advmod"))
    parse = DependencyTree(("it", "rains", "now"), (2, 2, -1), ("nsubj", "advcl", "root"))
    right = DependencyTree(("it", "rains", "now"), (1, -1, -1), ("nsubj", "root", "root"))
    for test, las in ((parse, 0.0), (right, 0.5)):
        figures = evaltools.evaluate([gold], [test], metrics=["uas", "las"], skip_root=True)
        assert (figures["uas"], figures["las"]) == (las, las)
    run = evaltools.score([gold], {"p": [right]}, skip_root=True)
    assert run.counts()["dep_gold"].tolist() == [2]
    assert "root:skip" in run.signature


def test_ptb_punctuation_is_known_by_the_gold_tags_of_either_column():
    tags = [("``", "_"), ("PUNCT", ","), ("PUNCT", "-LRB-"), ("VERB", "VB"), ("SYM", ":")]
    rows = [f"{n}\tw{n}\t_\t{tag}\t{fine}\t_\t{0 if n == 4 else 4}\to\t_\t_" for n, (tag, fine) in enumerate(tags, 1)]
    gold = "\n".join(rows) + "\n\n"
    counts = evaltools.score([gold], {"p": [gold]}, punctuation="ptb").counts()
    assert counts["dep_gold"].tolist() == [2]  # the bracket and the verb
