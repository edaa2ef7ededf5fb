"""The spans of tokens in their text, for every family of tokenizers."""

from __future__ import annotations

import pytest

from mtprobe.engine.checkpoints.huggingface.config import Seq2SeqConfig, read_config
from mtprobe.engine.checkpoints.huggingface.files import resolve
from mtprobe.engine.tokenizers.huggingface import open_tokenizer
from tests.engine.checkpoints import factory
from tests.engine.checkpoints.lines import lines
from tests.engine.hf_models import MAKERS

TEXTS = [*lines("en"), "It  is too large, isn’t it?", "  Spaces around. ", "x"]


@pytest.fixture(scope="module", params=[*MAKERS, "marian into several"])
def tokenizer(request, vocabularies, tmp_path_factory):
    folder = tmp_path_factory.mktemp("spans") / "m"
    if request.param == "marian into several":
        factory.put_marian(folder, vocabularies / "en.spm", vocabularies / "de-pt.spm", codes=["deu", "por"])
    else:
        MAKERS[request.param](folder, vocabularies)
    model = resolve(str(folder))
    config = read_config(model)
    assert isinstance(config, Seq2SeqConfig)
    return open_tokenizer(model, config, "en", "pt")


@pytest.mark.parametrize("side", ["source", "target"])
def test_each_token_has_a_span_and_together_they_are_the_text(tokenizer, side):
    for text in TEXTS:
        ids, spans = (getattr(tokenizer, f"{side}_{what}")(text) for what in ("ids", "spans"))
        assert len(spans) == len(ids)
        assert spans[-1] is None or spans[0] is None  # EOS or the language
        standing = [span for span in spans if span is not None]
        assert "".join(text[start:end] for start, end in standing).replace(" ", "") == text.replace(" ", "")
        assert standing == sorted(standing)
