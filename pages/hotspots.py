"""The *Hotspots* page."""

from evaltools.app.frame import enter
from evaltools.app.pages import hotspots

enter(hotspots.render)
