"""Translations and scores of earlier runs, on disk: nothing is paid for twice."""

from __future__ import annotations

from mtprobe.store.errors import NewerStore, StoreError
from mtprobe.store.keeping import SpanKey, Store
from mtprobe.store.place import keep_out_of_git
from mtprobe.store.rows import Spans

__all__ = ["NewerStore", "SpanKey", "Spans", "Store", "StoreError", "keep_out_of_git"]
