"""Three shares in one bar: a class, neither, and the opposite class."""

from __future__ import annotations

from collections.abc import Sequence

SIGNS = "█·░"


def stacked_bar(parts: Sequence[float], width: int) -> str:
    """The bar in characters, each part as long as its share; empty if there is nothing."""
    total = sum(parts)
    if not total:
        return ""
    ends = [0]
    for number in range(len(parts)):
        ends.append(round(width * sum(parts[: number + 1]) / total))
    return "".join(sign * (end - start) for sign, start, end in zip(SIGNS, ends, ends[1:], strict=False))


def legend(names: Sequence[str]) -> str:
    """`█ male · other ░ female`."""
    return "  ".join(f"{sign} {name}" for sign, name in zip(SIGNS, names, strict=True))
