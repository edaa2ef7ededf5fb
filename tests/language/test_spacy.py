"""spaCy, where it is installed: a pipeline that this test makes and loads from disk."""

from __future__ import annotations

import os

import pytest

from mtprobe.errors import MtprobeError
from mtprobe.language.lemmatizers import open_lemmatizer
from tests.system_packages import REQUIRED


@pytest.fixture
def folder(tmp_path):
    if REQUIRED not in os.environ:
        pytest.importorskip("spacy", reason="spacy is an extra of its own")
    import spacy
    from spacy.lookups import Lookups

    pipeline = spacy.blank("de")
    tables = Lookups()
    tables.add_table("lemma_lookup", {"Schlucke": "Schluck"})
    pipeline.add_pipe("lemmatizer", config={"mode": "lookup"}).initialize(lookups=tables)
    pipeline.to_disk(tmp_path / "model")
    return tmp_path / "model"


def test_a_pipeline_is_loaded_from_its_folder(folder):
    spacy = open_lemmatizer(f"spacy:{folder}", "de")
    assert spacy.name.startswith("spacy ")
    one, empty = spacy.lemmatize(["Zwei Schlucke!", ""])
    assert [token.lemma for token in one] == ["Zwei", "Schluck"]
    assert empty == []


def test_a_pipeline_for_another_language_is_refused(folder):
    with pytest.raises(MtprobeError, match="is for de, not for es"):
        open_lemmatizer(f"spacy:{folder}", "es")


def test_a_model_has_to_be_named():
    with pytest.raises(MtprobeError, match="spacy needs the name of a model"):
        open_lemmatizer("spacy", "de")
