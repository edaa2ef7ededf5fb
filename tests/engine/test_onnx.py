"""`onnx:` models: an exported model translates and scores as before."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mtprobe.backends.protocols import LanguagePair, OpenRequest
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.demo import open_demo
from mtprobe.engine.export import export
from mtprobe.engine.firefox import open_firefox
from mtprobe.engine.hf import open_hf
from mtprobe.engine.onnx import open_onnx
from mtprobe.errors import ModelError
from tests.engine.checkpoints import factory
from tests.engine.checkpoints.lines import lines
from tests.engine.converted.models import PAIRS, SOURCES, put_firefox
from tests.engine.tiny import Shape

SENTENCES = [line[:60] for line in lines("en")][:8]
TARGETS = [line[:60] for line in lines("pt")][:8]
REQUEST = OpenRequest(source="en", target="pt", threads=1)


@pytest.fixture(autouse=True)
def _no_cache(monkeypatch):
    """Exported models are compared with converted ones, not with another saved graph."""
    monkeypatch.setenv("MTPROBE_CACHE", "off")


@pytest.fixture(scope="module")
def saved(small_model, tmp_path_factory) -> Path:
    """Each of the small Hugging Face models, exported."""
    target = tmp_path_factory.mktemp("saved") / small_model.kind
    export(small_model.kind, open_hf(str(small_model.folder), REQUEST), target)
    return target


@pytest.fixture(scope="module")
def firefox(tmp_path_factory) -> Path:
    return put_firefox(tmp_path_factory.mktemp("models") / "xxyy")


@pytest.fixture(scope="module")
def exported(firefox, tmp_path_factory) -> Path:
    target = tmp_path_factory.mktemp("saved") / "xxyy"
    export("xxyy", open_firefox(str(firefox), OpenRequest()), target)
    return target


@pytest.fixture
def folder(exported, tmp_path) -> Path:
    """A copy of an exported model, to be damaged."""
    return shutil.copytree(exported, tmp_path / "copy")


def results(model: Any) -> object:
    pairs = [ScorePair(source, target) for source, target in zip(SENTENCES, TARGETS, strict=True)]
    return model.translate(SENTENCES), model.score(pairs)


def error_of(rest: object, request: OpenRequest = REQUEST) -> str:
    with pytest.raises(ModelError) as caught:
        open_onnx(str(rest), request)
    return str(caught.value)


# -- the same numbers --


@pytest.mark.parametrize("options", ["", "?beams=1", "?beams=3&length_penalty=0.6&max_length=12"])
def test_a_hugging_face_model_gives_the_same_to_the_last_bit(small_model, saved, options):
    before, after = (
        open_hf(f"{small_model.folder}{options}", REQUEST),
        open_onnx(f"{saved}{options}", REQUEST),
    )
    assert results(after) == results(before)
    assert after.decoding == before.decoding
    assert after.languages == before.languages
    assert after.dtype == before.dtype


def test_so_it_does_in_int8(small_model, tmp_path):
    request = replace(REQUEST, dtype="int8")
    before = open_hf(f"{small_model.folder}?beams=2", request)
    export(small_model.kind, before, tmp_path / "saved")
    after = open_onnx(str(tmp_path / "saved"), request)
    assert results(after) == results(before)
    assert "exported in int8, but fp32 was requested" in error_of(tmp_path / "saved")


def test_a_firefox_model_gives_the_same_to_the_last_bit(firefox, exported):
    before, after = (
        open_firefox(str(firefox), OpenRequest(threads=1)),
        open_onnx(str(exported), OpenRequest(threads=1)),
    )
    assert after.translate(SOURCES) == before.translate(SOURCES)
    assert after.score(PAIRS) == before.score(PAIRS)
    assert after.languages == before.languages == LanguagePair("xx", "yy")
    assert after.decoding == before.decoding


KINDS = {
    "ssru": Shape(vocabulary=90),
    "attending": Shape(vocabulary=90, attends=True),
    "before its layers": Shape(
        vocabulary=90, attends=True, norm_first=True, top_norm=True, activation="swish"
    ),
    "tied layers": Shape(vocabulary=90, attends=True, tied_layers=(1, 1, 2), bias=False),
}


@pytest.mark.parametrize("kind", KINDS)
def test_bergamot_models_of_every_kind_do(kind, tmp_path):
    model = put_firefox(tmp_path / "xxyy", shape=KINDS[kind])
    before = open_firefox(f"{model}?beams=2&max_length=20", OpenRequest(threads=1))
    export(kind, before, tmp_path / "saved")
    after = open_onnx(str(tmp_path / "saved"), OpenRequest(threads=1))
    assert after.translate(SOURCES) == before.translate(SOURCES)
    assert after.score(PAIRS) == before.score(PAIRS)


@pytest.mark.slow
def test_the_demo_model_gives_the_same_to_the_last_bit(tmp_path):
    before = open_demo("", OpenRequest())
    export("demo", before, tmp_path / "demo")
    after = open_onnx(str(tmp_path / "demo"), OpenRequest())
    assert after.languages == LanguagePair("en", "pt")
    assert results(after) == results(before)


def test_options_at_the_export_are_the_defaults_afterwards(small_model, tmp_path):
    exported = open_hf(f"{small_model.folder}?beams=2&length_penalty=0.7", REQUEST)
    export("m", exported, tmp_path / "m")
    assert open_onnx(str(tmp_path / "m"), REQUEST).decoding == exported.decoding
    assert open_onnx(f"{tmp_path / 'm'}?beams=1", REQUEST).decoding.startswith("greedy")
    kept = open_onnx(f"{tmp_path / 'm'}?beams=3", REQUEST).decoding
    assert kept.startswith("beam 3, length penalty 0.7")


def test_a_multilingual_model_keeps_all_its_languages(small_model, saved):
    request = OpenRequest(source="en", target="de", threads=1)
    if small_model.kind == "marian":
        assert "translates into pt, not de" in error_of(saved, request)
        return
    assert results(open_onnx(str(saved), request)) == results(open_hf(str(small_model.folder), request))
    assert "give the target language" in error_of(saved, OpenRequest())


@pytest.mark.parametrize("small_model", ["marian"], indirect=True)  # the others contain their languages
def test_languages_that_only_the_name_of_the_folder_told_are_kept(small_model, tmp_path):
    named = shutil.copytree(small_model.folder, tmp_path / "opus-mt-en-pt")
    factory.put(named / "tokenizer_config.json", {})
    export("m", open_hf(str(named), OpenRequest()), tmp_path / "m")
    assert open_onnx(str(tmp_path / "m"), OpenRequest()).languages == LanguagePair("en", "pt")


def test_languages_that_were_only_asked_for_are_kept(firefox, tmp_path):
    named = tmp_path / "unnamed"
    named.mkdir()
    shutil.copy(firefox / "model.xxyy.bin", named / "model.bin")
    shutil.copy(firefox / "vocab.xxyy.spm", named / "vocab.spm")
    export("m", open_firefox(str(named), OpenRequest(source="en", target="is")), tmp_path / "m")
    assert open_onnx(str(tmp_path / "m"), OpenRequest()).languages == LanguagePair("en", "is")
    assert "translates into is, not de" in error_of(tmp_path / "m", OpenRequest(target="de"))


# -- what it needs --

WITHOUT = ("torch", "transformers", "safetensors", "huggingface_hub", "onnx")


def run_without(folder: Path, then: str) -> str:
    """Opens a model in a process in which those packages cannot be imported."""
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({WITHOUT}))\n"
        "from mtprobe.backends.protocols import OpenRequest\n"
        "from mtprobe.backends.registry import ModelSpec, open_backend\n"
        "request = OpenRequest(source=sys.argv[2], target=sys.argv[3], threads=1)\n"
        "m = open_backend(ModelSpec.parse('onnx:' + sys.argv[1]), request)\n"
        "assert 'onnxruntime' not in sys.modules\n"
        f"{then}\n"
        f"assert not any(sys.modules[name] for name in {WITHOUT})\n"
    )
    languages = ("xx", "yy") if folder.name == "xxyy" else ("en", "pt")
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), *languages], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_folder_of_links_is_a_folder(exported, tmp_path):
    """As in the hub's cache."""
    (tmp_path / "blobs").mkdir()
    (tmp_path / "snapshot").mkdir()
    for number, path in enumerate(sorted(exported.iterdir())):
        shutil.copy(path, tmp_path / "blobs" / str(number))
        (tmp_path / "snapshot" / path.name).symlink_to(Path("..") / "blobs" / str(number))
    linked, plain = (
        open_onnx(str(path), OpenRequest(threads=1)) for path in (tmp_path / "snapshot", exported)
    )
    assert linked.fingerprint == plain.fingerprint
    assert linked.translate(SOURCES) == plain.translate(SOURCES)


def test_it_runs_without_torch_transformers_safetensors_the_hub_and_onnx(saved):
    printed = run_without(saved, "print(m.translate([' '.join(sys.argv)])[0] != '', m.score([('a', 'b')]))")
    assert printed.startswith("True [(")


def test_a_firefox_model_runs_without_them_too(exported):
    code = f"print(m.translate({SOURCES!r}))"
    expected = open_onnx(str(exported), OpenRequest(threads=1)).translate(SOURCES)
    assert run_without(exported, code).strip() == str(expected)


def test_the_fingerprint_is_of_the_content_and_of_the_decoding(small_model, saved, tmp_path):
    copied = shutil.copytree(saved, tmp_path / "elsewhere")
    marks = {open_onnx(str(path), REQUEST).fingerprint for path in (saved, copied)}
    assert len(marks) == 1
    assert marks.pop().startswith("onnx:")
    assert open_onnx(f"{saved}?beams=7", REQUEST).fingerprint != open_onnx(str(saved), REQUEST).fingerprint
    changed = open_hf(str(small_model.folder), REQUEST)
    assert changed.fingerprint.partition(":")[2] not in open_onnx(str(saved), REQUEST).fingerprint


def test_other_weights_have_another_fingerprint(exported, tmp_path):
    other = put_firefox(tmp_path / "other", seed=5)
    export("other", open_firefox(str(other), OpenRequest()), tmp_path / "m")
    one, two = (open_onnx(str(path), OpenRequest()).fingerprint for path in (exported, tmp_path / "m"))
    assert one != two


# -- what is not a model --


def rewrite(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "mtprobe.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("damage", "message_part"),
    [
        (lambda f: (f / "encode.onnx").unlink(), "encode.onnx: the file is missing"),
        (lambda f: (f / "weights.bin").unlink(), "weights.bin: the file is missing"),
        (lambda f: os.truncate(f / "weights.bin", 5000), "weights.bin: has 5000 bytes, but"),
        (lambda f: os.truncate(f / "weights.bin", 9_000_000), "it was changed since"),
        (lambda f: os.truncate(f / "vocab.xxyy.spm", 10), "vocab.xxyy.spm: has 10 bytes, but"),
        (
            lambda f: (f / "step.onnx").write_bytes(b"?" * (f / "step.onnx").stat().st_size),
            "step.onnx: not what was written (its sha256 differs)",
        ),
        (lambda f: (f / "mtprobe.json").write_text("{"), "mtprobe.json:1:2: not JSON"),
        (lambda f: (f / "mtprobe.json").write_text(""), "mtprobe.json: the file is empty"),
        (lambda f: (f / "mtprobe.json").write_text("<html>"), "it is an HTML or XML page"),
        (
            lambda f: rewrite(f, lambda j: j.update(mtprobe=3)),
            '"mtprobe" is 3, but this version of mtprobe reads 2',
        ),
        (
            lambda f: rewrite(f, lambda j: j.pop("mtprobe")),
            '"mtprobe" is null, but this version of mtprobe reads 2',
        ),
        (lambda f: rewrite(f, lambda j: j.pop("network")), '"network": field required'),
        (lambda f: rewrite(f, lambda j: j.update(more=1)), '"more": extra inputs are not permitted'),
        (lambda f: rewrite(f, lambda j: j["network"].update(kind="rnn")), '"network.kind": input should be'),
        (lambda f: rewrite(f, lambda j: j["network"]["facts"].pop("width")), '"network.facts" should have'),
        (lambda f: rewrite(f, lambda j: j["network"]["facts"].update(width="wide")), '"width": input should'),
        (lambda f: rewrite(f, lambda j: j["network"]["facts"].update(width=0)), '"network.facts.width'),
        (lambda f: rewrite(f, lambda j: j["files"].pop("weights.bin")), "names no weights.bin"),
        (lambda f: rewrite(f, lambda j: j["files"].pop("vocab.xxyy.spm")), "does not name vocab.xxyy.spm"),
        (
            lambda f: rewrite(f, lambda j: j["files"].update({"../x": {"size": 1, "sha256": "0" * 64}})),
            "string should match pattern",
        ),
        (lambda f: rewrite(f, lambda j: j.update(model=None)), "a network without its tokenizer"),
    ],
)
def test_a_damaged_folder_is_one_clear_error(folder, damage, message_part):
    damage(folder)
    message = error_of(folder, OpenRequest())
    assert message_part in message
    assert "\n" not in message
    assert message.startswith(str(folder))


def test_weights_that_were_changed_are_found_out_before_anything_is_translated(folder):
    content = bytearray((folder / "weights.bin").read_bytes())
    content[len(content) // 3] ^= 4
    (folder / "weights.bin").write_bytes(content)
    model = open_onnx(str(folder), OpenRequest(threads=1))
    for ask in (lambda: model.translate(SOURCES), lambda: model.score(PAIRS)):
        with pytest.raises(ModelError, match=r"weights\.bin: not what was written"):
            ask()


@pytest.mark.parametrize(
    ("names", "message_part"),
    [
        (["encoder_model.onnx", "decoder_model.onnx", "config.json"], "were made by another program"),
        (["config.json", "model.safetensors"], "use hf:"),
        (["model.enpt.bin", "vocab.enpt.spm"], "use firefox:"),
        ([], "there is no mtprobe.json; onnx: reads"),
    ],
)
def test_a_folder_from_elsewhere_is_told_what_is_read_and_how_to_make_it(tmp_path, names, message_part):
    for name in names:
        (tmp_path / name).write_bytes(b"{}")
    message = error_of(tmp_path)
    assert message_part in message
    assert "onnx: reads folders written by `mtprobe export SPEC FOLDER`" in message


def test_a_path_that_is_no_folder_is_reported(tmp_path, exported):
    assert "does not exist" in error_of(tmp_path / "nothing")
    assert "give the folder that contains it" in error_of(exported / "encode.onnx")
    assert "onnx: needs a folder" in error_of("")


def test_an_option_that_it_does_not_know_is_reported(saved):
    assert 'unknown option "beems"; did you mean "beams"' in error_of(f"{saved}?beems=2")
    assert "beams=many is not a positive number" in error_of(f"{saved}?beams=many")
