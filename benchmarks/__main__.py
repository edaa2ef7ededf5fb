"""Runs every benchmark: `make bench`, or one by name: `python -m benchmarks plugin_overhead`."""

from __future__ import annotations

import sys
from importlib import import_module

ALL = ("plugin_overhead", "collect_100k", "second_run", "demo_model", "opus_shape")

for name in sys.argv[1:] or ALL:
    print(f"== {name}", flush=True)
    import_module(f"benchmarks.{name}").main()
