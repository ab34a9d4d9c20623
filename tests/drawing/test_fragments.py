"""Fragments of trees: where labels and words stand, and what is marked."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given, strategies as st

from evaltools.drawing import draw, languages
from evaltools.drawing.fragments import Fragment, FragmentChild, fragment_scene
from evaltools.drawing.measure import text_width
from evaltools.drawing.scene import Group, Line, Text, walk

FRAGMENT = Fragment(
    "NP", (FragmentChild("NP", "it"), FragmentChild(""), FragmentChild("SBAR", "that we go")), ("S", "VP"), after=True,
    is_lost=True,
)  # fmt: skip
LABELS = st.sampled_from(["S", "NP", "WHADVP", "-LRB-", "名詞句"])
CHILDREN = st.builds(FragmentChild, st.sampled_from(["", "NP", "PP"]), st.sampled_from(["", "it", "a rather long one"]))
FRAGMENTS = st.builds(
    Fragment,
    LABELS,
    st.lists(CHILDREN, max_size=4).map(tuple),
    st.lists(LABELS, max_size=3).map(tuple),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


def test_a_fragment_reads_as_its_rules():
    assert str(FRAGMENT) == "S → VP; VP → NP …; NP → NP(it) … SBAR(that we go)"
    assert str(Fragment("S", (FragmentChild("", "we go"),))) == "S → we go"
    assert languages(FRAGMENT) == ("svg", "latex")


def test_the_lost_node_alone_is_marked():
    groups = [item for item in walk(fragment_scene(FRAGMENT).items) if isinstance(item, Group)]
    lost = [group for group in groups if group.status == "missing"]
    assert [[item.text for item in group.items if isinstance(item, Text)] for group in lost] == [["NP"]]
    assert ET.fromstring(draw(FRAGMENT, "svg")).tag.endswith("svg")


@given(FRAGMENTS)
def test_texts_lie_within_the_picture_and_do_not_overlap(fragment: Fragment):
    scene = fragment_scene(fragment)
    texts = [item for item in walk(scene.items) if isinstance(item, Text)]
    for item in texts:
        half = text_width(item.text, item.size) / 2
        assert item.x - half >= 0
        assert item.x + half <= scene.width
        assert 0 < item.y < scene.height
    for index, one in enumerate(texts):
        for two in texts[:index]:
            if abs(one.y - two.y) < 8:
                room = (text_width(one.text, one.size) + text_width(two.text, two.size)) / 2
                assert abs(one.x - two.x) >= room
    assert all(len(item.points) == 2 for item in scene.items if isinstance(item, Line))
