"""Winograd schemas → contrastive translations (Emelin and Sennrich, 2021): which noun is *it*, as shown by the pronoun's gender."""

from __future__ import annotations

LANGUAGES = ("de", "fr", "pt", "ru")
