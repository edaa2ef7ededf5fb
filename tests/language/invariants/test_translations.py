"""Translations by hand into the languages of Europe, Arabic, Chinese, Hindi, Japanese and Thai: right ones pass, wrong ones do not."""

from pathlib import Path

import pytest
import yaml

from mtprobe.language.invariants import KINDS, Text

TABLE = yaml.safe_load(Path(__file__).with_name("translations.yaml").read_text(encoding="utf-8"))


def rows(what):
    return [
        pytest.param(
            kind, row["source"], target, language, id=f"{kind}-{language}-{row['source'][:30]}-{index}"
        )
        for kind, table in TABLE.items()
        for row in table
        for language, targets in row.get(what, {}).items()
        for index, target in enumerate(targets)
    ]


@pytest.mark.parametrize(("kind", "source", "target", "language"), rows("kept"))
def test_a_right_translation_passes(kind, source, target, language):
    assert KINDS[kind].changes(Text(source, "en"), Text(target, language)) == []


@pytest.mark.parametrize(("kind", "source", "target", "language"), rows("changed"))
def test_a_wrong_translation_does_not(kind, source, target, language):
    assert KINDS[kind].changes(Text(source, "en"), Text(target, language))
