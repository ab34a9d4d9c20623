"""The *Hotspots* page."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import hotspots

enter(hotspots.render)
