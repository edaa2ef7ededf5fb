"""How often each sentence of a suite is translated: as often as the user says, where that can change anything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mtprobe.backends.model import Model
from mtprobe.backends.protocols import is_deterministic
from mtprobe.methods import Method


def repeats_for(wanted: int, model: Model, methods: Sequence[Method]) -> int:
    """Once where the model always gives the same translation, or where no method reads translations."""
    return 1 if any(unrepeated(wanted, model, methods)) else wanted


def unrepeated(wanted: int, model: Model, methods: Sequence[Method]) -> Iterator[str]:
    """A note on why sentences are translated once, although the user wants repeats."""
    if wanted < 2:
        return
    if is_deterministic(model.backend):
        yield f"repeats change nothing: {model.name} always gives the same translation, so it was asked once"
    elif not any(method.judges == "translations" for method in methods):
        yield "repeats change nothing: given targets are judged, not the model's translations"
