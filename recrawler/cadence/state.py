"""What is remembered of one index's cadence, as plain values that go through JSON.

The counts of the model are decayed floats; they are kept as tables of 16-bit numbers relative to the largest
of the table, so that a state is under 5 KB of JSON however long the index is watched.
"""

from __future__ import annotations

import base64
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

Basis = Literal["dates", "counts", "prior"]

DAY = 86400.0
MEMORIES = (0.25 * DAY, 1.5 * DAY, 7.0 * DAY, 28.0 * DAY)  # half-lives of the memories of the level
PRIOR_EPISODES, PRIOR_DAYS = 0.2, 0.2  # what each memory starts from

# Name and length of every table; "_due" is what was expected where the plain name is what was seen.
TABLES = {
    "week": 336,  # episodes by half-hour of the week (UTC plus `offset`)
    "week_due": 336,  # due by the level alone
    "five": 288,  # by five minutes of the day
    "five_due": 288,
    "minute": 60,  # by minute of the hour
    "minute_due": 60,
    "age": 10,  # by time since the last item
    "age_due": 10,
}
SIZE = sum(TABLES.values())


def _nothing() -> list[float]:
    return [0.0] * len(MEMORIES)


@dataclass
class CadenceState:
    """The cadence of one index. Times are unix seconds; every key may be missing from the JSON.

    An episode is a run of items that came within two minutes of each other.
    """

    born: float = 0.0  # from when on it is known what was published
    learnt: float = 0.0  # until when
    last: float | None = None  # when the last known item came
    offset: int = 0  # seconds east of UTC of the clock that the profile runs on
    counts: list[float] = field(default_factory=_nothing)  # episodes, decayed, of each memory
    days: list[float] = field(default_factory=_nothing)  # days watched, weighted by the profile, decayed
    fit: list[float] = field(default_factory=_nothing)  # log-likelihood of each memory, the best one zero
    episodes: float = 0.0  # of these and of `links` only the ratio matters
    links: float = 0.0
    dated: float = 0.0  # items (decayed) whose time was known ...
    counted: float = 0.0  # ... and that were only counted
    fresh: float = 0.0  # items whose date was the time of the visit itself
    visits: int = 0
    failures: int = 0  # in a row
    scales: list[float] = field(default_factory=list)  # of the tables, one each
    tables: str = ""  # all tables, see `pack`

    def __post_init__(self) -> None:
        for name in ("counts", "days", "fit"):
            values = getattr(self, name)
            if len(values) != len(MEMORIES) or not all(map(math.isfinite, values)):
                setattr(self, name, _nothing())


def pack(values: Floats) -> tuple[list[float], str]:
    """All tables, end to end, as 16-bit numbers (little-endian, base64) and the unit of each."""
    import numpy as np

    sizes = list(TABLES.values())
    tops = np.maximum.reduceat(values, np.cumsum([0, *sizes[:-1]]))
    scales = np.maximum(tops, 1e-9) / 65535.0
    raw = np.rint(values / np.repeat(scales, sizes)).astype("<u2").tobytes()
    return scales.tolist(), base64.b64encode(raw).decode()


def unpack(scales: list[float], text: str) -> Floats:
    """The tables that `pack` wrote; zeros where there are none or they cannot be read."""
    import numpy as np

    try:
        raw = np.frombuffer(base64.b64decode(text), dtype="<u2")
    except ValueError:
        return np.zeros(SIZE)
    if len(raw) != SIZE or len(scales) != len(TABLES) or not all(0.0 <= s < 1e9 for s in scales):
        return np.zeros(SIZE)
    values: Floats = raw * np.repeat(scales, list(TABLES.values()))
    return values


def links_per_episode(state: CadenceState) -> float:
    """Mean number of items that come together; one of one is the prior."""
    return (state.links + 1.0) / (state.episodes + 1.0)


def basis(state: CadenceState) -> Basis:
    """What the cadence rests on: the items' dates, their counts between visits, or nothing yet."""
    if state.dated + state.counted <= 0.0:
        return "counts" if state.visits > 1 else "prior"
    return "dates" if state.dated >= state.counted else "counts"
