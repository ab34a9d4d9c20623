"""The semantic graphs of the sample are what the script makes, and fit the words."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest
from delphin import edm
from delphin.codecs import eds as codec
from delphin.eds import EDS

from evaltools.formats.semantics import read_semantics
from evaltools.treebank.semantic_graph import SemanticGraph

SAMPLE = Path(__file__).parents[2] / "sample_data"
if str(SAMPLE) not in sys.path:
    sys.path.insert(0, str(SAMPLE))

import make  # noqa: E402  (sample_data is no package; it must be on the path first)
from generator import malformed_semantics, semantic_parsers, semantics  # noqa: E402
from generator.semantic_graphs import eds, graph  # noqa: E402
from generator.semantic_notation import read_sentences  # noqa: E402

FOLDER = SAMPLE / "semantics"
NAMES = ("gold.eds", *semantic_parsers.PARSERS)
SCORED = ("grammar.mrp", "grammar-small.eds", "graph-parser.eds")
README = (SAMPLE / "README.md").read_text(encoding="utf-8")
PLAIN = "The dog slept.\nThe _the_q\ndog _dog_n_1\nslept _sleep_v_1 past * ARG1=dog"


def graphs(name: str) -> dict[int, EDS]:
    """Read a file, or the first results of one, with PyDelphin, by item."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    if name.endswith(".mrp"):
        weights = semantic_parsers.GRAMMAR
        text = "".join(eds(n, weights.ranked(sentence)[0]) for n, sentence in enumerate(semantics.sentences(), 1))
    found = codec.loads(re.sub("^SENT: .*$", "", text, flags=re.MULTILINE))
    return {int(one.identifier): one for one in found}


def test_files_are_what_the_script_makes() -> None:
    files = semantics.files()
    assert make.differences({f"semantics/{name}": content for name, content in files.items()}) == []
    assert set(files) == set(NAMES) == {path.name for path in FOLDER.iterdir()}
    attributes = (SAMPLE / ".gitattributes").read_text(encoding="utf-8").splitlines()
    suffixes = {Path(name).suffix for name in (*files, *malformed_semantics.files())}
    assert {f"*{suffix} -text" for suffix in suffixes} <= set(attributes)


@pytest.mark.parametrize("name", NAMES)
def test_graphs_are_read_whole_and_fit_the_words(name: str) -> None:
    bank = read_semantics(FOLDER / name, results="all")
    assert bank.problems == []
    assert bank.has_ids
    assert {item.id: item.text for item in bank.items}.items() <= {
        str(number): sentence.text for number, sentence in enumerate(semantics.sentences(), 1)
    }.items()
    for item in bank.items:
        starts = {found.start() for found in re.finditer(r"(?<![\w-])\w|['’]s\b", item.text)}
        ends = {found.end() for found in re.finditer(r"\w(?![\w-])|[,.?!]", item.text)}
        for one in item.results:
            if one is None:
                assert (name, item.id) == ("graph-parser.eds", str(semantic_parsers.SILENT_ITEM))
                continue
            assert len(one.tops) == 1
            assert all(0 <= start < end <= len(item.text) for node in one.nodes for start, end in node.anchors)
            assert {start for node in one.nodes for start, _ in node.anchors} <= starts
            assert {end for node in one.nodes for _, end in node.anchors} <= ends
            roles = Counter((edge.source, edge.role) for edge in one.edges)
            assert max(roles.values(), default=1) == 1


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith(".eds")])
def test_pydelphin_reads_the_same(name: str) -> None:
    bank = read_semantics(FOLDER / name)
    found = graphs(name)
    assert [item.id for item in bank.items] == list(map(str, found))
    for item, other in zip(bank.items, found.values(), strict=True):
        one = item.results[0] if item.results else None
        assert len(one.nodes if one else ()) == len(other.nodes)
        assert len(one.edges if one else ()) == len(other.edges)
        names = {node.id for node in other.nodes}
        assert all(target in names for node in other.nodes for target in node.edges.values())
        assert one is None or other.top in names


def test_gold_graphs_hang_together_and_every_noun_has_one_quantifier() -> None:
    for item in read_semantics(FOLDER / "gold.eds").items:
        (one,) = item.results
        assert one is not None
        neighbours = [{edge.target, edge.source} for edge in one.edges]
        reached, before = set(one.tops), set()
        while reached != before:
            before = reached
            reached = reached.union(*(pair for pair in neighbours if pair & reached))
        assert reached == set(range(len(one.nodes))), item.text
        bound = Counter(edge.target for edge in one.edges if edge.role == "BV")
        nouns = [place for place, node in enumerate(one.nodes) if node.type == "x"]
        assert bound == dict.fromkeys(nouns, 1), item.text
        assert all((node.type == "") == node.is_quantifier for node in one.nodes)


def test_variety() -> None:
    texts = [sentence.text for sentence in semantics.sentences()]
    assert len(set(texts)) == len(texts) >= 40
    assert max(len(text.split()) for text in texts) >= 40
    assert sum(not text.isascii() for text in texts) >= 6
    assert {text[-1] for text in texts} == set(".?!")
    gold = graphs("gold.eds").values()
    predicates = {node.predicate for one in gold for node in one.nodes}
    assert {"neg", "parg_d", "compound", "poss", "appos", "card", "ord", "superl", "comp", "part_of"} <= predicates
    assert {"_persuade_v_of", "_promise_v_1", "_seem_v_to", "_no_q", "_most_q", "_which_q", "subord"} <= predicates
    properties = {pair for one in gold for node in one.nodes for pair in node.properties.items()}
    assert {("TENSE", "fut"), ("SF", "comm"), ("SF", "ques"), ("PERF", "+"), ("PROG", "+"), ("NUM", "pl")} <= properties


def test_faults_of_the_parsers() -> None:
    gold = graphs("gold.eds")
    small = graphs("grammar-small.eds")
    longest = max(semantics.sentences(), key=lambda sentence: len(sentence.text.split()))
    missing = {semantics.sentences().index(longest) + 1, semantic_parsers.BEYOND}
    assert set(gold) - set(small) == missing
    assert sum("_u_unknown" in node.predicate for one in small.values() for node in one.nodes) >= 10
    free = graphs("graph-parser.eds")
    assert not free[semantic_parsers.SILENT_ITEM].nodes
    items = {int(item.id or 0): item for item in read_semantics(FOLDER / "graph-parser.eds").items}
    marked = {n for n, one in free.items() for node in one.nodes if items[n].text[node.cto - 1] in ",.?!"}
    assert 3 <= len(marked) <= 20
    lost = Counter(
        role for n, one in gold.items() for node in one.nodes for role in node.edges if len(free[n].nodes) > 0
    ) - Counter(role for one in free.values() for node in one.nodes for role in node.edges)
    assert {"ARG1", "ARG2"} <= set(lost)


def test_the_ranking_is_good_but_not_perfect() -> None:
    items = read_semantics(FOLDER / "grammar.mrp", results="all").items
    wanted = [item.results[0] for item in read_semantics(FOLDER / "gold.eds").items]
    sizes = [len(item.results) for item in items]
    assert max(sizes) == 10
    assert min(sizes) >= 1
    places = []
    for item, right in zip(items, wanted, strict=True):
        assert right is not None
        found = [n for n, one in enumerate(item.results) if one and _content(one) == _content(right)]
        places.append(found[0] if found else None)
    first, none = places.count(0), places.count(None)
    said = f"first in {first} sentences, further down in {len(places) - first - none}, and missing in {none}"
    assert said in README
    assert f"{sum(sizes)} in all" in README


def test_readme_has_the_scores() -> None:
    gold = graphs("gold.eds")
    for name in SCORED:
        found = graphs(name)
        pairs = [(one, found.get(number)) for number, one in gold.items()]
        plain = {"constant_weight": 0, "top_weight": 0}
        kinds = ("name_weight", "argument_weight", "property_weight")
        scores = [edm.compute(*zip(*pairs, strict=True), **plain)]
        for kind in kinds:
            scores.append(edm.compute(*zip(*pairs, strict=True), **(plain | {other: other == kind for other in kinds})))
        row = " | ".join(f"{100 * fscore:.1f}" for _, _, fscore in scores)
        assert f"| `{name}` | {row} |" in README, (name, row)


def test_a_reading_is_the_first_of_what_is_written() -> None:
    text = PLAIN.replace("_sleep_v_1", "_sleep_v_off|_sleep_v_1").replace("ARG1=dog", "ARG1=-|dog")
    (sentence,) = read_sentences(text)
    made = graph(sentence, {})
    assert [(node.predicate, node.edges) for node in made.nodes[1:]] == [("_dog_n_1", []), ("_sleep_v_off", [])]
    points = list(sentence.points())
    made = graph(sentence, dict.fromkeys(points, 1))
    assert [(node.predicate, node.edges) for node in made.nodes[2:]] == [("_sleep_v_1", [("ARG1", 1)])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("slept ", "sleeps "),
        ("*", ""),
        ("ARG1=dog", "ARG1=cat"),
        ("dog _dog_n_1", "dog _dog_a_1"),
        ("past", "yesterday"),
    ],
)
def test_the_script_refuses_bad_notation(old: str, new: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        graph(read_sentences(PLAIN.replace(old, new))[0], {})


def test_figures_of_the_paper() -> None:
    folder = SAMPLE / "worked-examples"
    (item,) = read_semantics(folder / "dridan-oepen-figure-1.mrs").items
    (one,) = item.results
    assert one is not None
    spans = [node.anchors[0] for node in one.nodes]
    found = Counter(("name", *span, "NAME", node.predicate) for span, node in zip(spans, one.nodes, strict=True))
    for span, node in zip(spans, one.nodes, strict=True):
        found.update(("property", *span, name, value) for name, value in node.properties)
    for edge in one.edges:
        start, end = spans[edge.target]
        role = "ARG0" if edge.role == "BV" else edge.role
        found["argument", *spans[edge.source], role, f"{start}:{end}"] += 1
    _, *rows = (folder / "dridan-oepen-figure-2.tsv").read_text(encoding="utf-8").splitlines()
    printed = Counter()
    for row in rows:
        kind, start, end, label, value = row.split("\t")
        printed[kind, int(start), int(end), label, value] += 1
    assert found == printed
    assert Counter(kind for kind, *_ in printed) == {"argument": 6, "name": 6, "property": 12}


@pytest.mark.parametrize(
    ("name", "lines", "said", "without"),
    [
        ("unclosed.eds", [2], "never closed", [1]),
        ("stray-text.eds", [30], "It rained.", []),
        ("target-missing.eds", [10], "x44", []),
        ("node-twice.eds", [10] * 4, "x3", []),
        ("top-missing.eds", [31], "e22", []),
        ("without-top.eds", [], "", []),
        ("without-spans.eds", [10], "3 of 8 nodes without a span", []),
        ("span-beyond.eds", [37], "11 characters", []),
        ("span-backwards.eds", [37], "1 of 3 nodes without a span", []),
        ("empty-graph.eds", [], "", [4]),
        ("item-missing.eds", [], "", []),
        ("several-results.eds", [], "", []),
        ("latin-1.eds", [22, 26], "e9", []),
        ("crlf-bom.eds", [], "", []),
        ("cut-off.eds", [37], "never closed", [5]),
        ("cut-off.mrp", [5], "does not parse", [5]),
        ("target-missing.mrp", [2], "99", []),
        ("not-an-object.mrp", [4], "does not parse", [4]),
        ("handle-missing.mrs", [7], "handle constraint", []),
        ("variable-missing.mrs", [7], "does not convert", [2]),
        ("bracket-missing.mrs", [9], "expected: ]", [2]),
    ],
)
def test_malformed_files_name_the_line(name: str, lines: list[int], said: str, without: list[int]) -> None:
    bank = read_semantics(SAMPLE / "malformed" / name)
    assert [problem.line for problem in bank.problems] == lines
    assert said in " ".join(map(str, bank.problems))
    assert [n for n, item in enumerate(bank.items, 1) if not any(item.results)] == without


def test_every_malformed_file_is_tested() -> None:
    (mark,) = test_malformed_files_name_the_line.pytestmark
    tested = {name for name, *_ in mark.args[1]}
    gold = {"gold.eds", "gold.mrp", "gold.mrs", "hostile-gold.mrp", "hostile-test.mrp"}
    assert tested | gold == set(malformed_semantics.files())


def test_hostile_graphs_are_read_literally() -> None:
    for side in ("gold", "test"):
        (item,) = read_semantics(SAMPLE / "malformed" / f"hostile-{side}.mrp").items
        (one,) = item.results
        assert one is not None
        assert {node.predicate for node in one.nodes} == set(malformed_semantics.HOSTILE)
        assert {edge.role for edge in one.edges} <= set(malformed_semantics.HOSTILE)


def _content(one: SemanticGraph) -> Counter[tuple[str, ...]]:
    """Return the triples of a graph, without what only one of the formats has."""
    spans = [str(node.anchors) for node in one.nodes]
    found = Counter((span, node.predicate) for span, node in zip(spans, one.nodes, strict=True))
    found.update(
        (span, *pair) for span, node in zip(spans, one.nodes, strict=True) for pair in dict(node.properties).items()
    )
    found.update((spans[edge.source], edge.role, spans[edge.target]) for edge in one.edges)
    return found
