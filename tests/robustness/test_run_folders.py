"""Run folders that are not what they say: one line, exit status 2; nothing is read from elsewhere, nothing is run."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from evaltools import EvaltoolsError, ParameterError, Run, cli, score
from evaltools.runs.meta import tables_of
from evaltools.runs.notes import Note, Notes
from tests.conftest import few_examples
from tests.pages.conftest import ROOT, open_app, scored, tiny_run  # noqa: F401 - fixtures
from tests.resealing import change_column, change_meta, reseal, write_meta

__all__ = ["open_app", "tiny_run"]

ESC = "\x1b[31m"
GOLD = "(S (NP (N dogs)) (VP (V bark)))\n(S (NP (N it)))\n(S (N cats) (V mew))\n"
HOSTILE = (
    f"(S{ESC} (<script>alert</script>{ESC} dogs) (VP (V bark)))\n"
    f"(S (N it) (VP{ESC}))\n"
    "(S (N \u009bcats) (V m\u202eew))\n"
)
COMMANDS: dict[str, list[str]] = {
    "figures": ["report"],
    "sentences": ["report", "--sentences"],
    "labels": ["report", "--labels"],
    "problems": ["report", "--problems"],
    "evalb": ["report", "--format", "evalb"],
    "json": ["report", "--format", "json"],
    "csv": ["report", "--format", "csv"],
    "text": ["draw", "--sentence", "1", "--parser", "it"],
    "svg": ["draw", "--sentence", "1", "--parser", "it", "--as", "svg"],
}


def some_commands(text: str) -> list[list[str]]:
    """Return three of the commands, others for another text: all open a run in the same way."""
    return Random(text).sample(list(COMMANDS.values()), 3)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a run of a parser whose labels and words are hostile."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "gold.ptb").write_text(GOLD)
    (folder / f"{ESC}it.ptb").write_text(HOSTILE)
    score(folder / "gold.ptb", {"it": folder / f"{ESC}it.ptb"}, out=folder / "run")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """Give a copy of it to be damaged."""
    return shutil.copytree(made / "run", tmp_path / "run")


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Give a function that calls the command line: exit status, output, errors."""

    def run(command: list[str], path: Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["evaltools", command[0], str(path), *command[1:]])
        capsys.readouterr()
        status = 0
        try:
            cli.main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        return status, *capsys.readouterr()

    return run


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in ("json", "csv")])
def test_nothing_of_a_file_controls_the_terminal(command: str, made: Path, call: Any):
    status, out, err = call(COMMANDS[command], made / "run")
    assert (status, err) == (0, "")
    assert re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out) is None
    if command in ("labels", "text"):
        assert "S␛[31m" in out
    if command == "problems":
        assert "␛[31mit.ptb:2:11: a bracket without words VP␛[31m before word 2" in out
    if command == "svg":
        assert "<script>" not in out


def test_problems_and_errors_are_shown_while_scoring(made: Path, tmp_path: Path, call: Any):
    arguments = ["score", f"it={made / f'{ESC}it.ptb'}", "-o", str(tmp_path / f"{ESC}run")]
    status, out, err = call(arguments, made / "gold.ptb")
    assert status == 0
    assert "␛[31mit.ptb:2:11: " in err
    assert ESC not in out + err
    status, out, err = call(["report"], tmp_path / f"{ESC}none")
    assert (status, out) == (2, "")
    assert err.endswith("␛[31mnone is not a run of evaltools: it has no meta.json\n")


@pytest.mark.slow
def test_other_files_do_no_harm(folder: Path, made: Path, call: Any):
    (folder / "more").mkdir()
    meta = json.loads((folder / "meta.json").read_text())
    write_meta(folder, {**meta, "more": {"a": [1]}})
    for command in COMMANDS.values():
        assert call(command, folder) == call(command, made / "run")


def edit(**changes: Any) -> Callable[[dict[str, Any]], object]:
    return lambda meta: meta.update(changes)


def within(where: str, /, **changes: Any) -> Callable[[dict[str, Any]], object]:
    def change(meta: dict[str, Any]) -> None:
        entry = meta[where][0] if isinstance(meta[where], list) else meta[where]
        entry.update(changes)

    return change


def listed(metric: str = "exact", oracle: str = "") -> Callable[[dict[str, Any]], object]:
    """Add n-best lists of the first parser, and the column that a run with such lists has."""

    def change(meta: dict[str, Any]) -> None:
        parser = meta["parsers"][0]["name"]
        meta["tables"]["sentences"]["columns"]["rank_of_best"] = "INTEGER"
        item = {"parser": parser, "oracle": oracle or parser, "lists": 1, "paired": ""}
        meta["nbest"] = {"metric": metric, "lists": [item]}

    return change


META = {
    "no signature": (lambda meta: meta.pop("signature"), "missing required field `signature`"),
    "parsers are numbers": (edit(parsers=[1]), "Expected `object`, got `int` - at `$.parsers[0]`"),
    "a parser without numbers": (
        edit(parsers=[{"name": "a", "file": "b", "path": None, "sha256": ""}]),
        "missing required field `scored` - at `$.parsers[0]`",
    ),
    "two of a name": (lambda meta: meta["parsers"].append(meta["parsers"][0]), "two parsers have the same name"),
    "a name that is no text": (within("parsers", name=f"{ESC}x"), "a parser's name is not printable text"),
    "a metric that is no id": (edit(metrics=["exact", f"{ESC}x"]), "Expected `str` matching regex"),
    "a metric of another framework": (edit(metrics=["exact", "las"]), "unknown metric 'las' of constituency trees"),
    "only metrics that nobody knows": (edit(metrics=["x", "y"]), "unknown metric 'x', and no known metric"),
    "sentences are not a number": (edit(sentences=float("nan")), "Expected `int`, got `float` - at `$.sentences`"),
    "too many sentences": (edit(sentences=10**9), "1000000000 sentences of 1 parsers cannot have 3 rows"),
    "unknown engine": (within("options", engine="x"), "unknown engine 'x'"),
    "no table of costs": (
        within("options", la_table=[["A", 1, 2]]),
        "Expected `str`, got `int` - at `$.options.la_table[0][1]`",
    ),
    "another file as preset": (
        edit(preset="evalb:/etc/passwd", preset_fields=None),
        "Expected `object`, got `null` - at `$.preset_fields`",
    ),
    "unknown rule": (within("preset_fields", evil=1), "unknown field `evil` - at `$.preset_fields`"),
    "unknown rule on several lines": (within("preset_fields", **{f"a{ESC}\nb": 1}), "unknown field `a␛[31m"),
    "unknown rule that is no text": (within("preset_fields", **{"\udc80": 1}), "a name in it is not text"),
    "n-best lists without figures": (
        edit(nbest={"metric": "f1", "lists": [{"parser": "p", "oracle": "q", "lists": 1, "paired": "", "curve": []}]}),
        "Expected `array` of length >= 1 - at `$.nbest.lists[0].curve`",
    ),
    "a part without the numbers of the whole": (
        edit(subset={"of": "x", "signature": "y", "sentences": 9}),
        "'subset', but no column original in the table sentences",
    ),
    "n-best lists without ranks": (edit(nbest={"metric": "f1", "lists": []}), "'nbest', but no column rank_of_best"),
    "n-best lists by no metric of the run": (listed(metric="x"), "n-best lists by 'x', which is no metric of the run"),
    "n-best lists of nobody": (listed(oracle="x"), "n-best lists of 'x', which is no parser of the run"),
}


@pytest.mark.parametrize("name", META)
@pytest.mark.slow
def test_meta_that_does_not_say_how_the_run_was_made(name: str, folder: Path, call: Any):
    change, says = META[name]
    change_meta(folder, change)
    for command in some_commands(name):
        status, out, err = call(command, folder)
        assert (status, out) == (2, "")
        assert err.startswith(f"evaltools: {folder} is damaged: its meta.json does not say how it was made (")
        assert err.count("\n") == 1
        assert says in err


NO_RUNS = (
    b'{"schema": 999, "new": true}',
    b'{"schema": "6"}',
    b'{"schema": true}',
    b'{"schema": [[[["' + b"x" * 5000 + b'"]]]]}',
    b"[1]",
    b"null",
)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"schema": 1, "evaltools": "0.2.0"}', "is a run of evaltools 0.2.0; this version reads only its own runs"),
        *((text, "is no run of this version; this version reads only its own runs: score") for text in NO_RUNS),
        (b"", "meta.json cannot be read: Expecting value"),
        (b"\x00\xff", "meta.json cannot be read: "),
        (b"[" * 100_000, "meta.json cannot be read: maximum recursion depth exceeded"),
        (b'{"schema": ' + b"9" * 5000 + b"}", "meta.json cannot be read: Exceeds the limit"),
    ],
)
@pytest.mark.slow
def test_meta_that_is_something_else(content: bytes, says: str, folder: Path, call: Any):
    (folder / "meta.json").write_bytes(content)
    for command in some_commands(says):
        status, out, err = call(command, folder)
        assert (status, out) == (2, "")
        assert says in err
        assert err.count("\n") == 1
        assert len(err) < 600


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)


@settings(few_examples, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_any_value_anywhere_in_meta(data: st.DataObject, folder: Path, made: Path):
    """A run with any value of its meta.json replaced is opened and summed up, or refused."""
    meta = json.loads((made / "run" / "meta.json").read_text())
    where = data.draw(st.sampled_from([meta, meta["gold"], meta["parsers"][0], meta["options"], meta["preset_fields"]]))
    where[data.draw(st.sampled_from(sorted(where)))] = data.draw(JSON)
    write_meta(folder, meta)
    with contextlib.suppress(EvaltoolsError):
        run = Run(folder)
        assert len(run.summary()) == len(run.metrics)
        assert run.alignment(1, run.parsers[0]).status


def remove(part: Path) -> None:
    part.unlink()


def overwrite(part: Path) -> None:
    part.write_bytes(b"PAR1 nonsense PAR1")


def shorten(part: Path) -> None:
    part.write_bytes(part.read_bytes()[:-30])


def other_columns(part: Path) -> None:
    pq.write_table(pa.table({"x": [1]}), part)


def other_types(part: Path) -> None:
    rows = pq.read_table(part)
    pq.write_table(pa.table({name: pa.array([f"<b>{ESC}"] * len(rows)) for name in rows.column_names}), part)


def no_rows(part: Path) -> None:
    pq.write_table(pq.read_table(part).slice(0, 0), part)


DAMAGES = {
    remove: "cannot be read",
    overwrite: "cannot be read",
    shorten: "cannot be read",
    other_columns: "no such column, not",
    other_types: "varchar, not",
    no_rows: "has 0 rows, not",
}


@pytest.mark.parametrize("table", tables_of({"kind": "constituency"}))
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.slow
def test_tables_that_are_damaged(table: str, damage: Callable[[Path], None], folder: Path, call: Any):
    damage(folder / f"{table}.parquet")
    reseal(folder)
    for command in some_commands(f"{table} {damage.__name__}"):
        status, out, err = call(command, folder)
        assert (status, out) == (2, "")
        assert err.startswith(f"evaltools: {folder} is damaged: ")
        assert f"table {table}" in err
        assert DAMAGES[damage] in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["meta.json", "sentences.parquet", "trees.parquet"])
def test_links_that_lead_out_of_a_run_are_not_followed(name: str, folder: Path, made: Path, call: Any):
    (folder / name).unlink()
    (folder / name).symlink_to(made / "run" / name)
    for command in COMMANDS.values():
        status, out, err = call(command, folder)
        assert (status, out) == (2, "")
        assert err.startswith(f"evaltools: {folder} is damaged: ")
        assert "is a link that leads out of it" in err
        assert err.count("\n") == 1


def test_links_to_a_run_and_inside_one_are_followed(folder: Path, made: Path, tmp_path: Path):
    before = Run(made / "run").sentences()
    (folder / "sentences.parquet").rename(folder / "elsewhere")
    (folder / "sentences.parquet").symlink_to("elsewhere")
    (tmp_path / "link").symlink_to(folder)
    assert Run(tmp_path / "link").sentences().equals(before)


@pytest.mark.parametrize("name_of_link", ["notes.sqlite", "notes.sqlite-journal", "notes.sqlite-wal"])
def test_notes_are_neither_read_nor_written_through_a_link(
    name_of_link: str, folder: Path, fresh_home: Path, tmp_path: Path
):
    outside = tmp_path / "outside"
    outside.write_text('{"1": {"marked": true, "text": "secret"}}')
    (folder / name_of_link).symlink_to(outside)
    notes = Notes(Run(folder))
    assert notes.all() == {}
    notes.put(2, Note(marked=True, text="mine"))
    assert Notes(Run(folder)).all() == {2: Note(marked=True, text="mine")}
    assert outside.read_text() == '{"1": {"marked": true, "text": "secret"}}'
    assert fresh_home in notes.path.parents


@pytest.mark.parametrize("name", ["a[b]c", "a*c", "a?c", "{a,c}", "it's", 'a"b', "**", "a\\b", "a\nb", "%s", "-o", " "])
def test_folders_with_strange_names(name: str, tmp_path: Path):
    (tmp_path / "gold").write_text(GOLD)
    (tmp_path / "other").write_text(GOLD.replace("NP", "VP"))
    score(tmp_path / "gold", {"it": tmp_path / "other"}, out=tmp_path / "abc")
    run = score(tmp_path / "gold", {"it": tmp_path / "gold"}, out=tmp_path / name)
    assert set(Run(tmp_path / name).sentences()["f1"]) == {1.0}
    assert run.alignment(1, "it").scores["f1"] == 1.0


@pytest.mark.parametrize("kind", ["text", "nothing"])
def test_columns_for_the_report_of_evalb_that_are_something_else(kind: str, tmp_path: Path, call: Any):
    (tmp_path / "gold").write_text(GOLD)
    score(tmp_path / "gold", {"it": tmp_path / "gold"}, preset="collins", out=tmp_path / "run")
    if kind == "text":
        change_column(tmp_path / "run", "sentences", "evalb_status", lambda n: pa.array(["x"] * n))
    else:
        change_column(tmp_path / "run", "sentences", "e_matched_roof", lambda n: pa.array([None] * n, pa.int32()))
    status, out, err = call(["report", "--format", "evalb"], tmp_path / "run")
    if kind == "text":
        assert (status, out) == (2, "")
        assert "column evalb_status of its table sentences: varchar, not integer" in err
    else:
        assert status == 0
        assert "Number of sentence" in out


def test_a_server_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*arguments: object, **options: object) -> None:
        raise ConnectionRefusedError(111, "Connection refused")

    core = pytest.importorskip("fsspec.core")
    monkeypatch.setattr(core, "url_to_fs", refuse)
    for place in ("ftp://127.0.0.1:9/x", "sftp://nobody@127.0.0.1:9/x"):
        with pytest.raises(ParameterError, match=f"^{place}: .*Connection refused$"):
            score(place, {"a": place})


def test_paths_that_are_no_paths(call: Any, made: Path, tmp_path: Path):
    for command in [*COMMANDS.values(), ["app"]]:
        status, out, err = call(command, tmp_path / ("x" * 300))
        assert (status, out) == (2, "")
        assert "is not a run of evaltools: it has no meta.json" in err
    status, _, err = call(["score", f"a={made / 'gold.ptb'}", "-o", str(tmp_path / ("x" * 300))], made / "gold.ptb")
    assert status == 2
    assert err == f"evaltools: cannot write to {tmp_path}: File name too long\n"


# ------------------------------------------------------------------------------------------------------------ the app


@pytest.mark.parametrize(
    ("table", "damage", "says"),
    [
        ("sentences", other_types, "varchar, not"),
        ("words", shorten, "cannot be read"),
        ("trees", no_rows, "0"),
    ],
)
@pytest.mark.parametrize("page", ["overview", "sentence"])
def test_the_app_says_what_is_wrong(
    page: str, table: str, damage: Callable[[Path], None], says: str, folder: Path, open_app: Any, monkeypatch: Any
):
    damage(folder / f"{table}.parquet")
    reseal(folder)
    monkeypatch.setattr(sys, "argv", ["app.py", str(folder)])
    app = open_app(page)
    assert not app.exception
    assert [one.value for one in app.subheader] == ["No run is open"]
    assert any(f"its table {table}" in one.value and says in one.value for one in app.text)


@pytest.mark.slow
def test_the_app_reads_no_file_that_a_run_names(folder: Path, open_app: Any, tmp_path: Path, monkeypatch: Any):
    """A run may come from anyone; its meta.json says where its sources were, which is nobody's business here."""
    secret = tmp_path / "secret.ptb"
    secret.write_text(GOLD)
    meta = json.loads((folder / "meta.json").read_text())
    for entry in (meta["gold"], *meta["parsers"]):
        entry |= {"path": str(secret), "sha256": hashlib.sha256(secret.read_bytes()).hexdigest()}
    write_meta(folder, meta)
    opened: set[str] = set()
    listening = [True]

    def listen(event: str, arguments: tuple[Any, ...]) -> None:
        if listening and event in ("open", "os.listdir", "os.scandir"):
            opened.add(str(arguments[0]))

    sys.addaudithook(listen)  # there is no way to take it away
    try:
        monkeypatch.setattr(sys, "argv", ["app.py", str(folder)])
        for page in sorted(path.stem for path in (ROOT / "pages").glob("*.py")):
            assert not open_app(page).exception
        by_the_app = set(opened)
        secret.read_text()
    finally:
        listening.clear()
    assert str(folder / "meta.json") in by_the_app
    assert str(secret) not in by_the_app
    assert str(secret) in opened  # had it been read, it would have been seen
