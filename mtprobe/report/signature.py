"""One line that makes a number reproducible."""

from __future__ import annotations

import mtprobe
from mtprobe.records import ModelFacts, SuiteRun


def signature(suite: SuiteRun) -> str:
    """mtprobe's version, the suite's hash, model and evaluator with decoding, dtype and provider, and the seed."""
    judge = suite.evaluator or (suite.model if suite.judges_itself else None)
    parts = [
        f"mtprobe {mtprobe.__version__}",
        f"suite {suite.suite}#{suite.digest}" + (" (partial)" if suite.partial else ""),
        f"{suite.source}→{suite.target}",
        f"method {suite.method}" + (f" ({suite.details})" if suite.details else ""),
        f"model {_model(suite.model)}",
        f"evaluator {'itself' if suite.judges_itself else _model(judge)}" if judge else "",
        f"seed {suite.seed}",
    ]
    return " | ".join(part for part in parts if part)


def _model(facts: ModelFacts) -> str:
    details = [detail for detail in (facts.decoding, facts.dtype, facts.provider) if detail]
    return f"{facts.fingerprint} ({', '.join(details)})" if details else facts.fingerprint
