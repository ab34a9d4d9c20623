"""DOT, LaTeX, text and JSON."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from evaltools.corpus import Tree
from evaltools.drawing import draw, languages
from evaltools.drawing.tikz import escape_latex
from tests.drawing.examples import ATTACHMENT, DOG, HOSTILE, OTHER_WORDS, PAIRS, TELESCOPE, aligned

DOG_TEXT = """\
gold                parse
S                   S
└─ < VP             ├─ ≠ AP
   ├─ ≠ NP          │  ├─ > PP
   │  ├─ ≠ D  the   │  │  └─ ≠ A  the
   │  └─ N  dog     │  └─ N  dog
   └─ V  barks      └─ V  barks
"""


@pytest.mark.parametrize("mapping", ["e", "t"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
@pytest.mark.parametrize("language", languages(aligned(DOG)))
def test_every_language_draws_every_pair(language: str, pair: tuple[str, str], mapping: str) -> None:
    assert draw(aligned(pair), language, mapping=mapping).strip()


def test_text_side_by_side() -> None:
    text = draw(aligned(DOG), "text", mapping="t")
    assert text.startswith("T-mapping  nodes (brackets, tags and words): D 1  I 1  S 2  M 6\n")
    assert draw(aligned(DOG), "text", mapping="e").startswith("E-mapping  brackets: D 2  I 2  M 1\n")
    assert DOG_TEXT in text
    assert "< only in gold   > only in parse   ≠ relabeled" in text


def test_text_one_under_the_other_where_they_are_wide() -> None:
    wide = tuple(pair.replace("barks", "b" * 60) for pair in DOG)
    text = draw(aligned(wide), "text", mapping="t")
    assert max(map(len, text.splitlines())) <= 100
    assert text.index("\ngold\n") < text.index("\nparse\n")


def test_text_lists_the_edit_script() -> None:
    alignment = aligned(TELESCOPE)
    lines = draw(alignment, "text", mapping="t").splitlines()
    for step in alignment.t.steps:
        assert any(line.endswith(step.text) for line in lines)


def test_text_colours_only_on_demand() -> None:
    alignment = aligned(DOG)
    plain, painted = draw(alignment, "text", mapping="t"), draw(alignment, "text", mapping="t", colour=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_text_shows_control_characters_as_pictures() -> None:
    text = draw(aligned(HOSTILE), "text", mapping="t", colour=False)
    assert not set(text) & {"\x01", "\x7f", "\u202e", "\x1b"}


def test_text_folds_what_is_identical() -> None:
    text = draw(aligned(TELESCOPE), "text", mapping="t", fold=True)
    assert "NP △ the man" in text
    assert "△ identical, folded" in text


def test_tree_text_of_a_word_without_tag() -> None:
    assert draw(Tree.from_string("[S [NP dogs ] bark ]", "sampson"), "text") == "S\n├─ NP\n│  └─ dogs\n└─ bark"


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_dot_is_accepted_by_graphviz(pair: tuple[str, str]) -> None:
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("no Graphviz here")
    for source in (draw(aligned(pair), "dot"), draw(Tree.from_string(pair[0]), "dot")):
        done = subprocess.run([dot, "-Tsvg"], input=source.encode(), capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert b"rror" not in done.stderr


def test_dot_shows_labels_literally() -> None:
    source = draw(Tree.from_string(r'(S (\N "q\l") (&amp; <b>))'), "dot")
    assert r'label="\\N"' in source
    assert r'label="\"q\\l\""' in source
    assert 'label="&amp;amp;"' in source
    assert 'label="<b>"' in source


def test_latex_escapes_all_specials() -> None:
    assert escape_latex(r"\{}$&#%_^~") == (r"\textbackslash{}\{\}\$\&\#\%\_\textasciicircum{}\textasciitilde{}")
    tree = draw(Tree.from_string("(S ($ $) (-LRB- [a,b=c]))"), "latex")
    assert tree == "\\begin{forest}\n[{S} [{\\$} [{\\$}]] [{{-}LRB{-}} [{[a,b=c]}]]]\n\\end{forest}"


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_latex_is_balanced_and_whole(pair: tuple[str, str]) -> None:
    source = draw(aligned(pair), "latex", mapping="t", standalone=True)
    assert source.startswith(r"\documentclass")
    assert source.rstrip().endswith(r"\end{document}")
    bare = re.sub(r"\\[{}]", "", source)
    assert bare.count("{") == bare.count("}")
    drawn = [line for line in source.splitlines() if line.startswith(("\\node", "\\draw", "\\path"))]
    assert all(line.endswith(";") for line in drawn)
    assert r"\documentclass" not in draw(aligned(pair), "latex", mapping="t")


def test_latex_uses_the_colours_and_marks() -> None:
    source = draw(aligned(DOG), "latex", mapping="t")
    assert r"\definecolor{evalmissing}{HTML}{B85000}" in source
    assert "dashed" in source
    assert "double" in source
    assert "dotted" in source


def test_json_holds_statuses_and_partners() -> None:
    alignment = aligned(ATTACHMENT)
    data = json.loads(draw(alignment, "json", mapping="t"))
    assert [node["label"] for node in data["gold"]] == list(alignment.gold.labels)
    assert [node["partner"] for node in data["test"]] == list(alignment.t.test_partner)
    assert data["pairs"] == [list(pair) for pair in alignment.t.pairs]
    assert json.loads(draw(aligned(OTHER_WORDS), "json", mapping="e"))["status"] == "words_differ"
