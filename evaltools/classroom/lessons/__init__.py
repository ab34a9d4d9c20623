"""Lessons: TOML files with steps of text, trees and questions.

The file starts with a description of the lesson::

    title = "Attachment"
    about = "One wrong attachment, counted in two ways."   # one line, for the list of lessons
    minutes = 45                                            # with talking
    source = "Emms (2008)"                                  # optional
    goals = ["You can compute E."]                          # optional: the first step
    opening = "Text above the goals."                       # optional
    recap = ["E compares sets of brackets."]                # optional: the last step
    goals_notes = "Ask what they know."                     # optional, for the teacher; also recap_notes
    next = "attachment"                                     # optional: the bundled lesson that follows

followed by its steps, each with a title, text in Markdown, and at most one table of material::

    [[step]]
    title = "x attaches too low"
    text = "E finds {{e_matched_roof}} of {{e_gold_roof}} brackets: {{e_dice_roof}}."
    question = "Which bracket is left?"                     # optional, as is the answer
    answer = "That over the whole sentence."
    notes = "Let two groups argue."                         # optional, for the teacher's second window
    minutes = 3                                             # optional, with talking
    predict = "e_dice_roof"                                 # optional; or count = "t_deleted", or click = "spurious"

    [step.trees]                     # a gold tree, and a test tree unless only the gold tree is shown
    gold = "[A [B v [C w [D y ] ] ] x ]"                    # square brackets, or round ones as in the Penn Treebank
    test = "[A [B v [C w [D y x ] ] ] ]"
    show = ["e", "t"]                # any of: trees, list, e, t, brackets, brackets_whole, words, lineage, table
    word = 4                         # word for "lineage" and "table"
    metrics = ["e_dice_roof"]        # shown as formulas with their numbers
    preset = "none"                  # what is deleted and merged first

``[step.dependencies]`` has ``gold``, ``test`` and ``metrics``; its trees are lines of a word, the number of its head
and the relation. ``[step.functions]`` has ``golds``, a table of theories with a tree each, ``parse``, ``theory`` (that
of the parse), ``labelled``, and ``show`` (any of: golds, common, parse, steps). ``[step.graphs]`` has ``gold``,
``test``, ``rules`` and ``metrics``; its graphs are texts in any format of semantic graphs. ``[step.vote]`` has
``gold``, ``a``, ``b`` and ``preset``: the class votes which of the two is worse. ``agreement = true`` in a step shows
how often each metric has agreed with the class.

A step with ``predict``, ``count``, ``click`` or ``hide = true`` hides its answer, numbers, colors and marks until they
are asked for: first the class predicts a score, counts, clicks a bracket that is missing in the parse or spurious, or
answers aloud. Its text and question have no figures.

``[[exercise]]`` has ``text``, ``solution`` and a table of material, ``[exercise.trees]`` and so on. The exercises make
a sheet with solutions; goals, steps and recap make a hand-out.

Figures in texts are computed: write the name of a metric or of a count in double braces, as above; in a step with a
vote, after ``a.`` or ``b.``.
"""

from __future__ import annotations

from evaltools.classroom.lessons.figures import filled, numbers_of
from evaltools.classroom.lessons.material import DependencyPair, FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.classroom.lessons.reading import (
    ALIASES,
    MOST_BYTES,
    Exercise,
    Lesson,
    Step,
    Task,
    bundled_lessons,
    check_lesson,
    parse_lesson,
    read_lesson,
)

__all__ = [
    "ALIASES",
    "MOST_BYTES",
    "DependencyPair",
    "Exercise",
    "FunctionTrees",
    "GraphPair",
    "Lesson",
    "Material",
    "Step",
    "Task",
    "TreePair",
    "Vote",
    "bundled_lessons",
    "check_lesson",
    "filled",
    "numbers_of",
    "parse_lesson",
    "read_lesson",
]
