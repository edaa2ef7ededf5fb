"""A whole run as a user meets it, against a script that does the same with transformers.

`gender/occupations`, a part of its samples, on opus-mt-en-fr (`MTPROBE_MODELS`): translating with beam 4, scoring each translation
under its two contrastive sources, and deciding the gates. pytest runs cold (an empty store), warm (nothing changed) and
sequentially (an empty store): for all gates, of which some are close to their bounds, and for one that is clear-cut. The
script has what a researcher would write: `generate` and forward passes in batches of 8, without gates, intervals or a
record. Seconds of the whole process, once each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import OCCUPATIONS

ROOT = Path(__file__).parents[1]
SAMPLES, BATCH = 256, 8
CLEAR_CUT = "accuracy[male]"


def main() -> list[str]:
    folder = Path(os.environ.get("MTPROBE_MODELS", "")) / "opus-mt-en-fr"
    if "MTPROBE_MODELS" not in os.environ or not folder.is_dir():
        return ["skipped: MTPROBE_MODELS does not name a folder with opus-mt-en-fr"]
    options = ["-q", "-p", "no:cacheprovider", f"--mt-model=hf:{folder}", f"--mt-take={SAMPLES}"]
    pytest = [sys.executable, "-m", "pytest", *options]
    suite, gate = str(OCCUPATIONS), f"{OCCUPATIONS}::{CLEAR_CUT}"
    script = [sys.executable, "-m", "benchmarks.whole_run", "script", str(folder)]
    with tempfile.TemporaryDirectory() as name:
        stores = [f"--mt-store={Path(name) / number}" for number in "1234"]
        runs = {
            "mtprobe, cold": [*pytest, suite, stores[0]],
            "mtprobe, warm": [*pytest, suite, stores[0]],
            "mtprobe, sequential, all gates": [*pytest, suite, stores[1], "--mt-sequential"],
            f"mtprobe, sequential, `{CLEAR_CUT}` alone": [*pytest, gate, stores[2], "--mt-sequential"],
            "mtprobe, cold, int8": [*pytest, suite, stores[3], "--mt-dtype=int8"],
            "script with transformers": script,
        }
        found = {label: measured(command) for label, command in runs.items()}
    cold = found["mtprobe, cold"]
    lines = [f"| {SAMPLES} samples | seconds | × the time of a cold run |", "|---|---|---|"]
    lines += [f"| {label} | {seconds:.1f} | {seconds / cold:.2f} |" for label, seconds in found.items()]
    return ["\n".join(lines)]


def measured(command: list[str]) -> float:
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - started
    if done.returncode not in (0, 1):  # 1: a gate fails
        raise RuntimeError(
            f"{command} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    return seconds


def script(folder: str) -> None:
    """Translates the samples, and scores each translation under both sources; in this process."""
    import torch
    import transformers

    from mtprobe.suites import load_suite

    model = transformers.MarianMTModel.from_pretrained(folder).eval()
    tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
    right = 0
    samples = load_suite(OCCUPATIONS).take(SAMPLES).samples
    for start in range(0, len(samples), BATCH):
        batch = samples[start : start + BATCH]
        with torch.inference_mode():
            asked = tokenizer([sample.source for sample in batch], return_tensors="pt", padding=True)
            texts = tokenizer.batch_decode(model.generate(**asked), skip_special_tokens=True)
            scores = []
            for side in ("correct", "incorrect"):
                sources = [with_cue(sample, side) for sample in batch]
                inputs = tokenizer(sources, text_target=texts, return_tensors="pt", padding=True)
                labels = inputs["labels"]
                logprobs = model(**inputs).logits.log_softmax(-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1)
                scores.append(logprobs.masked_fill(labels == tokenizer.pad_token_id, 0).sum(1))
            right += int((scores[0] > scores[1]).sum())
    print(f"accuracy {right / len(samples):.2f}")


def with_cue(sample: object, side: str) -> str:
    """The cue before the focus."""
    source, start = sample.source, sample.focus[0]  # type: ignore[attr-defined]
    cue = getattr(sample.cues, side)[0]  # type: ignore[attr-defined]
    return f"{source[:start]}{cue} {source[start:]}"


if __name__ == "__main__":
    if sys.argv[1:2] == ["script"]:
        script(sys.argv[2])
    else:
        print("\n\n".join(main()))
