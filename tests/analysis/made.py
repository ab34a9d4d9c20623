"""A sentences table with counts that could be real."""

from __future__ import annotations

import numpy as np
import pandas as pd

from evaltools.frameworks.figures import needed_columns
from evaltools.frameworks.metric import formula
from evaltools.frameworks.registry import METRICS

STATUSES = ("ok", "ok", "ok", "missing", "words_differ")


def table(parsers=("a", "b"), n=30, seed=0):
    """Make the rows of some parsers on `n` sentences."""
    random = np.random.default_rng(seed)
    frames = []
    gold = random.integers(0, 8, n)
    for parser in parsers:
        frame = pd.DataFrame({"parser": parser, "sentence": np.arange(1, n + 1), "words": gold + 3})
        frame["status"] = random.choice(STATUSES, n)
        ok = frame["status"].eq("ok").to_numpy()
        frame["sentences"] = 1
        frame.loc[frame["sentence"] % 7 == 0, "sentences"] = 0
        frame.loc[frame["sentences"] == 0, "status"] = "missing"
        ok = ok & (frame["sentences"].to_numpy() > 0)
        for part in ("roof", "whole"):
            frame[f"e_gold_{part}"] = gold
            frame[f"e_test_{part}"] = random.integers(0, 8, n)
            most = np.minimum(frame[f"e_gold_{part}"], frame[f"e_test_{part}"])
            for end in ("", "_unlabeled"):
                frame[f"e_matched_{part}{end}"] = np.where(ok, random.integers(0, most + 1), 0)
        frame["e_crossing_brackets"] = random.integers(0, 3, n)
        frame["e_exact_match"] = random.integers(0, 2, n)
        frame["e_tags"], frame["e_tags_correct"] = gold + 1, random.integers(0, gold + 2)
        frame["t_gold"], frame["t_test"], frame["t_words_gold"], frame["t_words_test"] = gold + 9, gold + 8, 3, 3
        frame["t_deleted"], frame["t_inserted"] = random.integers(0, 3, n), random.integers(0, 3, n)
        frame["t_swapped"], frame["t_matched"] = 1, gold + 5
        frame["dep_gold"], frame["dep_test"] = gold + 3, gold + random.integers(2, 4, n)
        for name in ("uas", "las", "label"):
            frame[f"{name}_right"] = random.integers(0, gold + 3)
        frame["words_scored"] = gold
        frame["la_words"] = gold * 1.0
        differ = frame["status"].eq("words_differ").to_numpy() & (frame["sentences"].to_numpy() > 0)
        frame["words_aligned"] = np.where(differ, gold // 2, np.nan)
        frame.loc[differ, "la_words"] = gold[differ] // 2
        for scheme in ("la_exact", "la", "la_costs"):
            frame[f"{scheme}_sum"] = random.random(n) * frame["la_words"]
        repaired = ok & (random.random(n) < 0.9)
        frame["r_words"], frame["r_matched"] = gold + 1, np.where(repaired, random.integers(0, 5, n), 0)
        steps = random.integers(0, 3, n)
        frame["r_steps"] = np.where(repaired, steps, np.nan)
        frame["r_steps_all"] = np.where(repaired, np.minimum(steps, 2 * gold + 1), 2 * gold + 1)
        frame["r_equal"] = repaired & (steps == 0)
        for name in ("tedeval2011", "tedeval"):
            refused = np.where((name == "tedeval2011") & (random.random(n) < 0.2), np.nan, 0.0)
            for labels in ("labeled", "unlabeled"):
                sizes = {what: random.integers(0, 5, n) for what in ("parse", "gold", "generalized")}
                for what, size in sizes.items():
                    frame[f"{name}_{what}_{labels}"] = size
                for before in ("", "single_", "multiple_"):
                    nothing = sizes["parse"] + sizes["gold"] + sizes["generalized"] == 0
                    frame[f"{name}_{before}error_{labels}"] = np.where(nothing, 0, random.integers(0, 4, n)) + refused
                    frame[f"{name}_{before}equal_{labels}"] = random.integers(0, 2, n) * (refused == 0)
                unmatched = sizes["parse"] + sizes["generalized"]  # all that a refused sentence has
                error = frame[f"{name}_error_{labels}"].to_numpy()
                frame[f"{name}_error_all_{labels}"] = np.where(np.isnan(error), unmatched, error)
        frame["edm_exact_match"] = random.integers(0, 2, n) * (frame["sentences"] > 0)
        for letter, weight in {"n": 1, "a": 0.5, "p": 1, "c": 0, "t": 0.25}.items():
            sizes = {what: random.integers(0, 9, n) for what in ("gold", "test")}
            sizes["matched"] = np.where(ok, random.integers(0, np.minimum(sizes["gold"], sizes["test"]) + 1), 0)
            for what, size in sizes.items():
                frame[f"edm_{letter}_{what}"] = size * weight
        shares = {f"{part}_exact_match": random.integers(0, 2, n) * ok for part in ("sdp", "sdp_unlabeled")}
        families = ("ud", "smatch", "sdp")
        for metric in (item for item in METRICS.values() if item.family.id in families and formula(item)[0] == "2"):
            right, *sizes = metric.columns
            for name in sizes:
                shares.setdefault(name, random.integers(0, 9, n))
            most = np.minimum(*(shares[name] for name in sizes))
            shares[right] = np.where(ok, random.integers(0, most + 1), 0)
        frame = pd.concat([frame, pd.DataFrame(shares)], axis=1)
        known = {column for metric in METRICS.values() for column in needed_columns(metric)}
        frame = frame.drop(columns=[name for name in frame if name.startswith("tedeval") and name not in known])
        frame["e_gold_discontinuous"] = gold // 3
        frame["e_test_discontinuous"] = np.where(ok, random.integers(0, 3, n), 0)
        most = np.minimum(frame["e_gold_discontinuous"], frame["e_test_discontinuous"])
        frame["e_matched_discontinuous"] = np.where(ok, random.integers(0, most + 1), 0)
        others = sorted(known - set(frame))  # those of a pass that nothing above knows
        frames.append(frame.assign(**dict.fromkeys(others, gold + 3)))
    return pd.concat(frames, ignore_index=True)
