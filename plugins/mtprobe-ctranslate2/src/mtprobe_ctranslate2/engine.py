"""A loaded CTranslate2 model. Nothing is truncated silently, and a failing sentence does not affect others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from mtprobe.backends import Failure, ModelError, TokenLogProbs
from mtprobe_ctranslate2.settings import Settings

LONGEST = 1024  # tokens: where CTranslate2 truncates a source; much longer ones would not fit into memory
_BATCH = 2048  # tokens, including padding

Tokens = Sequence[str]
Item = TypeVar("Item")
Output = TypeVar("Output")


class Engine:
    def __init__(self, folder: Path, settings: Settings) -> None:
        import ctranslate2

        self._settings = settings
        try:
            self._translator = ctranslate2.Translator(
                str(folder),
                device=settings.device.name,
                device_index=settings.device.index,
                compute_type=settings.compute_type,
                inter_threads=1,
                intra_threads=settings.threads or 0,
            )
        except (ValueError, RuntimeError) as error:
            raise ModelError(f"ct2:{folder}: CTranslate2 cannot load it: {error}") from None
        self.provider = f"CTranslate2 {ctranslate2.__version__} {self._translator.device}"

    def translate(self, sources: Sequence[Tokens], prefix: Tokens) -> list[Tokens | Failure]:
        """The tokens of each translation, without prefix and end."""
        settings = self._settings

        def run(batch: Sequence[Tokens]) -> list[Tokens]:
            results = self._translator.translate_batch(
                [list(source) for source in batch],
                target_prefix=[list(prefix)] * len(batch) if prefix else None,
                beam_size=settings.beams,
                length_penalty=settings.length_penalty,
                max_decoding_length=settings.max_length,
                min_decoding_length=0,
                max_input_length=0,
                max_batch_size=_BATCH,
                batch_type="tokens",
            )
            return [result.hypotheses[0][len(prefix) :] for result in results]

        return _each(sources, run)

    def score(self, pairs: Sequence[tuple[Tokens, Tokens]], prefix: Tokens) -> list[TokenLogProbs | Failure]:
        """The log-probabilities of each target's tokens and of its end, without those of the prefix."""

        def run(batch: Sequence[tuple[Tokens, Tokens]]) -> list[TokenLogProbs]:
            results: list[Any] = self._translator.score_batch(
                [list(source) for source, _ in batch],
                [[*prefix, *target] for _, target in batch],
                max_input_length=0,
                max_batch_size=_BATCH,
                batch_type="tokens",
            )
            return [tuple(result.log_probs[len(prefix) :]) for result in results]

        return _each(pairs, run)


def _each(items: Sequence[Item], run: Callable[[Sequence[Item]], Sequence[Output]]) -> list[Output | Failure]:
    """Runs all at once. CTranslate2 rejects a whole batch for one sentence, which bisection then finds."""
    if not items:
        return []
    try:
        return list(run(items))
    except (RuntimeError, ValueError) as error:
        if len(items) == 1:
            return [Failure(f"CTranslate2: {error}")]
    middle = len(items) // 2
    return [*_each(items[:middle], run), *_each(items[middle:], run)]
