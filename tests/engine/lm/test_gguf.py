"""GGUF files: the same numbers as the folder that they were made from, and clear errors for damaged ones."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mtprobe.backends.protocols import OpenRequest, Request
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair
from mtprobe.engine.checkpoints.huggingface.files import local_folder
from mtprobe.engine.checkpoints.huggingface.weights import read_tensors
from mtprobe.errors import ModelError
from tests.engine.lm.models import TEMPLATE, SmallLm, make

gguf = pytest.importorskip("gguf")
NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}
EN_FR = OpenRequest("en", "fr", threads=1)
PAIRS = [ScorePair("The nurse is here.", "L'infirmière est là."), ScorePair("one two", "un deux")]


def gguf_name(name: str) -> str:
    stem, _, kind = name.rpartition(".")
    if stem.startswith("model.layers."):
        _, _, number, part = stem.split(".", 3)
        return f"blk.{number}.{NAMES[part]}.{kind}"
    return f"{NAMES[stem]}.{kind}"


def write_gguf(path: Path, model: SmallLm, kind: str = "llama", end_of_turn: int | None = None) -> Path:
    """As llama.cpp's converter does: in files of Llama, the rows of queries and keys are interleaved."""
    config, folder = model.config, local_folder("small", model.folder)
    writer = gguf.GGUFWriter(path, kind)
    writer.add_block_count(config.layers)
    writer.add_context_length(config.longest)
    writer.add_embedding_length(config.width)
    writer.add_feed_forward_length(config.inner)
    writer.add_head_count(config.heads)
    writer.add_head_count_kv(config.key_heads)
    writer.add_key_length(config.head_width)
    writer.add_layer_norm_rms_eps(config.epsilon)
    writer.add_rope_freq_base(config.rope.base)
    tokenizer = json.loads((model.folder / "tokenizer.json").read_text())
    vocabulary = sorted(tokenizer["model"]["vocab"], key=tokenizer["model"]["vocab"].get)
    special = {token["content"] for token in tokenizer["added_tokens"]}
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(vocabulary)
    writer.add_token_types([3 if token in special else 1 for token in vocabulary])
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_eos_token_id(0 if end_of_turn is None else 1)
    if end_of_turn is not None:
        writer.add_eot_token_id(end_of_turn)
    writer.add_bos_token_id(1)
    writer.add_add_bos_token(False)
    writer.add_chat_template(TEMPLATE)
    for name, values in read_tensors(folder).items():
        heads = config.heads if ".q_proj" in name else config.key_heads
        if kind == "llama" and (".q_proj" in name or ".k_proj" in name):
            halves = values.reshape(heads, 2, len(values) // heads // 2, *values.shape[1:])
            values = np.ascontiguousarray(halves.swapaxes(1, 2).reshape(values.shape))
        writer.add_tensor(gguf_name(name), values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


@pytest.fixture(scope="module")
def file(small_lm: SmallLm, tmp_path_factory) -> Path:
    return write_gguf(tmp_path_factory.mktemp("gguf") / "small.gguf", small_lm)


def opened(spec: str):
    return open_backend(ModelSpec.parse(spec), EN_FR)


def test_it_gives_the_numbers_of_its_folder(file, small_lm: SmallLm):
    one, other = opened(f"lm:{file}?max_new_tokens=10"), opened(f"lm:{small_lm.folder}?max_new_tokens=10")
    for mine, theirs in zip(one.score(PAIRS), other.score(PAIRS), strict=True):
        assert mine == pytest.approx(theirs, abs=1e-5, rel=0)
    requests = [Request(pair.source) for pair in PAIRS]
    assert one.translate(requests) == other.translate(requests)
    assert one.asking.text("x") == other.asking.text("x")


def test_rows_of_other_families_are_in_order(tmp_path):
    model = make(tmp_path / "model", "norms of Qwen 3")
    file = write_gguf(tmp_path / "qwen.gguf", model, "qwen3")
    (mine, _), (theirs, _) = opened(f"lm:{file}").score(PAIRS), opened(f"lm:{model.folder}").score(PAIRS)
    assert mine == pytest.approx(theirs, abs=1e-5, rel=0)


def test_a_turn_may_end_with_another_token_than_a_text(small_lm: SmallLm, tmp_path):
    """As in early files of Llama 3."""
    model = opened(f"lm:{write_gguf(tmp_path / 'turns.gguf', small_lm, end_of_turn=0)}")
    assert set(model.asking.ends) == {0, 1}
    assert model.asking.target_tokens("a", "b")[-1] == 0


def test_a_file_that_is_not_there_is_not_looked_for_on_the_hub():
    with pytest.raises(ModelError, match=r"models/none\.gguf: there is no such file"):
        opened("lm:models/none.gguf")


def test_a_folder_may_hold_one_file(file):
    assert opened(f"lm:{file.parent}").fingerprint == opened(f"lm:{file}").fingerprint
    assert opened(f"hf:{file}").fingerprint == opened(f"lm:{file}").fingerprint


def test_of_several_files_one_must_be_named(file, tmp_path):
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).write_bytes(file.read_bytes())
    with pytest.raises(ModelError, match=r"has 2 GGUF files; name one, such as .*a\.gguf"):
        opened(f"lm:{tmp_path}")


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.99])
def test_a_file_that_is_cut_off_is_refused(file, tmp_path, kept):
    content = file.read_bytes()
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(ModelError, match=r"cut\.gguf: not a usable GGUF file: .*is it truncated\?"):
        opened(f"lm:{cut}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html>not found</html>", "not a GGUF file; it is an HTML or XML page"),
        (b"version https://git-lfs.github.com/spec/v1", "it is a Git LFS pointer"),
        (b"", "not a GGUF file"),
    ],
)
def test_what_is_not_a_gguf_file_is_refused(tmp_path, content, message):
    (tmp_path / "model.gguf").write_bytes(content)
    with pytest.raises(ModelError, match=message):
        opened(f"lm:{tmp_path / 'model.gguf'}")


def test_a_quantisation_that_is_not_supported_is_named(file, monkeypatch):
    def unsupported(*_):
        raise NotImplementedError

    monkeypatch.setattr(gguf, "dequantize", unsupported)
    monkeypatch.setenv("MTPROBE_CACHE", "off")
    with pytest.raises(ModelError, match=r"the tensor \S+ is quantised as F32, which is not supported"):
        opened(f"lm:{file}?prompt=plain").score(PAIRS)
