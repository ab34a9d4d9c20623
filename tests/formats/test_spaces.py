"""Spaces that are no blanks at the edges of words, labels and lines, and files that are not UTF-8."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import evaltools
from evaltools import InputError, Treebank, read_treebank
from evaltools.corpus import Vocabulary
from evaltools.formats import read_semantics
from evaltools.formats.corpus_stream import CorpusStream
from tests.commands import call

BRACKETS = "(TOP (S (NP (NNS Owls)) (VP (VBP hunt))))\n(TOP (S (NP (NNS Bees)) (VP (VBP hum))))\n"
TIGER = (
    '<?xml version="1.0"?>\n<corpus><body>\n<s id="s1"><graph root="s1_500"><terminals><t id="s1_1" word="Owls" '
    'pos="NNS"/><t id="s1_2" word="dr\u00e4ngt" pos="VBP"/></terminals><nonterminals><nt id="s1_500" cat="S">'
    '<edge label="SB" idref="s1_1"/><edge label="HD" idref="s1_2"/></nt></nonterminals></graph></s>\n</body></corpus>\n'
)


@pytest.mark.parametrize("block", [1, 7, 64])
def test_what_is_removed_does_not_depend_on_how_the_file_is_read(block: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("evaltools.formats.source._STORED_BLOCK", block)
    text = BRACKETS.replace("Owls)", "Owls\u00a0)").replace("(NP (NNS B", "\u3000(NP (NNS B") * 20
    stream = CorpusStream(io.BytesIO(text.encode()), "ptb")
    treebank = stream.read(100, Vocabulary())
    assert isinstance(treebank, Treebank)
    assert {treebank.tree(number).words for number in range(40)} == {("Owls", "hunt"), ("Bees", "hum")}
    (problem,) = stream.problems_of_file()
    assert (problem.kind, problem.line, "(40 times)" in problem.found) == ("spaces", 1, True)


def test_presets_that_follow_evalb_keep_its_words(tmp_path: Path):
    gold, test = tmp_path / "gold.ptb", tmp_path / "test.ptb"
    gold.write_text(BRACKETS, "utf-8")
    test.write_text(BRACKETS.replace("Owls", "Owls\u00a0"), "utf-8")
    assert evaltools.score(gold, test).meta["parsers"][0]["words_differ"] == 0
    run = evaltools.score(gold, test, preset="collins")
    assert run.tree(1, "test").words[0] == "Owls\u00a0"


# ------------------------------------------------------------------------------------------------------------ encodings


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "windows-1252", "UTF-8", "UTF-16", "utf-16"])
def test_xml_declares_its_encoding(encoding: str):
    text = TIGER.replace('"1.0"', f'"1.0" encoding="{encoding}"')
    treebank = read_treebank(io.BytesIO(text.encode(encoding)))
    assert treebank.tree(0).words == ("Owls", "dr\u00e4ngt")
    assert treebank.problems == []


def test_a_declaration_that_cannot_be_true_is_ignored():
    text = TIGER.replace('"1.0"', '"1.0" encoding="UTF-16"')
    assert read_treebank(io.BytesIO(text.encode())).tree(0).words == ("Owls", "dr\u00e4ngt")
    text = TIGER.replace('"1.0"', '"1.0" encoding="none"')
    assert read_treebank(io.BytesIO(text.encode())).tree(0).words == ("Owls", "dr\u00e4ngt")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_one_message(encoding: str):
    with pytest.raises(InputError, match=f"looks like UTF-16 without a byte order mark; .*--encoding {encoding} reads"):
        read_treebank(io.BytesIO(BRACKETS.encode(encoding)))


OLD = "(S (N Z\u00fcrich) (V liegt))\n" * 5000


@pytest.mark.parametrize(("encoding", "text"), [("latin-1", OLD), ("cp1252", OLD.replace("liegt", "\u201e"))])
def test_a_file_in_an_old_encoding_has_one_message_that_names_the_option(tmp_path: Path, encoding: str, text: str):
    path = tmp_path / "old.ptb"
    path.write_bytes(text.encode(encoding))
    expected = f"UTF-8 text; --encoding {encoding} reads it so"
    treebank = read_treebank(path)
    assert [(p.line, p.expected) for p in treebank.problems if p.kind == "encoding"] == [(1, expected)]
    run = evaltools.score(path, path)
    assert [(p.line, p.expected) for p in run.problems().itertuples() if p.kind == "encoding"] == [(1, expected)] * 2
    assert read_treebank(path, encoding=encoding).tree(0).words[0] == "Z\u00fcrich"
    assert read_treebank(path, encoding=encoding).problems == []


WORD = "1\tZ\u00fcrich\t_\tPROPN\t_\t_\t0\troot\t_\t_\n\n"


@pytest.mark.parametrize("sentence", ["(S (N Z\u00fcrich) (V liegt))\n", WORD])
def test_words_that_cannot_be_decoded_are_listed_with_the_encoding_alone(sentence: str):
    def kinds(gold: bytes, test: bytes) -> list[str]:
        problems = evaltools.score(io.BytesIO(gold), {"p": io.BytesIO(test)}).problems()
        return [kind for kind in problems["kind"] if kind != "texts_differ"]

    text = sentence * 113
    assert kinds(text.encode(), text.encode("latin-1")) == ["encoding"]
    assert kinds(text.encode("latin-1"), text.encode()) == ["encoding"]
    escapes = text.encode("ascii", "backslashreplace")
    assert kinds(text.encode(), escapes) == ["words_differ"] * 113


@pytest.mark.parametrize("order", [(1, 2, 3), (1, 3, 2)])
def test_columns_of_bytes_that_are_no_text_are_those_of_the_file(order: tuple[int, ...]):
    """Spaces at the edges of a line count, in the order of the file as in that of the ids."""

    def text(edge: str) -> str:
        line = f"{edge}1\t{{}}\u00fc\t_\tPROPN\t_\t_\t0\troot\t_\t_\n"
        return "".join(f"# sent_id = {number}\n{line.format(chr(96 + number))}\n" for number in order)

    test = text("\u00a0").encode().replace("b\u00fc".encode(), b"b\xfc")
    gold = text("") if order == (1, 2, 3) else "\n\n".join(sorted(text("").split("\n\n"))).lstrip() + "\n\n"
    problems = evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(test)}).problems()
    of_bytes = problems[problems["kind"] == "encoding"]
    line = 3 * order.index(2) + 2
    assert of_bytes[["line", "column"]].to_numpy().tolist() == [[line, 6]]
    whole = [problem for problem in read_treebank(io.BytesIO(test)).problems if problem.kind == "encoding"]
    assert [(problem.line, problem.column) for problem in whole] == [(line, 6)]


@pytest.mark.parametrize(
    "arguments", [("oracle", "{file}", "p={file}"), ("crossframework", "--gold", "t={file}", "--parser", "p:t={file}")]
)
def test_other_runs_are_made_in_an_encoding(tmp_path: Path, arguments: tuple[str, ...]):
    file, out = tmp_path / "old.ptb", tmp_path / "run"
    file.write_bytes(b"(S (N Z\xfcrich) (V liegt))\n\n(S (N B\xe4ren))\n")
    command = [argument.format(file=file) for argument in arguments]
    made = call(*command, "-o", out, "--encoding", "latin-1")
    assert (made.returncode, "UTF-8" in made.stderr) == (0, False)
    run = evaltools.Run(out)
    assert (run.meta["options"]["encoding"], set(run.problems()["kind"]) & {"encoding"}) == ("latin-1", set())
    assert call("verify", out).returncode == 0


def test_files_are_scored_and_converted_in_an_encoding(tmp_path: Path):
    gold, test = tmp_path / "gold.ptb", tmp_path / "test.ptb"
    two = "".join(OLD.splitlines(keepends=True)[:2])
    gold.write_bytes(two.encode("latin-1"))
    test.write_bytes(two.encode("latin-1"))
    run = evaltools.score(gold, test, encoding="latin-1", out=tmp_path / "run")
    assert (run.tree(1).words[0], len(run.problems())) == ("Z\u00fcrich", 0)
    assert call("verify", tmp_path / "run").returncode == 0
    assert evaltools.evaluate(gold, [OLD.splitlines()[0], None], encoding="latin-1")["words_differ"] == 0
    assert call("score", gold, test, "-o", tmp_path / "again", "--encoding", "latin-1", "--strict").returncode == 0
    assert call("convert", gold, tmp_path / "new.ptb", "--encoding", "latin-1").returncode == 0
    assert (tmp_path / "new.ptb").read_text("utf-8").startswith("(S (N Z\u00fcrich)")
    with pytest.raises(evaltools.ParameterError, match="unknown encoding 'latin-x'; valid: utf-8, latin-1"):
        evaltools.score(gold, test, encoding="latin-x")
    bank = read_semantics(io.BytesIO("(z / Z\u00fcrich)".encode("latin-1")), "penman", encoding="latin-1")
    assert bank.items[0].graph is not None
    assert bank.items[0].graph.nodes[0].predicate == "Z\u00fcrich"
