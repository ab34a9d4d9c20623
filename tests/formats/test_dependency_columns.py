"""Files of dependencies in other columns than the ten of CoNLL-U."""

from __future__ import annotations

import io

import conllu as library
import pytest

import evaltools
from evaltools import Dependencies, read_treebank

ROWS = [
    ["1", "Owls", "owl", "NOUN", "NNS", "_", "2", "nsubj", "_", "_"],
    ["2", "hunt", "hunt", "VERB", "VBP", "_", "0", "root", "_", "_"],
]
TEN = "".join("\t".join(row) + "\n" for row in ROWS) + "\n"


def changed(change: str) -> str:
    return "".join(change.format(*row) + "\n" for row in ROWS) + "\n"


CONLL09 = changed("{0}\t{1}\t{2}\t{2}\t{4}\t{4}\t_\t_\t{6}\t{6}\t{7}\t{7}\t_\t_")

FILES = {
    "CoNLL-U Plus": "# global.columns = ID FORM UPOS HEAD DEPREL\n" + changed("{0}\t{1}\t{3}\t{6}\t{7}"),
    "another order": "# global.columns = FORM ID DEPREL HEAD UPOS\n" + changed("{1}\t{0}\t{7}\t{6}\t{3}"),
    "cupt": f"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n{TEN}".replace(
        "\t_\n", "\t_\t*\n"
    ),
    "ten named columns": f"# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC\n{TEN}",
    "CoNLL-2009": CONLL09,
    "CoNLL-2009 with predicates": CONLL09.replace("_\t_\n", "_\t_\tA0\t_\n"),
    "CoNLL-2009, predicted": changed("{0}\t{1}\t_\t{2}\t_\t{4}\t_\t_\t_\t{6}\t_\t{7}\t_\t_"),
    "a tab too many": TEN.replace("\t_\n", "\t_\t\n"),
    "double tabs": TEN.replace("\t", "\t\t"),
    "indented": TEN.replace("1\tO", " 1\tO").replace("2\th", "  2\th"),
    "indented by a tab": TEN.replace("1\tO", "\t1\tO").replace("2\th", "\t2\th"),
    "blanks": TEN.replace("\t", "  "),
    "CR LF": "# global.columns = ID FORM HEAD DEPREL\r\n" + changed("{0}\t{1}\t{6}\t{7}").replace("\n", "\r\n"),
}
SAID = {
    "CoNLL-2009": "14 columns, read as CoNLL-2009: LEMMA, POS, FEAT, HEAD, DEPREL",
    "CoNLL-2009 with predicates": "16 columns, read as CoNLL-2009: LEMMA, POS, FEAT, HEAD, DEPREL",
    "CoNLL-2009, predicted": "14 columns, read as CoNLL-2009: PLEMMA, PPOS, FEAT, PHEAD, PDEPREL",
    **dict.fromkeys(
        ("a tab too many", "double tabs", "indented", "indented by a tab", "blanks"),
        "10 columns with other blanks than one tab between them",
    ),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("n", [1, 3000])
def test_columns_that_are_named_or_unambiguous_are_read(name: str, n: int):
    rows = FILES[name]
    first = rows.split("\n", 1)[0] + "\n" if rows.startswith("#") else ""
    data = (first + rows.removeprefix(first) * n).encode()
    corpus = read_treebank(io.BytesIO(data))
    assert isinstance(corpus, Dependencies)
    assert [problem.found for problem in corpus.problems] == ([SAID[name]] if name in SAID else [])
    words, labels = corpus.vocabulary.words, corpus.vocabulary.labels
    assert [words[number] for number in corpus.form] == ["Owls", "hunt"] * n
    assert corpus.head.tolist() == [1, -1] * n
    assert [labels[number] for number in corpus.relation] == ["nsubj", "root"] * n
    run = evaltools.score(io.BytesIO((TEN * n).encode()), {"p": io.BytesIO(data)})
    assert run.summary().set_index("metric").loc["las", "pooled_all"] == 1
    assert len(run.problems().query("kind == 'column_blanks'")) == (name in SAID)


def test_token_lists_of_other_fields():
    gold = library.parse(TEN)
    test = library.parse("# global.columns = ID FORM HEAD DEPREL\n1\tOwls\t2\tnsubj\n2\thunt\t0\troot\n\n")
    figures = evaltools.evaluate(gold, test)
    assert (figures["uas"], figures["las"], figures["missing"]) == (1, 1, 0)
