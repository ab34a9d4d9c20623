"""The *About the metrics* page."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import about

enter(about.render, shows_run=False)
