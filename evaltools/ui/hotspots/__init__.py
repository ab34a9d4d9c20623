"""The parts of *Hotspots*: groups of words, phrases or triples, and the places that each stands for."""
