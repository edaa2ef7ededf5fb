"""The gates of a suite as text with positions; `gates/` parses them."""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.errors import Place, SuiteError
from mtprobe.language import tags
from mtprobe.suite.format.suite import GateModel, SuiteModel
from mtprobe.suite.parsing.tree import Tree
from mtprobe.suite.sample import GateText, Xfail


def read_gates(model: SuiteModel, tree: Tree) -> Iterator[GateText]:
    """The gates as they are written, those below a language tag for models into that language."""
    for key, value in model.gates.items():
        if isinstance(value, dict):
            if not tags.is_language(key):
                raise SuiteError.at(
                    tree.place(("gates", key)),
                    f'gates.{key}: neither a gate with a bound nor a language tag; write {key}: ">= 0.60"',
                )
            for inner, gate in value.items():
                place = tree.place(("gates", key, inner))
                yield _gate(inner, gate, place, tags.standard(key))
        else:
            yield _gate(key, value, tree.place(("gates", key)), None)


def _gate(key: str, gate: str | GateModel, place: Place, language: str | None) -> GateText:
    if isinstance(gate, str):
        return GateText(key, gate, place, language)
    xfail = Xfail(gate.xfail.reason, gate.xfail.until) if gate.xfail else None
    return GateText(key, gate.bound, place, language, xfail)
