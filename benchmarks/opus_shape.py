"""Scoring and translating with a random-weight model of the shape of opus-mt-en-de, side by side in one process.

mtprobe (fp32) against transformers (batches of 8) and CTranslate2 (fp32, AVX512 where there is one, the better of
two thread layouts). Every contestant takes its turn in every round; ratios are of medians, with the spread of the
rounds. Goals: contrastive conditioning ≥ 1.3 × CTranslate2 and ≥ 2 × transformers; minimal pairs ≥ 2 × and ≥ 2.5 ×;
translating with 5 beams ≥ 1 × and ≥ 1.7 ×.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.race import OURS, race

VOCABULARY, PAD, END = 58_101, 58_100, 0
WIDTH, INNER, LAYERS = 512, 2048, 6
ROUNDS, PAIRS, SENTENCES, NEW_TOKENS = 7, 96, 24, 24
TOKENS_TOGETHER = 512
ALONE = "mtprobe, each target by itself"

Ids = tuple[int, ...]
Pair = tuple[Ids, Ids]


def main() -> list[str]:
    if "avx512f" in Path("/proc/cpuinfo").read_text(encoding="utf-8"):
        os.environ.setdefault("CT2_FORCE_CPU_ISA", "AVX512")  # read when CTranslate2 is loaded
    tables = []
    with tempfile.TemporaryDirectory() as name:
        engines = Contestants(Path(name))
        rng = random.Random(0)
        for title, pairs in (
            ("contrastive conditioning, pairs", contrastive(rng)),
            ("minimal pairs, targets", minimal(rng)),
        ):
            scorers = dict(engines.scorers)
            if title.startswith("minimal"):
                scorers[ALONE] = partial(without_sharing, scorers[OURS])
            check(title, {name: score(pairs) for name, score in scorers.items()})
            work = {name: partial(score, pairs) for name, score in scorers.items()}
            tables.append(race(title, work, len(pairs), ROUNDS, scoring_flops(scorers, pairs)))
        sentences = [sentence(rng, 17) for _ in range(SENTENCES)]
        work = {name: partial(translate, sentences) for name, translate in engines.translators.items()}
        tables.append(race("translating with 5 beams, sentences", work, SENTENCES, ROUNDS))
    return [table.markdown() for table in tables]


def without_sharing(score: Callable[[list[Pair]], list[float]], pairs: list[Pair]) -> list[float]:
    """The two targets of a source in two calls: neither the source nor their common beginning is shared."""
    scores = [0.0] * len(pairs)
    scores[::2], scores[1::2] = score(pairs[::2]), score(pairs[1::2])
    return scores


def sentence(rng: random.Random, length: int) -> Ids:
    return (*(rng.randrange(2, PAD) for _ in range(rng.randint(length - 6, length + 6))), END)


def contrastive(rng: random.Random) -> list[Pair]:
    """Each target under two sources that differ in one word."""
    pairs = []
    for _ in range(PAIRS // 2):
        source, target = sentence(rng, 17), sentence(rng, 20)
        at = rng.randrange(len(source))
        pairs += [((*source[:at], rng.randrange(2, PAD), *source[at:]), target) for _ in range(2)]
    return pairs


def minimal(rng: random.Random) -> list[Pair]:
    """Two targets of each source that share a beginning."""
    pairs = []
    for _ in range(PAIRS // 2):
        source, target = sentence(rng, 17), sentence(rng, 20)
        at = int(len(target) * rng.uniform(0.3, 0.8))
        pairs += [(source, target), (source, (*target[:at], rng.randrange(2, PAD), *target[at + 1 :]))]
    return pairs


def random_model() -> Any:
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.MarianConfig(
        vocab_size=VOCABULARY, d_model=WIDTH, encoder_layers=LAYERS, decoder_layers=LAYERS, encoder_attention_heads=8,
        decoder_attention_heads=8, encoder_ffn_dim=INNER, decoder_ffn_dim=INNER, max_position_embeddings=512,
        activation_function="swish", scale_embedding=True, pad_token_id=PAD, eos_token_id=END,
        decoder_start_token_id=PAD, forced_eos_token_id=None,
    )  # fmt: skip
    return transformers.MarianMTModel(config).eval()


class Contestants:
    """The same weights in every engine."""

    def __init__(self, folder: Path) -> None:
        import torch

        self.torch, self.model = torch, random_model()
        self.scorers: dict[str, Callable[[list[Pair]], list[float]]] = {"mtprobe": self._ours()}
        self.scorers["transformers, batch 8"] = self._transformers
        self.translators: dict[str, Callable[[list[Ids]], object]] = {
            "mtprobe": self._our_search,
            "transformers, batch 8": self._generate,
        }
        self._add_ctranslate2(folder)

    def _ours(self) -> Callable[[list[Pair]], list[float]]:
        from mtprobe.backends.device import parse_device
        from mtprobe.engine.build import transformer_definition
        from mtprobe.engine.checkpoints.huggingface.families import marian_model
        from mtprobe.engine.engines import HfEngine, open_network
        from mtprobe.engine.runtime.batches import Size, in_batches

        weights = {name: values.numpy() for name, values in self.model.state_dict().items()}
        self.network = open_network(
            transformer_definition(marian_model(self.model.config, weights)), parse_device("cpu"), None
        )

        def run(batch: Sequence[Pair]) -> list[float]:
            sources, targets = [source for source, _ in batch], [target for _, target in batch]
            return [float(one.mean()) for one in self.network.score(sources, targets, [(PAD,)] * len(batch))]

        return lambda pairs: in_batches(
            pairs,
            lambda pair: Size(len(pair[0]), len(pair[1])),
            run,
            HfEngine.score_budget,
            together=lambda pair: pair[0],
            lanes=self.network.open_for_scores(),
        )

    def _our_search(self, sources: list[Ids]) -> object:
        from mtprobe.engine.search.beam import search
        from mtprobe.engine.search.decoding import Decoding

        settings = Decoding(ends=(END,), max_new_tokens=NEW_TOKENS, beams=5)
        return search(self.network, sources, [(PAD,)] * len(sources), settings)

    def _padded(self, rows: Sequence[Ids]) -> Any:
        return self.torch.nn.utils.rnn.pad_sequence(
            [self.torch.tensor(row) for row in rows], batch_first=True, padding_value=PAD
        )

    def _transformers(self, pairs: list[Pair]) -> list[float]:
        results: dict[Pair, float] = {}
        ordered = sorted(dict.fromkeys(pairs), key=lambda pair: len(pair[1]))
        for start in range(0, len(ordered), 8):
            batch = ordered[start : start + 8]
            sources, targets = self._padded([s for s, _ in batch]), self._padded([t for _, t in batch])
            with self.torch.inference_mode():
                logits = self.model(sources, attention_mask=(sources != PAD).long(), labels=targets).logits
                chosen = logits.log_softmax(-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
            for pair, row in zip(batch, chosen, strict=True):
                results[pair] = float(row[: len(pair[1])].mean())
        return [results[pair] for pair in pairs]

    def _generate(self, sources: list[Ids]) -> object:
        for start in range(0, len(sources), 8):
            batch = self._padded(sources[start : start + 8])
            with self.torch.inference_mode():
                self.model.generate(
                    batch, attention_mask=(batch != PAD).long(), num_beams=5, max_new_tokens=NEW_TOKENS
                )
        return None

    def _add_ctranslate2(self, folder: Path) -> None:
        try:
            import ctranslate2
        except ImportError:
            print("ctranslate2 is not installed: pip install 'mtprobe[bench]'")
            return
        words = save_with_tokenizer(self.model, folder / "model")
        ctranslate2.converters.TransformersConverter(str(folder / "model")).convert(str(folder / "ct2"))
        for inter, intra in ((1, 2), (2, 1)):
            engine = ctranslate2.Translator(
                str(folder / "ct2"),
                device="cpu",
                compute_type="float32",
                inter_threads=inter,
                intra_threads=intra,
            )
            name = f"CTranslate2, {inter}×{intra} threads"

            def score(pairs: list[Pair], engine: Any = engine) -> list[float]:
                scored = engine.score_batch(
                    [[words[id] for id in source] for source, _ in pairs],
                    [[words[id] for id in target[:-1]] for _, target in pairs],
                    max_batch_size=TOKENS_TOGETHER,
                    batch_type="tokens",
                )
                return [statistics.fmean(one.log_probs) for one in scored]

            def translate(sources: list[Ids], engine: Any = engine) -> object:
                return engine.translate_batch(
                    [[words[id] for id in source] for source in sources],
                    beam_size=5,
                    max_decoding_length=NEW_TOKENS,
                    max_batch_size=16,
                )

            self.scorers[name], self.translators[name] = score, translate


def save_with_tokenizer(model: Any, folder: Path) -> list[str]:
    """The model as a folder that converters read, with made-up words; gives the words by id."""
    import sentencepiece

    model.save_pretrained(folder)
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8").splitlines()
    for name in ("source.spm", "target.spm"):
        with (folder / name).open("wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(text),
                model_writer=file,
                vocab_size=300,
                minloglevel=2,
                hard_vocab_limit=False,
            )
    words = ["</s>", "<unk>", *(f"w{number}" for number in range(2, PAD)), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({word: id for id, word in enumerate(words)}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "MarianTokenizer"}))
    return words


def check(title: str, results: dict[str, list[float]]) -> None:
    """Everybody computes the same: mean log-probabilities agree."""
    ours = results[OURS]
    for name, theirs in results.items():
        furthest = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
        print(f"{title}: largest difference to {name} {furthest:.1e}")


def scoring_flops(names: Iterable[str], pairs: list[Pair]) -> dict[str, float]:
    """Of the multiplications that have to be done: what is padding counts for nobody.

    Ours encodes a source once and reads the beginning that its targets share once; the others do each pair.
    """
    from mtprobe.engine.runtime.prefix_trees import build_forest

    tree = len(build_forest([(source, (PAD, *target[:-1])) for source, target in pairs]).tokens)
    ours = flops(sum(map(len, {source for source, _ in pairs})), tree)
    each = flops(sum(len(source) for source, _ in pairs), sum(len(target) for _, target in pairs))
    return {name: ours if name == OURS else each for name in names}


def flops(source_tokens: int, target_tokens: int) -> float:
    attention, feed_forward = 4 * WIDTH**2, 2 * WIDTH * INNER
    encoder = LAYERS * (attention + feed_forward)
    keys_and_values = LAYERS * 2 * WIDTH**2
    decoder = LAYERS * (attention + 2 * WIDTH**2 + feed_forward) + WIDTH * VOCABULARY
    return 2.0 * (source_tokens * (encoder + keys_and_values) + target_tokens * decoder)


if __name__ == "__main__":
    print("\n\n".join(main()))
