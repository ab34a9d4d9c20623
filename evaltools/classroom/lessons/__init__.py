"""Lessons: steps of text, trees and questions, in a TOML file that anybody can write.

The file begins with what the lesson is::

    title = "Attachment"
    about = "One wrong attachment, counted in two ways."   # one line, for the list of lessons
    minutes = 6
    source = "Emms (2008)"                                  # may be left out

and goes on with its steps, each with a title, text in Markdown, and at most one thing to show::

    [[step]]
    title = "x hangs too low"
    text = "E finds {{e_matched_roof}} of {{e_gold_roof}} brackets: {{e_dice_roof}}."
    question = "Which bracket is left?"                     # may be left out, as may the answer
    answer = "That over the whole sentence."

    [step.trees]                     # a gold tree, and a test tree unless only the gold tree is shown
    gold = "[A [B v [C w [D y ] ] ] x ]"                    # square brackets, or round ones as in the Penn Treebank
    test = "[A [B v [C w [D y x ] ] ] ]"
    show = ["e", "t"]                # any of: trees, e, t, brackets, brackets_whole, words, lineage, table
    word = 4                         # whose lineages, for "lineage" and "table"
    metrics = ["e_dice_roof"]        # whose formulas are shown with the numbers put in
    preset = "none"                  # what is deleted and equated first

``[step.dependencies]`` has ``gold``, ``test`` and ``metrics``; its trees are lines of a word, the number of its head
and the relation. ``[step.functions]`` has ``golds``, a table of theories with a tree each, ``parse``, ``theory`` (whose
parse it is), ``labelled``, and ``show`` (any of: golds, common, parse, steps). ``[step.graphs]`` has ``gold``,
``test``, ``rules`` and ``metrics``; its graphs are texts in any format of semantic graphs. ``[step.vote]`` has
``gold``, ``a``, ``b`` and ``preset``: the class votes which of the two is worse. ``agreement = true`` in a step shows
how often each metric has agreed with the class.

Figures are never written into a text but computed: two braces around the name of a metric or of a count, as above;
after ``a.`` or ``b.`` in a step that has a vote.
"""

from __future__ import annotations

from evaltools.classroom.lessons.figures import filled, numbers_of
from evaltools.classroom.lessons.material import DependencyPair, FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.classroom.lessons.reading import (
    MOST_BYTES,
    Lesson,
    Step,
    bundled_lessons,
    check_lesson,
    parse_lesson,
    read_lesson,
)

__all__ = [
    "MOST_BYTES",
    "DependencyPair",
    "FunctionTrees",
    "GraphPair",
    "Lesson",
    "Material",
    "Step",
    "TreePair",
    "Vote",
    "bundled_lessons",
    "check_lesson",
    "filled",
    "numbers_of",
    "parse_lesson",
    "read_lesson",
]
