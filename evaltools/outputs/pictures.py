"""Pictures as files in every output language, with a caption and the run's signature."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from xml.sax.saxutils import escape

from evaltools.corpus import DependencyTree, SemanticGraph, Tree
from evaltools.drawing import Drawing, languages
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.svg import number, text_element
from evaltools.drawing.tikz import escape_latex
from evaltools.errors import ParameterError

__all__ = ["PICTURE_FILES", "drawing_of_one", "file_kinds", "file_name", "picture_file"]


_PDF_END = b"startxref"


def with_comment(content: bytes, kind: str, text: str) -> bytes:
    r"""Return a file with a comment that readers of the picture do not see.

    Parameters
    ----------
    content : bytes
        The file.
    kind : str
        Its format: ``"svg"``, ``"pdf"``, ``"latex"``, ``"dot"`` or ``"text"``; others are left as they are.
    text : str
        The comment; line breaks become blanks.

    Returns
    -------
    bytes
        The file with the comment.

    Examples
    --------
    >>> with_comment(b"digraph {}", "dot", "gold and a")
    b'// gold and a\ndigraph {}'
    """
    line = " ".join(text.split())
    if not line:
        return content
    encoded = line.encode("utf-8", "backslashreplace")
    if kind == "svg":
        start, bracket, rest = content.partition(b">")
        return start + bracket + b"<!-- " + encoded.replace(b"--", b"- -") + b" -->" + rest
    if kind == "pdf":  # before the pointer to the table of objects, so that no object moves
        before, pointer, after = content.rpartition(_PDF_END)
        return before + b"% " + encoded + b"\n" + pointer + after
    sign = {"latex": b"% ", "dot": b"// ", "text": b"# "}.get(kind)
    return content if sign is None else sign + encoded + b"\n" + content


_SIZE, _LEADING, _SIDE, _ABOVE = 10.5, 14.0, 12.0, 8.0
_MIN_WIDTH = 340.0
_BREAKS = re.compile(r"[^\s|]+[|]?|[|]|\s+")
_BOX = re.compile(r' width="([\d.]+)" height="([\d.]+)" viewBox="0 0 [\d.]+ [\d.]+"')
_PAPER = re.compile(r'<rect class="paper" width="[\d.]+" height="[\d.]+"/>')
_LATEX_REMARK = "% To \\input this file, load the packages standalone and tikz (or forest)."


def _lines(caption: str) -> list[str]:
    return [visible(line.strip()) for line in caption.splitlines() if line.strip()]


def _wrapped(line: str, width: float) -> Iterator[str]:
    """Break a line at blanks and after bars; break words that are longer than a line."""
    row = ""
    for segment in _BREAKS.findall(line):
        if text_width(row + segment.rstrip(), _SIZE) <= width:
            row += segment
            continue
        if row.strip():
            yield row.rstrip()
        row = segment.lstrip()
        while text_width(row, _SIZE) > width:
            fits = next(n for n in range(len(row), 0, -1) if n == 1 or text_width(row[:n], _SIZE) <= width)
            yield row[:fits]
            row = row[fits:]
    if row.strip():
        yield row.rstrip()


def _caption_svg(caption: str, svg: str) -> str:
    """Add a caption below a drawing and to its description for screen readers."""
    lines = _lines(caption)
    size = _BOX.search(svg)
    if not lines or size is None:
        return svg
    height, width = float(size.group(2)), max(float(size.group(1)), _MIN_WIDTH)
    rows = [row for line in lines for row in _wrapped(line, width - 2 * _SIDE)]
    sizes = {"w": number(width), "h": number(height + _ABOVE + _LEADING * len(rows) + _ABOVE)}
    svg = _BOX.sub(' width="{w}" height="{h}" viewBox="0 0 {w} {h}"'.format(**sizes), svg, count=1)
    svg = _PAPER.sub('<rect class="paper" width="{w}" height="{h}"/>'.format(**sizes), svg, count=1)
    svg = svg.replace("</title>", f"</title><desc>{escape(' '.join(lines))}</desc>", 1)
    texts = [
        text_element(
            row, _SIDE, height + _ABOVE + _LEADING * (index + 0.5), _SIZE, "soft", anchor="start", is_name=True
        )
        for index, row in enumerate(rows)
    ]
    return f'{svg.removesuffix("</svg>")}<g class="caption">{"".join(texts)}</g></svg>'


def _caption_latex(caption: str, source: str) -> str:
    """Write a caption above a drawing in LaTeX, as comments: plain, and as a caption command."""
    lines = _lines(caption)
    command = [rf"\caption{{{escape_latex(' '.join(lines)).replace('{-}', '-')}}}"] if lines else []
    return "\n".join([_LATEX_REMARK, *(f"% {line}" for line in (*lines, *command)), source])


def _caption_dot(caption: str, source: str) -> str:
    """Write a caption above a drawing in DOT, as a comment."""
    return "\n".join([*(f"// {line}" for line in _lines(caption)), source])


def _caption_text(caption: str, source: str) -> str:
    """Write a caption below a drawing that is text."""
    return "\n".join([source.rstrip("\n"), "", *_lines(caption), ""]) if caption else source


def _caption_json(caption: str, source: str) -> str:
    """Write a caption as the first entry of a JSON object."""
    if not caption:
        return source
    return json.dumps({"caption": " ".join(_lines(caption))} | json.loads(source), ensure_ascii=False, indent=1) + "\n"


def _png(caption: str, svg: str) -> bytes:
    from evaltools.outputs.raster import drawing_png

    return drawing_png(_caption_svg(caption, svg))


def _pdf(caption: str, svg: str) -> bytes:
    from evaltools.outputs.raster import drawing_pdf

    return drawing_pdf(_caption_svg(caption, svg))


PICTURE_FILES: Mapping[str, tuple[str, str, str, str, Callable[[str, str], str | bytes]]] = {
    "svg": ("SVG", "svg", "image/svg+xml", "svg", _caption_svg),
    "png": ("PNG", "png", "image/png", "svg", _png),
    "pdf": ("PDF", "pdf", "application/pdf", "svg", _pdf),
    "latex": ("LaTeX", "tex", "text/x-tex", "latex", _caption_latex),
    "dot": ("DOT", "dot", "text/vnd.graphviz", "dot", _caption_dot),
    "text": ("text", "txt", "text/plain", "text", _caption_text),
    "json": ("JSON", "json", "application/json", "json", _caption_json),
}
"""File formats of pictures: title, suffix, media type, drawing language, and the function that adds the caption."""


def drawing_of_one(subject: Tree | DependencyTree | SemanticGraph) -> Drawing:
    """Return the drawing of one tree or graph.

    Parameters
    ----------
    subject : Tree, DependencyTree or SemanticGraph
        The tree or graph.

    Returns
    -------
    Drawing
        The drawing; that of a graph is the graph beside itself, of which the first side alone is named.

    Examples
    --------
    >>> print(drawing_of_one(Tree.from_string("(S (N dogs))")).draw("text", color=False))
    S
    └─ N  dogs
    """
    if not isinstance(subject, SemanticGraph):
        return Drawing(subject, "Tree", "tree")
    from evaltools.frameworks.semantics.alignment import one_graph

    options = {"fold": False, "properties": "all", "legend": False, "parse_name": "", "title": "semantic graph"}
    return Drawing(one_graph(subject), "Graph", "graph", options)


def file_kinds(drawing: Drawing) -> tuple[str, ...]:
    """Return the file formats that a drawing can be saved in.

    Parameters
    ----------
    drawing : Drawing
        The drawing.

    Returns
    -------
    tuple of str
        Keys of `PICTURE_FILES`.
    """
    known = drawing.languages or languages(drawing.subject)
    return tuple(kind for kind, (_, _, _, language, _) in PICTURE_FILES.items() if language in known)


def picture_file(drawing: Drawing, kind: str, caption: str, *, is_shown: bool = True) -> bytes:
    """Draw a picture and return it as a file.

    Parameters
    ----------
    drawing : Drawing
        The object to draw, with its options; LaTeX is a complete document.
    kind : str
        File format, one of `file_kinds`.
    caption : str
        Caption, with the run's signature on a line of its own.
    is_shown : bool
        Whether the caption stands in the picture. If not, as for figures of papers, it is a comment inside the file;
        PNG has none.

    Returns
    -------
    bytes
        Content of the file.

    Raises
    ------
    ParameterError
        If the picture has no such format.
    """
    if kind not in file_kinds(drawing):
        raise ParameterError.unknown("kind of file", kind, file_kinds(drawing))
    _, _, _, language, make = PICTURE_FILES[kind]
    is_shown = is_shown or kind == "json"
    content = make(caption if is_shown else "", drawing.draw(language, standalone=True))
    encoded = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    return encoded if is_shown else with_comment(encoded, kind, caption)


def file_name(text: str) -> str:
    """Return a text as a file name without suffix.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> file_name("sentence 12, <b>my parser</b>, T")
    'sentence-12-b-my-parser-b-T'
    """
    return re.sub(r"[^\w.+]+", "-", text).strip("-.") or "picture"
