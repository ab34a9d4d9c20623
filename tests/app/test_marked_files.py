"""What is saved of a marked sentence: with the texts that the page shows around it, or the sentence alone."""

from __future__ import annotations

import re

import pytest

from evaltools import align
from evaltools.app.sentence import _files
from evaltools.app.widgets.saving import Saving, made_here
from evaltools.frameworks.constituency.views import sentence_view
from evaltools.frameworks.dependency.views import sentence_view as dependency_view
from evaltools.frameworks.views import MarkedView, Sentence, Viewing
from tests.drawing import arc_examples

GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
TEST = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"
TOLD = ("with cheese”", "belongs in NP “pasta …”")
LEGEND = ("only in gold", "moves from × to ↑", "correct")


def view() -> MarkedView:
    marked = sentence_view(Sentence(align(GOLD, TEST)), Viewing()).marked
    assert marked is not None
    return marked


def written(saving: Saving, kind: str, *, plain: bool = False, caption: bool = True) -> bytes:
    files = saving.plain if plain else saving.files
    assert files is not None
    content = files[kind][-1](caption)
    return content.encode() if isinstance(content, str) else content


@pytest.mark.parametrize("caption", [True, False])
def test_a_saved_picture_tells_its_errors_and_explains_its_marks_unless_it_is_to_be_plain(caption: bool) -> None:
    saving = _files(view(), made_here("sentence", "a sentence"))
    complete = written(saving, "svg", caption=caption).decode()
    plain = written(saving, "svg", plain=True, caption=caption).decode()
    outside_tooltips = re.sub(r"<title>.*?</title>|aria-label='[^']*'|aria-label=\"[^\"]*\"", "", complete)
    lines = " ".join(re.findall(r">([^<]+)<", outside_tooltips))
    assert all(text in lines for text in TOLD)
    assert all(f">{text}<" in complete for text in LEGEND)
    assert not any(f">{text}<" in plain for text in LEGEND)
    assert "pasta" in plain
    assert set(saving.files) == set(saving.plain or ())
    assert written(saving, "png", caption=caption).startswith(b"\x89PNG")
    assert written(saving, "pdf", caption=caption).startswith(b"%PDF")
    assert b"belongs" in written(saving, "latex", caption=caption)


def test_the_page_shows_what_it_tells_in_the_picture_only_in_files() -> None:
    drawn = view().drawing.draw(width=900)
    assert not any(f">{text}<" in drawn for text in LEGEND)
    assert 'width="900"' in drawn


def test_other_programs_get_the_complete_picture_too() -> None:
    drawn = sentence_view(Sentence(align(GOLD, TEST), parse_name="p"), Viewing()).drawings[0].draw()
    assert all(f">{text}<" in drawn for text in LEGEND)


def test_arcs_are_saved_with_their_errors_and_legend() -> None:
    alignment = arc_examples.aligned(next(iter(arc_examples.PAIRS.values())))
    marked = dependency_view(Sentence(alignment), Viewing()).marked
    assert marked is not None
    complete = written(_files(marked, made_here("sentence", "a sentence")), "svg").decode()
    assert marked.legend
    assert all(f">{text}<" in complete for _, text in marked.legend)
    assert 'width="900"' not in complete
