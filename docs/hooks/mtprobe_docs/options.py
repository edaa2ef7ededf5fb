"""The options of the pytest plugin, as it declares them."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import Any

from mtprobe.pytest_plugin.options import add_options
from mtprobe_docs.markdown import code, table


@dataclass
class _Declared:
    """Stands in for pytest's parser, and keeps what a plugin declares."""

    flags: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    ini: dict[str, str] = field(default_factory=dict)  # help by name

    def getgroup(self, *_: str) -> _Declared:
        return self

    def addoption(self, flag: str, **settings: Any) -> None:
        self.flags.append((flag, settings))

    def addini(self, name: str, help: str, type: str, default: Any) -> None:  # noqa: ARG002 - pytest's signature
        self.ini[name] = help


def options() -> str:
    declared = _Declared()
    add_options(declared)  # type: ignore[arg-type]
    shown = [(flag, settings) for flag, settings in declared.flags if settings["help"] != argparse.SUPPRESS]
    rows = [(code(_usage(flag, settings)), settings["help"]) for flag, settings in shown]
    flags = {settings["dest"] for _, settings in declared.flags}
    flags |= {f"mt_{flag.removeprefix('--mt-')}" for flag, _ in declared.flags}  # old names
    rows += [
        (f"{code(name)} (ini file only)", help) for name, help in declared.ini.items() if name not in flags
    ]
    return table(["option", "meaning"], rows)


def _usage(flag: str, settings: dict[str, Any]) -> str:
    value = settings.get("metavar") or "|".join(settings.get("choices", ()))
    return f"{flag} {value}" if value else flag
