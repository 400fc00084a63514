"""How the notebooks draw: one plain style, few colours, tables as confusion matrices."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

BLUE, ORANGE, GREY, DARK, PALE = "#2b6ca3", "#d9822b", "#b8bec6", "#333333", "#e4e7ea"
FADE = LinearSegmentedColormap.from_list("fade", ["#ffffff", BLUE])


def style() -> None:
    """Sizes and colours of all charts; numbers in tables to three places."""
    plt.rcParams.update(
        {
            "figure.dpi": 88,
            "savefig.dpi": 88,
            "figure.constrained_layout.use": True,
            "font.size": 10,
            "axes.titlesize": 11,
            "axes.titlelocation": "left",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.edgecolor": DARK,
            "axes.prop_cycle": plt.cycler(color=[BLUE, ORANGE, GREY, DARK]),
            "axes.axisbelow": True,
            "grid.color": "#e4e7ea",
            "legend.frameon": False,
        }
    )
    pd.options.display.float_format = "{:.3f}".format
    pd.options.display.max_rows = 60
    pd.options.display.max_colwidth = 90


def bars(ax: Axes, values: pd.Series, unit: str, title: str = "", color: str = BLUE) -> None:
    """Horizontal bars, the first on top, each with its value."""
    at = np.arange(len(values))
    ax.barh(at, values.to_numpy(), color=color, height=0.72)
    ax.set_yticks(at, [str(name) for name in values.index])
    ax.invert_yaxis()
    whole = np.issubdtype(values.dtype, np.integer)
    for y, v in zip(at, values, strict=True):
        ax.annotate(f"{v}" if whole else f"{v:.2f}", (max(v, 0), y), (3, 0), textcoords="offset points",
                    va="center", fontsize=8.5, color=DARK)  # fmt: skip
    ax.margins(x=0.12)
    ax.set_xlabel(unit)
    ax.set_title(title)


def stacked(ax: Axes, table: pd.DataFrame, unit: str, title: str = "") -> None:
    """Horizontal bars in parts: rows of the table are bars, its columns the parts."""
    at, left = np.arange(len(table)), np.zeros(len(table))
    for name, color in zip(table.columns, (BLUE, ORANGE, GREY, DARK, PALE), strict=False):
        ax.barh(at, table[name], left=left, label=name, color=color, height=0.72)
        left += table[name].to_numpy()
    ax.set_yticks(at, [str(name) for name in table.index])
    ax.invert_yaxis()
    ax.set_xlabel(unit)
    ax.set_title(title)
    ax.legend(loc="lower right")


def confusion(
    ax: Axes, counts: pd.DataFrame, title: str = "", told: str = "labelled", said: str = "said"
) -> None:
    """A table of counts, rows what is labelled and columns what was said; shades are shares of the row."""
    share = counts.div(counts.sum(axis=1).replace(0, 1), axis=0).to_numpy()
    ax.imshow(share, cmap=FADE, vmin=0, vmax=1, aspect="auto")
    for i, j in np.ndindex(*counts.shape):
        n = counts.iat[i, j]
        if n:
            ax.text(j, i, f"{n:,}", ha="center", va="center", fontsize=9.5,
                    color="white" if share[i, j] > 0.55 else DARK)  # fmt: skip
    ax.set_xticks(range(counts.shape[1]), counts.columns, rotation=30, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(counts.shape[0]), [f"{name}  ({n:,})" for name, n in counts.sum(axis=1).items()])
    ax.set_xticks(np.arange(counts.shape[1] + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(counts.shape[0] + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="#e4e7ea")
    ax.tick_params(which="both", length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel(said)
    ax.set_ylabel(told)
    ax.set_title(title)


def crossed(
    told: Sequence[str], said: Sequence[str], rows: Sequence[str], columns: Sequence[str] | None = None
) -> pd.DataFrame:
    """Counts of what is labelled against what was said, in the order of `rows` and of `columns`, if other."""
    table = pd.crosstab(pd.Series(list(told)), pd.Series(list(said)))
    seen = set(table.columns) | (set(table.index) if columns is None else set(columns))
    across = [n for n in columns or rows if n in seen]
    return table.reindex(index=[n for n in rows if n in table.index], columns=across, fill_value=0)
