"""Two translations of a source on one line, with differences marked as in `git diff --word-diff`."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from mtprobe.report.runs.word_diff import tokens

_LONGEST = 300  # characters of both: longer texts are read better one below the other
_ALIKE = 0.5  # the least similarity that makes a diff easier to read than two texts


def word_diff(before: str, after: str) -> str | None:
    """`[-O médico-]{+A médica+} chegou.`; None if the texts are long, or have little in common."""
    if before == after or len(before) + len(after) > _LONGEST:
        return None
    old, new = tokens(before), tokens(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return None
    return "".join(
        "".join(new[j:end_j])
        if kind == "equal"
        else _marked("[-", "".join(old[i:end_i]), "-]") + _marked("{+", "".join(new[j:end_j]), "+}")
        for kind, i, end_i, j, end_j in _joined(matcher.get_opcodes(), old)
    )


def _marked(start: str, text: str, end: str) -> str:
    return f"{start}{text}{end}" if text else ""


def _joined(
    codes: Iterable[tuple[str, int, int, int, int]], old: list[str]
) -> list[tuple[str, int, int, int, int]]:
    """Changes with nothing but a space between them are one change."""
    changes = list(codes)
    joined: list[tuple[str, int, int, int, int]] = []
    for place, (kind, i, end_i, j, end_j) in enumerate(changes):
        between = kind == "equal" and 0 < place < len(changes) - 1 and not "".join(old[i:end_i]).strip()
        kind = "replace" if between or kind != "equal" else kind
        if joined and joined[-1][0] == kind == "replace":
            _, first_i, _, first_j, _ = joined.pop()
            i, j = first_i, first_j
        joined.append((kind, i, end_i, j, end_j))
    return joined


def then_and_now(before: str | None, after: str | None) -> list[str]:
    """One line with the words that differ, or two."""
    same = before == after
    if diff := None if before is None or after is None else word_diff(before, after):
        return [f"changed      {diff}"]
    now = "the same" if same else shown(after)
    return [f"before       {shown(before)}", f"now          {now}"]


def shown(translation: str | None) -> str:
    return "–" if translation is None else translation
