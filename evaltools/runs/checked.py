"""Whether a run folder is what it says, before anything relies on it; the folder may come from anyone.

``meta.json`` is checked when a run is opened, the tables when the first figure is asked for.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.fs as fs

from evaltools.errors import EvaltoolsError, RunError, shortage
from evaltools.metrics import metrics_of
from evaltools.metrics.edm_rules import SPANS, EdmRules
from evaltools.metrics.tree_distance import ENGINES
from evaltools.normalize import PRESETS, Preset, load_preset, preset_from_parameters
from evaltools.normalize.dependency_pair import PUNCTUATION
from evaltools.runs.digests import digest_of_meta, has_digests, invalid_digests
from evaltools.runs.evalb_rows import EVALB_ROW
from evaltools.runs.folder import META
from evaltools.runs.kinds import COLUMNS_OF, READABLE, kind_of

__all__ = ["check_meta", "check_tables", "preset_of", "readable"]

_META: Mapping[str, type | tuple[type, ...]] = {
    "evaltools": str,
    "signature": str,
    "preset": str,
    "preset_rules": str,
    "preset_source": (str, type(None)),
    "preset_fields": (dict, type(None)),
    "options": dict,
    "sentences": int,
    "problems": int,
    "metrics": list,
    "labels": list,
    "gold": dict,
    "parsers": list,
    "rows": dict,
}
_OPTIONS: Mapping[str, type | tuple[type, ...]] = {
    "la_preterminals": bool,
    "la_table": (list, type(None)),
    "engine": str,
    "format": (str, type(None)),
}
_DEPENDENCY_OPTIONS: Mapping[str, type] = {"punctuation": str, "subtypes": bool}
_SEMANTICS: Mapping[str, type] = dict.fromkeys(("edm_rules", "spans_change", "n_best"), dict)
_EDM_RULES: Mapping[str, type | tuple[type, ...]] = {
    **dict.fromkeys(("name", "spans"), str),
    **dict.fromkeys(("multiset", "constant_is_property"), bool),
    **dict.fromkeys(("roles", "properties", "predicates"), list),
    "classes": dict,
    "quantifier_role": (str, type(None)),
}
_ALIGNED: Mapping[str, type] = dict.fromkeys(("shifted", "without_partner", "left_out"), int)
_SOURCE: Mapping[str, type | tuple[type, ...]] = {"file": str, "path": (str, type(None)), "sha256": str}
_PARSER = {**_SOURCE, "name": str, "scored": int, "missing": int, "words_differ": int, "words_aligned": int}
_RULES: Mapping[str, type] = {
    **dict.fromkeys(("name", "summary", "cut"), str),
    **dict.fromkeys(("empty_tags", "delete_tags", "delete_labels", "delete_top"), list),
    **dict.fromkeys(("delete_by_gold", "drop_empty"), bool),
    "relabel": dict,
}
_NOT_IN_SCHEMA_4: Mapping[str, Any] = {"empty_tags": []}

_TEXT = (
    "parser status form tag test_tag test_form match label gold_kind test_kind e_status t_gold_status t_test_status "
    "t_label notation tree text kind file found expected relation test_relation theory item value gold_predicate "
    "test_predicate labels"
).split()
_FLAGS = ("head_right", "relation_right")
_FIRST_SCHEMA_WITH_DIGESTS = 5
_MOST_BYTES_CHECKED = 1 << 23


def check_meta(place: object, meta: Any) -> dict[str, Any]:
    """Check the content of a run's ``meta.json``.

    Parameters
    ----------
    place : object
        The run's folder, for messages.
    meta : object
        What the file says.

    Returns
    -------
    dict
        The same; what is relied upon is there and of the right type.

    Raises
    ------
    RunError
        If the run is one of another version, or a damaged one.
    """
    found = meta.get("schema") if isinstance(meta, dict) else None
    if type(found) is not int or found not in READABLE:
        shown, known = repr(found)[:40], " and ".join(map(str, READABLE))
        raise RunError(f"{place} was written with schema {shown}; this version reads schemas {known}: score it again")
    fault = _fault(meta)
    if fault:
        raise RunError(f"{place} is damaged: its {META} does not say how it was made ({fault})")
    checked: dict[str, Any] = meta
    if has_digests(checked) and not _is_as_written(checked):
        raise RunError(f"{place} is damaged: its {META} was changed after the run was written")
    return checked


def _is_as_written(meta: Mapping[str, Any]) -> bool:
    try:
        return digest_of_meta(meta) == str(meta["digest"])
    except RecursionError:  # what was added is nested too deeply to be written again
        return False


def _wrong(entry: Any, fields: Mapping[str, type | tuple[type, ...]], where: str) -> str:
    """Name the first field that is missing or of another type."""
    if not isinstance(entry, dict):
        return f"{where} is no object"
    for name, kind in fields.items():
        value: Any = entry.get(name)
        if name not in entry:
            return f"{where} has no {name!r}"
        if not (type(value) is int and value >= 0 if kind is int else isinstance(value, kind)):
            return f"{name!r} in {where} cannot be {type(value).__name__ if kind is not int else repr(value)}"
    return ""


def _fault(meta: dict[str, Any]) -> str:
    """Say what is wrong with the content of ``meta.json``; nothing if it is right."""
    fault = _wrong(meta, _META, "it") or _wrong(meta["options"], _OPTIONS, "'options'")
    fault = fault or _wrong(meta["gold"], _SOURCE, "'gold'")
    fault = fault or next(filter(None, (_wrong(one, _PARSER, "'parsers'") for one in meta["parsers"])), "")
    aligned = (one["aligned"] for one in meta["parsers"] if "aligned" in one) if not fault else ()
    fault = fault or next(filter(None, (_wrong(one, _ALIGNED, "'aligned'") for one in aligned)), "")
    if has_digests(meta) or meta["schema"] >= _FIRST_SCHEMA_WITH_DIGESTS:
        fault = fault or invalid_digests(meta)
    fault = fault or next(filter(None, map(_wrong_pairing, meta["parsers"])), "")
    columns = COLUMNS_OF.get(kind_of(meta))
    if columns is None:
        return f"unknown kind {str(meta['kind'])[:40]!r}"
    fault = fault or _wrong(meta["rows"], dict.fromkeys(columns, int), "'rows'")
    fault = fault or (
        _wrong(meta["options"], _DEPENDENCY_OPTIONS, "'options'") if kind_of(meta) == "dependency" else ""
    )
    if fault:
        return fault
    names = [entry["name"] for entry in meta["parsers"]]
    if not names or len(set(names)) < len(names):
        return "there is no parser" if not names else "two parsers have the same name"
    if not all(name.isprintable() for name in names):
        return "a parser's name is no printable text"
    if meta["rows"]["sentences"] != meta["sentences"] * len(names):
        return f"{meta['sentences']} sentences of {len(names)} parsers cannot have {meta['rows']['sentences']} rows"
    known = metrics_of(kind_of(meta))
    unknown = [name for name in meta["metrics"] if not isinstance(name, str) or name not in known]
    if unknown or not meta["metrics"]:
        return f"unknown metric {unknown[0]!r}" if unknown else "there is no metric"
    if not all(isinstance(label, str) for label in meta["labels"]):
        return "a label is no text"
    if kind_of(meta) == "dependency" and meta["options"]["punctuation"] not in PUNCTUATION:
        return f"unknown punctuation {meta['options']['punctuation']!r}"
    if kind_of(meta) == "semantics" and (fault := _wrong_semantics(meta, names)):
        return fault
    if kind_of(meta) == "crossframework" and (fault := _wrong_projectivized(meta)):
        return fault
    if meta["options"]["engine"] not in ENGINES:
        return f"unknown engine {meta['options']['engine']!r}"
    for row in meta["options"]["la_table"] or ():
        if not (isinstance(row, list) and [type(cell) for cell in row] in ([str, str, float], [str, str, int])):
            return "'la_table' is no table of costs"
    if meta["preset_fields"] and not meta["preset_source"]:
        fields = {**_NOT_IN_SCHEMA_4, **meta["preset_fields"]}
        return _wrong(fields, _RULES, "'preset_fields'") or _wrong_rules(fields)
    if kind_of(meta) == "semantics":
        return ""
    if not meta["preset_source"] and (meta["preset"] not in PRESETS or meta["preset"] == "evalb:FILE"):
        return f"the rules of preset {meta['preset']!r} are not in it"  # they are never read from elsewhere
    return ""


def _wrong_pairing(entry: Any) -> str:
    """Say what is wrong with how sentences were paired; runs of 0.2.0 do not have it."""
    if not isinstance(entry, dict) or "pairing" not in entry:
        return ""
    if entry.get("paired") not in ("id", "position"):
        return "it does not say how sentences were paired"
    return _wrong(entry["pairing"], _ALIGNED if entry["paired"] == "id" else {"reason": str}, "'pairing'")


def _wrong_semantics(meta: dict[str, Any], names: list[str]) -> str:
    """Say what is wrong with what only runs of semantic graphs have."""
    fault = _wrong(meta, _SEMANTICS, "it")
    fault = fault or _wrong(meta["n_best"], dict.fromkeys(names, int), "'n_best'")
    fault = fault or _wrong(meta["spans_change"], dict.fromkeys(names, dict), "'spans_change'")
    if fault:
        return fault
    for name in names:
        under = meta["spans_change"][name]
        if not all(isinstance(under.get(spans, 0), float | int | None) and spans in under for spans in SPANS):
            return f"'spans_change' of {name!r} are no figures"
    paired = [entry.get("paired") for entry in meta["parsers"]]
    if not set(map(str, paired)) <= {"id", "position"}:
        return "it does not say how items were paired"
    if fault := _wrong(meta["edm_rules"], _EDM_RULES, "'edm_rules'"):
        return fault
    try:
        EdmRules.from_dict(meta["edm_rules"])
    except EvaltoolsError as error:
        return f"'edm_rules': {error}"
    return ""


def _wrong_projectivized(meta: dict[str, Any]) -> str:
    """Say what is wrong with what a run across frameworks says of trees made projective; older runs say nothing."""
    if not isinstance(meta["options"].get("projectivize", False), bool):
        return "'projectivize' in 'options' is not true or false"
    numbers = meta.get("projectivized")
    if numbers is None:
        return ""
    if fault := _wrong(numbers, {"golds": dict, "parsers": dict}, "'projectivized'"):
        return fault
    groups = ("golds", "parsers")
    return next(
        filter(None, (_wrong(numbers[one], dict.fromkeys(numbers[one], int), f"{one!r}") for one in groups)), ""
    )


def _wrong_rules(rules: dict[str, Any]) -> str:
    more = rules.keys() - _RULES.keys()
    if more:
        return f"unknown rule {min(more)!r}"
    lists = ("empty_tags", "delete_tags", "delete_labels", "delete_top")
    texts = [*(text for name in lists for text in rules[name]), *rules["relabel"].values()]
    return "" if all(isinstance(text, str) for text in texts) else "a label in 'preset_fields' is no text"


def preset_of(meta: dict[str, Any]) -> Preset:
    """Return the preset of a run, with the parameter file as it was when the run was made.

    Parameters
    ----------
    meta : dict
        As :func:`check_meta` returns it.
    """
    if kind_of(meta) == "semantics":  # whose rules are of another kind
        return load_preset("none")
    name = meta["preset"]
    if meta["preset_source"]:
        return preset_from_parameters(name, meta["preset_source"], str(Path(name.removeprefix("evalb:"))))
    if meta["preset_fields"]:
        return Preset.from_dict(meta["preset_fields"])
    preset = load_preset(name)
    if meta["schema"] == 4:  # which compared words before it removed empty elements
        tags = preset.delete_tags | preset.empty_tags
        return replace(preset, delete_tags=tags, empty_tags=frozenset())
    return preset


def check_tables(
    place: object, tables: Mapping[str, ds.Dataset], meta: Mapping[str, Any], database: duckdb.DuckDBPyConnection
) -> None:
    """Check the columns of the tables, and that no part of one is missing.

    Parameters
    ----------
    place : object
        The run's folder, for messages.
    tables : mapping of str to Dataset
        The tables by name.
    meta : mapping
        What ``meta.json`` says: the run's kind, and how many rows each table should have.
    database : DuckDBPyConnection
        Where the tables can be read.

    Raises
    ------
    RunError
        If a table is not what it should be.
    """
    for name, table in tables.items():
        for column in COLUMNS_OF[kind_of(meta)][name]:
            number = table.schema.get_field_index(column)
            if number < 0:
                raise RunError(f"{place} is damaged: its table {name} has no column {column}")
            kind = table.schema.field(number).type
            is_right = _is_text if column in _TEXT else pa.types.is_boolean if column in _FLAGS else _is_number
            if not is_right(kind):
                raise RunError(f"{place} is damaged: column {column} of its table {name} cannot be of type {kind}")
        for column in EVALB_ROW if name == "sentences" else ():
            number = table.schema.get_field_index(column)
            if number >= 0 and not pa.types.is_integer(table.schema.field(number).type):
                raise RunError(f"{place} is damaged: column {column} of its table {name} is no whole number")
        try:
            ((found,),) = database.execute(f"select count(*) from {name}").fetchall()
        except duckdb.Error as error:
            message = f"{place} is damaged: its table {name} cannot be read ({str(error).splitlines()[0]})"
            raise shortage(error) or RunError(message) from None
        try:
            if not has_digests(meta):
                _check_pages(table)
        except (OSError, pa.ArrowException) as error:
            message = f"{place} is damaged: its table {name} cannot be read ({error})"
            raise shortage(error) or RunError(message) from None
        if found != meta["rows"][name]:
            raise RunError(f"{place} is damaged: its table {name} has {found} rows, not {meta['rows'][name]}")


def _check_pages(table: ds.Dataset) -> None:
    """Read a table of this machine once to have its checksums compared, if that takes no time worth mentioning."""
    files = table.files if isinstance(table.filesystem, fs.LocalFileSystem) else []
    if sum(map(os.path.getsize, files)) <= _MOST_BYTES_CHECKED:
        for _ in table.to_batches():
            pass


@contextlib.contextmanager
def readable(place: object) -> Iterator[None]:
    """Turn what DuckDB says of damaged pages of a part into an error that names the run.

    Parameters
    ----------
    place : object
        The run's folder, for messages.
    """
    try:
        yield
    except duckdb.Error as error:
        if (refused := shortage(error)) is not None:
            raise refused from None
        # a header that is no Parquet is an error of no kind of its own
        if not (type(error) is duckdb.Error or isinstance(error, duckdb.InvalidInputException | duckdb.IOException)):
            raise
        raise RunError(f"{place} is damaged: {str(error).splitlines()[0]}") from None


def _is_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))
