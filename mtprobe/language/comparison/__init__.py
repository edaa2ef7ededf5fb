"""Compares two translations word by word: what is missing in one of them, and what each of them negates."""

from __future__ import annotations

from mtprobe.language.comparison.differences import Comparison, Segment, compare
from mtprobe.language.comparison.lexicon import Lexicon, lexicon_of
from mtprobe.language.comparison.reading import Reader, Reading, Word

__all__ = ["Comparison", "Lexicon", "Reader", "Reading", "Segment", "Word", "compare", "lexicon_of"]
