"""A language model on ONNX Runtime (SmolLM2-135M-Instruct, fp32): scoring one translation under two sources.

The sentences are the human pairs of `suites/minimal_pairs/en-fr`; *woman* or *man* is put before the second word of a
source. The prompt is the built-in `chat`. transformers scores batches of 8 in the order given, or sorted by length. Both have
one thread. Goal: at least 3 × transformers with batches of 8, and the same numbers within 1e-4.

Then 1,000 pairs whose prompt has examples of about 300 tokens, against scoring each pair by itself, as if nothing were
shared; a process of its own each. Needs the published models (`MTPROBE_MODELS`).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.race import OURS, race

ROOT = Path(__file__).parent.parent
PAIRS, ROUNDS = 16, 3
MANY, ALONE = 1000, 20  # pairs; the slow way is measured on fewer
EXAMPLES = 6  # make the prompt about 300 tokens long

CHILD = r"""
import json, re, sys, time
from benchmarks.causal import opened, sentence_pairs, conditioned
from mtprobe.backends.scorer import ScorePair
way, prompt, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
model = opened(prompt)
pairs = conditioned(sentence_pairs()[20:], count)
asked = [(model.asking.prompt_tokens(source), model.asking.target_tokens(source, target)) for source, target in pairs]
loaded = model.loaded
loaded.score(asked[:2])
started, used = time.perf_counter(), time.process_time()
if way == "shared":
    scores = loaded.score(asked)
else:
    nothing = loaded.network.begin(())
    scores = [loaded.network.score([prompt], [target], nothing)[0] for prompt, target in asked]
seconds, used = time.perf_counter() - started, time.process_time() - used
memory = int(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) / 1024
print(json.dumps([seconds, used, memory, len(model.asking.beginning), [float(one.sum()) for one in scores[:20]]]))
"""


def main() -> Iterator[str]:
    if "MTPROBE_MODELS" not in os.environ:
        yield "not measured: MTPROBE_MODELS does not name the folder of published models"
        return
    yield from _against_transformers()
    yield from _long_prompt()


def gguf() -> Path:
    folder = Path(os.environ["MTPROBE_MODELS"]) / "smollm2-135m-instruct"
    return folder / "smollm2-135m-instruct.gguf"


def opened(prompt: str = "chat", threads: int | None = None):
    from mtprobe.backends.protocols import OpenRequest
    from mtprobe.backends.registry import ModelSpec, open_backend

    request = OpenRequest("en", "fr", device="cpu", threads=threads)
    return open_backend(ModelSpec.parse(f"lm:{gguf()}?prompt={prompt}"), request)


def sentence_pairs() -> list[tuple[str, str]]:
    from mtprobe.suites import load_suite

    suite = load_suite(ROOT / "suites" / "minimal_pairs" / "en-fr" / "errors.mt.yaml")
    human = (sample for sample in sorted(suite.samples, key=suite.rank) if sample.category == "human")
    return list(dict.fromkeys((sample.source, sample.targets_in("fr").correct[0]) for sample in human))


def conditioned(pairs: Sequence[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """One translation under two sources; repeated with a number where there are too few."""
    made: list[tuple[str, str]] = []
    number = 0
    while len(made) < count:
        for source, target in pairs:
            first, _, rest = source.partition(" ")
            again = f" {number}." if number else ""
            made += [(f"{first} {cue} {rest}{again}", f"{target}{again}") for cue in ("woman", "man")]
        number += 1
    return made[:count]


def _against_transformers() -> Iterator[str]:
    import numpy as np
    import torch

    torch.set_num_threads(1)
    model, pairs = opened(threads=1), conditioned(sentence_pairs(), PAIRS)
    asked = [
        (model.asking.prompt_tokens(source), model.asking.target_tokens(source, target))
        for source, target in pairs
    ]
    reference = _reference()

    def batches_of_8(ordered: Sequence[int]) -> list[np.ndarray]:
        results: dict[int, np.ndarray] = {}
        for start in range(0, len(ordered), 8):
            places = ordered[start : start + 8]
            texts = [[*asked[place][0], *asked[place][1]] for place in places]
            longest = max(map(len, texts))
            ids = torch.tensor([text + [0] * (longest - len(text)) for text in texts])
            mask = torch.tensor([[1] * len(text) + [0] * (longest - len(text)) for text in texts])
            with torch.inference_mode():
                logprobs = reference(ids, attention_mask=mask).logits[:, :-1].log_softmax(-1)
                chosen = logprobs.gather(-1, ids[:, 1:, None]).squeeze(-1).numpy()
            for row, place in zip(chosen, places, strict=True):
                prompt, target = asked[place]
                results[place] = row[len(prompt) - 1 : len(prompt) + len(target) - 1]
        return [results[place] for place in range(len(asked))]

    given = list(range(len(asked)))
    by_length = sorted(given, key=lambda place: sum(map(len, asked[place])))
    ours = model.loaded.score(asked)
    furthest = max(
        np.abs(mine - theirs).max() for mine, theirs in zip(ours, batches_of_8(given), strict=True)
    )
    used: dict[str, list[float]] = {}
    contestants = {
        OURS: lambda: model.loaded.score(asked),
        "transformers, batches of 8": lambda: batches_of_8(given),
        "transformers, batches of 8, sorted by length": lambda: batches_of_8(by_length),
    }
    timed = {name: _timed(run, used.setdefault(name, [])) for name, run in contestants.items()}
    yield race("SmolLM2-135M, pairs scored", timed, len(asked), ROUNDS).markdown()
    # Processor time says more than the clock where other programs run.
    busy = {name: statistics.median(seconds[1:]) for name, seconds in used.items()}
    listed = ", ".join(
        f"{name} {seconds:.1f} s ({seconds / busy[OURS]:.1f} ×)" for name, seconds in busy.items()
    )
    yield f"Processor time of a round, medians: {listed}."
    tokens = sum(len(prompt) + len(target) for prompt, target in asked)
    begins = len(model.asking.beginning)
    yield (
        f"{len(asked)} pairs of {tokens / len(asked):.0f} tokens on average, of which all share the first {begins}; "
        f"the largest difference of a token's log-probability is {furthest:.1e}."
    )


def _timed(run: Callable[[], object], seconds: list[float]) -> Callable[[], None]:
    """Notes the processor time of each call."""

    def timed() -> None:
        started = time.process_time()
        run()
        seconds.append(time.process_time() - started)

    return timed


def _reference():
    """The same weights in transformers."""
    import torch
    import transformers
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    config = transformers.LlamaConfig(**load_gguf_checkpoint(str(gguf()))["config"])
    with torch.device("meta"):
        empty = transformers.LlamaForCausalLM(config)
    loaded = load_gguf_checkpoint(str(gguf()), return_tensors=True, model_to_load=empty)
    model = transformers.LlamaForCausalLM(config)
    model.load_state_dict(loaded["tensors"], strict=False)
    model.tie_weights()
    return model.eval()


def _long_prompt() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        prompt = Path(folder) / "examples.yaml"
        content = {
            "instruction": "Translate from {source_language} into {target_language}:\n{source}",
            "examples": [
                {"source": source, "target": target} for source, target in sentence_pairs()[:EXAMPLES]
            ],
        }
        prompt.write_text(json.dumps(content), encoding="utf-8")
        shared, alone = (_child(way, prompt, count) for way, count in (("shared", MANY), ("alone", ALONE)))
    seconds, used, memory, begins, sums = shared
    slow, slow_used, slow_memory, _, slow_sums = alone
    furthest = max(abs(one - other) for one, other in zip(sums, slow_sums, strict=True))
    per_pair = slow / ALONE
    yield (
        f"| {MANY:,} pairs, {begins} tokens of instruction and examples | seconds | of processor | pairs per second | peak memory |\n"
        "|---|---|---|---|---|\n"
        f"| {OURS} | {seconds:.1f} | {used:.1f} | {MANY / seconds:.1f} | {memory:.0f} MB |\n"
        f"| each pair by itself ({ALONE} measured) | {per_pair * MANY:.0f} | {slow_used / ALONE * MANY:.0f} | {1 / per_pair:.2f} "
        f"| {slow_memory:.0f} MB |"
    )
    ratio = slow_used / ALONE * MANY / used
    yield f"{per_pair * MANY / seconds:.1f} times as fast ({ratio:.1f} × by processor time); sums of log-probabilities differ by at most {furthest:.1e}."


def _child(way: str, prompt: Path, count: int) -> tuple[float, float, float, int, list[float]]:
    done = subprocess.run(
        [sys.executable, "-c", CHILD, way, str(prompt), str(count)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    seconds, used, memory, begins, sums = json.loads(done.stdout.splitlines()[-1])
    return seconds, used, memory, begins, sums
