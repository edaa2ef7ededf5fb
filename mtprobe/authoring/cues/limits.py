"""How many words each step of finding cues keeps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """As published: Vamvas and Sennrich, 2021, Appendix D; the pool from their code."""

    pool: int = 50
    proposals: int = 10
    cues: int = 3
