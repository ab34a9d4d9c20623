"""The *Hotspots* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import hotspots

enter(hotspots.render)
