"""What goes to the cluster, what stays here, and how errors come back"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from mtprobe_ray import RayExecutor, open_ray

from mtprobe.backends.protocols import Request
from mtprobe.backends.registry import ModelSpec
from mtprobe.backends.scorer import ScorePair, SpanPair
from mtprobe.backends.stored import score_all, translate_all
from mtprobe.errors import Failure, ModelError, MtprobeError
from mtprobe.plan import open_models
from mtprobe.progress import Silent
from mtprobe.settings import Settings
from mtprobe.store import Store
from tests.plugins.ray.conftest import Nodes, sentences

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shared(nodes: Nodes) -> Iterator[RayExecutor]:
    """The same worker for all that leave it alive."""
    with closing(open_ray(nodes.address)) as opened:
        yield opened


def test_a_model_and_its_evaluator_share_the_workers(toys, shared):
    model, evaluator = toys.open("quick", shared), toys.open("other", shared)
    made = translate_all(model.runner, sentences(20), None, Silent())
    pairs = [ScorePair(source, str(target)) for source, target in made.items()]
    here = score_all(toys.open("other").runner, pairs, None, Silent())
    assert score_all(evaluator.runner, pairs, None, Silent()) == here
    assert len(shared.pool.processes()) == 1  # there is one core


def test_a_failure_speaks_for_its_sentence(toys, shared):
    made = translate_all(toys.open("quick", shared).runner, ["a", "hard"], None, Silent())
    assert made == {"a": "A", "hard": Failure("too hard")}


def test_context_and_repeats_reach_the_model(toys, shared):
    requests = [Request("It.", ("A dog.",)), Request("It.", ("A cat.",), repeat=1)]
    translations = translate_all(toys.open("in_context", shared).runner, requests, None, Silent())
    assert list(translations.values()) == ["It. after A dog., 0", "It. after A cat., 1"]
    with pytest.raises(ModelError, match="cannot translate in context"):
        translate_all(toys.open("quick", shared).runner, requests, None, Silent())


def test_an_error_of_the_model_comes_back_as_it_is(toys, shared):
    with pytest.raises(ModelError) as raised:
        translate_all(toys.open("quick", shared).runner, ["a", "refused"], None, Silent())
    assert str(raised.value) == "the toy does not like this sentence"


def test_a_bug_of_the_model_is_named_with_its_place(toys, shared):
    with pytest.raises(ModelError) as raised:
        translate_all(toys.open("quick", shared).runner, ["broken"], None, Silent())
    assert f"raised ZeroDivisionError: the toy is broken, in {toys.module}.py:" in str(raised.value)


def test_a_model_that_is_another_one_on_the_node_is_refused(toys, shared):
    with pytest.raises(ModelError, match=r"here_only is another model on the node .* same files"):
        translate_all(toys.open("here_only", shared).runner, ["a"], None, Silent())


@pytest.mark.usefixtures("toys")  # in whose folder the worker starts
def test_tokens_are_placed_and_aligned_as_here(shared):
    (demo,) = open_models(Settings(models=(ModelSpec.parse("demo"),))).tested
    there = shared.place(demo)
    text = "A médica terminou o turno."
    assert there.runner.target_spans(text) == demo.backend.target_spans(text)
    pairs = [
        SpanPair("The doctor finished her shift.", text, 4, 10),
        SpanPair("Good morning.", "Bom dia.", 0, 4),
    ]
    assert there.runner.attention(pairs) == demo.backend.attention(pairs)
    there.runner.translate(["Good morning."])
    assert there.runner.provider == "CPUExecutionProvider"


def test_a_gpu_is_asked_for_and_its_absence_told_as_here(nodes, executor):
    node = nodes.add(num_gpus=1)  # Ray believes what it is told
    try:
        (demo,) = open_models(Settings(models=(ModelSpec.parse("demo"),), device="cuda")).tested
        there = executor.place(demo)
        with pytest.raises(ModelError, match=r"^CUDA was asked for, but"):
            translate_all(there.runner, ["Good morning."], None, Silent())
        assert executor.pool._needs.gpus == 1
    finally:
        nodes.cluster.remove_node(node)


def test_a_card_of_this_machine_cannot_be_named(toys):
    with pytest.raises(ModelError, match="use `device=cuda`"):
        toys.open("quick", open_ray(""), device="cuda:1")


def test_what_is_in_the_store_is_not_sent(toys, tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        translate_all(toys.open("quick").runner, ["a", "b"], store, Silent())
        nowhere = open_ray("127.0.0.1:1")
        made = translate_all(toys.open("quick", nowhere).runner, ["b", "a"], store, Silent())
    assert made == {"a": "A", "b": "B"}
    assert "cluster" not in vars(nowhere)
    nowhere.close()


def test_services_and_files_are_asked_from_here(tmp_path, monkeypatch):
    monkeypatch.setenv("DEEPL_API_KEY", "a-secret:fx")
    (tmp_path / "made.tsv").write_text("a\tb\n", encoding="utf-8")
    specs = [ModelSpec.parse(f"file:{tmp_path / 'made.tsv'}"), ModelSpec.parse("deepl:")]
    models = open_models(Settings(models=tuple(specs), source="en", targets=("pt",))).tested
    assert [open_ray("").place(model) for model in models] == list(models)


def test_a_stand_in_can_do_what_the_model_can(toys):
    (toys.path / "plain.py").write_text(
        "def upper(sources):\n    return [one.upper() for one in sources]\n", encoding="utf-8"
    )
    (plain,) = open_models(Settings(models=(ModelSpec.parse("python:plain:upper"),), targets=("pt",))).tested
    runner = open_ray("").place(plain).runner
    assert hasattr(runner, "translate")
    assert not hasattr(runner, "score")
    assert not hasattr(runner, "target_spans")
    assert not hasattr(runner, "attention")


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("?workrs=2", 'unknown option "workrs"; did you mean "workers"?'),
        ("somewhere:6379?threads=0", "threads=0 is not a positive number"),
    ],
)
def test_a_mistake_in_the_options_is_reported(rest, message):
    with pytest.raises(MtprobeError, match=message.replace("?", "[?]")):
        open_ray(rest)
