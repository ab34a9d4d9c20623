"""The parts of *Hotspots*: tables of groups, and the sentences of a group."""
