from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.backends.protocols import Backend, OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair, Scorer, mean
from mtprobe.errors import Failure, ModelError
from tests.engine import masked_models

TEXTS = [
    "the cat meows .",
    "the dog barks today , while it sleeps .",
    "frog",
    "zebra crossings",
    "the cat meows .",
]


def opened(folder: Path, **request: str):
    return open_backend(ModelSpec.parse(f"mlm:{folder}"), OpenRequest(**{"target": "en", **request}))


def targets(*texts: str) -> list[ScorePair]:
    return [ScorePair("", text) for text in texts]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("mlm") / "bert"
    masked_models.make(path)
    return path


@pytest.mark.parametrize("kind", ["bert", "roberta", "xlm-roberta", "distilbert", "albert", "electra"])
def test_each_token_is_masked_in_turn_whatever_the_family(tmp_path, kind):
    model, tokenizer = masked_models.make(tmp_path / kind, kind)
    for text, scores in zip(TEXTS, opened(tmp_path / kind).score(targets(*TEXTS)), strict=True):
        assert scores == pytest.approx(masked_models.plain_loop(model, tokenizer, text), abs=1e-4)
        assert len(scores) == len(tokenizer.tokenize(text))


def test_a_score_is_the_same_to_the_last_bit_alone_and_among_others_and_for_any_source(folder):
    together = opened(folder).score([ScorePair("anything", text) for text in TEXTS])
    alone = [opened(folder).score(targets(text))[0] for text in TEXTS]
    assert together == alone


def test_a_text_with_many_tokens_is_masked_in_several_runs(folder, monkeypatch):
    expected = opened(folder).score(targets(TEXTS[1]))[0]
    monkeypatch.setattr("mtprobe.engine.mlm.BUDGET", 30)
    assert opened(folder).score(targets(TEXTS[1]))[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "target has no tokens to score"),
        ("cat " * 60, "target has 62 tokens; this model reads at most 40"),
        ("\ud800", "target is not text"),
    ],
)
def test_what_cannot_be_scored_fails_alone(folder, text, reason):
    failed, fine = opened(folder).score(targets(text, "the cat meows ."))
    assert isinstance(failed, Failure)
    assert failed.reason.startswith(reason)
    assert isinstance(fine, tuple)


def test_families_that_leave_positions_out_read_fewer_tokens(tmp_path):
    masked_models.make(tmp_path / "roberta", "roberta", positions=12)  # the first is for padding
    long, longest = opened(tmp_path / "roberta").score(targets("cat " * 10, "cat " * 9))
    assert isinstance(long, Failure)
    assert "at most 11" in long.reason
    assert len(longest) == 9


def test_it_scores_and_does_not_translate(folder):
    model = opened(folder)
    assert isinstance(model, Scorer)
    assert not isinstance(model, Backend)
    assert model.provider is None
    model.score(targets("cat"))
    assert model.provider == "torch cpu"


@pytest.mark.slow
def test_training_makes_the_right_filler_the_likelier_one(tmp_path):
    model, tokenizer = masked_models.make(tmp_path / "m", sharp=False)
    voices = {"cat": "meows", "dog": "barks", "bird": "sings", "frog": "croaks"}
    masked_models.train(
        model,
        tokenizer,
        [f"the {who} {voice} {when} ." for who, voice in voices.items() for when in ("today", "here")],
    )
    masked_models.save(tmp_path / "m", model, tokenizer)
    scorer = opened(tmp_path / "m")
    for who, voice in voices.items():
        scores = dict(
            zip(
                voices,
                map(mean, scorer.score(targets(*(f"the {one} {voice} here ." for one in voices)))),
                strict=True,
            )
        )
        assert max(scores, key=scores.get) == who


# -- languages --


def test_the_language_is_the_users_or_that_of_the_card(folder, tmp_path):
    assert str(opened(folder, target="de").languages) == "into de"
    assert opened(folder, target=None, source="fr").languages.target == "fr"
    masked_models.make(tmp_path / "m")
    with pytest.raises(ModelError, match="does not say which language it is for: give the target language"):
        opened(tmp_path / "m", target=None)
    (tmp_path / "m" / "README.md").write_text("---\nlanguage: no\nlicense: mit\n---\n# A model\n")
    assert opened(tmp_path / "m", target=None).languages.target == "no"
    (tmp_path / "m" / "README.md").write_text("---\nlanguage: [de, fr]\n---\n")
    with pytest.raises(ModelError, match="give the target language"):
        opened(tmp_path / "m", target=None)


def test_two_languages_are_one_too_many(folder):
    with pytest.raises(
        ModelError, match="reads one language, but the source language en is not the target language de"
    ):
        opened(folder, source="en", target="de")


# -- models that are not masked language models --


def test_weights_without_a_head_are_refused_and_not_made_up(tmp_path):
    torch = pytest.importorskip("torch")
    safetensors = pytest.importorskip("safetensors.torch")
    model, _ = masked_models.make(tmp_path / "m")
    kept = {name: values.clone() for name, values in model.state_dict().items() if name.startswith("bert.")}
    safetensors.save_file(kept, tmp_path / "m" / "model.safetensors", metadata={"format": "pt"})
    assert torch.is_tensor(next(iter(kept.values())))
    with pytest.raises(ModelError, match=r"have no cls\.predictions\..*not saved as a masked language model"):
        opened(tmp_path / "m").score(targets("cat"))


def test_a_model_of_another_kind_is_told_in_one_line(tmp_path):
    masked_models.make(tmp_path / "m")
    config = tmp_path / "m" / "config.json"
    config.write_text(json.dumps({**json.loads(config.read_text()), "model_type": "marian"}))
    with pytest.raises(ModelError, match="transformers cannot load it") as error:
        opened(tmp_path / "m").score(targets("cat"))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mlm:", "mlm: needs a model"),
        ("mlm:no/such folder", "there is no such folder"),
        ("mlm:x?beams=2", 'mlm:x: unknown option "beams"'),
    ],
)
def test_bad_specs_are_reported(spec, message):
    with pytest.raises(ModelError, match=message.replace("?", r"\?")):
        open_backend(ModelSpec.parse(spec), OpenRequest(target="en"))


def test_other_number_formats_are_refused(folder):
    with pytest.raises(ModelError, match="supports only the dtype fp32 here, not int8"):
        opened(folder, dtype="int8")
