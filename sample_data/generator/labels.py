"""The label map of the two dependency schemes and the treebank: what each relation or function tag counts as in common."""

from __future__ import annotations

COMMON = {
    "root": "root ROOT",
    "sbj": "nsubj nsubj:pass csubj expl SBJ GAP-SBJ EXTR",
    "obj": "obj ccomp OBJ GAP-OBJ TPC",
    "iobj": "iobj IOBJ",
    "prd": "xcomp OPRD PRD",
    "adv": "obl obl:agent obl:tmod obl:npmod advmod advcl advcl:relcl ADV AMOD LOC TMP DIR MNR PRP EXT CLR DTV LGS",
    "mod": "nmod nmod:npmod amod acl acl:relcl nummod compound NMOD",
    "spr": "det nmod:poss DET POSS",
    "app": "appos APPO",
    "name": "flat NAME",
    "conj": "conj cc CONJ COORD",
    "verb": "aux aux:pass cop VC GAP-VC IM",
    "link": "case mark fixed SUFFIX",
    "comp": "PMOD SUB",
    "prt": "compound:prt PRT",
    "voc": "vocative VOC",
    "par": "parataxis discourse PRN INTJ DEP",
    "edit": "reparandum EDIT",
    "gap": "orphan",
    "punct": "punct P",
    "nom": "NOM",
    "clf": "CLF",
}


def label_map() -> str:
    """Return the map as lines of a label and what it counts as, a tab between them."""
    return "".join(f"{label}\t{common}\n" for common, labels in COMMON.items() for label in labels.split())
