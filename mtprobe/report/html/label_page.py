"""The page for labelling translations: a single file, blind to the verdicts, that exports a label file."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from mtprobe import __version__
from mtprobe.records import SuiteRun
from mtprobe.report.html.page import render
from mtprobe.studies.label_draw import Drawn
from mtprobe.suite.labels import COLUMNS, cells_of
from mtprobe.system.atomic import write_text

_STYLES = ("style.css", "label.css")


def write_label_page(path: Path, suite: SuiteRun, drawn: Sequence[Drawn]) -> None:
    """The page; what it exports is named like the label file beside it."""
    sheet = {
        "file": path.with_suffix(".tsv").name,
        "columns": COLUMNS,
        "samples": [_sample(one) for one in drawn],
    }
    text = json.dumps(sheet, separators=(",", ":"))
    context = {
        "version": __version__,
        "suite": suite,
        "total": len(drawn),
        "data": b64encode(text.encode()).decode(),
        "name": sha256(text.encode()).hexdigest()[:16],
    }
    write_text(path, render("label.html.j2", context, _STYLES, ("label.js",)))


def _sample(drawn: Drawn) -> dict[str, object]:
    result = drawn.result
    start, end = result.focus or (len(result.source), len(result.source))
    return {
        "cells": cells_of(drawn.line),
        "source": [result.source[:start], result.source[start:end], result.source[end:]],
        "translation": result.translation or "",
        "category": result.category or "",
        "answers": drawn.answers,
        "label": drawn.label,
        "by": drawn.labelled_by,
    }
