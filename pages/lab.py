"""The *Metric lab* page."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import lab

enter(lab.render, shows_run=False)
