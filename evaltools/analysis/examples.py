"""Worked examples from the papers, small enough to check by hand."""

from __future__ import annotations

from dataclasses import dataclass

from evaltools.metrics.alignment import align
from evaltools.metrics.mapping import Alignment
from evaltools.treebank import Tree

__all__ = ["EXAMPLES", "Example"]


@dataclass(frozen=True, slots=True)
class Example:
    """Two trees that show what a metric does.

    Parameters
    ----------
    family : {"e", "t", "la", "words"}
        The family of metrics it belongs to; ``"words"`` shows what all do where words differ.
    title : str
        What it is called.
    gold, test : str
        The trees.
    notation : {"ptb", "sampson"}
        How they are written.
    says : str
        What to look at.
    source : str
        Where it comes from.
    metrics : tuple of str
        The metrics it is about.
    mappings : tuple of str
        The mappings to draw, of ``"e"`` and ``"t"``.
    """

    family: str
    title: str
    gold: str
    test: str
    notation: str
    says: str
    source: str
    metrics: tuple[str, ...]
    mappings: tuple[str, ...]

    def align(self) -> Alignment:
        """Align the two trees as they are."""
        return align(Tree.from_string(self.gold, self.notation), Tree.from_string(self.test, self.notation))


_DOG = ("(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))")

EXAMPLES: tuple[Example, ...] = (
    Example(
        "e",
        "One pair of trees, its E-mapping",
        *_DOG,
        "ptb",
        "S and the tags N and V stand over the same words under the same label. All else is deleted or inserted.",
        "Emms (2008), Figure 2",
        ("e_recall_roof", "e_precision_roof", "e_dice_roof", "e_jaccard_roof", "e_dice_whole", "e_jaccard_whole"),
        ("e",),
    ),
    Example(
        "t",
        "The same pair, its T-mapping",
        *_DOG,
        "ptb",
        "One node is deleted, one inserted, two are relabelled: the distance is 4.",
        "Emms (2008), Figure 1",
        ("t_dice", "t_jaccard"),
        ("t",),
    ),
    Example(
        "t",
        "A wrong attachment",
        "[A [B v [C w [D y ] ] ] x ]",
        "[A [B v [C w [D y x ] ] ] ]",
        "sampson",
        "x is attached low instead of high. E loses every bracket in between; T moves one word.",
        "Emms (2008), section 2",
        ("e_dice_roof", "t_dice", "t_jaccard"),
        ("e", "t"),
    ),
    Example(
        "t",
        "Phrases in the wrong order, over the same words",
        "(S (exists (not (P a) (Q b))))",
        "(S (not (exists (P a) (Q b))))",
        "ptb",
        "exists and not change places but span the same words: perfect to E, a deletion and an insertion to T.",
        "Emms (2008), section 2",
        ("e_dice_roof", "t_dice", "t_jaccard"),
        ("e", "t"),
    ),
    Example(
        "la",
        "Lineages word by word",
        "[S [N1 two [N1 tax revision ] bills ] were passed ]",
        "[S [NP two tax revision bills ] were passed ]",
        "sampson",
        "The inner phrase is missed and the outer one has another label with the same first letter.",
        "Sampson and Babarczy (2003), example 1",
        ("la_strict", "la_partial", "e_dice_roof", "e_dice_roof_unlabelled"),
        ("e",),
    ),
    Example(
        "words",
        "One word or two",
        "(S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB go))))",
        "(S (NP (PRP I)) (VP (MD cannot) (NP (VB go))))",
        "ptb",
        "The parser writes “cannot” and calls “go” a noun phrase. To E that label is the only error. LA finds "
        "another at “not”, which begins no phrase as “cannot” does. T deletes a word with its tag and swaps another.",
        "an example of our own",
        ("e_dice_roof", "t_dice", "la_partial"),
        ("e", "t"),
    ),
)
"""The examples, in the order of the text."""
