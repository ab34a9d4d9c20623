"""The *Metric lab* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import lab

enter(lab.render)
