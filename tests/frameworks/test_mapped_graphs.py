"""AMRs aligned as Smatch maps them: triples, nodes and roles of both graphs, and what the triples are part of."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import evaltools
from evaltools.corpus.semantic_graph import SemanticEdge
from evaltools.drawing import draw, languages
from evaltools.drawing.graph_content import content_of
from evaltools.drawing.graph_outline import layout_outline
from evaltools.errors import ParameterError
from evaltools.formats import Source, read_semantics
from evaltools.frameworks.semantics import alignment, smatch
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.frameworks.semantics.alignment import align_graphs, shown_role
from evaltools.frameworks.semantics.chunks import SMATCH_RULES
from evaltools.frameworks.semantics.marked import marked_graph
from evaltools.frameworks.semantics.questions import GROUPINGS
from evaltools.frameworks.semantics.smatch_matching import Matching, Triples, best_mapping, triples_of
from evaltools.frameworks.semantics.tables import CONSTRUCTIONS, constructions_of
from evaltools.frameworks.stored import file_of
from evaltools.outputs.hotspots import ask

SAMPLE = Path(__file__).parents[2] / "sample_data" / "amr"


def aligned(gold: str, test: str) -> GraphAlignment:
    sides = [
        read_semantics(Source.from_bytes(text.encode(), "x"), "penman").items[0].graph if text else None
        for text in (gold, test)
    ]
    return align_graphs(*sides, SMATCH_RULES)


def triples(alignment: GraphAlignment) -> list[str]:
    marks = {"right": "=", "missing": "<", "spurious": ">"}
    return [f"{marks[row.status]} {row.label} {row.value}".rstrip() for row in alignment.triples]


def check(alignment: GraphAlignment) -> None:
    """Check that every triple is there, as often as Smatch counts it, and every node and edge once."""
    counts = alignment.counts
    for side, graph, others in (("gold", alignment.gold, "spurious"), ("test", alignment.test, "missing")):
        rows = [row for row in alignment.triples if row.status != others]
        assert len(rows) == counts[f"smatch_{side}"] == (0 if graph is None else len(triples_of(graph)))
        n_nodes, n_edges = (0, 0) if graph is None else (len(graph.nodes), len(graph.edges))
        assert sorted(getattr(pair, side) for pair in alignment.nodes if getattr(pair, side) is not None) == [
            *range(n_nodes)
        ]
        assert sorted(getattr(pair, side) for pair in alignment.edges if getattr(pair, side) is not None) == [
            *range(n_edges)
        ]
    assert sum(row.status == "right" for row in alignment.triples) == counts["smatch_matched"]
    paired = {(pair.gold, pair.test) for pair in alignment.nodes}
    assert {(row.gold_node, row.test_node) for row in alignment.triples} <= paired


def test_triples_match_under_the_mapping():
    a = aligned(
        "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))", "(x / want-01 :ARG0 (y / girl :ARG0-of (z / go-02)))"
    )
    check(a)
    assert [(pair.gold, pair.test, pair.status) for pair in a.nodes] == [
        (0, 0, "right"),
        (1, 1, "relabeled"),
        (2, 2, "right"),
    ]
    assert triples(a) == [
        *("= NAME want-01", "= ARG0", "< ARG1", "= TOP"),
        *("< NAME boy", "> NAME girl", "= NAME go-02", "= ARG0"),
    ]


def test_nodes_that_share_nothing_are_not_paired():
    a = aligned("(a / a :ARG0 (b / b))", "(c / a :ARG1 (d / d))")
    assert [(pair.gold, pair.test, pair.status) for pair in a.nodes] == [
        (0, 0, "right"),
        (1, None, "missing"),
        (None, 1, "spurious"),
    ]


def test_a_missing_graph_is_one_without_nodes():
    check(aligned("(a / b)", ""))
    check(aligned("", "(a / b :c d)"))


def test_roles_are_shown_in_one_direction():
    assert shown_role(SemanticEdge(0, "mod", 1)) == SemanticEdge(0, "mod", 1)
    assert shown_role(SemanticEdge(0, "consist-of", 1)) == SemanticEdge(0, "consist-of", 1)
    assert shown_role(SemanticEdge(0, "domain-of", 1)) == SemanticEdge(0, "mod", 1)


@pytest.mark.parametrize("files", ["hard.gold.amr hard.system.amr", "smatch-sample.gold.amr smatch-sample.system.amr"])
def test_all_triples_of_shared_graphs(shared_data: Path, files: str):
    gold, test = (read_semantics(shared_data / "data" / "amr" / name) for name in files.split())
    for one, other in zip(gold.items, test.items, strict=True):
        check(align_graphs(one.graph, other.graph, SMATCH_RULES))
        check(align_graphs(one.graph, one.graph, SMATCH_RULES))


def test_constructions():
    text = (
        '(w / want-01 :polarity - :ARG0 (p / person :wiki - :name (n / name :op1 "Bo")) :ARG1 (a / and '
        ":op1 (g / go-02 :ARG0 p :time (d / date-entity :year 1999)) :op2 (s / see-01 "
        ":ARG1 (u / amr-unknown) :mode x)))"
    )
    a = aligned(text, text)
    found = {f"{row.label} {row.value}".strip(): name for row, name in zip(a.triples, constructions_of(a), strict=True)}
    assert set(found.values()) <= set(CONSTRUCTIONS)
    assert {key: found[key] for key in ("polarity -", "wiki -", "name", 'op1 "Bo"', "NAME name")} == {
        "polarity -": "negation",
        "wiki -": "wiki link",
        "name": "named entity",
        'op1 "Bo"': "named entity",
        "NAME name": "named entity",
    }
    assert (found["ARG0"], found["year 1999"], found["NAME and"], found["op2"]) == (
        "re-entrancy",
        "date or quantity",
        "coordination",
        "coordination",
    )
    assert (found["NAME amr-unknown"], found["mode x"], found["TOP"], found["time"]) == (
        "question",
        "constant",
        "top",
        "other role",
    )


def test_repairs_in_words_where_one_graph_has_alignments():
    marked = marked_graph(
        aligned(
            "# ::snt The boy sings.\n(s / sing-01~e.2 :ARG0 (b / boy~e.1))", "(s / sing-01 :ARG1 (b / boy) :polarity -)"
        )
    )
    assert marked is not None
    assert [f"{repair.phrase} {repair.verdict}" for repair in marked.repairs] == [
        "sing-01 “sings.” has ARG1 boy, should have ARG0 “boy”",
        "sing-01 “sings.”: should not have polarity -",
    ]
    assert [word.form for word in marked.words] == ["The", "boy", "sings."]


def test_the_best_mapping_is_searched_for_once(monkeypatch: pytest.MonkeyPatch):
    pairs = []

    def best_mapping_of(gold: Triples, test: Triples, *limits: float, **options: int) -> Matching:
        pairs.append((gold, test))
        return best_mapping(gold, test, *limits, **options)

    for module in (alignment, smatch):
        monkeypatch.setattr(module, "best_mapping", best_mapping_of)
    a = aligned("(g / go-02 :ARG0 (b / boy :mod (t / tall)))", "(t / tall :domain (b / boy :ARG0-of (g / go-02)))")
    whole = [pair for pair in pairs if pair == (triples_of(a.gold), triples_of(a.test))]
    assert len(whole) == 1
    assert a == replace(
        alignment.compare_graphs(a.gold, a.test, SMATCH_RULES), counts=a.counts, scores=a.scores
    )  # which searches for it again


def test_an_outline_has_each_node_once_below_what_leads_to_it():
    a = aligned(
        "(w / want-01 :ARG0 (b / boy :ARG1-of (s / see-01)) :ARG1 (g / go-02 :ARG0 b :ARG1 g))",
        "(x / y :z (w / want-01))",
    )
    content = content_of(a)
    layout = layout_outline(content)
    assert sorted(node.number for node, _ in layout.nodes) == [node.number for node in content.nodes]
    assert sorted(placed.arc.number for placed in layout.arcs) == [role.number for role in content.roles]
    boxes = [box for _, box in layout.nodes]
    for first, second in pairwise(boxes):
        assert first.bottom < second.top
    for placed in layout.arcs:
        assert placed.box.right <= layout.width
        assert all(0 <= x <= layout.width and 0 <= y <= layout.height for x, y in placed.points)


@pytest.fixture(scope="module")
def run() -> evaltools.Run:
    return evaltools.score(SAMPLE / "gold.amr", {"parser": SAMPLE / "parser.amr"})


def test_a_run_of_amrs_has_smatch(run: evaltools.Run):
    assert run.main_metric == run.framework.figures.main == "smatch"
    assert run.framework.nouns.label == "concept"
    assert run.problems()["kind"].tolist() == ["too_few"]
    summary = run.summary().set_index("metric")
    assert summary.loc["smatch", "n"] == 7
    assert 0.5 < summary.loc["smatch", "pooled_all"] < summary.loc["smatch", "pooled"] < 0.9
    assert run.metadata()["document"].tolist() == ["harbor"] * 4 + ["archive"] * 4
    assert evaltools.verify(run).equal


def test_the_table_of_triples_is_that_of_the_alignments(run: evaltools.Run):
    rows = run.triples("parser")
    counts = run.counts("parser").set_index("sentence")
    for sentence in range(1, 8):
        alignment = run.graphs(sentence, "parser")
        check(alignment)
        own = rows[rows["sentence"] == sentence]
        assert own["construction"].tolist() == constructions_of(alignment)
        assert (own["status"] == "right").sum() == counts.loc[sentence, "smatch_matched"]
        for language in languages(alignment):
            assert draw(alignment, language)


def test_hotspots_add_up(run: evaltools.Run):
    unmatched = run.triples("parser").query("status != 'right'")
    for by in ("construction", "concept", "role", "attribute"):
        kind = GROUPINGS[by].kind
        rows = unmatched if not kind else unmatched[unmatched["kind"] == kind]
        assert ask(run, run.framework.questions().hotspots[by], "parser").rows["cost"].sum() == len(rows)


def test_confused_roles_are_between_the_same_nodes(run: evaltools.Run):
    roles = run.query("select * from errors where parser = 'parser' and type = 'argument' and sentence <= 7")
    pairs = set(zip(roles["sentence"], roles["gold"], roles["test"], strict=True))
    assert {(1, "ARG2", "purpose"), (5, "ARG1", "ARG0"), (3, "ARG1", "ARG0")} <= pairs
    assert roles["cost"].sum() == len(
        run.triples("parser").query("kind == 'argument' and status != 'right' and sentence <= 7")
    )


def test_rules_of_edm_are_refused():
    with pytest.raises(ParameterError, match="rules of EDM, which is undefined for graphs without spans"):
        evaltools.score(SAMPLE / "gold.amr", {"p": SAMPLE / "parser.amr"}, preset="pydelphin")


def test_a_part_is_a_run(run: evaltools.Run):
    part = evaltools.subset(run, [3, 5])
    assert part.main_metric == "smatch"
    assert part.sentences("parser")["smatch"].tolist() == run.sentences("parser")["smatch"].iloc[[2, 4]].tolist()
    text, notation = file_of(run, None, [3])
    assert notation == "penman"
    assert text.startswith("# ::id sample.3\n# ::snt Who painted the boat that sank?\n(p / paint-02\n")
