"""Winograd schemas → contrastive translations (Emelin and Sennrich, 2021): which noun is *it*, as the pronoun's gender tells."""

from __future__ import annotations

LANGUAGES = ("de", "fr", "pt", "ru")
