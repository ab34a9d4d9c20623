"""The *Cross-framework* page."""

from evaltools.app.frame import enter
from evaltools.app.pages import crossframework

enter(crossframework.render)
