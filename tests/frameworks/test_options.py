"""A field of a framework's struct is an option everywhere."""

from __future__ import annotations

import inspect
import io
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest

import evaltools
from evaltools.cli import options as cli_options
from evaltools.errors import ParameterError
from evaltools.frameworks.options import (
    Option,
    Options,
    described,
    given_options,
    options_for,
    options_in,
    options_of,
    signature_of,
    structs_by_title,
)
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.semantics.edm_rules import load_edm_rules

GOLDS = {
    "constituency": "(S (NP (N dogs)) (VP (V bark)))\n",
    "dependency": "1\tdogs\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n",
    "mrs": "{e:\n e:_rain_v_1<0:5>[]\n}\n",
}
VALUES: dict[str, Any] = {
    "la_table": evaltools.CostTable({("NP", "VP"): 0.5}),
    "align_sentences": True,
    "label_map": {"NP": "XP", "nsubj": "subj"},
    "la_preterminals": True,
    "engine": "banded",
    "multiword_only": True,
    "punctuation": "keep",
    "subtypes": "drop",
    "strict_conllu": True,
    "skip_root": True,
    "weights": "weights.toml",
    "spans": "exact",
}
"""A value of each option; one with names may be the default, and is refused where it does not apply all the same."""


def test_every_option_has_a_value_here():
    assert {name for item in FRAMEWORKS.values() for name in options_in(item.options)} == set(VALUES)


@pytest.mark.parametrize("kind", GOLDS)
@pytest.mark.parametrize("name", VALUES)
def test_an_option_of_another_framework_is_refused_by_one_error(kind: str, name: str, tmp_path: Path):
    if name in options_in(FRAMEWORKS[kind].options):
        return
    owners = [title for title, options in structs_by_title(FRAMEWORKS.values()).items() if name in options_in(options)]
    gold = tmp_path / "gold"
    gold.write_text(GOLDS[kind], "utf-8")
    with pytest.raises(ParameterError) as error:
        evaltools.evaluate(gold, gold, **{name: VALUES[name]})
    assert str(error.value) == f"{name}: an option for {' and '.join(owners)}, not for {FRAMEWORKS[kind].title}"


@pytest.mark.parametrize(
    ("kind", "options", "says"),
    [
        ("constituency", {"preset": "colins"}, r"preset 'colins'.*collins"),
        ("constituency", {"metrics": ["e_f1"]}, "metric 'e_f1'; nearest: f1"),
        ("constituency", {"metrics": ["la_costs"]}, "metric 'la_costs'"),
        ("constituency", {"engine": "zss"}, r"engine 'zss'.*apted"),
        ("constituency", {"format": "xml"}, r"format 'xml'.*ptb"),
        ("constituency", {"jobs": 0}, r"jobs.*at least 1"),
        ("constituency", {"preset": "mtool"}, "preset mtool: it applies to semantic graphs; these are trees"),
        ("constituency", {"preset": load_edm_rules()}, "it applies to semantic graphs; these are trees"),
        ("constituency", {"label_map": {"NX": "NP"}, "preset": "collins"}, "EQ_LABEL"),
        ("dependency", {"preset": "collins"}, "dependency trees have none"),
        ("dependency", {"punctuation": "drop"}, "unknown punctuation 'drop'; valid: keep, upos, ptb, unicode"),
        ("dependency", {"metrics": ["f1"]}, "unknown metric 'f1'; .*; families: attachment, la, ud"),
        ("mrs", {"preset": "collins"}, "unknown preset of semantic graphs 'collins'; valid: dridan-oepen-2011"),
        ("mrs", {"preset": evaltools.load_preset("none")}, "it applies to trees"),
        ("mrs", {"spans": "wide"}, "unknown spans 'wide'"),
        ("mrs", {"metrics": ["las"]}, "unknown metric 'las'; .*; families: edm, sdp, smatch"),
        ("mrs", {"dask": "tcp://nowhere:1"}, "not for semantic graphs"),
    ],
)
def test_values_without_meaning_are_answered_with_the_right_ones(
    kind: str, options: dict[str, Any], says: str, tmp_path: Path
):
    gold = io.BytesIO(GOLDS[kind].encode()), {"p": io.BytesIO(GOLDS[kind].encode())}
    with pytest.raises(ParameterError, match=says):
        evaltools.score(*gold, out=tmp_path / "run", **options)
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_option_is_refused():
    with pytest.raises(ParameterError, match=r"unknown option 'la_preterminal'; valid: la_table, .*la_preterminals"):
        evaltools.evaluate(["(S (N a))"], ["(S (N a))"], la_preterminal=True)


@pytest.mark.parametrize("kind", FRAMEWORKS)
def test_a_run_gives_its_options_back(kind: str):
    own = FRAMEWORKS[kind].options
    assert options_of(own, {"options": {"format": None} | described(own())}) == own()


class _Toy(Options, frozen=True, kw_only=True):
    rounds: Annotated[int, Option("number of rounds.")] = 1
    table: Annotated[dict[str, str], Option("a table.", "FILE", take=dict)] = msgspec.field(default_factory=dict)
    way: Annotated[str, Option("how.", values={"up": "u", "down": "d"}, always=True)] = "u"
    plain: Annotated[bool, Option("plainly.", flag="--plainly", signed="said:plainly")] = False


@pytest.mark.parametrize(
    ("values", "meta", "signature"),
    [
        ({}, {"way": "u"}, ["way:up"]),
        (
            {"rounds": 2, "plain": True},
            {"rounds": 2, "way": "u", "plain": True},
            ["rounds:2", "way:up", "said:plainly"],
        ),
        ({"table": {"a": "b"}}, {"table": {"a": "b"}, "way": "u"}, ["table:e47aeff3", "way:up"]),
    ],
)
def test_a_new_option_is_one_field(values: dict[str, Any], meta: dict[str, Any], signature: list[str]):
    options = _Toy(**values)
    assert described(options) == meta
    assert signature_of(options) == signature
    assert options_of(_Toy, {"options": meta | {"format": "ptb"}}) == options


def test_a_new_option_is_on_the_command_line_and_an_argument(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(FRAMEWORKS, "mrs", replace(FRAMEWORKS["mrs"], options=_Toy))

    @cli_options.with_options()
    def command(gold: str, **options: Any) -> None:
        """Take options."""

    parameters = inspect.signature(command).parameters
    assert {"gold", "rounds", "table", "way", "plain"} <= set(parameters)
    declared = parameters["plain"].annotation.__metadata__[0]
    assert (declared.default, declared.help) == ("--plainly", "Semantic graphs: plainly.")
    assert options_for(FRAMEWORKS["mrs"], {"way": "d"}, FRAMEWORKS.values()) == _Toy(way="d")
    with pytest.raises(ParameterError, match="unknown way 'x'; valid: up, down"):
        given_options({"way": "x"}, FRAMEWORKS.values())
