"""Mutation testing: lines of the package are broken one at a time, and the tests that belong to them must fail.

``python -m tests.mutations`` applies all of :data:`MUTATIONS`, ``python -m tests.mutations holm csv`` those with such a
name, always in a temporary copy of the repository. A line is found by its text, which occurs once in the package, so
that modules can be moved. Tests that detect a fault must pass without it. The exit status is 1 if a mutation survives
or its line is missing, 2 if tests fail without a mutation.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "evaltools"
_LEFT_OUT = (".git", ".venv", ".hypothesis", "build", "dist", ".*_cache")
_FAILED = 1
"""Exit status of pytest if a test failed; with a higher one, no test could be run."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """A fault in words, a text that occurs once in the package, its replacement, and the tests that must detect it."""

    fault: str
    original: str
    mutated: str
    tests: str


MUTATIONS = (
    # kernels
    Mutation(
        "brackets match that end later",
        "if t_end[j] == g_end[i] and (not labeled",
        "if t_end[j] >= g_end[i] and (not labeled",
        "tests/kernels/test_brackets.py",
    ),
    Mutation(
        "a constituent ends a word too early for its marker in a lineage",
        "if end[node] == first + 1 and (above < 0",
        "if end[node] == first and (above < 0",
        "tests/kernels/test_lineages.py",
    ),
    Mutation(
        "the longest arc is lifted first",
        "if length > smallest:",
        "if length < smallest:",
        "tests/kernels/test_lifting.py",
    ),
    Mutation(
        "the canonical mapping takes nodes of one beginning for nodes of one span",
        "if apart < 4 and begin == ts[j]:",
        "if begin == ts[j]:",
        "tests/kernels/test_tree_distance.py",
    ),
    Mutation(
        "words are linked that share half of the characters of the shorter",
        "if 2 * links[k, 2] > shorter:",
        "if 2 * links[k, 2] >= shorter:",
        "tests/kernels/test_word_alignment.py",
    ),
    # formats, treebank, normalize
    Mutation(
        "a line of ten columns gives the language's own tag for the universal one",
        "_, forms, lemmas, tags, xtags, feats, _, relations, deps, misc = zip(",
        "_, forms, lemmas, xtags, tags, feats, _, relations, deps, misc = zip(",
        "tests/formats/test_cases.py tests/formats/test_dependency_formats.py",
    ),
    Mutation(
        "words are folded with their case",
        "unescaped(word).casefold()",
        "unescaped(word)",
        "tests/formats/test_conversion.py tests/runs/test_sentence_alignment.py",
    ),
    Mutation(
        "traces are not removed",
        "NO_WORDS = TRACES | MARKUP",
        "NO_WORDS = MARKUP",
        "tests/frameworks/test_empty_elements.py",
    ),
    Mutation(
        "-LRB- is cut like NP-SBJ",
        'or (self.cut == "functions" and label[:1] not in ("-", "="))',
        'or self.cut == "functions"',
        "tests/frameworks/test_normalization.py",
    ),
    Mutation(
        "a parser's own tags say which of its words are punctuation",
        "        test_counted[paired] = counted[aligned]\n",
        "",
        "tests/frameworks/test_attachment.py",
    ),
    # metrics
    Mutation(
        "precision is divided by the gold brackets",
        '"precision": lambda m, g, t: ratio(m, t),',
        '"precision": lambda m, g, t: ratio(m, g),',
        "tests/runs/test_scoring.py::test_every_sentence_an_unscored_one_as_nothing_matched",
    ),
    Mutation(
        "T counts the words of the test tree as its nodes",
        'words = counts["t_words_gold"] + counts["t_words_test"]',
        'words = counts["t_words_gold"]',
        "tests/golden/test_published.py",
    ),
    Mutation(
        "a head without a partner is a root",
        "(head_partner == test_heads) & (below == (head_partner >= 0))",
        "(head_partner == test_heads)",
        "tests/frameworks/test_attachment.py",
    ),
    Mutation(
        "recall of triples is divided by those of the test graph",
        'total(counts, test if quantity == "precision" else gold))',
        "total(counts, test))",
        "tests/frameworks/test_edm.py",
    ),
    Mutation(
        "EDM counts in lower case by the wrong rules",
        "        if rules.fold_case:\n            names, arguments, constants",
        "        if not rules.fold_case:\n            names, arguments, constants",
        "tests/frameworks/test_edm.py",
    ),
    Mutation(
        "properties of a node are matched as a whole, also in sets",
        "properties = _of_each(properties)",
        "pass",
        "tests/frameworks/test_edm.py",
    ),
    Mutation(
        "graphs are compared in lower case by the wrong rules",
        "(self.label.lower(), self.value.lower()) if fold_case else",
        "(self.label.lower(), self.value.lower()) if not fold_case else",
        "tests/frameworks/test_edm.py",
    ),
    Mutation(
        "errors of the first gold tree are discarded, not those of the parser's own",
        "shared = {*_script(native[own], want)}",
        "shared = {*_script(native[0], want)}",
        "tests/frameworks/test_tedeval.py",
    ),
    # runs
    Mutation(
        "of a repeated id every gold sentence gets the parser's first",
        "first[name] = int(following[index])",
        "first[name] = index",
        "tests/runs/test_sentence_ids.py",
    ),
    Mutation(
        "no sentence is paired by its id",
        "self._by_id = first > 0 or bool((partner >= 0).any())",
        "self._by_id = False",
        "tests/runs/test_sentence_ids.py",
    ),
    Mutation(
        "recall and precision of labels are exchanged",
        "recall=ratio(matched, gold), precision=ratio(matched, test)",
        "recall=ratio(matched, test), precision=ratio(matched, gold)",
        "tests/runs/test_scoring.py::test_recall_and_precision_of_a_label_are_shares_of_its_gold_and_its_test_brackets",
    ),
    Mutation(
        "tables of a run are not compared with their digests",
        '        if not is_same:\n            raise RunError(f"{folder} is damaged',
        '        if False:\n            raise RunError(f"{folder} is damaged',
        "tests/runs/test_integrity.py",
    ),
    Mutation(
        "sentences of a part are numbered from 0",
        "numbers = np.arange(1, len(chosen) + 1, dtype=np.int32)",
        "numbers = np.arange(len(chosen), dtype=np.int32)",
        "tests/runs/test_subset.py",
    ),
    # analysis
    Mutation(
        "p-values are not corrected",
        "adjusted = holm([item.p for item in comparisons])",
        "adjusted = [item.p for item in comparisons]",
        "tests/analysis/test_significance.py",
    ),
    Mutation(
        "the last rule that fits gives the type of an error",
        "for index, (rule, _) in reversed([*enumerate(self.rules)]):",
        "for index, (rule, _) in enumerate(self.rules):",
        "tests/frameworks/test_error_types.py",
    ),
    Mutation(
        "more errors are better",
        "better, worse = (above, below) if higher_is_better else (below, above)",
        "better, worse = (above, below)",
        "tests/analysis/test_significance.py",
    ),
    Mutation(
        "sentences over aligned words are not counted as scored",
        'int(entries[parser]["words_differ"] - entries[parser]["words_aligned"])',
        'int(entries[parser]["words_differ"])',
        "tests/cli/test_commands.py::test_missing_sentences_and_those_with_other_words_stand_in_their_columns",
    ),
    Mutation(
        "the oracle is the best of all sentences",
        "np.fmax.accumulate(grid, axis=1)",
        "np.fmax.accumulate(grid, axis=0)",
        "tests/analysis/test_nbest.py",
    ),
    # charts, outputs
    Mutation(
        "the distribution of scores does not say how many sentences are undefined",
        '[f"{undefined[parser]:,} undefined"] if undefined.get(parser) else []',
        "[]",
        "tests/charts/test_charts.py::"
        "test_the_distribution_says_how_many_sentences_it_is_over_and_how_many_are_left_out",
    ),
    Mutation(
        "the table of report exchanges missing sentences and those whose words differ",
        '"no_parse": row.no_parse,',
        '"no_parse": row.words_differ,',
        "tests/cli/test_commands.py::test_missing_sentences_and_those_with_other_words_stand_in_their_columns",
    ),
    Mutation(
        "a complete match may have further brackets",
        'exact = int(((scored["matched"] == scored["gold"]) & (scored["gold"] == scored["test"])).sum())',
        'exact = int((scored["matched"] == scored["gold"]).sum())',
        "tests/outputs/test_official.py",
    ),
    Mutation(
        "a spreadsheet executes what a treebank says",
        """return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text""",
        "return text",
        "tests/robustness/test_refusals.py",
    ),
    Mutation(
        "the HTML report says the opposite of what is significant",
        '"yes" if pair.significant else "no", pair.n_different',
        '"no" if pair.significant else "yes", pair.n_different',
        "tests/outputs/test_html_report.py::test_the_table_of_pairs_says_which_difference_is_significant",
    ),
    # hosts, app
    Mutation(
        "the server's names are answered at every port",
        "if host.name in own_names and requested_port == port:",
        "if host.name in own_names:",
        "tests/app/test_guard.py",
    ),
    Mutation(
        "sentences that are nearly right are perfect",
        "n_perfect = int((scores >= _PERFECT).sum())",
        "n_perfect = int((scores >= 0.9).sum())",
        "tests/pages/test_worst_parses.py::test_only_sentences_without_any_error_are_perfect",
    ),
    Mutation(
        "of equally bad sentences the first of the file comes first",
        "np.lexsort((-words, np.round(sort_key, DIGITS)))",
        "np.lexsort((np.round(sort_key, DIGITS),))",
        "tests/pages/test_worst_parses.py::test_of_equally_good_sentences_the_longer_comes_first",
    ),
    Mutation(
        "the lab's trees go to every page but the lab",
        'and (page == "lab" or not _is_lab(name))',
        'and (page != "lab" or not _is_lab(name))',
        "tests/pages/test_lab.py::test_trees_wait_in_the_lab_and_go_to_no_other_page",
    ),
    # marks, questions, errors, tables
    Mutation(
        "the repair that explains least has number 1",
        "return sorted(groups, key=lambda group: (-group.repair.repaired, group.order))",
        "return sorted(groups, key=lambda group: (group.repair.repaired, group.order))",
        "tests/frameworks/test_marked_arcs.py",
    ),
    Mutation(
        "what only gold has is said to be only in the parse",
        'name = gold_name if item.side == "gold" else parse_name',
        'name = parse_name if item.side == "gold" else gold_name',
        "tests/drawing/test_marked.py tests/frameworks/test_marked.py",
    ),
    Mutation(
        "a node of a function tree in DOT has lines to all nodes around it",
        "if words <= own and not any(inner <= own for inner in around):",
        "if words <= own:",
        "tests/drawing/test_bars.py",
    ),
    Mutation(
        "phrases with gaps are in the rows of others, and their lines on one another",
        "minimum[raised] = levels[raised] + 1",
        "break",
        "tests/drawing/test_trees.py",
    ),
    Mutation(
        "one repair is shown with the arcs of all",
        "links=tuple(link for link in self.links if number in link.repairs), repairs=repairs",
        "links=self.links, repairs=repairs",
        "tests/frameworks/test_marked_arcs.py",
    ),
    Mutation(
        "of two parsers, what one of them has is right",
        "tuple(_common(a.right, right_of_b)),",
        "a.right,",
        "tests/frameworks/test_marked.py tests/frameworks/test_marked_arcs.py",
    ),
    Mutation(
        "differences of two parsers vary as their squares do",
        'variance = (rows["square"] - more**2 / n_units) * n_units / (n_units - 1)',
        'variance = rows["square"] * n_units / (n_units - 1)',
        "tests/frameworks/test_dependency_hotspots.py",
    ),
    Mutation(
        "shares of a group of errors are of the errors listed",
        'share=rows["cost"] / (self._total(parser) or 1))',
        'share=rows["cost"] / rows["cost"].sum())',
        "tests/frameworks/test_bracket_questions.py tests/frameworks/test_dependency_hotspots.py",
    ),
    Mutation(
        "a row of words shows all errors of its sentences",
        "is_own = members[0].isin(members[1])",
        "is_own = members[0].isin(members[0])",
        "tests/frameworks/test_dependency_hotspots.py",
    ),
    Mutation(
        "a sentence between two blocks is loaded with both",
        "block = numbers[at : at + BLOCK]",
        "block = numbers[at : at + BLOCK + 1]",
        "tests/frameworks/test_members.py tests/frameworks/test_groups.py",
    ),
    Mutation(
        "an option of another framework is passed over",
        "        if name not in options_in(framework.options):\n            titles",
        "        if False:\n            titles",
        "tests/frameworks/test_options.py",
    ),
    Mutation(
        "values of a table are written as its shares",
        "            if column.format in _HUNDREDTHS:\n",
        "            if column.format not in _HUNDREDTHS:\n",
        "tests/outputs/test_summary.py",
    ),
    Mutation(
        "a sentence without a parse is left out of micro over all",
        "return mask if metric.higher_is_better or has_counts else mask & parsed",
        "return mask & parsed",
        "tests/runs/test_scoring.py tests/laws/test_laws.py",
    ),
    Mutation(
        "rows that only one of two runs has are equal",
        'from {table}_{1 - at}" for at in (0, 1))',
        'from {table}_{1 - at}" for at in (0,))',
        "tests/runs/test_verification.py tests/cli/test_verify.py",
    ),
    Mutation(
        "a wrong relation at the right word is a moved arc",
        "coded(has_head.astype(np.int64), [str(Status.MOVED), str(Status.RELABELED)])",
        "coded(has_head.astype(np.int64), [str(Status.RELABELED), str(Status.MOVED)])",
        "tests/frameworks/test_dependency_hotspots.py tests/frameworks/test_marked_arcs.py",
    ),
    Mutation(
        "words that are not scored have wrong heads",
        "compared = comparison.pair.counted & (comparison.pair.status == SentenceStatus.OK)[sentences]",
        "compared = (comparison.pair.status == SentenceStatus.OK)[sentences]",
        "tests/frameworks/test_word_errors.py tests/frameworks/test_dependency_hotspots.py",
    ),
    Mutation(
        "points of an exercise are the share of what is left",
        "100 * self.repaired / (self.repaired + max(self.left, 1))",
        "100 * self.left / (self.repaired + max(self.left, 1))",
        "tests/classroom/test_exercises.py",
    ),
    Mutation(
        "a phone forges the cookie of another one",
        'return match[1] if match is not None and hmac.compare_digest(match[2], self._signature(match[1])) else ""',
        'return match[1] if match is not None else ""',
        "tests/classroom/test_attacks.py tests/classroom/test_server.py",
    ),
    Mutation(
        "a device of an IPv6 network is a new network with each address",
        "return str(ipaddress.ip_network((parsed, 64), strict=False))",
        "return str(parsed)",
        "tests/classroom/test_server.py tests/classroom/test_attacks.py",
    ),
    Mutation(
        "an answer to the last question counts for this one",
        'fields.get("ballot") != state.question:\n'
        "            return await run_in_threadpool(self._page, state, version, device, 409)\n"
        "        try:\n            checked",
        "False:\n"
        "            return await run_in_threadpool(self._page, state, version, device, 409)\n"
        "        try:\n            checked",
        "tests/classroom/test_server.py tests/classroom/test_attacks.py",
    ),
    Mutation(
        "connections of phones take all open files",
        "elif sum(map(len, self._open.values())) > _most_connections():",
        "elif sum(map(len, self._open.values())) > 10_000:",
        "tests/classroom/test_server.py",
    ),
    Mutation(
        "other users read the answers of a class",
        "temporary.touch(0o600)",
        "temporary.touch(0o644)",
        "tests/classroom/test_attacks.py tests/classroom/test_ballots.py tests/classroom/test_votes.py",
    ),
    Mutation(
        "stored steps that do not fit their trees are taken",
        "if work[0] < 0:",
        "if False:",
        "tests/robustness/test_forged_repairs.py",
    ),
    Mutation(
        "the gain of a stored step is believed",
        "not 0 < best[GAIN] == n_errors - n_left:",
        "best[GAIN] < -1:",
        "tests/robustness/test_forged_repairs.py",
    ),
)


def module_with(text: str, root: Path = ROOT) -> Path:
    """Return the path of the only module that contains a text, and only once, relative to the root; else raise."""
    paths = [
        path.relative_to(root)
        for path in sorted((root / PACKAGE).rglob("*.py"))
        for _ in range(path.read_text(encoding="utf-8").count(text))
    ]
    if len(paths) != 1:
        occurrences = ", ".join(map(str, paths)) or "nowhere"
        raise LookupError(f"stands in {occurrences}; expected once in {PACKAGE}: {text}")
    return paths[0]


@contextmanager
def mutated(root: Path, mutation: Mutation) -> Iterator[Path]:
    """Break a line of the copy; restore it with its time of modification, which caches depend on."""
    path = root / module_with(mutation.original, root)
    before, times = path.read_bytes(), path.stat()
    try:
        path.write_bytes(before.replace(mutation.original.encode(), mutation.mutated.encode()))
        yield path.relative_to(root)
    finally:
        path.write_bytes(before)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def run_tests(root: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy until one fails; a kernel whose file has changed is compiled anew."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not browser", *tests]
    command += ["-o", "faulthandler_exit_on_timeout=false"]  # the machine may be slow
    environment = os.environ | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_PROFILE": "ci"}
    return subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)


def _failed(result: subprocess.CompletedProcess[str]) -> set[str]:
    """Return the tests that failed, without their parameters."""
    return set(re.findall(r"^(?:FAILED|ERROR) ([^\s\[]+)", result.stdout, re.MULTILINE))


def main(names: Sequence[str]) -> int:
    """Apply mutations, print which were caught, and return the exit status."""
    chosen = [mutation for mutation in MUTATIONS if not names or any(name in mutation.fault for name in names)]
    caught_by: set[str] = set()
    n_caught = 0
    with tempfile.TemporaryDirectory(prefix="evaltools-mutations-") as folder:
        root = Path(folder).resolve() / ROOT.name
        shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        try:
            for mutation in chosen:
                with mutated(root, mutation) as path:
                    result = run_tests(root, mutation.tests.split())
                failed = _failed(result)
                if result.returncode not in (0, _FAILED) or (result.returncode and not failed):
                    print(f"no test could be run for “{mutation.fault}”:\n{(result.stdout + result.stderr)[-2000:]}")
                    return 2
                caught_by |= failed
                n_caught += bool(failed)
                outcome = f"caught by {' '.join(sorted(failed))}" if failed else "SURVIVED"
                print(f"{path}: {mutation.fault}: {outcome}", flush=True)
        except LookupError as error:
            print(error)
            return 1
        if caught_by and (anyway := _failed(run_tests(root, sorted(caught_by)))):
            print(f"failed without any fault, too: {' '.join(sorted(anyway))}")
            return 2
    rate = n_caught / len(chosen) if chosen else 0
    print(f"{n_caught} of {len(chosen)} caught ({rate:.0%})")
    return int(n_caught < len(chosen) or not chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
