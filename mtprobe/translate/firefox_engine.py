"""A Firefox Translations model that is loaded: its SSRU network and its SentencePiece vocabulary."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.nets.engine import load_engine
from mtprobe.nets.folder import ModelFiles
from mtprobe.nets.interface import Floats
from mtprobe.nets.parts import Parts
from mtprobe.nets.session import Device
from mtprobe.score.batches import Size
from mtprobe.score.lanes import ALONE
from mtprobe.translate.greedy import translate_batch
from mtprobe.translate.neural import Tokens


class FirefoxEngine:
    # Large enough to keep the cores busy, small enough for the log-probabilities of 32,000 words a token.
    translate_together = Size(source=2048, target=128)  # a translation takes one target token at a time
    score_together = Size(source=2048, target=512)
    lanes = ALONE

    def __init__(
        self,
        files: ModelFiles,
        parts: Parts,
        device: Device,
        threads: int | None,
        longest_input: int,
        longest_output: int,
    ) -> None:
        loaded = load_engine(files, parts, device, threads)
        self._network, self._pieces = loaded.network, loaded.pieces
        self._longest_input, self._longest_output = longest_input, longest_output

    @property
    def provider(self) -> str | None:
        return self._network.provider

    def source_tokens(self, text: str) -> Tokens:
        return (*self._pieces.encode(text), self._pieces.end)

    target_tokens = source_tokens  # one vocabulary for both

    def too_long(self, tokens: Tokens, what: str) -> str | None:
        count = len(tokens) - 1  # the end is not the text's
        if count <= self._longest_input:
            return None
        return f"{what} has {count} tokens; this model reads at most {self._longest_input}"

    def translate(self, sources: Sequence[Tokens]) -> list[Tokens]:
        return translate_batch(self._network, sources, self._pieces.end, self._longest_output)

    def score(self, pairs: Sequence[tuple[Tokens, Tokens]]) -> list[Floats]:
        return self._network.score([source for source, _ in pairs], [target for _, target in pairs])

    def text(self, tokens: Tokens) -> str:
        return self._pieces.decode(tokens)
