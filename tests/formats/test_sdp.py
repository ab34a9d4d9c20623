"""The columns of the shared tasks on semantic dependency parsing."""

from __future__ import annotations

import pytest

from evaltools.formats import SemanticBank, Source, read_semantics, write_mrp

SDP_2015 = """#SDP 2015
#22000001
1\tMs.\tMs.\tNNP\t-\t+\t_\t_\t_
2\tHaag\tHaag\tNNP\t-\t-\tnamed:x-c\tcompound\tARG1
3\tplays\tplay\tVBZ\t+\t+\tv:e-i-p\t_\t_
4\tElianti\t_\tNNP\t-\t-\tnamed:x-c\t_\tARG2
5\t.\t_\t.\t-\t-\t_\t_\t_

#22000002
1\tYes\tyes\tUH\t-\t-\t_
"""


def read(text: str, format_name: str | None = None) -> SemanticBank:
    return read_semantics(Source.from_bytes(text.encode(), "x.sdp"), format_name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\t_\t_\n\n#22000002\n", "\t_\t_\n#22000002\n"),  # no blank line between sentences
        ("3\tplays", "\n3\tplays"),  # a blank line inside a sentence
        ("3\tplays", "\n \n3\tplays"),
    ],
)
@pytest.mark.parametrize("named", [True, False])
def test_blank_lines_too_many_or_too_few_change_no_graph(old: str, new: str, named: bool):
    text = SDP_2015.replace(old, new)
    names = ("#22000001\n", "#22000002\n")
    if not named:
        text = text.replace(names[0], "").replace(names[1], "")
    bank = read(text, "sdp")
    assert [item.graph for item in bank.items] == [item.graph for item in read(SDP_2015).items]
    assert [problem.kind for problem in bank.problems] == ["blank_line"] * ("\n3" in new)


def test_written_as_mrp_nothing_changes():
    items = read(SDP_2015).items[:1]
    again = read(write_mrp(items), "mrp").items
    assert again[0].graph is not None
    assert (again[0].graph.edges, again[0].graph.tops) == (items[0].graph.edges, items[0].graph.tops)
    assert '"flavor":0' in write_mrp(items)
