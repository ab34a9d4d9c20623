"""Two sentences in every notation of semantic graphs, and profiles made of them."""

from __future__ import annotations

from pathlib import Path

from delphin import dmrs, eds
from delphin.codecs import dmrsjson, dmrx, eds as native_eds, edsjson, mrsjson, mrx, simpledmrs, simplemrs

from evaltools.formats import SemanticItem, graph_of, write_mrp

PERSUADED = """\
[ "He persuaded Kim to leave." LTOP: h1 INDEX: e2 [ e SF: prop TENSE: past MOOD: indicative ]
  RELS: < [ pron<0:2> LBL: h3 ARG0: x4 [ x PERS: 3 NUM: sg GEND: m PRONTYPE: std_pron ] ]
          [ pronoun_q<0:2> LBL: h5 ARG0: x4 RSTR: h6 BODY: h7 ]
          [ _persuade_v_of<3:12> LBL: h8 ARG0: e2 ARG1: x4 ARG2: x10 [ x PERS: 3 NUM: sg ] ARG3: h9 ]
          [ proper_q<13:16> LBL: h11 ARG0: x10 RSTR: h12 BODY: h13 ]
          [ named<13:16> LBL: h14 ARG0: x10 CARG: "Kim" ]
          [ _leave_v_1<20:26> LBL: h15 ARG0: e16 [ e SF: prop-or-ques TENSE: untensed MOOD: indicative ]
            ARG1: x10 ARG2: p17 ] >
  HCONS: < h1 qeq h8 h12 qeq h14 h9 qeq h15 h6 qeq h3 > ]
"""
RAINS = (
    '[ <0:9> "It rains." TOP: h0 INDEX: e2 '
    'RELS: < [ "_rain_v_1_rel"<3:8> LBL: h1 ARG0: e2 [ e TENSE: pres ] ] > HCONS: < h0 qeq h1 > ]'
)

MRS = [simplemrs.decode(PERSUADED), simplemrs.decode(RAINS)]
EDS = [eds.from_mrs(one) for one in MRS]
DMRS = [dmrs.from_mrs(one) for one in MRS]
GRAPHS = [graph_of(one)[0] for one in MRS]
DMRS_GRAPHS = [graph_of(one)[0] for one in DMRS]

TEXTS = {
    "simplemrs": PERSUADED + "\n" + RAINS + "\n",
    "simpledmrs": simpledmrs.dumps(DMRS, indent=True),
    "eds": native_eds.dumps(EDS),
    "mrx": mrx.dumps(MRS, indent=2),
    "dmrx": dmrx.dumps(DMRS, indent=2),
    "mrp": write_mrp(SemanticItem(str(i), 1, graph.text, (graph,)) for i, graph in enumerate(GRAPHS, 1) if graph),
    "mrsjson": mrsjson.dumps(MRS, indent=2),
    "edsjson": edsjson.dumps(EDS, indent=2),
    "dmrsjson": dmrsjson.dumps(DMRS, indent=2),
}
"""Both sentences, by the name of the format."""

RELATIONS = """\
item:
  i-id :integer :key
  i-input :string
  i-wf :integer

parse:
  parse-id :integer :key                # unique
  i-id :integer :key
  readings :integer

result:
  parse-id :integer :key
  result-id :integer
  derivation :string
  mrs :string
"""


def escaped(value: str) -> str:
    """Return a value as a table of a profile has it."""
    return value.replace("\\", "\\\\").replace("@", "\\s").replace("\n", "\\n")


def profile(folder: Path, **tables: list[tuple[object, ...]] | str | bytes | None) -> Path:
    """Write a profile: each table as rows, as text, or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in {"relations": RELATIONS, **tables}.items():
        if rows is None:
            continue
        if isinstance(rows, list):
            rows = "".join("@".join(escaped(str(value)) for value in row) + "\n" for row in rows)
        (folder / name).write_bytes(rows if isinstance(rows, bytes) else rows.encode())
    return folder


ITEM = [(1, "He persuaded Kim to leave.", 1), (2, "It rains.", 1), (3, "Rains it.", 0)]
PARSE = [(11, 1, 2), (12, 2, 1), (13, 3, 0)]
RESULT = [(11, 1, "", RAINS), (11, 0, "", PERSUADED), (12, 0, "(a @ b)", RAINS)]
