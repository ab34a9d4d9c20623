"""Taking the time: of a function in this process, and of a whole command in another."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Time:
    """Seconds on the clock and of computing, all threads together; the peak memory in bytes for a whole command."""

    wall: float
    cpu: float
    peak: int | None = None

    def times(self, factor: float) -> Time:
        """Return the time of `factor` times as much work."""
        return Time(self.wall * factor, self.cpu * factor, self.peak)


class CommandFailedError(RuntimeError):
    """A measured command ended with an error; the text is what it printed."""


def measure(work: Callable[[], Any], repeats: int = 5) -> Time:
    """Return the median time of `work`, after one run that does not count."""
    work()
    walls, cpus = [], []
    for _ in range(repeats):
        gc.collect()
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return Time(statistics.median(walls), statistics.median(cpus))


def once(work: Callable[[], Any]) -> tuple[Any, Time]:
    """Return what `work` returns and the time it took, run a single time."""
    gc.collect()
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, Time(time.perf_counter() - wall, time.process_time() - cpu)


def measure_command(command: list[str], environment: Mapping[str, str], repeats: int = 1) -> Time:
    """Return the median times and the largest peak memory of a command, each run being a process of its own.

    Raises
    ------
    CommandFailedError
        If it does not end with status 0.
    """
    launcher = [sys.executable, "-I", "-S", str(Path(__file__).with_name("launch.py"))]
    reports = []
    for _ in range(repeats):
        ended = subprocess.run(
            [*launcher, *command], env={**os.environ, **environment}, capture_output=True, text=True, check=True
        )
        report = json.loads(ended.stdout)
        if report["status"] != 0:
            raise CommandFailedError(f"{' '.join(command)} ended with status {report['status']}:\n{report['output']}")
        reports.append(report)
    wall, cpu = (statistics.median(report[key] for report in reports) for key in ("wall", "cpu"))
    return Time(wall, cpu, max(report["peak"] for report in reports))
