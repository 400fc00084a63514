"""What is remembered of one index's cadence, as plain values that go through JSON.

The counts of the model are decayed floats; they are kept as tables of 16-bit numbers relative to the largest
of the table, so that a state is under 5 KB of JSON however long the index is watched.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

Basis = Literal["dates", "counts", "prior"]

DAY = 86400.0
MEMORIES = (1.5 * DAY, 7.0 * DAY, 28.0 * DAY)  # half-lives of the three levels
PRIOR_EPISODES, PRIOR_DAYS = 0.1, 0.2  # what each level starts from

# Name and length of every table; "_due" is what was expected where "" is what was seen.
TABLES = {
    "week": 336,  # episodes by half-hour of the week (UTC plus `offset`)
    "week_due": 336,  # how often each of them was watched
    "five": 288,  # by five minutes of the day
    "five_due": 288,
    "minute": 60,  # by minute of the hour
    "minute_due": 60,
    "age": 10,  # by time since the last episode
    "age_due": 10,
}


@dataclass
class CadenceState:
    """The cadence of one index. Times are unix seconds; every key may be missing from the JSON.

    An episode is a run of items that came within two minutes of each other.
    """

    born: float = 0.0  # from when on it is known what was published
    learnt: float = 0.0  # until when
    last: float | None = None  # when the last known item came
    offset: int = 0  # seconds east of UTC of the clock that the profile runs on
    counts: list[float] = field(default_factory=lambda: [0.0] * len(MEMORIES))  # episodes, decayed
    days: list[float] = field(default_factory=lambda: [0.0] * len(MEMORIES))  # days watched, decayed
    fit: list[float] = field(default_factory=lambda: [0.0] * len(MEMORIES))  # log-likelihood of each memory
    episodes: float = 0.0  # of these and of `links` only the ratio matters
    links: float = 0.0
    dated: float = 0.0  # items (decayed) whose hour was known ...
    counted: float = 0.0  # ... and that were only counted
    fresh: float = 0.0  # dated items whose date was the time of the visit itself
    visits: int = 0
    failures: int = 0  # in a row
    tables: dict[str, str] = field(default_factory=dict)


def pack(values: Floats) -> str:
    """A table as `scale:base64`, little-endian 16-bit numbers; an empty table is the empty text."""
    import numpy as np

    top = float(values.max()) if len(values) else 0.0
    if not 0.0 < top < float("inf"):
        return ""
    scale = top / 65535.0
    raw = np.rint(np.maximum(values, 0.0) / scale).astype("<u2").tobytes()
    return f"{scale:.9g}:{base64.b64encode(raw).decode()}"


def unpack(text: str, size: int) -> Floats:
    """The table that `pack` wrote; zeros for the empty text or one that cannot be read."""
    import numpy as np

    scale, _, raw = text.partition(":")
    try:
        values = np.frombuffer(base64.b64decode(raw), dtype="<u2").astype(float) * float(scale)
    except ValueError:
        return np.zeros(size)
    return values if len(values) == size and np.isfinite(values).all() else np.zeros(size)


def links_per_episode(state: CadenceState) -> float:
    """Mean number of items that come together; one of one is the prior."""
    return (state.links + 1.0) / (state.episodes + 1.0)


def basis(state: CadenceState) -> Basis:
    """What the cadence rests on: the items' dates, their counts between visits, or nothing yet."""
    if state.dated + state.counted <= 0.0:
        return "counts" if state.visits > 1 else "prior"
    return "dates" if state.dated >= state.counted else "counts"
