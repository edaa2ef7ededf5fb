"""Estimates the cost of tokens before they are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mtprobe.backends import Estimate, ModelError, SpecOptions

_BYTES_PER_TOKEN = 3.0  # English has more, so the estimate is rather too high
HINT = "give US dollars per million tokens with price_in= and price_out="


@dataclass(frozen=True, slots=True)
class TokenPrices:
    """US dollars per million tokens."""

    sent: float
    received: float

    def estimate(self, sent: Iterable[str], tokens_received: float) -> Estimate:
        texts = list(sent)
        dollars = (sum(map(tokens_in, texts)) * self.sent + tokens_received * self.received) / 1e6
        basis = f"{self.sent:g} and {self.received:g} USD per million tokens, at 3 bytes per token"
        return Estimate(sum(map(len, texts)), dollars, basis)


def tokens_in(text: str) -> float:
    return len(text.encode(errors="replace")) / _BYTES_PER_TOKEN


def read_token_prices(options: SpecOptions) -> TokenPrices | None:
    given = options.real("price_in"), options.real("price_out")
    if given == (None, None):
        return None
    if given[0] is None or given[1] is None or min(given[0], given[1]) < 0:
        raise ModelError(
            f"{options.spec}: price_in= and price_out= belong together, in US dollars per million tokens"
        )
    return TokenPrices(given[0], given[1])
