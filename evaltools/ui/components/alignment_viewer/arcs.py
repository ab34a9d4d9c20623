"""The arcs of two dependency trees, to hover, pin, fold, zoom and pan: a panel of the alignment viewer."""

from __future__ import annotations

from hashlib import blake2b

from evaltools.drawing import ARC_LEGEND, arc_legend, draw
from evaltools.metrics.dependency_mapping import ArcStatus, DependencyAlignment
from evaltools.publishing.drawings import arcs_picture
from evaltools.ui.components.alignment_viewer import AlignmentView, Highlight, opened_nodes, show_panels
from evaltools.ui.widgets.saving import Origin, picture_files, save

__all__ = ["arc_viewer"]

_COUNTED = (
    ("matched", "right", ArcStatus.RIGHT, "right head and relation"),
    ("swapped", "wrong relation", ArcStatus.WRONG_LABEL, "right head, other relation"),
    ("deleted", "wrong head", ArcStatus.WRONG_HEAD, "other head, right relation"),
    ("deleted", "both wrong", ArcStatus.BOTH_WRONG, "other head and relation"),
)


def arc_viewer(
    alignment: DependencyAlignment,
    *,
    key: str,
    fold: bool | None = None,
    selected_word: int | None = None,
    highlight: Highlight | None = None,
    gold_name: str = "gold",
    test_name: str = "test",
    origin: Origin | None = None,
) -> AlignmentView:
    """Show the arcs of an alignment of dependency trees.

    Parameters
    ----------
    alignment : DependencyAlignment
        What to show.
    key : str
        The component's key; use one key for all sentences of a page.
    fold : bool, optional
        Fold what is equal in both trees; by default in sentences of more than 25 words.
    selected_word : int, optional
        Position of the word to mark.
    highlight : (int or None, int or None) or Marks, optional
        Gold word and test word whose arcs are to flash; or several.
    gold_name, test_name : str
        What the two trees are called.
    origin : Origin, optional
        Where the trees come from; the picture can be saved then.

    Returns
    -------
    AlignmentView
        A word clicked just now, and which folded parts are open.
    """
    text = "\0".join((alignment.gold.to_string(), alignment.test.to_string()))
    subject = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    opened = opened_nodes(key, subject)
    note = ""
    if not len(alignment.test):
        note = f"{test_name}: no parse"
    elif alignment.status == "words_differ":
        note = "The words differ; those that take up the same characters stand for one another."
    elif {*alignment.gold_status, *alignment.test_status} <= {ArcStatus.RIGHT, ArcStatus.LEFT_OUT}:
        note = "Every arc is right."
    drawing = draw(
        alignment,
        fold=fold,
        unfolded=opened,
        theme="auto",
        legend=False,
        gold_name=gold_name,
        test_name=test_name,
        interactive=True,
    )
    numbers = [[mark, name, str(alignment.number(status)), says] for mark, name, status, says in _COUNTED]
    panel = {
        "kind": "arcs",
        "heading": f"Arcs: {gold_name} above, {test_name} below",
        "scope": f"words of {gold_name}",
        "numbers": numbers,
        "note": note,
        "svg": drawing,
    }
    legend = [draw(arc_legend((kind,)), theme="auto") for kind in ARC_LEGEND]
    word = show_panels(
        [panel],
        key=key,
        subject=subject,
        opened=opened,
        legend=legend,
        selected_word=selected_word,
        highlight=highlight,
    )
    if origin is not None:
        saved = arcs_picture(
            alignment,
            origin.name,
            origin.caption("Arcs"),
            gold_name=gold_name,
            test_name=test_name,
            fold=fold,
            unfolded=opened,
        )
        save(key, picture_files(saved))
    return AlignmentView(word, opened)
