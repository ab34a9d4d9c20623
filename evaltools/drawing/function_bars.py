"""Multi-function trees, brackets and the steps of TedEval as bars over the words, in SVG."""

from __future__ import annotations

from collections.abc import Sequence

from evaltools.drawing.bars_layout import LABEL_SIZE, WORD_SIZE, Chip, FunctionBar, layout_bars
from evaltools.drawing.markup import document, element, text_element
from evaltools.metrics.mapping import NodeStatus
from evaltools.metrics.tedeval_protocol import TedEvalProtocol
from evaltools.treebank import MultiFunctionTree

__all__ = ["FunctionBar", "bars_of", "function_bars_svg", "protocol_bars"]

_RULES = """\
.evaltools .span{fill:none;stroke:SOFT;stroke-width:1.4}
.evaltools .over{fill:none;stroke:LINE;stroke-width:1.2;stroke-dasharray:1.5 3}
.evaltools .function rect{fill:PAPER;stroke:LINE;stroke-width:1}
.evaltools .function.deleted rect{stroke:DELETED;stroke-width:1.6;stroke-dasharray:4 2.5}
.evaltools .function.inserted rect{stroke:INSERTED;stroke-width:1.6}
.evaltools .function.inserted .inner{fill:none;stroke-width:1}
.evaltools .function.swapped rect{stroke:SWAPPED;stroke-width:1.6}
.evaltools .function.discarded rect{stroke:LINE;stroke-width:1;stroke-dasharray:2 2}
.evaltools .function.discarded text{fill:SOFT;text-decoration:line-through}
.evaltools .none text{fill:SOFT}
"""


def bars_of(tree: MultiFunctionTree) -> list[FunctionBar]:
    """Return the nodes of a tree, all of them plain.

    Parameters
    ----------
    tree : MultiFunctionTree
        The tree.
    """
    return [
        FunctionBar(words, tuple((label, NodeStatus.MATCHED, False) for label in sorted(labels)))
        for words, labels in tree.labels.items()
    ]


def protocol_bars(protocol: TedEvalProtocol) -> list[FunctionBar]:
    """Return the nodes of a parse and of the generalization that count, as one picture with the edit script.

    Labelled, a node without a function (∅) has nothing that counts and is left out; so is a root that does not count.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.
    """
    parse, gen = protocol.parse.labels, protocol.generalization.labels
    steps = {(one.label, one.words): one for one in protocol.operations}
    status = {"delete": NodeStatus.DELETED, "add": NodeStatus.INSERTED}
    bars = []
    for words in dict.fromkeys((*parse, *gen)):
        names = sorted(parse.get(words, frozenset()) | gen.get(words, frozenset()))
        if (protocol.labelled and not names) or (not protocol.count_root and len(words) == len(protocol.parse.words)):
            continue
        functions = []
        for name in names:
            step = steps.get((name, words))
            functions.append((name, status[step.kind], step.discarded) if step else (name, NodeStatus.MATCHED, False))
        whole = steps.get((None, words))
        if whole is not None:  # unlabelled: the node itself is added or deleted, its functions say nothing
            functions = [(name, status[whole.kind], whole.discarded) for name in names]
        own = status[whole.kind] if whole is not None else NodeStatus.MATCHED
        bars.append(FunctionBar(words, tuple(functions), own, whole is not None and whole.discarded))
    return bars


def function_bars_svg(
    words: Sequence[str],
    bars: Sequence[FunctionBar],
    *,
    below: Sequence[FunctionBar] = (),
    theme: str = "light",
    label: str = "multi-function tree",
) -> str:
    """Draw nodes as bars over the words.

    Parameters
    ----------
    words : sequence of str
        The words.
    bars : sequence of FunctionBar
        The nodes.
    below : sequence of FunctionBar
        Nodes of another tree over the same words, which hang below them, mirrored.
    theme : {"light", "dark", "auto"}
        Colours.
    label : str
        What the picture is, for those who do not see it.

    Returns
    -------
    str
        An SVG document.
    """
    layout = layout_bars(words, bars, below)
    parts = []
    for (left, low), (_, y), (right, _), _ in layout.spans:
        parts.append(element("path", class_="span", d=f"M{left:.1f} {low:.1f}V{y:.1f}H{right:.1f}V{low:.1f}"))
    for (left, y), (right, _) in layout.gaps:
        parts.append(element("path", class_="over", d=f"M{left:.1f} {y:.1f}H{right:.1f}"))
    parts += [_chip(chip) for chips in layout.chips for chip in chips]
    parts += [text_element(form, x, y, WORD_SIZE, "word") for form, (x, y) in layout.words]
    return document(layout.width, layout.height, parts, theme=theme, label=label, class_="bars", more_rules=_RULES)


def _chip(chip: Chip) -> str:
    kind = "discarded" if chip.discarded else chip.status.value
    box = chip.box
    inner = {"class_": "inner", "x": box.left + 2, "y": box.top + 2, "width": box.width - 4, "height": 13.0, "rx": 2}
    return element(
        "g",
        element("rect", x=box.left, y=box.top, width=box.width, height=box.height, rx=3),
        *((element("rect", **inner),) if kind == NodeStatus.INSERTED.value else ()),
        text_element(chip.text, box.x, box.y, LABEL_SIZE, "label"),
        class_=f"function {kind}{' none' if chip.is_empty else ''}",
    )
