"""Rules of the repository: texts of its files, tables, layers, packaging."""

from __future__ import annotations

import ast
import dataclasses
import functools
import graphlib
import importlib
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

import evaltools
from evaltools.marks import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "evaltools"

# ---------------------------------------------------------------------------------------------------------------- texts


def repository_files() -> list[Path]:
    """Return the files that git tracks or would add; outside a checkout, all files not made by tools."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        paths = [path for path in ROOT.rglob("*") if not {".venv", "__pycache__", ".git"} & set(path.parts)]
    return sorted(path for path in paths if path.is_file())


def texts() -> Iterable[tuple[Path, str]]:
    for path in repository_files():
        content = path.read_bytes()
        if b"\0" not in content[:4096]:
            yield path.relative_to(ROOT), content.decode("utf-8", errors="replace")


def occurrences(pattern: re.Pattern[str], suffixes: set[str] | None = None) -> list[str]:
    return [
        f"{path}:{text.count(chr(10), 0, match.start()) + 1}: {match.group()}"
        for path, text in texts()
        if suffixes is None or path.suffix in suffixes
        for match in pattern.finditer(text)
    ]


def joined(*parts: str) -> str:
    """Return a text that this file must not contain itself."""
    return "".join(parts)


def test_the_citation_has_the_version():
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_no_file_names_a_registry():
    hosts = [
        joined("pypi", r"\.org"),
        joined("pythonhosted", r"\.org"),
        joined("anaconda", r"\.org"),
        joined("npmjs", r"\.(org|com)"),
        joined(r"(deb|security|archive)\.", "(debian|ubuntu)", r"\.(org|com)"),
        joined("ghcr", r"\.io"),
        joined("docker", r"\.(io|com)"),
        joined("--(extra-)?", "index-url"),
        joined("--find", "-links"),
    ]
    assert occurrences(re.compile("|".join(hosts))) == []


def test_no_file_names_the_folder_of_the_checkout():
    folders = {str(ROOT), str(ROOT.parent), str(Path.home())} - {"/", "/tmp", "/home"}
    pattern = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, sorted(folders)))})/")
    assert occurrences(pattern) == []


def test_nothing_is_left_unfinished():
    marks = [
        joined("TO", "DO"),
        joined("FIX", "ME"),
        joined("(?i:coming ", "soon)"),
        joined("(?i:not ", "implemented)"),
        joined(r"time\.", r"sleep\("),
        joined("assert ", "True"),
        joined(r"except[^\n]*:\s*\n?\s*", r"pass\b"),
    ]
    assert occurrences(re.compile(rf"\b({'|'.join(marks)})"), {".py", ".md", ".js", ".css", ".toml"}) == []


def test_every_script_of_the_app_has_its_style_and_its_component():
    folder = PACKAGE / "app" / "components"
    scripts = sorted(folder.rglob("*.js"))
    modules = "\n".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "app").rglob("*.py"))
    assert scripts
    assert {path.with_suffix("") for path in folder.rglob("*.css")} == {path.with_suffix("") for path in scripts}
    assert all(f'Component("{path.stem}")' in modules for path in scripts)
    assert set((PACKAGE / "app").rglob("*.js")) == set(scripts)


# --------------------------------------------------------------------------------------------------------------- tables


def modules_of(package: str) -> set[str]:
    """Return the names of the modules and packages directly in a package."""
    folder = PACKAGE.parent.joinpath(*package.split("."))
    found = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    return {f"{package}.{name}" for name in found - {"__init__"}}


def sources(entry: Any) -> set[str]:
    if isinstance(entry, ModuleType):
        return {entry.__name__}
    found = {entry.__module__} if callable(entry) else set()
    if dataclasses.is_dataclass(entry):
        values = [getattr(entry, item.name) for item in dataclasses.fields(entry)]
        found |= {
            name for value in values if callable(value) or isinstance(value, ModuleType) for name in sources(value)
        }
    return found


def test_every_format_is_in_the_table():
    formats = importlib.import_module("evaltools.formats")
    made = [
        value
        for module in map(importlib.import_module, modules_of("evaltools.formats"))
        for value in vars(module).values()
        if isinstance(value, formats.Format)
    ]
    assert {item.name for item in made} == set(formats.FORMATS)
    assert all(name == item.name for name, item in formats.FORMATS.items())


def metrics_in(value: Any, kind: type) -> list[Any]:
    """Return the metrics in the value of a global name: one, several in a container, or none."""
    if isinstance(value, kind):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [item for item in value if isinstance(item, kind)] if isinstance(value, (list, tuple)) else []


def all_metrics() -> dict[str, Any]:
    metrics = importlib.import_module("evaltools.frameworks.registry")
    tables = [value for name, value in vars(metrics).items() if name.endswith("METRICS")]
    assert len(tables) == sum(name.endswith("METRICS") for name in metrics.__all__)
    together = {name: metric for table in tables for name, metric in table.items()}
    assert len(together) == sum(map(len, tables)), "an id in two tables"
    return together


def test_every_metric_is_in_a_table():
    table = all_metrics()
    kind = type(next(iter(table.values())))
    assert all(name == metric.id for name, metric in table.items())
    for module in sorted(modules_of("evaltools.frameworks.registry")):
        values = vars(importlib.import_module(module)).values()
        metrics = [metric for value in values for metric in metrics_in(value, kind)]
        assert [metric.id for metric in metrics if table.get(metric.id) is not metric] == [], module


OTHER_MEANINGS = {
    "edm": "a chapter of About the metrics, a section of the lab and a file of examples",
    "smatch": "a chapter of About the metrics",
    "sdp": "a chapter of About the metrics",
    **dict.fromkeys(
        ("crossing", "errors", "exact", "f1", "label", "la", "lemmas", "precision", "recall"), "an ordinary word"
    ),
}
"""Ids of metrics that name something else as well."""
WITH_IDS = {
    "classroom/worse_parse.py": "how each metric says which of two parses is worse",
    "drawing/lineages.py": "pictures lie below the frameworks: a score by which words are shaded",
}
"""Modules that may name metrics, with the reason."""


@functools.cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def outside_frameworks() -> Iterable[tuple[str, ast.AST]]:
    """Yield the nodes of all modules but those of the frameworks, each with the module's path."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith("frameworks/") and name not in WITH_IDS:
            yield from ((name, node) for node in ast.walk(parsed(path)))


@pytest.mark.slow
def test_only_frameworks_name_metrics():
    """Metrics define their presentation, and frameworks their main metrics: there is no other list of ids."""
    ids = set(all_metrics()) - set(OTHER_MEANINGS)
    named = [
        f"{name}:{node.lineno}: {node.value}"
        for name, node in outside_frameworks()
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in ids
    ]
    assert named == []


@pytest.mark.slow
def test_only_frameworks_know_families_of_metrics():
    compared = [
        f"{name}:{node.lineno}"
        for name, node in outside_frameworks()
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Attribute) and side.attr == "family"
    ]
    assert compared == []


def test_the_metric_ids_are_those_that_other_programs_use():
    bracketing = {
        f"{score}{tags}{labels}"
        for score in ("recall", "precision", "f1", "jaccard")
        for tags in ("", "_pos")
        for labels in ("", "_unlabeled")
    }
    others = "crossing exact tagging ted ted_jaccard la la_exact errors repair_similarity uas las clas mlas blex elas"
    assert bracketing | {*others.split(), "smatch", "edm"} <= set(all_metrics())


def test_every_package_has_tests_at_the_same_place():
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    tested = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}
    assert packages - tested == set()


def test_every_page_is_in_the_navigation():
    pages = {path.name for path in (ROOT / "pages").glob("*.py")}
    assert pages
    frame = [ROOT / "app.py", *(PACKAGE / "app").rglob("*.py")]
    texts_in_frame = " ".join(
        node.value
        for path in frame
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    assert {name for name in pages if name not in texts_in_frame} == set()


# -------------------------------------------------------------------------------------------------------------- figures

FIGURE = re.compile(r"\.\S*[fge%]|[fge%]")
PRINTF = re.compile(r"%[+ ]?\.\d[fge]")
LAYOUTS_OF_OTHERS = {"official.py"}
"""Reports in the columns of other programs."""


def formatters_of_figures(tree: ast.AST) -> Iterable[int]:
    """Return the lines of format specifications with decimals, plurals by hand, and texts cut by hand."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
            spec = "".join(part.value if isinstance(part, ast.Constant) else "" for part in node.format_spec.values)
            if FIGURE.search(spec) and "%Y" not in spec:
                yield node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and PRINTF.fullmatch(node.value[:4]):
            yield node.lineno
        elif (
            isinstance(node, ast.IfExp)
            and isinstance(node.body, ast.Constant)
            and isinstance(node.orelse, ast.Constant)
        ):
            if {node.body.value, node.orelse.value} == {"", "s"}:
                yield node.lineno
        elif isinstance(node, ast.JoinedStr):
            for first, second in zip(node.values, node.values[1:], strict=False):
                is_cut = isinstance(first, ast.FormattedValue) and isinstance(first.value, ast.Subscript)
                if is_cut and isinstance(second, ast.Constant) and second.value.startswith("…"):
                    yield node.lineno


def test_figures_are_written_by_one_module():
    written = []
    for path in sorted(PACKAGE.rglob("*.py")):
        is_coordinate = path.name in ("svg.py", "tikz.py", "raster.py")
        if path == PACKAGE / "text.py" or is_coordinate or path.name in LAYOUTS_OF_OTHERS:
            continue
        lines = formatters_of_figures(ast.parse(path.read_text()))
        written += [f"{path.relative_to(ROOT)}:{line}" for line in sorted(set(lines))]
    assert written == []


# ------------------------------------------------------------------------------------------------------------- statuses

STATUS_WORDS = {*Status, "matched", "deleted", "inserted", "swapped", "substituted", "relabelled", "left_out"}
"""The names of differences, and names that they had."""
NAMES_OF_EDITS = {"frameworks/constituency/tree_distance.py": "columns of D, I and S, as Emms (2008) names them"}


def second_names_of_differences(tree: ast.AST) -> Iterable[int]:
    """Return the lines of enumerations of differences, and of tables from names of differences to others."""

    def named(node: ast.AST | None) -> str:
        """Return the name of a difference that an expression is, or an empty text."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value if node.value.removeprefix("t_") in STATUS_WORDS else ""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr.lower() if node.value.id.endswith("Status") and node.value.id != "SentenceStatus" else ""
        return ""

    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith("Enum") for base in node.bases):
            members = [item.value for item in node.body if isinstance(item, ast.Assign)]
            if sum(bool(named(member)) for member in members) > 1:
                yield node.lineno
        elif isinstance(node, ast.Dict) and len(node.keys) > 1:
            pairs = [(named(key), named(value)) for key, value in zip(node.keys, node.values, strict=True)]
            if all(key and value for key, value in pairs) and any(key != value for key, value in pairs):
                yield node.lineno


def test_differences_have_one_enumeration_and_no_tables_between_names():
    assert list(second_names_of_differences(ast.parse('{"matched": Status.RIGHT, "gold": Status.MISSING}'))) == []
    assert list(second_names_of_differences(ast.parse('{"deleted": Status.MISSING, "moved": "relabeled"}'))) == [1]
    assert list(second_names_of_differences(ast.parse('class ArcStatus(StrEnum):\n A = "right"\n B = "moved"'))) == [1]
    written = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if path != PACKAGE / "marks.py" and name not in NAMES_OF_EDITS:
            written += [f"{name}:{line}" for line in second_names_of_differences(ast.parse(path.read_text()))]
    assert written == []


# --------------------------------------------------------------------------------------------------------------- layers


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in PACKAGE.rglob("*.py")}


def nearest_module(name: str) -> str:
    """Return the module that a dotted name belongs to, or an empty text."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def strings(tree: ast.AST) -> set[str]:
    """Return the texts of a module's code, without its docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    }


@functools.cache
def imports(tree: ast.AST) -> set[str]:
    """Return the dotted names that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def trees_of_modules() -> dict[str, ast.Module]:
    """Return the code of every module but the facade, which imports by the names in its table."""
    return {name: parsed(path) for name, path in MODULES.items() if name != PACKAGE.name}


def modules_in_strings(tree: ast.AST) -> set[str]:
    return {text for text in strings(tree) if text in MODULES and text != PACKAGE.name}


def without_types(tree: ast.Module) -> ast.Module:
    """Return a module without what it imports as types only."""
    body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING")
    ]
    return ast.Module(body, [])


@pytest.mark.slow
def test_modules_do_not_import_in_a_circle():
    graph = {
        name: {nearest_module(each) for each in imports(without_types(tree))} | modules_in_strings(tree)
        for name, tree in trees_of_modules().items()
    }
    try:
        graphlib.TopologicalSorter({name: uses - {name, "", PACKAGE.name} for name, uses in graph.items()}).prepare()
    except graphlib.CycleError as error:
        pytest.fail(f"modules that import each other: {' ← '.join(error.args[1])}")


@pytest.mark.slow
def test_nothing_is_imported_by_its_name_but_by_the_facade():
    importers = {"import_module", "__import__"}
    assert [
        name
        for name, tree in trees_of_modules().items()
        if importers & {each.rpartition(".")[2] for each in imports(tree)}
        or importers & {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        or importers & {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    ] == []


def test_no_string_names_a_module_of_a_higher_layer():
    contracts = project()["tool"]["importlinter"]["contracts"]
    (contract,) = (item for item in contracts if item["id"] == "layers")
    layer = {name.strip(): number for number, line in enumerate(contract["layers"]) for name in re.split(r"[|:]", line)}
    packages = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert packages - {"__init__", "__main__"} == set(layer)

    def level(module: str) -> int:
        return layer[module.split(".")[1]]

    reaching = [
        f"{name}: {text}"
        for name, tree in trees_of_modules().items()
        if name != "evaltools.__main__"
        for text in modules_in_strings(tree)
        if level(text) < level(name)
    ]
    assert reaching == []


NAMED_ALIKE = {
    "evaltools/corpus/semantic_graph.py",  # AMR as a framework of MRP, and of graphs that are read
    "evaltools/formats/penman.py",
    "evaltools/formats/mrs.py",  # the names of formats, and of a column of profiles
    "evaltools/formats/sdp.py",
    "evaltools/formats/tsdb.py",
    "evaltools/app/about_chapters/__init__.py",  # a chapter
    "evaltools/app/pages/crossframework.py",  # the path of the page
}
"""Modules with a string that is equal to the id of a framework and means something else."""


def test_only_packages_of_frameworks_name_a_framework():
    ids = set(importlib.import_module("evaltools.frameworks.registry").FRAMEWORKS)
    naming = {
        str(path.relative_to(ROOT))
        for path in PACKAGE.rglob("*.py")
        if not path.is_relative_to(PACKAGE / "frameworks") and ids & strings(parsed(path))
    }
    assert naming - NAMED_ALIKE == set(), "ask the framework instead of its id"
    assert NAMED_ALIKE - naming == set(), "no longer on the list"


# ------------------------------------------------------------------------------------------------- packaging, settings


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_every_requirement_is_pinned():
    described = project()["project"]
    wanted = [
        *described["dependencies"],
        *(one for extra in described["optional-dependencies"].values() for one in extra),
    ]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.+]+", pin) for pin in pins)
    pinned = {pin.split("==")[0].lower().replace("_", "-") for pin in pins}
    assert {re.split(r"[<>=~! ;\[]", one)[0] for one in wanted} <= pinned


def test_the_package_requires_what_it_imports():
    """An extra is imported by the one module that says so; what only tests import is a requirement of the tests."""
    described = project()["project"]
    required = {re.split(r"[<>=~! ;\[]", one)[0].lower() for one in described["dependencies"]}
    extras = {
        re.split(r"[<>=~! ;\[]", one)[0].lower()
        for name in ("app", "charts", "dask", "zstd")
        for one in described["optional-dependencies"][name]
    }
    names = {each.partition(".")[0] for tree in trees_of_modules().values() for each in imports(tree)}
    distributions = importlib.metadata.packages_distributions()
    imported = {
        distribution.lower() for name in names - set(sys.stdlib_module_names) for distribution in distributions[name]
    } - {PACKAGE.name, described["name"]}
    assert required - imported == set()
    assert imported - required - extras == set()


def test_of_streamlit_only_the_public_module_is_imported():
    """And the type of its containers, which has no other name; of its members only those without an underscore."""
    scripts = [ROOT / "app.py", *(ROOT / "pages").glob("*.py")]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in scripts] + list(trees_of_modules().values())
    names = {name for tree in trees for name in imports(tree) if name.partition(".")[0] == "streamlit"}
    assert names <= {"streamlit", "streamlit.App", "streamlit.delta_generator.DeltaGenerator"}
    assert occurrences(re.compile(joined(r"\bst\.", r"(?:\w+\.)*_[a-z]\w*")), {".py"}) == []


def test_the_version_is_the_same_everywhere():
    version = project()["project"]["version"]
    assert evaltools.__version__ == version
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_streamlit_knows_every_setting_and_the_app_stays_local():
    import streamlit as st

    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))

    def names(table: dict[str, Any], prefix: str = "") -> dict[str, Any]:
        found = {}
        for key, value in table.items():
            found |= names(value, f"{prefix}{key}.") if isinstance(value, dict) else {f"{prefix}{key}": value}
        return found

    given = names(settings)
    for name in given:
        st.get_option(name)  # raises for a name that it does not know
    assert given["server.address"] == "127.0.0.1"
    assert given["browser.gatherUsageStats"] is False
    assert given["client.showErrorLinks"] is False
    assert "http" not in "".join(map(str, given.values()))
