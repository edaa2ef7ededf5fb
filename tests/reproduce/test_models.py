"""Cells that need a model, filled by toy models into German"""

from __future__ import annotations

import sys

import pytest

TOY = """
class Toy:
    # The mean token log-probability is that of a text's length: shorter is likelier, by a factor of the seed.
    def __init__(self, seed):
        self.seed, self.fingerprint = seed, f"toy:{seed}"

    def __call__(self, sources):
        return [f"Der Satz Nummer {len(source)} ist {self.seed}." for source in sources]

    def score(self, pairs):
        return [(-self.seed * len(target) / 100,) for _, target in pairs]

one, two = Toy(1), Toy(2)
"""
MODELS = (
    "--model",
    "one=python:toys_into_german:one",
    "--model",
    "two=python:toys_into_german:two",
    "--source",
    "en",
    "--target",
    "de",
)


@pytest.fixture
def toys(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "toys_into_german", raising=False)
    (tmp_path / "toys_into_german.py").write_text(TOY, encoding="utf-8")


@pytest.mark.usefixtures("toys")
def test_distil_lingeval_has_a_mean_over_seeds(reproduce, tmp_path):
    folder = tmp_path / "data" / "distil-lingeval" / "clause_omission.human"
    folder.mkdir(parents=True)
    files = {
        "src.en": "One.\nTwo.\n",
        "tgt.correct.de": "Kurz.\nEin längerer Satz.\n",
        "tgt.incorrect.de": "Kurz und lang.\nEin Satz.\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    cells, _ = reproduce("distil-lingeval", "--data", tmp_path / "data", *MODELS)
    row = "clause_omission.human"
    assert cells["clause_omission", "human"]["ours"] == 2
    assert cells["clause_omission", "human"]["agrees"] is False  # the published set has 1,104
    accuracy = cells[row, "mean of one, two: accuracy"]
    assert (accuracy["ours"], accuracy["spread"], accuracy["n"]) == (50, 0, 2)  # the shorter one wins
    # score(translation) - score(preferred): the translation has 24 characters, the preferred ones 5 and 9.
    one, two = (-seed * ((24 - 5) + (24 - 9)) / 2 / 100 for seed in (1, 2))
    discrepancy = cells[row, "mean of one, two: discrepancy"]
    assert discrepancy["ours"] == pytest.approx((one + two) / 2)
    assert discrepancy["spread"] == pytest.approx(abs(one - two) / 2**0.5)
    assert cells[row, "mean of one, two: discrepancy, clipped"]["ours"] == 0
    assert cells[row, "transformer: accuracy"]["printed"] == "75.5"


@pytest.mark.usefixtures("toys")
def test_published_settings_run_on_models_into_german(reproduce, shared_data):
    """Contrastive conditioning and lemma matching on a few samples of the published sets."""
    cells, code = reproduce(
        "winomt", "--data", shared_data, "--take", 30, "--evaluator", "python:toys_into_german:two", *MODELS
    )
    assert code == 0
    # The toy has no preference: every sample is a tie, which the paper's code counts as correct. Cues differ in length, and
    # [female] is no part of what is scored.
    assert cells["mean of one, two", "total"]["ours"] == 100
    assert cells["contrastive conditioning", "agreement"]["ours"] is not None
    assert cells["contrastive conditioning", "agreement"]["agrees"] is None
    cells, code = reproduce("mucow", "--data", shared_data, "--take", 30, *MODELS)
    assert code == 0
    assert cells["mean of one, two", "coverage"]["ours"] == 0
    assert cells["mean of one, two", "frequent"]["ours"] == 100
