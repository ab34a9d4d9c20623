"""What frameworks know of runs that are stored."""

from __future__ import annotations

import msgspec
import pytest

from evaltools import RunError
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.stored import Count, mismatch
from evaltools.runs.sample import sample_run


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    number: Count


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"number": 0}, ""),
        ({"number": -1}, "Expected `int` >= 0 - at `$.number`"),
        ({"number": True}, "Expected `int`, got `bool` - at `$.number`"),
        ({"number": 1.0}, "Expected `int`, got `float` - at `$.number`"),
        ({}, "Object missing required field `number`"),
        ({"number": 1, "a\n\x1b": 2}, "Object contains unknown field `a␊␛`"),
        ({"number": 1, "\udc80": 2}, "a name in it is not text"),
        ([], "Expected `object`, got `array`"),
    ],
)
def test_a_mismatch_is_one_printable_line(content: object, expected: str):
    assert mismatch(content, _Form) == expected


@pytest.mark.parametrize("kind", [name for name, framework in FRAMEWORKS.items() if framework.sample])
def test_a_run_says_what_its_framework_cannot_show(kind: str):
    run = sample_run(kind=kind)
    parser = run.parsers[0]
    offered = {
        "constituency": {"alignment", "labels", "brackets", "words"},
        "dependency": {"alignment", "labels", "attachments", "words"},
        "crossframework": {"alignment", "protocol"},
        "mrs": {"alignment", "labels", "graphs", "triples", "ranks", "edm_rules"},
    }[kind]
    answers = {
        "alignment": lambda: run.alignment(1, parser),
        "labels": lambda: run.labels(parser),
        "brackets": lambda: run.brackets(parser, 1),
        "words": lambda: run.words(parser, 1),
        "attachments": lambda: run.attachments(parser),
        "protocol": lambda: run.protocol(1, parser),
        "graphs": lambda: run.graphs(1, parser),
        "triples": lambda: run.triples(parser, 1),
        "ranks": lambda: run.ranks(parser),
        "edm_rules": lambda: run.edm_rules,
    }
    for name, answer in answers.items():
        if name in offered:
            answer()
            continue
        with pytest.raises(RunError, match=rf"compares {run.framework.title}; only "):
            answer()
    assert run.framework.runs.meta_problem(run.meta) == ""
    assert len(run.text(1)) > 1
