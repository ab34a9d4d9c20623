"""The *Metric lab* page."""

from evaltools.ui.frame.navigation import enter_alone
from evaltools.ui.pages import lab

enter_alone(lab.render)
