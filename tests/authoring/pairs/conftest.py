from __future__ import annotations

from pathlib import Path

import yaml

from mtprobe.authoring.pairs import open_kind
from mtprobe.authoring.pairs.change import Change, Dropped, Line
from mtprobe.language.tagging import open_tagger

EXAMPLES = {
    language: yaml.safe_load((Path(__file__).parent / "examples" / f"{language}.yaml").read_text("utf-8"))
    for language in ("de", "pt")
}


def line(language: str, source: str, target: str) -> Line:
    (tokens,) = open_tagger("rules", language).tag([target])
    return Line(source, target, tuple(tokens))


def found(kind: str, language: str, source: str, target: str) -> list[Change | Dropped]:
    return list(open_kind(kind, language).changes(line(language, source, target)))


def wrong_targets(kind: str, language: str, source: str, target: str) -> list[str]:
    return [
        one.applied_to(target) for one in found(kind, language, source, target) if isinstance(one, Change)
    ]
