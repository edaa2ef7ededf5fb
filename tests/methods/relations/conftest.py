"""A suite of relations, judged on translations that a test makes up."""

from __future__ import annotations

import pytest

import mtprobe

HEAD = """\
mtprobe: 1
name: relations
about: Do the translations belong together?
languages: {source: en, targets: any}
method: relation
"""


@pytest.fixture
def run(tmp_path):
    """The finished suite run: samples as YAML, and the translations of all sources."""

    def run(samples, translations, target="pt", gates='gates: {accuracy: ">= 0.9"}\n', **settings):
        path = tmp_path / "relations.mt.yaml"
        path.write_text(HEAD + gates + samples, encoding="utf-8")
        lines = "".join(f"{source} ||| {text}\n" for source, text in translations.items())
        (tmp_path / "out.txt").write_text(lines, encoding="utf-8")
        model = f"file:{tmp_path / 'out.txt'}"
        return mtprobe.run(path, model, source="en", target=target, **settings).suites[0]

    return run


@pytest.fixture
def verdict(run):
    """The verdict on one pair of sources."""

    def verdict(relation, pair, target="pt", more="", **settings):
        (one, first), (other, second) = pair.items()
        samples = f"samples:\n  - source: {one}\n    against: {other}\n    relation: {relation}\n{more}"
        (result,) = run(samples, {one: first, other: second}, target, **settings).results
        return result.verdict

    return verdict
