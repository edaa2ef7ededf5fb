"""Translating and scoring with the weights of opus-mt-en-fr, side by side in one process.

mtprobe and CTranslate2, each in fp32 and in int8 (its two thread layouts; AVX512 where there is one), and transformers in
batches of 8, on fewer sentences. Sentences are WinoMT's (`MTPROBE_DATA`) or those of the shipped suite of occupations;
the model is in `MTPROBE_MODELS`. In turns; ratios are of medians, with the spread of the rounds. Goals: translating ≥ 1.2 ×
the best layout of CTranslate2 in fp32 and in int8; contrastive conditioning ≥ 1.2 × in fp32, at 85 % of GEMM peak, and
≥ 1.5 × in int8; minimal pairs ≥ 2 ×.

`python -m benchmarks.opus_real 'beam 4, fp32'` measures one table.
"""

from __future__ import annotations

import gzip
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from benchmarks.opus_shape import INNER, LAYERS, WIDTH
from benchmarks.race import OURS, Race, race
from mtprobe.backends.device import Dtype
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.backends.scorer import ScorePair
from mtprobe.suites import load_suite

ROOT = Path(__file__).parents[1]
SENTENCES, PAIRS, ROUNDS = 96, 96, 5
GENERATED = 24  # sentences that transformers translates
TOKENS_TOGETHER = 512
DTYPES: dict[Dtype, str] = {"fp32": "float32", "int8": "int8"}
LAYOUTS = ((1, 2), (2, 1))
WORK = ("beam 4", "beam 5", "greedy", "contrastive conditioning", "minimal pairs")

Tokens = list[str]


def main(asked: Sequence[str] = ()) -> Iterator[str]:
    folder = Path(os.environ.get("MTPROBE_MODELS", "")) / "opus-mt-en-fr"
    if "MTPROBE_MODELS" not in os.environ or not folder.is_dir():
        yield "skipped: MTPROBE_MODELS does not name a folder with opus-mt-en-fr"
        return
    if "avx512f" in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        os.environ.setdefault("CT2_FORCE_CPU_ISA", "AVX512")  # read when CTranslate2 is loaded
    with tempfile.TemporaryDirectory() as name:
        engines = Engines(folder, Path(name))
        for work in WORK:
            for dtype in DTYPES:
                if not asked or f"{work}, {dtype}" in asked:
                    yield engines.table(work, dtype)
        if not asked or "transformers" in asked:
            yield engines.transformers(4)
            yield engines.identity()


def english() -> list[str]:
    """Sentences about people with an occupation, in a fixed random order."""
    data = Path(os.environ.get("MTPROBE_DATA", "")) / "winomt" / "test.tsv.gz"
    if "MTPROBE_DATA" in os.environ and data.exists():
        with gzip.open(data, "rt", encoding="utf-8") as file:
            texts = {line.split("\t")[2] for line in file}
    else:
        suite = load_suite(ROOT / "suites" / "gender" / "occupations.mt.yaml")
        texts = {sample.source for sample in suite.samples}
    return random.Random(3).sample(sorted(texts), SENTENCES)


def swapped(text: str) -> str:
    """The sentence with the other pronouns."""
    other = {"he": "she", "she": "he", "his": "her", "her": "his", "him": "her", "He": "She", "She": "He"}
    return " ".join(other.get(word, word) for word in text.split(" "))


def both(done: Race) -> str:
    return f"{done.markdown()}\n\n{done.processor_time()}"


class Engines:
    def __init__(self, folder: Path, temporary: Path) -> None:
        self.folder, self.temporary = folder, temporary
        self.sentences = english()

    def ours(self, dtype: Dtype, beams: int = 4) -> Any:
        spec = ModelSpec.parse(f"hf:{self.folder}?beams={beams}")
        return open_backend(spec, OpenRequest(source="en", target="fr", dtype=dtype, device="cpu"))

    def table(self, work: str, dtype: Dtype) -> str:
        title = f"{work}, {dtype}, {'sentences' if work in WORK[:3] else 'pairs'}"
        if work in WORK[:3]:
            beams = 1 if work == "greedy" else int(work.split()[1])
            model = self.ours(dtype, beams)
            contestants: dict[str, Callable[[], object]] = {OURS: partial(model.translate, self.sentences)}
            sources = [self.tokens(sentence) for sentence in self.sentences]
            for name, engine in self.ctranslate2(dtype).items():
                contestants[name] = partial(
                    engine.translate_batch,
                    sources,
                    beam_size=beams,
                    max_batch_size=32,
                    max_decoding_length=512,
                )
            return both(race(title, contestants, SENTENCES, ROUNDS))
        pairs = self.contrastive() if work.startswith("contrastive") else self.minimal()
        model = self.ours(dtype)
        contestants = {OURS: partial(model.score, pairs)}
        sources, targets = (
            [self.tokens(pair.source) for pair in pairs],
            [self.target(pair.target) for pair in pairs],
        )
        scores = {OURS: [sum(score) for score in model.score(pairs)]}
        for name, engine in self.ctranslate2(dtype).items():
            contestants[name] = score = partial(
                engine.score_batch, sources, targets, max_batch_size=TOKENS_TOGETHER, batch_type="tokens"
            )
            scores[name] = [sum(one.log_probs) for one in score()]
        flops = {OURS: self.flops(model, pairs)} if dtype == "fp32" else None
        apart = ", ".join(
            f"{name} {statistics.fmean(abs(a - b) for a, b in zip(scores[OURS], theirs, strict=True)):.1e}"
            for name, theirs in scores.items()
            if name != OURS
        )
        found = both(race(title, contestants, len(pairs), ROUNDS, flops))
        return (
            f"{found}\n\nMean difference of a pair's score (a sum over tokens) to {apart} (n = {len(pairs)})."
        )

    def identity(self) -> str:
        """Whose beam-4 translations are whose, in fp32."""
        ours = self.ours("fp32").translate(self.sentences)
        expected = self.generate(self.sentences[:GENERATED], 4)
        same = sum(a == b for a, b in zip(ours, expected, strict=False))
        (engine,) = list(self.ctranslate2("fp32").values())[-1:] or (None,)
        lines = [
            f"mtprobe's fp32 translations (beam 4) are those of transformers' `generate`: {same} of {GENERATED}."
        ]
        if engine is not None:
            results = engine.translate_batch([self.tokens(text) for text in self.sentences], beam_size=4)
            theirs = [self.text(result.hypotheses[0]) for result in results]
            same = sum(a == b for a, b in zip(ours, theirs, strict=True))
            lines.append(
                f"CTranslate2's are the same in {same} of {len(ours)}: its search ends by other rules."
            )
        return " ".join(lines)

    def transformers(self, beams: int) -> str:
        """On fewer sentences and without turns: far behind, it would take most of the time."""
        few = self.sentences[:GENERATED]
        run = {
            OURS: partial(self.ours("fp32", beams).translate, few),
            "transformers": partial(self.generate, few, beams),
        }
        return both(race(f"beam {beams}, fp32, {GENERATED} sentences", run, GENERATED, 1))

    def generate(self, sentences: Sequence[str], beams: int) -> list[str]:
        import torch

        texts: list[str] = []
        for start in range(0, len(sentences), 8):
            batch = self._tokenizer(list(sentences[start : start + 8]), return_tensors="pt", padding=True)
            with torch.inference_mode():
                texts += self._tokenizer.batch_decode(
                    self._torch.generate(**batch, num_beams=beams), skip_special_tokens=True
                )
        return texts

    @cached_property
    def _torch(self) -> Any:
        import transformers

        return transformers.MarianMTModel.from_pretrained(self.folder).eval()

    @cached_property
    def _tokenizer(self) -> Any:
        import transformers

        return transformers.MarianTokenizer.from_pretrained(self.folder)

    def tokens(self, text: str) -> Tokens:
        return list(self._tokenizer.convert_ids_to_tokens(self._tokenizer(text).input_ids))

    def target(self, text: str) -> Tokens:
        ids = self._tokenizer(text_target=text).input_ids[:-1]  # CTranslate2 adds the end
        return list(self._tokenizer.convert_ids_to_tokens(ids))

    def text(self, tokens: Tokens) -> str:
        ids = self._tokenizer.convert_tokens_to_ids(tokens)
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))

    def ctranslate2(self, dtype: Dtype) -> dict[str, Any]:
        try:
            import ctranslate2
        except ImportError:
            print("ctranslate2 is not installed: pip install 'mtprobe[bench]'")
            return {}
        converted = self.temporary / "ct2"
        if not converted.exists():
            ctranslate2.converters.TransformersConverter(str(self.folder)).convert(str(converted))
        return {
            f"CTranslate2 {dtype}, {inter}×{intra} threads": ctranslate2.Translator(
                str(converted),
                device="cpu",
                compute_type=DTYPES[dtype],
                inter_threads=inter,
                intra_threads=intra,
            )
            for inter, intra in LAYOUTS
        }

    def contrastive(self) -> list[ScorePair]:
        """Each translation under its source and under the source with the other pronouns."""
        translations = self.ours("int8", 1).translate(self.sentences)
        pairs = []
        for source, target in zip(self.sentences, translations, strict=True):
            pairs += [ScorePair(source, target), ScorePair(swapped(source), target)]
        return pairs[:PAIRS]

    def minimal(self) -> list[ScorePair]:
        """The right and the wrong target of the shipped pairs."""
        suite = load_suite(ROOT / "suites" / "minimal_pairs" / "en-fr" / "errors.mt.yaml").take(PAIRS // 2)
        pairs = []
        for sample in suite.samples:
            targets = sample.targets_in("fr")
            pairs += [ScorePair(sample.source, text) for text in (targets.correct[0], targets.incorrect[0])]
        return pairs

    def flops(self, model: Any, pairs: Sequence[ScorePair]) -> float:
        """Of the multiplications that have to be done: a source and a shared beginning once, no padding."""
        from mtprobe.engine.runtime.prefix_trees import build_forest

        read = [model.read_pair(pair) for pair in pairs]
        rows = {source: number for number, source in enumerate(dict.fromkeys(source for source, _ in read))}
        tree = len(build_forest([(rows[source], (0, *target[:-1])) for source, target in read]).tokens)
        vocabulary = model.engine.network.dimensions.target_vocabulary
        attention, feed_forward = 4 * WIDTH**2, 2 * WIDTH * INNER
        encoder = LAYERS * (attention + feed_forward + 2 * WIDTH**2)
        decoder = LAYERS * (attention + 2 * WIDTH**2 + feed_forward) + WIDTH * vocabulary
        return 2.0 * (sum(map(len, rows)) * encoder + tree * decoder)


if __name__ == "__main__":
    for part in main(sys.argv[1:]):
        print(part, end="\n\n", flush=True)
