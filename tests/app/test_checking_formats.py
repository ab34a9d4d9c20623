"""Files that are chosen to be scored and hold something else."""

from __future__ import annotations

import gzip

from evaltools.app.scoring.checking import check, compare, joint_problems
from evaltools.frameworks.registry import FRAMEWORKS
from tests.runs.semantic_files import eds, mrp, saw, sleeps

DEPENDENCIES = b"1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n"


def test_what_cannot_be_scored_is_said():
    checked = check("gold", b"(root (sbj it) (hd rains))\n")
    assert checked.fatal
    (problem,) = checked.problems
    assert problem.found == "function trees (function trees)"
    assert problem.file == "gold"


def test_dependency_trees_can_be():
    checked = check("gold", DEPENDENCIES)
    assert (checked.framework, checked.trees, checked.problems) == (FRAMEWORKS["dependency"], 1, ())


def test_trees_of_any_format_can_be():
    for stored in (
        b"(S (N 0=John) (V 1=is))\n",
        b"(S (VP (V 0=is) (A 2=rich)) (N 1=John))\n",
        b"#BOS 1\nJohn\tN\t--\t--\t0\n#EOS 1\n",
    ):
        checked = check("gold", stored)
        assert not checked.fatal
        assert checked.problems == ()
        assert checked.trees == 1


def test_semantic_graphs_can_be():
    checked = check("gold", mrp(("a", sleeps()), ("b", saw()), ("a", None)).encode())
    assert checked.framework is FRAMEWORKS["mrs"]
    assert (checked.sentences, checked.trees, checked.problems) == (2, 2, ())
    assert checked.describe() == "MRP (JSON lines), 2 graphs in 2 items, up to 2 results each"
    broken = check("gold", eds(sleeps(), saw()).replace("ARG2 x4", "ARG2 x9").encode())
    assert broken.content is not None
    assert (broken.content.format, broken.trees, len(broken.problems)) == ("eds", 2, 1)


def test_items_without_a_partner_are_listed():
    gold = check("gold", mrp(("a", sleeps()), ("b", saw()), ("c", None)).encode())
    one = check("one", mrp(("a", sleeps()), ("d", saw())).encode())
    trees = check("trees", b"(S (N a))")
    of_gold, of_one, of_trees = joint_problems(gold, [one, trees])
    assert [problem.kind for problem in of_gold] == ["no_gold"]
    assert [problem.kind for problem in of_one] == ["surplus", "too_few", "too_few"]
    assert of_trees == []
    assert joint_problems(trees, [one]) == [[], []]


def test_a_table_of_a_profile_is_known_by_its_name():
    (problem,) = check("result.gz", gzip.compress(b"10@0@-1@x\n")).problems
    assert problem.found == "a table of a profile, which is a folder"
    assert "cannot be uploaded" in problem.expected


def test_problems_that_are_not_listed_are_counted():
    many = check("many.ptb", b"(S (A a))\n" * 200 + b"(S (A a)))\n" * 150)
    assert many.describe().endswith(", 150 problems")


def test_files_are_looked_through_as_the_preset_reads_them():
    text, other = b"# 1\n(S (N a))\n\n# 2\n(S (N b) (SYM \\)))\n", b"(S (N a))\n(S (N b) (SYM -RRB-))\n"
    gold, test = check("gold", text), check("test", other)
    assert (gold.sentences, test.sentences, [problem.kind for problem in gold.problems]) == (2, 2, ["comments"])
    assert compare(gold, test, "standard").problems == ()
    gold, test = check("gold", text, as_evalb=True), check("test", other, as_evalb=True)
    assert (gold.sentences, gold.trees, test.sentences) == (5, 1, 2)
    assert [problem.kind for problem in gold.problems] == ["text", "text", "parentheses"]
    assert [problem.sentence for problem in compare(gold, test, "collins").problems] == [2]
    problems = compare(gold, test, "collins", align=True).problems
    assert [(problem.kind, problem.sentence) for problem in problems[:1]] == [("no_partner", 1)]
