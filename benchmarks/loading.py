"""From a spec to the first translation and the first score, in a process of its own each time.

`converted` builds the graphs from the weights (`MTPROBE_CACHE=off`); `first time` also puts them into an empty
cache; `cached` finds them there; `exported` is the same model as `onnx:`. The opus-mt shape has random weights
and comes as safetensors and as the pickled `.bin` that only torch reads. Medians of the rounds, contestants in
turns. Goal: a cached model takes no longer than a converted one, and the first time costs at most a tenth more.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.opus_shape import END, INNER, LAYERS, PAD, VOCABULARY, WIDTH
from mtprobe.engine.demo import demo_folder

ROUNDS = 5
OPTIONS = "?beams=1&max_length=8"

CHILD = r"""
import json, os, re, sys, time
started = time.perf_counter()
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
model = open_backend(ModelSpec.parse(sys.argv[1]), OpenRequest(source="en", target="pt", device="cpu"))
model.translate(["Good morning."])
model.score([("Good morning.", "Bom dia.")])
used = os.times()
memory = int(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) / 1024
print(json.dumps([time.perf_counter() - started, used.user + used.system, memory]))
"""


def main() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        put_opus(folder / "opus")
        put_pickled(folder / "opus", folder / "opus-bin")
        for title, spec in (
            ("demo", "demo"),
            ("opus-mt shape, safetensors", f"hf:{folder / 'opus'}{OPTIONS}"),
            ("opus-mt shape, .bin", f"hf:{folder / 'opus-bin'}{OPTIONS}"),
        ):
            yield race(title, spec, folder)


def race(title: str, spec: str, folder: Path) -> str:
    saved = folder / f"saved {title}"
    export = "import sys; from mtprobe.cli import main; sys.exit(main(sys.argv[1:]))"
    subprocess.run(
        [sys.executable, "-c", export, "export", spec, str(saved)], check=True, capture_output=True
    )
    cache, empty = folder / f"cache {title}", folder / f"empty {title}"
    measured(spec, str(cache))
    rounds: dict[str, list[list[float]]] = {}
    for _ in range(ROUNDS):
        shutil.rmtree(empty, ignore_errors=True)
        for way, asked, kept in (
            ("converted", spec, "off"),
            ("first time", spec, str(empty)),
            ("cached", spec, str(cache)),
            ("exported", f"onnx:{saved}", "off"),
        ):
            rounds.setdefault(way, []).append(measured(asked, kept))
    lines = [f"| {title} | seconds | of processor | peak memory |", "|---|---|---|---|"]
    for way, found in rounds.items():
        wall, processor, memory = (statistics.median(column) for column in zip(*found, strict=True))
        lines.append(f"| {way} | {wall:.2f} | {processor:.2f} | {memory:.0f} MB |")
    return "\n".join(lines)


def measured(spec: str, cache: str) -> list[float]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, spec],
        env={**os.environ, "MTPROBE_CACHE": cache},
        check=True,
        capture_output=True,
        text=True,
    )
    numbers: list[float] = json.loads(done.stdout)
    return numbers


def put_opus(folder: Path) -> None:
    """Random weights in the shape of opus-mt-en-de, with the pieces of the demo model and names without meaning."""
    import sentencepiece
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.MarianConfig(
        vocab_size=VOCABULARY, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=LAYERS, encoder_attention_heads=8,
        decoder_attention_heads=8, encoder_ffn_dim=INNER, decoder_ffn_dim=INNER, max_position_embeddings=512,
        activation_function="swish", scale_embedding=True, pad_token_id=PAD, eos_token_id=END,
        decoder_start_token_id=PAD, forced_eos_token_id=None,
    )  # fmt: skip
    transformers.MarianMTModel(config).save_pretrained(folder)
    pieces = demo_folder() / "vocab.enpt.spm"
    for side in ("source.spm", "target.spm"):
        shutil.copyfile(pieces, folder / side)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(pieces))
    words = [processor.id_to_piece(number) for number in range(processor.get_piece_size())]
    words = list(dict.fromkeys(["</s>", "<unk>", *words]))
    words += [f"unused {number}" for number in range(VOCABULARY - 1 - len(words))] + ["<pad>"]
    (folder / "vocab.json").write_text(json.dumps({word: number for number, word in enumerate(words)}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"source_lang": "en", "target_lang": "pt"}))


def put_pickled(folder: Path, target: Path) -> None:
    import torch
    from safetensors.torch import load_file

    shutil.copytree(folder, target)
    torch.save(load_file(target / "model.safetensors"), target / "pytorch_model.bin")
    (target / "model.safetensors").unlink()


if __name__ == "__main__":
    print("\n\n".join(main()))
