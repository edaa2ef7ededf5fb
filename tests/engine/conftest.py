from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mtprobe.backends.device import Device
from mtprobe.engine.build import bergamot_definition
from mtprobe.engine.checkpoints.bergamot.binary import BergamotFile, read_bergamot
from mtprobe.engine.checkpoints.bergamot.folder import ModelFiles, find_model
from mtprobe.engine.demo import demo_folder
from mtprobe.engine.engines import FirefoxEngine
from mtprobe.engine.firefox import FirefoxSearch
from mtprobe.engine.runtime.batches import Size, in_batches
from mtprobe.engine.search.greedy import translate_batch
from tests.engine.hf_models import MAKERS, SmallModel, make, train_vocabularies
from tests.engine.reference import Reference

LIMIT = 256


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    return Path(__file__).with_name("sentences.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def demo_files() -> ModelFiles:
    return find_model(demo_folder())


@pytest.fixture(scope="session")
def demo_weights(demo_files: ModelFiles) -> BergamotFile:
    return read_bergamot(demo_files.weights)


@pytest.fixture(scope="session")
def engine(demo_files: ModelFiles) -> FirefoxEngine:
    return FirefoxEngine(
        demo_files, bergamot_definition(demo_files, longest=513), Device("cpu"), None, FirefoxSearch()
    )


@pytest.fixture(scope="session")
def reference(demo_weights: BergamotFile) -> Reference:
    return Reference(demo_weights.tensors, heads=8)


@pytest.fixture(scope="session")
def sources(engine: FirefoxEngine, sentences: list[str]) -> list[tuple[int, ...]]:
    """The tokens of every sentence, with EOS."""
    return [(*engine.target.encode(sentence), engine.target.end) for sentence in sentences]


@pytest.fixture(scope="session")
def translations(engine: FirefoxEngine, sources: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The tokens of every greedy translation, with EOS."""
    outputs = in_batches(
        sources,
        size=lambda tokens: Size(len(tokens), 1),
        run=lambda batch: translate_batch(engine.network, batch, engine.target.end, LIMIT),
        budget=Size(4096, 64),
    )
    assert all(len(output) < LIMIT for output in outputs)
    return [(*output, engine.target.end) for output in outputs]


@pytest.fixture(scope="session")
def alone(engine: FirefoxEngine, sources, translations) -> list[np.ndarray]:
    """The scores of every translation, each computed alone."""
    return [
        engine.network.score([source], [tokens])[0]
        for source, tokens in zip(sources, translations, strict=True)
    ]


@pytest.fixture(scope="session")
def vocabularies(tmp_path_factory):
    return train_vocabularies(tmp_path_factory.mktemp("vocabularies"))


@pytest.fixture(scope="session", params=list(MAKERS))
def small_model(request, tmp_path_factory, vocabularies) -> SmallModel:
    return make(request.param, tmp_path_factory.mktemp("models") / request.param, vocabularies)
