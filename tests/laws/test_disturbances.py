"""One bad item costs no other one, and what changes nothing in a file changes no figure, in files of every format."""

from __future__ import annotations

import functools
import math

import pytest

import evaltools
from evaltools import METRICS
from tests.laws.disturbances import FORMATS, HARMLESS, LINES, Items, named, score

BROKEN = [
    pytest.param(name, kind, id=f"{name}-{kind}".replace(" ", "-"))
    for name, make in FORMATS.items()
    for kind in make().broken
]
SILENT = {"empty", "null", "blank"}
"""Items that say that there is no parse, so that there is nothing to list."""
READ = {"a bracket too many", "a brace too many"}
"""What is only a rest after a complete graph; the rest is listed."""
IN_PART = {"an edge to nothing"}
"""Items of which the sound part is read."""

items_of = functools.cache(lambda name: FORMATS[name]())


def scores(run: evaltools.Run) -> list[float]:
    """Return the score of each gold item by the main metric; NaN without one."""
    return [float(value) for value in run.sentences()[run.main_metric]]


def no_share_is_above_1(run: evaltools.Run) -> bool:
    shares = run.summary()
    shares = shares[[METRICS[metric].is_share for metric in shares["metric"]]]
    return not (shares[["pooled", "mean", "pooled_all", "mean_all"]] > 1 + 1e-9).any(axis=None)


def figure(run: evaltools.Run, name: str) -> float:
    return float(run.summary().set_index("metric").loc[run.main_metric, name])


@pytest.mark.parametrize(("name", "kind"), BROKEN)
def test_a_parse_that_cannot_be_read_costs_no_other_one(name: str, kind: str):
    items = items_of(name)
    for broken in {0, 1, len(items) - 1}:
        run = score(items, items.file(items.texts), items.with_broken(broken, kind))
        found = scores(run)
        assert len(found) == len(items)
        assert [value for index, value in enumerate(found) if index != broken] == [1.0] * (len(items) - 1)
        assert no_share_is_above_1(run)
        assert len(run.problems()) or kind in SILENT
        assert kind in READ or found[broken] != 1
        assert kind in READ or figure(run, "pooled_all") < 1


@pytest.mark.parametrize(("name", "kind"), BROKEN)
def test_a_gold_item_that_cannot_be_read_is_left_out_on_both_sides(name: str, kind: str):
    items = items_of(name)
    for broken in {0, 1} if kind == "blank" else {0, 1, len(items) - 1}:  # a blank line at the end is no item
        run = score(items, items.with_broken(broken, kind), items.file(items.texts))
        found = scores(run)
        assert [value for index, value in enumerate(found) if index != broken] == [1.0] * (len(items) - 1)
        assert no_share_is_above_1(run)
        assert len(run.problems())
        if kind not in IN_PART:
            assert kind in READ or math.isnan(found[broken])
            assert figure(run, "pooled") == figure(run, "pooled_all") == 1


@pytest.mark.parametrize("name", FORMATS)
def test_what_changes_nothing_in_a_file_changes_no_figure(name: str):
    items = items_of(name)
    plain = items.file(items.texts)
    for kind, change in HARMLESS.items():
        if kind == "comments" and items.format in ("tigerxml", "mrp", "sdp"):  # formats without such comments
            continue
        if kind == "decomposed characters" and items.format == "tigerxml":
            continue
        changed = change(items, plain)
        for gold, test in ((plain, changed), (changed, plain), (changed, changed)):
            run = score(items, gold, test)
            assert scores(run) == [1.0] * len(items), kind
            assert figure(run, "pooled_all") == 1, kind


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("name", ["ptb", "discbracket"])
def test_lines_between_trees_are_no_sentences(name: str, kind: str):
    items = items_of(name)
    plain = items.file(items.texts)
    changed = items.file([LINES[kind] + text for text in items.texts])
    for gold, test in ((plain, changed), (changed, plain), (changed, changed)):
        assert scores(score(items, gold, test)) == [1.0] * len(items)


@pytest.mark.parametrize("name", ["export", "tigerxml", "conllu", "penman", "mrp", "sdp"])
def test_a_gold_item_that_is_removed_changes_no_count_of_another_one(name: str):
    """In formats whose items have ids."""
    items: Items = items_of(name)
    every = items.file(items.texts)
    whole = score(items, every, every).counts()
    for removed in range(len(items)):
        rest = score(items, items.file([text for index, text in enumerate(items.texts) if index != removed]), every)
        counts = rest.counts()
        assert figure(rest, "pooled_all") == 1
        for column in set(counts) & set(METRICS[rest.main_metric].columns):
            kept = whole[column].drop(whole.index[removed])
            assert counts[column].tolist() == kept.tolist(), column


# ------------------------------------------------------------------------------------------------- across frameworks

TREES = ("ptb", "discbracket", "export", "tigerxml", "conllu", "conllx")
TEDEVAL = ["tedeval_single_unlabeled", "tedeval_multiple_unlabeled", "tedeval_multiple_labeled"]


def compare(items: Items, golds: dict[str, str], parsers: dict[str, tuple[str, str]]) -> evaltools.Run:
    """Compare parses, given with their theories, with gold files and with a gold file of another kind."""
    other = items.of_other_kind()
    gold_files = {name: named(text, f"gold.{items.suffix}") for name, text in golds.items()}
    files = {name: (theory, named(text, f"p.{items.suffix}")) for name, (theory, text) in parsers.items()}
    return evaltools.crossframework(
        gold_files | {"other": named(other, "other")}, files | {"q": ("other", named(other, "q"))}
    )


def scores_across(run: evaltools.Run, parser: str) -> list[set[float]]:
    """Return the scores of each sentence; labeled ones are undefined in trees without functions."""
    return [
        {value for value in values if not math.isnan(value)}
        for values in run.sentences(parser)[TEDEVAL].astype(float).to_numpy().tolist()
    ]


@pytest.mark.parametrize(("name", "kind"), [case for case in BROKEN if case.values[0] in TREES])
def test_an_item_that_cannot_be_read_costs_no_other_one_across_frameworks(name: str, kind: str):
    items = items_of(name)
    whole = items.file(items.texts)
    for at in (0, 2):
        broken = items.with_broken(at, kind)
        for gold, test in ((broken, whole), (whole, broken)):
            run = compare(items, {"own": gold}, {"p": ("own", test)})
            assert no_share_is_above_1(run)
            assert len(run.problems()) or kind in SILENT
            pooled_all = run.summary().set_index(["parser", "metric"])["pooled_all"]
            for parser in "pq":
                found = scores_across(run, parser)
                assert [scores for index, scores in enumerate(found) if index != at] == [{1}] * (len(items) - 1)
                is_missing = parser == "p" and gold is whole
                assert (pooled_all[parser, TEDEVAL[1]] < 1) == is_missing
            assert scores_across(run, "p")[at] == set()


@pytest.mark.parametrize("name", TREES)
def test_what_changes_nothing_in_a_file_changes_no_figure_across_frameworks(name: str):
    items = items_of(name)
    plain = items.file(items.texts)
    texts = {kind: change(items, plain) for kind, change in HARMLESS.items()}
    if name == "tigerxml":  # a format without such comments
        del texts["comments"], texts["decomposed characters"]
    if name in ("ptb", "discbracket"):
        texts |= {kind: items.file([line + text for text in items.texts]) for kind, line in LINES.items()}
    parsers = {f"{kind}, plain gold": ("plain", text) for kind, text in texts.items()}
    parsers |= {f"{kind}, plain parse": (kind, plain) for kind in texts}
    parsers |= {f"{kind}, both": (kind, text) for kind, text in texts.items()}
    run = compare(items, {"plain": plain, **texts}, parsers)
    for parser in run.parsers:
        assert scores_across(run, parser) == [{1}] * len(items), parser
