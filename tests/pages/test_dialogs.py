"""Opening a run and scoring files, without a browser: the dialogs by themselves, which AppTest cannot keep open."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import evaltools
from evaltools.analysis.experiments import are_kept
from evaltools.app import components
from evaltools.app.scoring import checking
from evaltools.app.session import library
from evaltools.app.session.jobs import JOB, JobState, job_by_id
from evaltools.app.session.library import scored_folder
from evaltools.progress import Progress
from evaltools.runs.writer import RunWriter
from tests.pages.shown import blocks, said
from tests.runs.semantic_files import mrp, saw, sleeps


@pytest.fixture
def dialog(fresh_home: Path) -> AppTest:
    st.cache_resource.clear()
    components._registered.cache_clear()
    script = "from evaltools.app.scoring.dialog import score_files_dialog\nscore_files_dialog()"
    return AppTest.from_string(script, default_timeout=60).run()


def paste(dialog: AppTest, gold: str, *parsers: str) -> None:
    dialog.segmented_control(key="score_how").set_value("Paste trees").run()
    for _ in parsers[1:]:
        dialog.button(key="paste_more").click().run()
    dialog.text_area(key="paste_gold").set_value(gold)
    for place, text in enumerate(parsers):
        dialog.text_area(key=f"paste_{place}").set_value(text)
    dialog.run()
    assert not dialog.exception


def give(dialog: AppTest, key: str, name: str, content: str) -> None:
    next(one for one in dialog.get("file_uploader") if one.key == key).set_value(
        [(name, content.encode(), "application/octet-stream")]
    )
    dialog.run()
    assert not dialog.exception


def scored(dialog: AppTest) -> evaltools.Run:
    dialog.button(key="score_go").click().run()
    job = job_by_id(dialog.session_state[JOB])
    assert job is not None
    assert job.finished.wait(60)
    assert job.state is JobState.DONE, job.message
    return evaltools.Run(job.path)


def test_pasted_trees_become_a_run(dialog: AppTest):
    paste(dialog, "(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N dogs)) (NP (N bark)))", "(S (N dogs) (V bark))")
    assert not dialog.button(key="score_go").disabled
    assert scored(dialog).path.parent == scored_folder()


def test_runs_of_one_name_begun_at_the_same_time_have_folders_of_their_own(fresh_home: Path):
    folders = {library._new_folder("a/b: c") for _ in range(5)}
    assert len(folders) == 5
    assert {folder.parent for folder in folders} == {scored_folder()}
    assert all(folder.name.startswith("a-b – c ") for folder in folders)


def test_a_run_can_have_a_long_name_in_any_script(fresh_home: Path):
    folder = library._new_folder("樹" * 80)
    assert folder.name.startswith("樹" * 50)
    with RunWriter(folder):  # names of files have at most 255 bytes
        pass
    assert folder.parent == scored_folder()


def test_what_is_missing_is_said(dialog: AppTest):
    paste(dialog, "(S (NP (N dogs)))")
    assert dialog.button(key="score_go").disabled
    paste(dialog, "nonsense", "(S (NP (N dogs)))")
    assert dialog.button(key="score_go").disabled
    paste(dialog, "(S (N dogs))", "(S (N dogs))", "(S (N dogs))")
    dialog.text_input(key="name_paste_0").set_value("same").run()
    dialog.text_input(key="name_paste_1").set_value("same").run()
    assert dialog.button(key="score_go").disabled


def problems(dialog: AppTest) -> pd.DataFrame:
    """Return the problems that are listed."""
    (listed,) = blocks(dialog, "rows")
    return pd.DataFrame(listed["rows"], columns=listed["heads"])


def test_problems_are_listed_with_their_place(dialog: AppTest):
    paste(dialog, "(S (N dogs))\n(S (N cats))", "(S (N dogs)\n(S (N owls))")
    assert "1" in problems(dialog)["line"].tolist()
    assert "Score anyway" in dialog.button(key="score_go").label


def test_sentences_are_aligned_on_request(dialog: AppTest):
    gold = "\n".join(f"(S (N a{i}) (V b{i}))" for i in range(6))
    shifted = "\n".join(f"(S (N a{i}) (V b{i}))" for i in (0, 9, 1, 2, 4, 5))
    paste(dialog, gold, shifted)
    assert set(problems(dialog)["line"]) == {"2", "3", "4"}  # the words of three sentences differ
    dialog.checkbox(key="score_align").check().run()
    listed = problems(dialog)
    assert listed["found"].tolist() == [
        "sentence 2 (line 2), with the words of no gold sentence; left out",
        "from gold sentence 2 (line 2) to 3, sentence 3 (line 3) and those after it are taken",
        "no sentence with the words of gold sentence 4 (line 4); it counts as missing",
    ]
    assert listed["line"].tolist() == ["2", "3", "5"]
    run = scored(dialog)
    assert run.sentences()["status"].tolist() == ["ok", "ok", "ok", "missing", "ok", "ok"]
    assert "|align:sentences|" in run.signature


def test_a_shortfall_offers_to_align_sentences(dialog: AppTest):
    gold = "\n".join(f"(S (N a{i}) (V b{i}))" for i in range(6))
    paste(dialog, gold, gold.split("\n", 1)[1])
    offer = dialog.button(key="score_align_go")
    assert any("parser has 5 sentences, the gold treebank 6." in text.value for text in dialog.text)
    offer.click().run()
    assert dialog.checkbox(key="score_align").value
    assert "score_align_go" not in [button.key for button in dialog.button]
    assert problems(dialog)["found"].tolist()[0].startswith("no sentence with the words of gold sentence 1")


def test_other_words_in_many_sentences_offer_to_align_them(dialog: AppTest):
    gold = [f"(S (N a{i}) (V b{i}))" for i in range(6)]
    paste(dialog, "\n".join(gold), "\n".join([*gold[1:], gold[0]]))
    assert any("other words than the gold treebank in 6 sentences" in text.value for text in dialog.text)
    assert "score_align_go" in [button.key for button in dialog.button]
    paste(dialog, "\n".join(gold), "\n".join([*gold[:5], "(S (N c) (V d))"]))
    assert "score_align_go" not in [button.key for button in dialog.button]


def test_prose_is_refused_with_the_reason(dialog: AppTest):
    prose = "# Parsers\n\nTrained on trees (three of them).\n(see the paper)\nThe sentences are short.\n"
    paste(dialog, "(S (N dogs))\n(S (N cats))", prose)
    assert dialog.button(key="score_go").disabled
    (row,) = problems(dialog).to_dict("records")
    assert (row["file"], row["line"]) == ("pasted parser", "1")
    assert row["found"] == "text in an unknown format: '# Parsers', 2 of 3 lines outside any bracket"
    assert "pasted parser: cannot be read; the reason is listed below" in said(dialog, "note")
    assert dialog.button(key="score_go").label == "Score"
    assert dialog.button(key="score_go").help == "Remove or replace pasted parser: the file cannot be read."


def test_a_file_without_a_readable_tree_is_refused(dialog: AppTest):
    paste(dialog, "(S (N dogs))\n(S (N cats))", "(S (N dogs)")
    assert dialog.button(key="score_go").disabled
    assert "pasted parser has no readable tree: remove or replace the file." in said(dialog, "note")


def test_two_uploads_of_one_name_are_two_parsers(dialog: AppTest):
    give(dialog, "score_gold", "gold.ptb", "(S (N dogs))\n")
    (uploader,) = (one for one in dialog.get("file_uploader") if one.key == "score_parsers")
    uploader.set_value([("out.ptb", text, "text/plain") for text in (b"(S (N dogs))\n", b"(S (V dogs))\n")])
    dialog.run()
    assert [one.value for one in dialog.text_input if (one.key or "").startswith("name_upload")] == ["out", "out 2"]
    assert not dialog.button(key="score_go").disabled


@pytest.mark.parametrize(
    ("gold", "text"), [("gold.ptb", "(S (N dogs))\n"), ("gold.amr", "(s / sleep-01)\n\n(r / run-02)\n")]
)
def test_an_empty_file_is_one_of_missing_parses_as_on_the_command_line(dialog: AppTest, gold: str, text: str):
    give(dialog, "score_gold", gold, text)
    give(dialog, "score_parsers", "parser.out", "")
    assert not dialog.button(key="score_go").disabled
    run = scored(dialog)
    assert run.meta["parsers"][0]["missing"] == run.n_sentences


def test_a_parsers_file_is_read_as_the_gold_file(dialog: AppTest):
    give(dialog, "score_gold", "gold", "(s / sleep-01)\n\n(r / run-02)\n")
    give(dialog, "score_parsers", "parser", "()\n\n(r / run-02)\n")
    assert any(text.startswith("parser: PENMAN (AMR), 1 graphs in 2 items") for text in said(dialog, "note"))


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le"])
def test_a_file_in_another_encoding_is_read_on_request(dialog: AppTest, encoding: str):
    text = "(S (N Z\u00fcrich) (V \u201eliegt))\n" if encoding != "latin-1" else "(S (N Z\u00fcrich) (V liegt))\n"
    give(dialog, "score_gold", "gold.ptb", text)
    (uploader,) = (one for one in dialog.get("file_uploader") if one.key == "score_parsers")
    uploader.set_value([("old.ptb", text.encode(encoding), "text/plain")])
    dialog.run()
    (button,) = (one for one in dialog.button if one.label == f"Read old.ptb as {encoding}")
    button.click().run()
    assert dialog.button(key="score_go").label == "Score"
    assert scored(dialog).meta["parsers"][0]["scored"] == 1


def test_a_run_is_named_after_gold_and_parsers(dialog: AppTest):
    paste(dialog, "(S (N dogs))", "(S (N dogs))", "(S (N dogs))")
    assert dialog.text_input(key="score_title").value == "pasted gold: parser 1, parser 2"
    dialog.text_input(key="name_paste_0").set_value("chart").run()
    assert dialog.text_input(key="score_title").value == "pasted gold: chart, parser 2"
    dialog.text_input(key="score_title").set_value("mine").run()
    dialog.text_input(key="name_paste_1").set_value("span").run()
    assert dialog.text_input(key="score_title").value == "mine"
    assert scored(dialog).path.name.startswith("mine 2")


def test_a_run_that_is_cancelled_while_it_is_written_is_removed(fresh_home: Path, tiny_run: evaltools.Run):
    st.cache_resource.clear()

    def work(progress: Progress, folder: Path) -> evaltools.Run:
        shutil.copytree(tiny_run.path, folder)
        progress.cancelled.set()
        return evaltools.Run(folder)

    library.begin("late", work)
    job = job_by_id(st.session_state[JOB])
    assert job is not None
    assert job.finished.wait(60)
    assert job.state is JobState.CANCELLED
    assert not list(scored_folder().iterdir())


def test_words_are_compared_before_scoring():
    gold = checking.check("gold", b"(S (N dogs) (V bark))\n(S (N cats))\n(S (. .))")
    other = checking.check("other", b"(S (N dogs) (V barked))\n(S (N cats))\n(S (. .))")
    (problem,) = checking.compare(gold, other, "standard").problems
    assert (problem.line, problem.found, problem.expected) == (1, "word 2 'barked'", "word 2 'bark', as in gold")


def test_words_are_compared_as_the_preset_compares_them():
    gold = checking.check("gold", b"(S (N a) (, ,) (V b))")
    other = checking.check("other", b"(S (N a) (N ,) (V b))")
    assert checking.compare(gold, other, "standard").problems == ()
    (problem,) = checking.compare(gold, other, "collins").problems  # its own tag deletes the gold comma only
    assert (problem.found, problem.expected) == ("word 2 ','", "word 2 'b', as in gold")


def test_sentences_of_dependency_trees_are_compared_with_those_of_the_same_id():
    def written(*names: str) -> bytes:
        return "".join(f"# sent_id = {name}\n1\t{name}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for name in names).encode()

    gold = checking.check("gold", written("a", "b", "c", "c"))
    compared = checking.compare(gold, checking.check("other", written("c", "c", "x", "a")), "none")
    assert [(problem.kind, problem.line) for problem in compared.problems] == [
        ("repeated_id", 4),
        ("surplus", 7),
        ("too_few", None),
    ]
    assert [(problem.file, problem.line) for problem in compared.gold_problems] == [("gold", 10)]
    assert compared.pairing == (
        "sentences paired by sent_id: 3 at another position, 1 left out, 1 gold sentence without partner"
    )


def test_the_dialog_says_how_sentences_are_paired(dialog: AppTest):
    one, other = (f"# sent_id = {name}\n1\t{name}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for name in "ab")
    paste(dialog, one + other, other + one, one)
    texts = " ".join(said(dialog, "note"))
    assert "sentences paired by sent_id: 2 at another position, 0 left out" in texts
    assert "sentences paired by sent_id: 0 at another position, 0 left out, 1 gold sentence without partner" in texts
    assert dialog.button(key="score_go").label == "Score anyway (1 problem)"
    run = scored(dialog)
    assert [entry["paired"] for entry in run.meta["parsers"]] == ["id", "id"]
    assert run.sentences("parser 1")["uas"].tolist() == [1, 1]


def test_a_folder_that_is_no_run_is_refused(fresh_home: Path, tmp_path: Path, tiny_run: evaltools.Run):
    st.cache_resource.clear()
    dialog = AppTest.from_string(
        "from evaltools.app.frame import _open_dialog\n_open_dialog()", default_timeout=60
    ).run()
    for refused in (str(tmp_path), "/nowhere/at/all", "\0"):
        dialog.text_input(key="open_path").set_value(refused)
        dialog.button(key="open_path_go").click().run()
        assert not dialog.exception
        assert dialog.error
    dialog.text_input(key="open_path").set_value(str(tiny_run.path))
    dialog.button(key="open_path_go").click().run()
    assert not dialog.error
    assert dialog.query_params["run"]


def test_semantic_graphs_become_a_run(dialog: AppTest):
    paste(dialog, mrp(("a", sleeps()), ("b", saw())), mrp(("b", saw()), ("a", sleeps("_doze_v_1"))))
    assert dialog.button(key="score_go").label == "Score"
    assert "score_align" not in [one.key for one in dialog.checkbox]
    dialog.selectbox(key="score_edm_preset").set_value("pydelphin")
    dialog.selectbox(key="score_spans").set_value("trimmed").run()
    run = scored(dialog)
    assert run.kind == "mrs"
    assert run.preset == "pydelphin"
    assert run.edm_rules.spans == "trimmed"
    assert run.counts()["status"].tolist() == ["ok", "ok"]


def test_problems_of_semantic_graphs_are_listed(dialog: AppTest):
    paste(dialog, mrp(("a", sleeps()), ("b", saw())), mrp(("a", sleeps()), ("c", saw())))
    assert problems(dialog)["found"].tolist() == [
        "item 'c', which is not scored",
        "no sentence with item 'b'; it counts as missing",
    ]
    assert dialog.button(key="score_go").label == "Score anyway (2 problems)"
    paste(dialog, mrp(("a", sleeps())), "(S (N dogs))")
    assert dialog.button(key="score_go").disabled
    paste(dialog, "(S (N dogs))", mrp(("a", sleeps())))
    assert dialog.button(key="score_go").disabled


def test_uploads_that_cannot_be_read_say_what_is_wrong_and_are_not_scored(dialog: AppTest):
    give(dialog, "score_gold", "gold.ptb", "(S (N dogs))\n")
    give(dialog, "score_parsers", "table.csv", "a,b\n1,2\n")
    assert any(text.startswith("table.csv: cannot be read") for text in said(dialog, "note"))
    assert dialog.button(key="score_go").disabled
    give(dialog, "score_parsers", "good.ptb", "(S (N dogs))\n")
    assert not dialog.button(key="score_go").disabled
    give(dialog, "score_metadata", "bad.tsv", "genre\nnews\n")
    assert [error.value for error in dialog.error] == ["The file of metadata cannot be read."]
    assert any("bad.tsv:1: the heading 'genre'" in code.value for code in dialog.code)
    assert dialog.button(key="score_go").disabled
    give(dialog, "score_metadata", "genres.tsv", "sentence\tgenre\n1\tnews\n")
    assert "genres.tsv: 1 row by sentence, with genre" in said(dialog, "note")
    assert not dialog.button(key="score_go").disabled


# ------------------------------------------------------------------------------------------- several gold treebanks

_PHRASES = "(S (NP-SBJ (N Kim)) (VP (V sleeps)))\n"
_WORDS = "1\tKim\t_\t_\t_\t_\t2\tSBJ\t_\t_\n2\tsleeps\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
_LABELED = _WORDS.replace("SBJ", "nsubj")


def give_theories(dialog: AppTest) -> None:
    give(dialog, "score_gold", "phrases.ptb", _PHRASES)
    dialog.button(key="score_more_golds_go").click().run()
    give(dialog, "score_golds", "words.conllu", _WORDS)
    (uploader,) = (one for one in dialog.get("file_uploader") if one.key == "score_parsers")
    uploader.set_value(
        [("a-words.conllu", _LABELED.encode(), "text/plain"), ("b.ptb", _PHRASES.encode(), "text/plain")]
    )
    dialog.run()
    assert not dialog.exception


def test_nothing_is_said_of_theories_before_a_second_gold_treebank(dialog: AppTest):
    give(dialog, "score_gold", "phrases.ptb", _PHRASES)
    give(dialog, "score_parsers", "b.ptb", _PHRASES)
    shown = [one.label for kind in ("text_input", "selectbox", "checkbox", "file_uploader") for one in dialog.get(kind)]
    assert "Parsers’ outputs" in shown
    assert not [text for text in (*shown, *said(dialog, "note")) if "heor" in text or "TedEval" in text]


def test_several_gold_treebanks_become_a_run_across_frameworks_with_its_experiments(dialog: AppTest):
    give_theories(dialog)
    theories = [one for one in dialog.selectbox if one.label == "Theory of the parser"]
    assert [one.options[one.index] for one in theories] == ["words", "phrases"]
    next(one for one in dialog.text_input if one.label == "Theory" and one.value == "words").set_value("UD").run()
    give(dialog, "score_table_label_map", "labels.tsv", "nsubj SBJ\n")
    (unify,) = dialog.multiselect
    assert unify.options[0] == "phrases with the functions of UD"
    unify.set_value([unify.options[0]]).run()
    run = scored(dialog)
    assert [*run.theories] == ["phrases", "UD"]
    assert run.meta["options"]["tl_unify"] == [["phrases", "UD"]]
    assert {entry["name"]: entry["theory"] for entry in run.meta["parsers"]} == {"a-words": "UD", "b": "phrases"}
    assert run.meta["options"]["label_map"] == [["nsubj", "SBJ"]]
    assert are_kept(run)
    assert run.summary().set_index(["parser", "metric"]).loc[("a-words", "tedeval_single_labeled"), "pooled"] == 1.0


def test_files_that_cannot_be_compared_across_theories_are_named(dialog: AppTest):
    give_theories(dialog)
    give(dialog, "score_table_label_map", "labels.tsv", "nsubj\n")
    assert dialog.button(key="score_go").help == "Remove or replace the file of labels or costs."
    assert any(code.value.startswith("labels.tsv:1:1:") for code in dialog.code)
    give(dialog, "score_golds", "graphs.amr", "(s / sleep-01)\n")
    assert dialog.button(key="score_go").help == (
        "Remove graphs.amr: semantic graphs are not compared across theories, only trees are."
    )


def test_labels_costs_and_geig_are_options_of_one_gold_treebank(dialog: AppTest):
    give(dialog, "score_gold", "gold.ptb", "(S (NP (N Kim)) (VP (V sleeps)))\n")
    give(dialog, "score_parsers", "parser.ptb", "(S (NX (N Kim)) (VP (V sleeps)))\n")
    give(dialog, "score_table_label_map", "labels.tsv", "NX NP\n")
    give(dialog, "score_table_la_table", "costs.tsv", "NP VP 0.5\n")
    dialog.checkbox(key="score_multiword").check().run()
    run = scored(dialog)
    assert "la_costs" in run.metrics
    assert run.sentences()["f1"].tolist() == [1.0]
    assert run.meta["preset_fields"]["multiword_only"]
