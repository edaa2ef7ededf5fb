"""The tutorial and the starter are judged rightly on opus-mt-en-fr: its translations were read"""

from __future__ import annotations

import pytest

from tests.tutorial import by_template, starter_text, tutorial, verdicts


@pytest.fixture
def judged(models, tmp_path):
    def judged(text: str) -> dict[str, str]:
        return verdicts(text, tmp_path, f"hf:{models / 'opus-mt-en-fr'}", source="en", target="fr")

    return judged


def test_the_tutorials_samples_are_judged_rightly(judged):
    # Le phoque plongea; son sceau rouge; un ventilateur pour la chambre
    assert judged(tutorial()) == dict.fromkeys(["seal-animal", "seal-stamp", "fan-device"], "correct")


def test_so_are_the_starters(judged):
    assert by_template(judged(starter_text())) == {
        "seal-animal": {"correct"},  # Le phoque
        "seal-stamp": {"correct"},  # Le sceau
        "match-game": {"correct"},  # Le match
        "match-fire": {"incorrect"},  # le dernier match
        "nail-finger": {"correct"},  # ses ongles
        "nail-metal": {"correct"},  # les clous
    }
