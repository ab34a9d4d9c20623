"""Write the site: ``python -m docs.site FOLDER``."""

import sys
from pathlib import Path

from docs.site.build import build_site

written = build_site(Path(*sys.argv[1:] or ["build/docs"]))
print(f"{len(written)} pages; begin with {written[0]}")
