"""Language models of other families run in torch: the numbers of transformers, alone as in a batch."""

from __future__ import annotations

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest, Request
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.checkpoints.causal.config import NoGraphs, read_causal_config
from mtprobe.engine.checkpoints.huggingface.files import local_folder
from mtprobe.engine.lm.torch_lm import TorchLm
from tests.engine.lm.models import IN_TORCH, SmallLm, make

SOURCES = ["The nurse finished her shift early.", "Où ça ?", "one two three " * 5]
TARGETS = ["L'infirmière a terminé son service.", "L'infirmière", "", "日本"]


@pytest.fixture(scope="module", params=list(IN_TORCH))
def other(request, tmp_path_factory) -> SmallLm:
    return make(tmp_path_factory.mktemp("lm"), request.param)


def test_it_runs_in_torch_with_the_numbers_of_transformers(other: SmallLm):
    reason = read_causal_config(local_folder("other", other.folder))
    assert isinstance(reason, NoGraphs)
    assert reason.reason == f"there are no graphs for {reason.model_type} models"
    spec = ModelSpec.parse(f"lm:{other.folder}?max_new_tokens=16")
    model = open_backend(spec, OpenRequest("en", "fr", device="cpu", threads=1))
    assert isinstance(model.loaded, TorchLm)
    pairs = [ScorePair(source, target) for source in SOURCES for target in TARGETS]
    for pair, scores in zip(pairs, model.score(pairs), strict=True):
        expected = other.logprobs(model.asking.prompt_tokens(pair.source), model.asking.target_tokens(*pair))
        np.testing.assert_allclose(scores, expected, rtol=0, atol=1e-4)
        np.testing.assert_allclose(model.score([pair])[0], scores, rtol=0, atol=1e-5)
    tokenizer = model.asking.tokenizer
    answers = [
        tokenizer.text(other.generate(model.asking.prompt_tokens(source), 16)).strip() for source in SOURCES
    ]
    assert model.translate([Request(source) for source in SOURCES]) == answers
    assert len(set(answers)) == len(SOURCES)
