"""The flow of shares between versions: numbers → bars and bands of a drawing."""

from __future__ import annotations

from dataclasses import dataclass

from mtprobe.authoring.corpus.redistribution import Redistribution

WIDTH, HEIGHT = 780.0, 380.0
_TOP, _BOTTOM, _SIDE = 34.0, 12.0, 112.0
_BAR = 16.0
_GAP = 14.0  # between classes


@dataclass(frozen=True, slots=True)
class SankeyBar:
    """One class in one version."""

    x: float
    y: float
    height: float
    place: int  # of its class, for the colour
    label: str
    label_x: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Band:
    """The flow from a class to a class of the next version."""

    d: str  # of an SVG path
    place: int  # of the class that it starts from
    label: str


@dataclass(frozen=True, slots=True)
class Sankey:
    titles: tuple[tuple[float, str], ...]
    bars: tuple[SankeyBar, ...]
    bands: tuple[Band, ...]
    bar_width: float = _BAR
    size: tuple[float, float] = (WIDTH, HEIGHT)


def sankey(redistribution: Redistribution) -> Sankey | None:
    """The drawing; None if there is nothing to draw, or only one version."""
    if not redistribution.n or len(redistribution.versions) < 2:
        return None
    room = HEIGHT - _TOP - _BOTTOM - _GAP * (len(redistribution.classes) - 1)
    step = (WIDTH - 2 * _SIDE - _BAR) / (len(redistribution.versions) - 1)
    xs = [_SIDE + step * version for version in range(len(redistribution.versions))]
    tops = [_tops(redistribution, version, room) for version in range(len(redistribution.versions))]
    last = len(redistribution.versions) - 1
    bars = [
        SankeyBar(
            x=xs[version],
            y=tops[version][name],
            height=(shares[name].value or 0.0) * room,
            place=place,
            label=f"{name} {100 * (shares[name].value or 0.0):.1f} %",
            label_x=xs[version] + (_BAR + 6 if version == last else -6),
            anchor="start" if version == last else "end",
        )
        for version, shares in enumerate(redistribution.shares)
        for place, name in enumerate(redistribution.classes)
    ]
    titles = tuple((x + _BAR / 2, name) for x, name in zip(xs, redistribution.versions, strict=True))
    return Sankey(titles, tuple(bars), tuple(_bands(redistribution, xs, tops, room)))


def _tops(redistribution: Redistribution, version: int, room: float) -> dict[str, float]:
    """The top of each class's bar, stacked downwards."""
    tops, y = {}, _TOP
    for name in redistribution.classes:
        tops[name] = y
        y += (redistribution.shares[version][name].value or 0.0) * room + _GAP
    return tops


def _bands(
    redistribution: Redistribution, xs: list[float], tops: list[dict[str, float]], room: float
) -> list[Band]:
    bands = []
    for step, flows in enumerate(redistribution.flows):
        leaving, arriving = dict(tops[step]), dict(tops[step + 1])
        left, right = xs[step] + _BAR, xs[step + 1]
        middle = (left + right) / 2
        # Flows are in the order of the classes on both sides, so the bands of a bar do not cross within it.
        for flow in flows:
            height = flow.count / redistribution.n * room
            y1, y2 = leaving[flow.start], arriving[flow.end]
            leaving[flow.start] += height
            arriving[flow.end] += height
            d = (
                f"M{left:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {right:.1f} {y2:.1f}"
                f"V{y2 + height:.1f}"
                f"C{middle:.1f} {y2 + height:.1f} {middle:.1f} {y1 + height:.1f} {left:.1f} {y1 + height:.1f}Z"
            )
            bands.append(
                Band(
                    d,
                    redistribution.classes.index(flow.start),
                    f"{flow.start} → {flow.end}: {flow.count:,} of {redistribution.n:,}",
                )
            )
    return bands
