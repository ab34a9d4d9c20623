"""The marked sentence: words set like running text, gold brackets that differ above them, the parser's below.

Each line of words is laid out like a system in a music score. Only brackets that differ are drawn, and those that are
parents of phrases that move: the phrase has a box, an arrow leads up to the bracket it belongs to, and a cross is on
the bracket it is in. Brackets that only follow from a move are thin, and those of one move that share an edge are one
line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from evaltools.corpus import Span
from evaltools.corpus.stretches import gap_text
from evaltools.drawing.layouts.marked_arrows import arrows
from evaltools.drawing.layouts.marked_legend import around_systems, text_room
from evaltools.drawing.layouts.marked_parts import (
    WORDS_KEPT,
    WRONG,
    badge,
    band,
    box_around,
    cell,
    described,
    heading_items,
    letters,
    remark_on_tags,
    tags_text,
    where_of,
)
from evaltools.drawing.layouts.marked_setting import (
    LETTERS,
    LineOfWords,
    Piece,
    Setting,
    Sizes,
    fitting,
    label_parts,
)
from evaltools.drawing.measure import text_width, visible
from evaltools.drawing.scene import (
    Box,
    Group,
    Item,
    Line,
    Mark,
    Rectangle,
    Row,
    Scene,
    Segment,
    Table,
    Text,
)
from evaltools.marks import MarkedSentence, MarkedWord, Status, tie_of
from evaltools.text import join_stretches

# --------------------------------------------------------------------------------------------------------------- scene


def bracket_scene(
    sentence: MarkedSentence,
    *,
    width: float = 900.0,
    height: float | None = None,
    focus: int | None = None,
    gold_name: str = "gold",
    test_name: str = "parser",
    shade: bool = False,
    right: bool = False,
    shorten: bool = False,
    numbered: bool = True,
    verdict: bool = False,
    key: bool = False,
    legend: Sequence[tuple[str, str]] = (),
    tight: bool = False,
    title: str | None = None,
) -> Scene:
    """Return the marked sentence as a scene.

    Parameters
    ----------
    sentence : MarkedSentence
        What to draw.
    width : float
        Width to wrap at.
    height : float or None
        Height to fit if the smallest type allows it.
    focus : int or None
        Number of the repair whose marks alone are drawn.
    gold_name, test_name : str
        Names of the two trees, at the left of each line.
    shade : bool
        Whether leaf-ancestor scores shade the words.
    right : bool
        Whether the brackets that both trees have are drawn, too.
    shorten : bool
        Whether words far from any mark are left out.
    numbered : bool
        Whether marks have the numbers of their repairs.
    verdict : bool
        Whether the repairs stand above it in words, the largest first.
    key : bool
        Whether the names of two parsers stand above it.
    legend : sequence of (str, str)
        What stands below it: statuses, and what their marks mean.
    tight : bool
        Whether the picture ends at the right where its contents do.
    title : str or None
        A heading.
    """
    drawn = focused(sentence, focus)
    if right:
        drawn = replace(drawn, brackets=(*drawn.brackets, *drawn.right))
    if shorten:
        drawn = shortened(drawn)
    setting = fitting(lambda sizes: Setting(drawn, sizes if numbered else replace(sizes, badge=0.0), width), height)
    room = text_room(setting.lines, width) if tight else width
    heading, top = heading_items(
        room,
        title=title,
        repairs=sentence.errors if verdict else None,
        share=f"of {sentence.total} {sentence.unit}",
        empty=sentence.unrepaired or "Nothing to repair: all brackets are right.",
        remark=remark_on_tags(sentence, len(sentence.repairs)),
        tie=tie_of(sentence.repairs),
        parsers=sentence.parsers if key else (),
    )
    items: list[Item] = []
    middle = None
    for line in setting.lines:
        system, used, band = system_items(drawn, setting, line, top, gold_name, test_name, shade=shade)
        items.append(Group(tuple(system), "system"))
        middle = band if middle is None else middle
        top += used + setting.sizes.gap
    label = f"Marked sentence: {test_name} against {gold_name}, {_counts(sentence)}"
    height = max(top - setting.sizes.gap + 4, 24.0)
    scene = Scene(width, height, tuple(items), "marked", label, middle)
    return around_systems(scene, heading, legend, sentence.words, room=room, tight=tight)


def _counts(sentence: MarkedSentence) -> str:
    if sentence.parsers:
        numbers = (f"{sentence.number(status)} {text}" for status, text in WRONG.items())
        return f"brackets: {', '.join(numbers)}, {len(sentence.right)} right in both"
    wrong = f"{sentence.missing} missing and {sentence.spurious} spurious brackets"
    return f"{wrong}, no list of repairs" if sentence.unrepaired else f"{wrong}, {len(sentence.repairs)} repairs"


def focused(sentence: MarkedSentence, focus: int | None) -> MarkedSentence:
    """Return the sentence with the marks of one repair alone."""
    if focus is None or not 1 <= focus <= len(sentence.repairs):
        return sentence
    repair = sentence.repairs[focus - 1]
    keep = [
        index
        for index, bracket in enumerate(sentence.brackets)
        if focus in bracket.repairs or index in (repair.gold_parent, repair.test_parent)
    ]
    index_of = {old: new for new, old in enumerate(keep)}
    gold_parent, test_parent = (
        None if parent is None else index_of[parent] for parent in (repair.gold_parent, repair.test_parent)
    )
    return replace(
        sentence,
        brackets=tuple(sentence.brackets[index] for index in keep),
        tags=(),
        repairs=(replace(repair, gold_parent=gold_parent, test_parent=test_parent),),
    )


def shortened(sentence: MarkedSentence) -> MarkedSentence:
    """Return the sentence with an ellipsis for every stretch of words that is far from any mark."""
    edges = [tag.position for tag in sentence.tags]
    drawn = [bracket for bracket in sentence.brackets if not bracket.follows] or sentence.brackets
    for bracket in drawn:
        edges += [at for start, end in bracket.stretches for at in (start, end - 1)]
    edges += [at for item in sentence.repairs for start, end in item.moved_stretches for at in (start, end - 1)]
    near = {at + shift for at in edges for shift in range(-WORDS_KEPT, WORDS_KEPT + 1)}
    words: list[MarkedWord] = []
    moved: dict[int, int] = {}  # Old position to new
    count = left_out = 0
    for word in sentence.words:
        is_kept = word.position in near if word.position is not None else not left_out
        if is_kept:
            left_out = 0
            words.append(replace(word, position=None if word.position is None else count))
        elif not left_out:
            left_out = 1
            words.append(MarkedWord("…", count))
        else:
            left_out += word.position is not None
            words[-1] = MarkedWord(f"… {left_out} …" if left_out > 1 else "…", words[-1].position)
            count -= word.position is not None
        if word.position is not None:
            moved[word.position] = count
            count += 1

    def span(old: Span) -> Span:
        return Span(moved[old.start], moved[old.end - 1] + 1)

    return replace(
        sentence,
        words=tuple(words),
        brackets=tuple(
            replace(item, span=span(item.span), gaps=tuple(map(span, item.gaps))) for item in sentence.brackets
        ),
        tags=tuple(replace(item, position=moved[item.position]) for item in sentence.tags),
        repairs=tuple(
            item
            if item.moved is None
            else replace(item, moved=span(item.moved), moved_gaps=tuple(map(span, item.moved_gaps)))
            for item in sentence.repairs
        ),
    )


def system_items(
    sentence: MarkedSentence,
    setting: Setting,
    line: LineOfWords,
    top: float,
    gold_name: str,
    test_name: str,
    *,
    shade: bool,
) -> tuple[list[Item], float, float]:
    """Return the items of one line of words with its brackets, the height used, and the middle of the words."""
    sizes = setting.sizes
    pieces, heights, used = setting.system(line)
    band_top = top + heights["gold"]
    middle = band_top + sizes.band / 2
    tag_row = sizes.tag_row if any(line.first <= word < line.after for word in setting.tags) else 0.0

    def level(piece: Piece, side: str) -> float:
        distance = tag_row + sizes.row * (piece.row + 0.5) + 1
        return band_top - distance if side == "gold" else band_top + sizes.band + distance

    items = list(band(line, middle, gold_name, test_name, "parsers" if sentence.parsers else "parser", sizes))
    boxes = [box for box in setting.boxes if box[1] < line.after and box[2] > line.first]
    for repair, start, end in boxes:
        inset = setting.insets[repair.number, start] if start >= line.first else 0.0
        items.append(box_around(repair, max(start, line.first), min(end, line.after), line, middle, sizes, inset))
    for word in range(line.first, line.after):
        items += _word(sentence, setting, line, word, middle, shade=shade)
    drawn: list[tuple[Piece, str, float]] = []
    for side in ("gold", "test"):
        for piece in sorted(pieces[side], key=lambda piece: piece.row):
            y = level(piece, side)
            items += _track_items(piece, side, y, line, sizes, sentence)
            drawn.append((piece, side, y))
    items += arrows(setting, line, boxes, drawn, items, band_top)
    return items, used, middle


def _word(
    sentence: MarkedSentence, setting: Setting, line: LineOfWords, word: int, middle: float, *, shade: bool
) -> Iterator[Item]:
    """Yield a word, and its tags above and below it where they differ."""
    sizes = setting.sizes
    x = line.left(word)
    is_of_two = bool(sentence.parsers)
    yield cell(sentence.words[word], setting.forms[word], x, middle, sizes, shade=shade, is_of_two=is_of_two)
    tag = setting.tags.get(word)
    if tag is not None:
        for side, text, y in (
            ("gold", tag.gold, middle - sizes.band / 2 - sizes.tag_row / 2 - 1),
            ("test", tag.test, middle + sizes.band / 2 + sizes.tag_row / 2 + 1),
        ):
            title = f"tag {tag.gold or '∅'} in gold, {tag.test or '∅'} in the parse"
            if sentence.parsers:
                title = f"tag {tag.gold or '∅'} in gold; wrong: {tag.test}"
            item = Text(text or "∅", x, y, sizes.label, "tag", "start", is_name=True)
            data = {"word": tag.position, "repair": " ".join(map(str, tag.repairs)) or None}
            yield Group((item,), "node tag", side, tag.status, title=title, data=data, is_symbol=True)


def _track_items(
    piece: Piece, side: str, y: float, line: LineOfWords, sizes: Sizes, sentence: MarkedSentence
) -> Iterator[Item]:
    """Yield a group for each bracket of a track: its labels and ticks, and with the first one the line they share."""
    toward = 1 if side == "gold" else -1
    reach = min(sizes.row / 2 - 1, 6)
    x = piece.label_x + (5 if piece.opens else 3)
    parts: dict[int, list[Item]] = {bar.index: [] for bar in piece.track.bars}
    lefts: dict[int, float] = {}
    for kind, text, bar, width in label_parts(piece.track, sizes, opens=piece.opens):
        own = parts[bar.index]
        lefts.setdefault(bar.index, x)
        if kind == "mark":
            own.append(Mark(text, x + 4, y, 0.8))
        elif kind == "letters":
            own += letters(text, x, y, width, sizes)
        elif kind == "badge":
            radius = sizes.badge + (2 if len(text) > 1 else 0)
            own += badge(text, x + radius + 1, y, sizes, hollow=bar.bracket.follows)
        else:
            role = "label thin" if bar.bracket.follows or bar.bracket.status == "right" else "label"
            own.append(Text(text, x, y, sizes.label, role, "start", is_name=True))
        x += width
    label_end = x
    for index, bar in enumerate(piece.track.bars):
        status = bar.bracket.status
        weight = "thin" if bar.bracket.follows or status == "right" else ""
        own = parts[bar.index]
        if index == 0:
            own += _strokes(piece, y, max(label_end, piece.x0), toward * reach, status)
            for at in Setting.ticks(piece.track, line):
                covered = piece.label_x - 2 < at < label_end + 2  # by a label: beside it
                ends = (0.36, 0.56) if covered else (0.0, 0.8 * reach / sizes.row)
                own.append(Line(tuple((at, y + toward * end * sizes.row) for end in ends), "stroke solid"))
        left = lefts[bar.index]
        right = (
            max(piece.x1, label_end) if index == 0 else left + text_width(visible(bar.bracket.label), sizes.label) + 4
        )
        own.append(Rectangle(Box((left + right) / 2, y, right - left, sizes.row), "hit"))
        numbers = {*bar.bracket.repairs} | {
            item.number for item in sentence.repairs if bar.index in (item.gold_parent, item.test_parent)
        }
        yield Group(
            tuple(own),
            "node bracket",
            side,
            status,
            weight,
            title=described(bar, sentence),
            data={
                "repair": " ".join(map(str, sorted(numbers))) or None,
                "node": f"{side[0]}{bar.bracket.node}",
                "start": bar.bracket.span.start,
                "end": bar.bracket.span.end,
                "gaps": gap_text(bar.bracket.gaps) or None,
            },
            is_symbol=True,
            takes_focus=True,
        )


def _strokes(piece: Piece, y: float, label_end: float, reach: float, status: str) -> list[Item]:
    """Return the line of a track with its ticks, or open arrows where it goes on on another line."""
    strokes: list[Item] = []
    if piece.opens:
        strokes += [Line(((piece.x0 + 1, y - 3.5), (piece.x0 - 3, y), (piece.x0 + 1, y + 3.5)), "stroke solid")]
    elif piece.label_x < piece.x0 < piece.label_end:  # below the label, which has no room to its right
        strokes += [Line(((piece.x0, y + 1.6 * reach), (piece.x0, y + 1.1 * reach)), "stroke solid")]
    else:
        strokes += [Line(((piece.x0, y + reach), (piece.x0, y), (piece.x0 + 3, y)), "stroke solid")]
    end = piece.x1
    has_gaps = piece.track.bars[0].has_gaps
    if has_gaps:
        strokes += _stretch_strokes(piece, y, label_end, reach, status)
    elif piece.is_long and end - label_end > 2:
        strokes += _level(label_end, end, y, status)
    if piece.continues:
        strokes += [Line(((end - 4, y - 3.5), (end, y), (end - 4, y + 3.5)), "stroke solid")]
    elif end >= label_end:
        strokes += [Line(((end, y), (end, y + reach)), "stroke solid")]
    elif not has_gaps:  # the label goes beyond its words: a line between them
        start = piece.x0 if not piece.opens else piece.x0 + 1
        strokes += [Line(((start, y + 1.1 * reach), (end, y + 1.1 * reach)), "stroke solid")]
    return strokes


def _level(start: float, end: float, y: float, status: str) -> list[Line]:
    """Return the line over some words: two for a spurious bracket."""
    shifts = (-1.2, 1.2) if status == "spurious" else (0.0,)
    return [Line(((start, y + shift), (end, y + shift)), "stroke") for shift in shifts]


def _stretch_strokes(piece: Piece, y: float, label_end: float, reach: float, status: str) -> list[Line]:
    """Return the lines over the stretches of a bracket with gaps, and the dotted ones that join them.

    Where the label hides the end of a stretch, the line is between it and the words.
    """
    strokes: list[Line] = []
    x = piece.x0
    for left, right in (*piece.stretches, (piece.x1, piece.x1)):
        if left - max(x, label_end) > 1:
            strokes.append(Line(((max(x, label_end), y), (left, y)), "stroke gap"))
        if right == left:
            break
        if left < label_end and (right < label_end or left > piece.x0):
            strokes.append(Line(((left, y + 1.1 * reach), (min(right, label_end), y + 1.1 * reach)), "stroke solid"))
        elif left > max(piece.x0, label_end):
            strokes.append(Line(((left, y + reach), (left, y)), "stroke solid"))
        if right > label_end:
            strokes += _level(max(left, label_end), right, y, status)
            if right < piece.x1:
                strokes.append(Line(((right, y), (right, y + reach)), "stroke solid"))
        x = right
    return strokes


# ------------------------------------------------------------------------------------------------------- text and data


def bracket_text(sentence: MarkedSentence, *, gold_name: str = "gold", test_name: str = "parser") -> list[Table | str]:
    """Return the repairs and the differing brackets as rows of text."""
    words = [word.form for word in sentence.words if word.position is not None]
    rows: list[Row | str] = []
    for repair in sentence.repairs:
        share = f"{repair.repaired} of {sentence.wrong}"
        rows.append(Row(_cells(f"{repair.number}", f"{repair.phrase} {repair.told}", share), repair.cause))
    for bracket in sentence.brackets:
        if bracket.status == "right":
            continue
        over = join_stretches(words, bracket.stretches, 50)
        numbers = LETTERS.get(bracket.status) or " ".join(map(str, bracket.repairs))
        where = where_of(bracket, sentence, gold_name, test_name)
        rows.append(
            Row(
                _cells(numbers, f"{bracket.label} “{over}”", where), "" if bracket.status in LETTERS else bracket.status
            )
        )
    tags = [tags_text(sentence)] if sentence.tags else []
    tie = tie_of(sentence.repairs)
    words_line = " ".join(visible(word.form) for word in sentence.words)
    told = [text for text in (tie, sentence.unrepaired) if text]
    return [words_line, *map(visible, told), *([Table(tuple(rows))] if rows else []), *tags]


def _cells(*texts: str) -> tuple[tuple[Segment, ...], ...]:
    return tuple(((text, ""),) for text in texts)


def bracket_data(sentence: MarkedSentence) -> dict[str, Any]:
    """Return the marked sentence as plain data."""
    return {
        "words": [word.form for word in sentence.words],
        **({"parsers": list(sentence.parsers)} if sentence.parsers else {}),
        "missing": sentence.missing,
        "spurious": sentence.spurious,
        **({"unrepaired": sentence.unrepaired} if sentence.unrepaired else {}),
        "repairs": [
            {
                "number": repair.number,
                "cause": Status(repair.cause).value,
                "type": repair.type,
                "phrase": repair.phrase,
                "verdict": repair.verdict,
                "brackets": repair.repaired,
                "moved": None if repair.moved is None else list(repair.moved),
                **_gaps_data("moved_gaps", repair.moved_gaps),
                "together": list(repair.together),
            }
            for repair in sentence.repairs
        ],
        "brackets": [
            {
                "side": bracket.side,
                "label": bracket.label,
                "span": list(bracket.span),
                **_gaps_data("gaps", bracket.gaps),
                "status": bracket.status,
                "repairs": list(bracket.repairs),
                "follows": bracket.follows,
            }
            for bracket in sentence.brackets
        ],
    }


def _gaps_data(name: str, gaps: Sequence[Span]) -> dict[str, Any]:
    """Return the words of a span that do not belong to it, if there are some."""
    return {name: [list(gap) for gap in gaps]} if gaps else {}
