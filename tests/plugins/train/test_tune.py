"""`mtprobe tune`: a model learns from one part of a suite, and the other part tests it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.backends import open_model
from mtprobe.suites import load_suite

from .conftest import HEAD, PEOPLE, suite_text

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

FAST = ("--learning-rate", "0.003", "--batch", "4")


def results_of(folder: Path) -> dict:
    return json.loads((folder / "training.json").read_text())["results"]


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["cross-entropy", "penalty", "margin"])
def test_the_loss_falls_and_pairs_are_learned(tune, suite, objective):
    folder = tune(
        suite, "--objective", objective, "--hold-out", "0", "--dev", "0", "--epochs", "60", "--penalty", "5",
        "--learning-rate", "0.01", "--batch", "8", "--smoothing", "0",
    )  # fmt: skip
    losses = [loss for _, loss in results_of(folder)["losses"]]
    assert sum(losses[-4:]) < 0.5 * sum(losses[:4])
    model, right = open_model(f"hf:{folder}"), 0
    for sample in load_suite(suite).samples:
        targets = sample.targets["pt"]
        scores = model.score([(sample.source, targets.correct[0]), (sample.source, targets.incorrect[0])])
        right += sum(scores[0]) > sum(scores[1])
    learned = objective != "cross-entropy"  # which does not compare targets, and needs longer
    assert right == 2 * len(PEOPLE) or not learned


def test_the_folder_opens_alone_and_gives_the_numbers_of_torch(tune, suite):
    folder = tune(suite, "--steps", "4", "--dev", "0", *FAST, to="en-to-pt")
    model = open_model(f"hf:{folder}")
    assert str(model.languages) == "en→pt"
    pairs = [
        (sample.source, text) for sample in load_suite(suite).samples for text in sample.targets["pt"].correct
    ]
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    theirs = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    for (source, target), ours in zip(pairs, model.score(pairs), strict=True):
        inputs = tokenizer(source, return_tensors="pt")
        labels = tokenizer(text_target=target, return_tensors="pt")["input_ids"]
        with torch.no_grad():
            logits = theirs(**inputs, labels=labels).logits.log_softmax(-1)
        expected = logits.gather(-1, labels.unsqueeze(-1)).flatten().tolist()
        assert list(ours) == pytest.approx(expected, abs=1e-4)


def test_weights_change_and_the_original_does_not(tune, suite, marian):
    from safetensors.torch import load_file

    before = (marian / "model.safetensors").read_bytes()
    folder = tune(suite, "--steps", "2", "--dev", "0", *FAST)
    assert (marian / "model.safetensors").read_bytes() == before
    old, new = load_file(marian / "model.safetensors"), load_file(folder / "model.safetensors")
    assert old.keys() == new.keys()
    assert any(not torch.equal(old[name], new[name]) for name in old)


def test_the_held_out_part_is_a_suite_that_runs(tune, suite, pytester):
    folder = tune(suite, "--steps", "2", "--dev", "0", *FAST)
    held_out = load_suite(folder / "held-out" / "people.mt.yaml")
    split = json.loads((folder / "split.json").read_text())[0]
    assert [sample.id for sample in held_out.samples] == split["held_out"]
    train = {id_.partition("-")[0] for id_ in split["train"]}
    assert train and not train & {sample.cluster for sample in held_out.samples}  # noqa: PT018
    examples = [json.loads(line) for line in (folder / "examples.jsonl").read_text().splitlines()]
    assert {example["id"].split("/")[1].partition("-")[0] for example in examples} == train
    run = pytester.runpytest_inprocess(f"--mt-model=hf:{folder}", str(folder / "held-out"), "-q")
    assert sum(run.parseoutcomes().get(outcome, 0) for outcome in ("passed", "failed")) == 1


def test_further_suites_test_with_what_is_not_trained_on(tune, suite, tmp_path):
    others = suite_text().replace("name: people", "name: others").replace("reads", "writes")
    more = "".join(
        line.replace("doctor", "poet")
        for line in others.partition("samples:\n")[2].splitlines(keepends=True)[:5]
    )
    (tmp_path / "others.mt.yaml").write_text(others + more, encoding="utf-8")
    folder = tune(suite, "--test", "others.mt.yaml", "--steps", "2", "--dev", "0.5", "--seed", "3", *FAST)
    trained, tested = json.loads((folder / "split.json").read_text())
    assert (tested["suite"], tested["train"], tested["dev"]) == ("others", [], [])
    seen = {id_.partition("-")[0] for id_ in (*trained["train"], *trained["dev"])}
    people = {id_.partition("-")[0] for id_ in tested["held_out"]}
    assert people == {*PEOPLE, "poet"} - seen
    held_out = load_suite(folder / "held-out" / "others.mt.yaml")
    assert [sample.id for sample in held_out.samples] == tested["held_out"]
    examples = [json.loads(line) for line in (folder / "examples.jsonl").read_text().splitlines()]
    assert {example["id"].split("/")[0] for example in examples} == {"people"}


def test_the_best_validation_decides(tune, suite):
    """A learning rate that destroys the model: the weights before the first step stay the best."""
    folder = tune(
        suite, "--learning-rate", "0.9", "--dev", "0.5", "--seed", "3", "--epochs", "9", "--patience", "2"
    )  # fmt: skip
    results = results_of(folder)
    losses = {entry["step"]: entry["loss"] for entry in results["validations"]}
    assert results["best_step"] == min(losses, key=losses.__getitem__)
    assert len(losses) == 3  # before training, and two without improvement


def test_replayed_text_is_mixed_in_by_its_share(tune, suite, tmp_path):
    (tmp_path / "plain.en").write_text(
        "".join(f"The doctor reads letter {number}.\n" for number in range(20))
    )
    folder = tune(
        suite, "--replay", tmp_path / "plain.en", "--replay-share", "0.5", "--hold-out", "0", "--dev", "0",
        "--epochs", "1", *FAST,
    )  # fmt: skip
    assert results_of(folder)["steps"] == 2 * len(PEOPLE) * 2 / 4
    examples = [json.loads(line) for line in (folder / "examples.jsonl").read_text().splitlines()]
    replayed = [example for example in examples if example["replay"]]
    assert len(replayed) == 20
    assert not any(example["rejected"] for example in replayed)


def test_the_sources_of_a_suite_are_replayed(tune, suite, tmp_path):
    (tmp_path / "others.mt.yaml").write_text(suite_text().replace("reads", "writes"), encoding="utf-8")
    folder = tune(suite, "--replay", "others.mt.yaml", "--steps", "1", "--dev", "0", *FAST)
    examples = [json.loads(line) for line in (folder / "examples.jsonl").read_text().splitlines()]
    replayed = [example["source"] for example in examples if example["replay"]]
    assert replayed == [sample.source for sample in load_suite(tmp_path / "others.mt.yaml").samples]


def test_counterfactuals_take_the_place_of_targets(tune, tmp_path, monkeypatch):
    """The right version is the target, whichever of the two the model wrote: this one always writes the masculine."""
    from mtprobe_train.material import counterfactuals

    words = {"tired": "cansado", "busy": "ocupado", "calm": "calmo", "ready": "pronto"}
    translations = {
        f"The {person} was {word} when {pronoun} left.": f"{forms[0]} estava {translated} quando saiu."
        for person, forms in PEOPLE.items()
        for word, translated in words.items()
        for pronoun in ("he", "she")
    }
    monkeypatch.setattr(counterfactuals, "translate_all", lambda *_args: translations)
    samples = "".join(
        f"  - {{id: {person}-{word}-{category}, source: The <{person}> was {word} when {pronoun} left., "
        f"category: {category}, attributes: {{person: {person}}}}}\n"
        for person in PEOPLE
        for word in words
        for category, pronoun in (("male", "he"), ("female", "she"))
    )
    head = HEAD.replace("minimal-pairs", "gender-morphology")
    (tmp_path / "gender.mt.yaml").write_text(head + samples, encoding="utf-8")
    folder = tune(
        "gender.mt.yaml", "--counterfactuals", "--hold-out", "0", "--dev", "0", "--steps", "2",
        "--objective", "penalty",
    )  # fmt: skip
    lines = (folder / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = {example["id"]: (example["target"], *example["rejected"]) for example in map(json.loads, lines)}
    male, female = "O médico estava cansado quando saiu.", "A médica estava cansada quando saiu."
    assert len(pairs) == len(PEOPLE) * len(words) * 2
    assert pairs["people/doctor-tired-male#counterfactual"] == (male, female)
    assert pairs["people/doctor-tired-female#counterfactual"] == (female, male)
