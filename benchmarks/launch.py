"""Run one command and print what it took, as JSON: ``python benchmarks/launch.py COMMAND…``.

A small process of its own, because the peak memory that the system reports of a child starts with that of its parent.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time


def main() -> int:
    """Run the command on the command line; its own output is shown only if it fails."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        status = os.waitstatus_to_exitcode(os.waitpid(process.pid, 0)[1])
        wall = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024
    report = {"status": status, "wall": wall, "cpu": used.ru_utime + used.ru_stime, "peak": used.ru_maxrss * unit}
    print(json.dumps({**report, "output": text if status else ""}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
