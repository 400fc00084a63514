"""The whole daemon in simulated time: suspends, clocks that are set, a stop and a kill cost nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "benchmarks" / "long_run.py"


@pytest.mark.slow
def test_days_of_the_daemon_lose_no_visit_and_no_link() -> None:
    told = ["--indexes", "5", "--days", "2", "--restarts", "1", "--price", "3000"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *told], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(in order 0, killed 1), suspends 2, clock set 6 times" in done.stdout
    assert "never visited 0; more than 75 s late 0" in done.stdout
    assert "missing 0, twice 0, unexpected 0, in the file under two ids 0" in done.stdout
    published = re.search(r"links published (\d+)", done.stdout)
    assert published and int(published[1]) > 20
    visits = re.search(r"visits a day and index +([\d.]+) +([\d.]+)", done.stdout)
    assert visits and 0.7 < float(visits[1]) / float(visits[2]) < 1.4
    assert "jumped by -10800 s" in done.stderr and "jumped by +18000 s" in done.stderr
    assert "index pages that waited for a later time are brought back" in done.stderr
