from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.authoring.cues.tiny_mlm import LANGUAGE, train

HEAD = """\
mtprobe: 1
name: words
about: Are words understood?
languages: {source: en, targets: [pt]}
method: contrastive-conditioning
cluster: word
cues: {file: cues.jsonl}
gates: {accuracy: ">= 0.5"}
"""
TRANSLATIONS = {"river": "margem", "money": "banco", "animal": "morcego", "club": "taco"}

# Each cue pulls to its sense by so much; the others pull nowhere.
PULLS = {
    **{"muddy": 4, "grassy": 3, "steep": 2, "sandy": 1, "savings": 4, "central": 3, "private": 2, "Swiss": 1},
    **{"furry": 4, "flying": 3, "sleepy": 2, "hungry": 1, "wooden": 4, "cricket": 3, "broken": 2, "heavy": 1},
}

EVALUATOR = f"""\
from pathlib import Path

PULLS = {PULLS!r}
SENSES = { ({cue: sense for senses in LANGUAGE.values() for sense, (cues, _) in senses.items() for cue in cues})!r}
TRANSLATIONS = {TRANSLATIONS!r}


class Evaluator:
    fingerprint = "toy"
    scored = 0
    stop_after = None

    def __call__(self, sources):
        return list(sources)

    def score(self, pairs):
        if self.stop_after is not None and self.scored >= self.stop_after:
            raise KeyboardInterrupt
        type(self).scored += len(pairs)
        return [self.one(source, target) for source, target in pairs]

    def one(self, source, target):
        score = -1.0
        for word in source.split():
            if word.lower() in PULLS or word in PULLS:
                cue = word if word in PULLS else word.lower()
                fits = TRANSLATIONS[SENSES[cue]] in target
                score += 0.1 * PULLS[cue] * (1 if fits else -1)
        return (score, score)


toy = Evaluator()


class Picky(Evaluator):
    fingerprint = "picky"

    def score(self, pairs):
        from mtprobe.errors import Failure
        return [Failure("too long") if "frogs" in s else self.one(s, t) for s, t in pairs]


picky = Picky()


def mute(sources):
    return list(sources)
"""


@pytest.fixture(scope="session")
def mlm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a masked language model that knows the words of `LANGUAGE`."""
    return train(tmp_path_factory.mktemp("mlm"))


def samples(attribute: str = "word") -> str:
    """Every ending of the small language as a sample with its reference, half of them with the word in front."""
    lines = ["samples:"]
    for word, senses in LANGUAGE.items():
        for sense, (_, endings) in senses.items():
            for number, ending in enumerate(endings):
                opening = f"<{word.capitalize()}>" if number % 2 else f"the <{word}>"
                lines += [
                    f"  - id: {word}-{sense}-{number}",
                    f"    source: {opening} {ending}.",
                    f"    attributes: {{{attribute}: {word}, sense: {sense}}}",
                    f"    references: {{pt: O {TRANSLATIONS[sense]} número {number}.}}",
                ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder with the suite words.mt.yaml and the module toy_cues, which has evaluators."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.mt.yaml").write_text(HEAD + samples(), encoding="utf-8")
    (tmp_path / "toy_cues.py").write_text(EVALUATOR, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    sys.modules.pop("toy_cues", None)  # the next test writes its own
