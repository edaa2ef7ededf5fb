"""Minimal pairs from parallel text: one module per kind of change, for every language that has it."""

from __future__ import annotations

from mtprobe.authoring.pairs.kinds import KINDS, kinds_of, open_kind

__all__ = ["KINDS", "kinds_of", "open_kind"]
