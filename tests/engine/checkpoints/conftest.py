"""Vocabularies and tokenizers that several files test with; each is made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.checkpoints.factory import train


@pytest.fixture(scope="session")
def vocabularies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SentencePiece models: of English, of German and Portuguese, and of all languages in two kinds."""
    folder = tmp_path_factory.mktemp("vocabularies")
    train(folder / "en.spm", ["en"], "unigram", 120)
    train(folder / "de-pt.spm", ["de", "pt"], "unigram", 200)
    train(folder / "bpe.model", [], "bpe", 500)
    train(folder / "unigram.model", [], "unigram", 500)
    return folder
