"""Texts and what is read from them: cases in ``cases/*.txt``, with their items and all problems.

A case begins with ``====`` and its title; lines of options follow (the format, the name of the file, the format of the
gold file); then, each after ``----``, the text and what is read. In texts, characters that are not printed have a
backslash, and a text without a line feed at its end ends in one. After a meant change ``python -m
tests.formats.test_cases`` writes what is read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from evaltools import DependencyTree, InputError, Problem, Tree, read_treebank
from evaltools.corpus import SemanticGraph
from evaltools.formats import FORMATS, SemanticBank, SemanticItem, Source, guess_format, read_semantics

FILES = sorted((Path(__file__).parent / "cases").glob("*.txt"))
ESCAPE = re.compile(r"\\(x..|u....|\\)")


@dataclass
class Case:
    title: str
    text: str
    expected: str = ""
    options: dict[str, str] = field(default_factory=dict)

    def result(self) -> str:
        data = self.text.encode("utf-8", "surrogateescape")
        source = Source.from_bytes(data, self.options.get("name", "x"))
        try:
            name = self.options.get("format") or guess_format(source, self.options.get("like"))
            if FORMATS[name].holds is SemanticBank:
                bank = read_semantics(source, name, results="all")
                items = [line for item in bank.items for line in item_lines(item)]
                return "\n".join([name, *items, *map(problem_line, bank.problems)])
            trees = read_treebank(source, name)
        except InputError as error:
            return f"refused: {problem_line(error.problem)}"
        numbers = range(len(trees))
        lines = [f"{trees.line[number]}: {tree_line(trees.tree(number), trees.notation)}" for number in numbers]
        return "\n".join([name, *lines, *map(problem_line, trees.problems)])

    def __str__(self) -> str:
        options = "".join(f"{name}: {value}\n" for name, value in self.options.items())
        return f"==== {self.title}\n{options}----\n{shown(self.text)}----\n{shown(self.expected, is_text=False)}\n"


def item_lines(item: SemanticItem) -> Iterator[str]:
    said = [*(f"{key}={value}" for key, value in item.metadata.items()), item.text]
    yield f"{item.line}: #{item.id or ''} {' | '.join(said)}".rstrip()
    for graph in item.results or (None,):
        yield "  " + ("an empty graph" if item.is_empty else "no graph" if graph is None else graph_line(graph))


def graph_line(graph: SemanticGraph) -> str:
    """Return the nodes of a graph with properties and roles; * before a top, ? before a quantifier."""
    nodes = []
    for number, node in enumerate(graph.nodes):
        spans = "".join(f"<{start}:{end}>" for start, end in node.anchors)
        constant = "" if node.constant is None else f"({node.constant})"
        properties = ", ".join(f"{name} {value}" for name, value in node.properties)
        roles = [f"{edge.role} {graph.nodes[edge.target].id}" for edge in graph.edges if edge.source == number]
        marks = "*" * (number in graph.tops) + "?" * node.is_quantifier
        more = "".join(f" {text}" for text in (node.type, f"{{{properties}}}" if properties else "") if text)
        nodes.append(f"{marks}{node.id}:{node.predicate}{spans}{constant}{more}[{', '.join(roles)}]")
    return f"{graph.framework}: {' '.join(nodes)}"


def tree_line(tree: Tree | DependencyTree, notation: str) -> str:
    """Return the id of a sentence, and its tree with functions after the labels, or the columns of its words."""
    name = f"#{tree.sent_id} " if tree.sent_id else ""
    if not tree:
        return f"{name}no tree"
    if isinstance(tree, Tree):
        pairs = zip(tree.labels, tree.functions or ("",) * len(tree), strict=True)
        labels = tuple(f"{label}/{function}" if function else label for label, function in pairs)
        return name + replace(tree, labels=labels, functions=None).to_string(notation)
    columns = (tree.forms, tree.lemmas, tree.tags, tree.xtags, tree.heads, tree.relations, tree.deps)
    return name + " ".join("/".join(map(str, word)) for word in zip(*columns, strict=True))


def problem_line(problem: Problem) -> str:
    place = ":".join(str(number) for number in (problem.line, problem.column) if number is not None)
    sentence = "" if problem.sentence is None else f", sentence {problem.sentence}"
    return f"{problem.kind} at {place}{sentence}: {problem.found}; expected {problem.expected}"


def shown(text: str, *, is_text: bool = True) -> str:
    """Return a text as the files of cases have it."""
    text = "".join(
        sign if sign in "\n\t" or sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text.replace("\\", "\\\\")
    )
    text = re.sub(r"[ \t](?=\n|\Z)", lambda match: f"\\x{ord(match[0]):02x}", text)
    text = re.sub(r"(?m)^(====|----)", lambda match: f"\\x{ord(match[0][0]):02x}{match[0][1:]}", text)
    return text if not is_text or text.endswith("\n") else f"{text}\\\n"


def read_cases(path: Path) -> list[Case]:
    cases = []
    for part in re.split(r"(?m)^==== ", path.read_text("utf-8"))[1:]:
        head, text, expected = (ESCAPE.sub(_character, each) for each in re.split(r"(?m)^----\n", part))
        title, *options = head.splitlines()
        known = dict(option.split(": ", 1) for option in options)
        cases.append(Case(title, text.removesuffix("\\\n") if text.endswith("\\\n") else text, expected[:-1], known))
    return cases


def _character(match: re.Match[str]) -> str:
    return "\\" if match[1] == "\\" else chr(int(match[1][1:], 16))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_read(path: Path):
    cases = read_cases(path)
    assert len({case.title for case in cases}) == len(cases)
    assert "".join(map(str, cases)) == path.read_text("utf-8")
    for case in cases:
        assert case.result() == case.expected, case.title


if __name__ == "__main__":
    for path in FILES:
        path.write_text("".join(str(replace(case, expected=case.result())) for case in read_cases(path)), "utf-8")
