"""A runtime that computes wrongly is refused, whatever its version; one that computes rightly is not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import onnxruntime
import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.scorer import ScorePair, SpanPair
from mtprobe.backends.stored import score_all, translate_all
from mtprobe.engine.demo import open_demo
from mtprobe.engine.export import export
from mtprobe.engine.firefox import open_firefox
from mtprobe.engine.hf import open_hf
from mtprobe.engine.onnx import open_onnx
from mtprobe.engine.runtime.session import Session
from mtprobe.engine.runtime.version import runtime_name, runtime_package
from mtprobe.engine.selftest.agreement import probes
from mtprobe.errors import ModelError
from mtprobe.methods.salience.measure import measure
from mtprobe.methods.salience.outcome import SalienceQuestion
from mtprobe.progress import Silent
from mtprobe.store import Store
from tests.engine.converted.models import put_firefox
from tests.engine.tiny import Shape

REQUEST = OpenRequest(source="en", target="pt", device="cpu", threads=1)
PAIRS = [
    ScorePair("The doctor finished her shift early.", "O médico terminou sua mudança cedo."),
    ScorePair(
        "The nurse asked the engineer whether he had finished the long report about the new bridge.",
        "A enfermeira perguntou ao engenheiro se ele tinha terminado o longo relatório sobre a nova ponte.",
    ),
]
SOURCES = [pair.source for pair in PAIRS]
QUESTION = SalienceQuestion(
    id="1",
    source=SOURCES[0],
    target=PAIRS[0].target,
    word=(2, 8),
    wrong="",
    wrong_word=None,
    triggers=(),
    focus=None,
    cluster="1",
)
WORK = {
    "score": lambda model: model.score(PAIRS),
    "translate": lambda model: model.translate(SOURCES),
    "n_best": lambda model: model.n_best(SOURCES, 1),
    "attention": lambda model: model.attention([SpanPair(*pair, 4, 9) for pair in PAIRS]),
    "salience": lambda model: measure(model, [QUESTION]),
}


def demo(**settings):
    return open_demo("", replace(REQUEST, **settings))


def firefox(tmp_path, attends: bool, beams: int = 1):
    folder = put_firefox(tmp_path / "xxyy", shape=Shape(vocabulary=90, attends=attends))
    return open_firefox(f"{folder}?beams={beams}", OpenRequest(device="cpu", threads=1))


def exported(tmp_path):
    export("demo", demo(), tmp_path / "exported")
    return open_onnx(str(tmp_path / "exported"), REQUEST)


MODELS = {
    "demo": lambda _: demo(),
    "demo in int8": lambda _: demo(dtype="int8"),
    "firefox, attending": lambda tmp_path: firefox(tmp_path, attends=True),
    "firefox, beams": lambda tmp_path: firefox(tmp_path, attends=False, beams=2),
    "onnx": exported,
}


def refused(model, work):
    """What the error says."""
    with pytest.raises(ModelError) as refusal:
        WORK[work](model)
    return str(refusal.value)


@pytest.mark.parametrize("kind", MODELS)
def test_a_runtime_that_ignores_padding_is_refused(kind, ignoring, tmp_path):
    model = MODELS[kind](tmp_path)
    ignoring("source_mask")
    for work in WORK:
        text = refused(model, work)
        assert refused(model, work) == text  # a failed test is not remembered
        name = f"{runtime_name()} CPUExecutionProvider"
        assert f"{name} computes wrong numbers for {model.fingerprint}" in text
        assert onnxruntime.__version__ in name
        what = "weight of " if work == "attention" else "probability of "
        alone, in_batch = (float(text.split(word)[1].split()[0]) for word in (what, "but of "))
        assert abs(alone - in_batch) > 1e-3
        assert f"in {model.dtype} tokens may differ by 0.001" in text
        assert f"install another version (pip install '{runtime_package()}>=1.21')" in text


@pytest.mark.parametrize("kind", MODELS)
def test_a_runtime_that_computes_rightly_is_not_refused(kind, probed, tmp_path):
    model = MODELS[kind](tmp_path)
    for run in WORK.values():
        run(model)
    assert set(probed) >= {"score", "score_without", "attention", "search"}
    assert set(probed.values()) == {3}  # one batch, and two sentences alone


def test_the_models_of_transformers_are_tested_too(small_model, ignoring, probed):
    model = open_hf(str(small_model.folder), REQUEST)
    for run in WORK.values():
        run(model)
    assert probed == {"score": 3, "score_without": 3, "attention": 3, "search": 3}
    ignoring("source_mask")
    another = open_hf(f"{small_model.folder}?beams=2", REQUEST)
    for work in WORK:
        assert "computes wrong numbers" in refused(another, work)


def test_hypotheses_of_different_lengths_are_tested(ignoring, tmp_path):
    """They are padded at their start, when sentences join a batch that is under way."""
    ignoring("seen")
    with pytest.raises(ModelError, match="computes wrong numbers"):
        firefox(tmp_path, attends=True).translate(["bab"])


def test_numbers_that_are_none_are_refused(monkeypatch):
    right = Session.run_with_device_outputs

    def wrong(self, outputs, device_outputs, inputs):
        results, rest = right(self, outputs, device_outputs, inputs)
        if "logprobs" in outputs and (inputs["source_mask"] == 0).any():
            results = [np.full_like(values, np.nan) for values in results]
        return results, rest

    monkeypatch.setattr(Session, "run_with_device_outputs", wrong)
    with pytest.raises(ModelError, match="but of nan in a batch"):
        demo().score(PAIRS)


def test_weights_that_compute_nonsense_are_not_blamed_on_the_runtime(monkeypatch):
    right = Session.run_with_device_outputs

    def nonsense(self, outputs, device_outputs, inputs):
        results, rest = right(self, outputs, device_outputs, inputs)
        return [np.full_like(values, np.nan) for values in results], rest

    monkeypatch.setattr(Session, "run_with_device_outputs", nonsense)
    with pytest.raises(ModelError, match=r"demo.*no finite score; are its files damaged\?"):
        demo().score(PAIRS)


def test_a_model_that_reads_nothing_of_the_test_is_not_tested(monkeypatch):
    monkeypatch.setattr("mtprobe.engine.selftest.agreement.probes", lambda engine: [])  # noqa: ARG005
    assert len(demo().score(PAIRS)) == 2


@pytest.mark.usefixtures("as_on_cuda")
def test_it_is_refused_on_cuda_too(ignoring):
    demo().score(PAIRS)
    ignoring("source_mask")
    with pytest.raises(ModelError, match="CUDAExecutionProvider computes wrong numbers"):
        demo().translate(SOURCES)


def test_nothing_that_a_refused_runtime_computed_is_stored(ignoring, tmp_path):
    ignoring("source_mask")
    model = demo()
    with Store(tmp_path / "store.sqlite") as store:
        with pytest.raises(ModelError):
            translate_all(model, SOURCES, store, Silent())
        with pytest.raises(ModelError):
            score_all(model, PAIRS, store, Silent())
        assert store.translations(model.fingerprint, SOURCES) == {}
        assert store.scores(model.fingerprint, PAIRS) == {}


def test_sentences_of_the_test_differ_in_length(small_model, tmp_path):
    for model in (open_hf(str(small_model.folder), REQUEST), firefox(tmp_path, attends=False)):
        sources, targets = zip(*probes(model.engine), strict=True)
        assert [len(source) for source in sources] == [10, 5, 2]
        assert [len(target) for target in targets] == [7, 2, 3]


def test_sentences_that_the_model_cannot_read_are_not_part_of_the_test(monkeypatch):
    engine = demo().engine
    monkeypatch.setattr(engine, "too_long", lambda tokens, _: len(tokens) > 7 or None)
    assert [len(source) for source, _ in probes(engine)] == [5, 2]
