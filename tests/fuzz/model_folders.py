"""Damaged model folders: opened, one sentence translated and one pair scored. A folder works or is refused by an
error that names it."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair
from mtprobe.errors import Failure, MtprobeError
from tests.fuzz import folder_damage
from tests.fuzz.walk import within

SECONDS = 3.0
LONGEST_MESSAGE = 2_000
OPTIONS = ("", "", "", "", "", "", "?beams=2", "?beams=99999999", "?max_length=7", "?max_length=999999999",
           "?length_penalty=1e300", "?length_penalty=-90", "?length_penalty=0")  # fmt: skip


@dataclass(frozen=True)
class Seed:
    """A good model folder, and how it is opened."""

    name: str
    scheme: str
    source: str
    target: str
    texts: tuple[str, str] = ("The doctor has finished the work.", "A médica terminou o trabalho.")


LETTERS = ("bak dem fig", "gol nut")
SEEDS = (
    Seed("ssru", "firefox", "xx", "yy", LETTERS),
    Seed("attends", "firefox", "xx", "yy", LETTERS),
    Seed("npz", "firefox", "xx", "yy", LETTERS),
    Seed("marian", "hf", "en", "pt"),
    Seed("pickled", "hf", "en", "pt"),
    Seed("m2m100", "hf", "en", "pt"),
    Seed("nllb", "hf", "en", "pt"),
    Seed("mbart50", "hf", "en", "pt"),
    Seed("saved-ssru", "onnx", "xx", "yy", LETTERS),
    Seed("saved-marian", "onnx", "en", "pt"),
    Seed("saved-m2m100", "onnx", "en", "pt"),
    Seed("bert", "mlm", "en", "en", ("", "The cat meows while it sleeps.")),
    Seed("t5", "hf", "en", "pt"),
)


def prepare(folder: Path) -> None:
    """Makes the seeds."""
    import torch
    import transformers

    from mtprobe.engine.export import export
    from tests.engine import masked_models
    from tests.engine.converted.models import put_firefox
    from tests.engine.hf_models import make, train_vocabularies
    from tests.engine.tiny import Shape, random_tensors, train_vocabulary, write_bin, write_npz

    os.environ["MTPROBE_CACHE"] = "off"
    shape = Shape(vocabulary=90)
    put_firefox(folder / "ssru", shape=shape)
    attends = Shape(vocabulary=90, attends=True)
    for name, write, suffix in (("attends", write_bin, "bin"), ("npz", write_npz, "npz")):
        (folder / name).mkdir()
        write(folder / name / f"model.xxyy.{suffix}", random_tensors(attends), None)
        folder_damage.write_yaml(folder / name / f"model.xxyy.{suffix}.yml", attends.config())
        train_vocabulary(folder / name / "vocab.xxyy.spm", attends.vocabulary)
    vocabularies = folder / "vocabularies"
    vocabularies.mkdir()
    train_vocabularies(vocabularies)
    for name in ("marian", "m2m100", "nllb", "mbart50"):
        make(name, folder / name, vocabularies)
    shutil.copytree(folder / "marian", folder / "pickled")
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder / "marian")
    torch.save(model.state_dict(), folder / "pickled" / "pytorch_model.bin")
    (folder / "pickled" / "model.safetensors").unlink()
    for name in ("ssru", "marian", "m2m100"):
        seed = next(seed for seed in SEEDS if seed.name == name)
        export(name, _open(seed, folder / name), folder / f"saved-{name}")
    masked_models.make(folder / "bert")
    _make_t5(folder / "t5")


def _make_t5(folder: Path) -> None:
    """A model without graphs, which runs in torch."""
    import transformers

    from tests.engine import masked_models

    tokenizer = masked_models.tokenizer_of()
    config = transformers.T5Config(
        vocab_size=len(tokenizer), d_model=16, d_kv=4, d_ff=24, num_layers=1, num_heads=2, decoder_start_token_id=0
    )  # fmt: skip
    masked_models.save(folder, transformers.T5ForConditionalGeneration(config).eval(), tokenizer)


def run_case(number: int, folder: Path, shared: Path) -> str:
    """The case of this number, always the same one; negative ones are the seeds as they are."""
    os.environ["MTPROBE_CACHE"] = "off"
    rng, options = Random(number), ""
    seed = SEEDS[number % len(SEEDS)]
    path = folder / seed.name
    if number < 0:
        return _all_seeds(shared)
    shutil.copytree(shared / seed.name, path)
    folder_damage.damage(path, shared, rng)
    if seed.scheme != "mlm":
        options = rng.choice(OPTIONS)
    if seed.name == "t5":  # translating as long as its files allow takes long, and that is no damage
        options = options or "?max_length=20"
    with within(SECONDS):
        return outcome(seed, path, options)


def _all_seeds(shared: Path) -> str:
    for seed in SEEDS:
        came = outcome(seed, shared / seed.name)
        assert came == "works", (seed, came)
    return "works"


def outcome(seed: Seed, path: Path, options: str = "") -> str:
    """What comes of opening and using the model; what is neither of the allowed outcomes escapes."""
    try:
        model = _open(seed, path, options)
        results: list[Any] = []
        if seed.scheme != "mlm":
            results += model.translate([seed.texts[0]])
        results += model.score([ScorePair(*seed.texts)])
    except MtprobeError as error:
        _check_error(error, path)
        return "refused"
    for result in results:
        assert isinstance(result, str | tuple | Failure), result
    return "works" if not any(isinstance(result, Failure) for result in results) else "failures"


def _open(seed: Seed, path: Path, options: str = "") -> Any:
    request = OpenRequest(source=seed.source, target=seed.target, threads=1, device="cpu")
    return open_backend(ModelSpec.parse(f"{seed.scheme}:{path}{options}"), request)


def _check_error(error: MtprobeError, path: Path) -> None:
    said = str(error)
    # Of weights and settings that can be read, but make no translation; then the model is named by its fingerprint.
    later = ("has no translation", "no token is left for a translation", "no finite score")
    assert any(text in said for text in later) or str(path) in said, f"does not name the file: {said[:500]}"
    assert len(said) < LONGEST_MESSAGE, said[:500]
    assert "Traceback" not in said
    said.encode()
