"""One chunk of a corpus of dependency trees, scored for each parser and written as parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from evaltools.errors import Problem, excerpt
from evaltools.normalize import Status
from evaltools.normalize.dependency_pair import DependencyPair, pair_dependencies
from evaltools.runs import dependency_tables
from evaltools.runs.dependency_passes import DependencyPasses, rules_of
from evaltools.runs.parts import PartResult, Parts, part_name
from evaltools.runs.passes import Options, Progress, ranges
from evaltools.runs.remote import UrlParts
from evaltools.runs.tables import problems_table
from evaltools.treebank import Dependencies

__all__ = ["DependencyChunk", "word_problems"]


@dataclass(frozen=True)
class DependencyChunk:
    """Some sentences of the gold file and of every parser.

    Parameters
    ----------
    number : int
        Its place among the chunks, from 0.
    gold : Dependencies
        The gold trees.
    tests : dict
        The parsers' trees by name, as many as there are gold trees; all share the gold trees' vocabulary.
    options : Options
        What to compute, and what counts.
    """

    number: int
    gold: Dependencies
    tests: dict[str, Dependencies]
    options: Options

    def score(self, place: int, name: str, parts: Parts | UrlParts, progress: Progress) -> PartResult:
        """Score one parser and write its parts; different parsers may run in different threads."""
        gold, test = self.gold, self.tests[name]
        pair = pair_dependencies(gold, test, rules_of(self.options))
        passes = DependencyPasses.prepare(pair, self.options)
        for first, last in ranges(len(gold)):
            progress.at("scoring", passes.run(first, last))
        made = {
            "sentences": dependency_tables.dependency_sentences(name, passes),
            "words": dependency_tables.dependency_words(name, passes),
            "trees": dependency_tables.dependency_trees(name, test),
        }
        problems = [replace(problem, parser=name) for problem in (*test.problems, *word_problems(pair))]
        if problems:
            made["problems"] = problems_table(problems)
        part = part_name(self.number, place)
        digests = {table: parts.write(table, part, rows) for table, rows in made.items()}
        statuses = np.bincount(pair.status, minlength=len(Status)).tolist()
        n_rows = {table: rows.num_rows for table, rows in made.items()}
        labels = pair.gold.vocabulary.labels
        numbers = np.unique(np.concatenate((gold.relation, test.relation))).tolist()
        names = sorted(labels[one] for one in numbers)
        n_words_aligned = statuses[Status.WORDS_DIFFER]
        result = PartResult(part, statuses, len(problems), n_rows, digests, names, n_words_aligned)
        parts.finish(result)
        return result


def word_problems(pair: DependencyPair) -> list[Problem]:
    """List the sentences whose words differ.

    Parameters
    ----------
    pair : DependencyPair
        The two corpora.
    """
    problems = []
    for sentence in np.flatnonzero(pair.status == Status.WORDS_DIFFER).tolist():
        sides = []
        for side in (pair.gold, pair.test):
            forms = side.form[side.offsets[sentence] : side.offsets[sentence + 1]].tolist()
            sides.append([side.vocabulary.words[form] for form in forms])
        gold, test = sides
        both = zip(gold, test, strict=False)
        at = next((place for place, (one, other) in enumerate(both) if one != other), min(len(gold), len(test)))
        found, expected = (
            f"word {at + 1} {excerpt(words[at])!r}" if at < len(words) else f"{len(words)} words"
            for words in (test, gold)
        )
        line = int(pair.test.line[sentence]) or None
        first = pair.gold.first_sentence + 1
        expected = f"{expected}, as in {pair.gold.name}"
        problems.append(Problem("words_differ", pair.test.name, line, None, found, expected, first + sentence))
    return problems
