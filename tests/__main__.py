"""All tests, as ``make test`` runs them: first those with a browser, by themselves, then the others on all processors.

Arguments are pytest's. Where they choose by mark (``-m``), it is one run with the processors that they say.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

NOTHING_CHOSEN = 5
"""What pytest returns where no test was chosen."""

INTERRUPTED = 2

PASSES = (
    ("-m", "browser"),
    ("-m", "not browser", "-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"),
)


def main(arguments: Sequence[str]) -> int:
    """Run the tests and return pytest's status: of the first run that failed, if one did."""
    passes: Sequence[tuple[str, ...]] = ((),) if any(one.startswith("-m") for one in arguments) else PASSES
    statuses = [subprocess.call([sys.executable, "-m", "pytest", *one, *arguments]) for one in passes]
    failed = [status for status in statuses if status not in (0, NOTHING_CHOSEN)]
    return failed[0] if failed else min(statuses)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
