"""Whether translations are still the same after a change: writes them to a file, or compares them with one.

    python -m benchmarks.same_translations before.json      # before the change
    python -m benchmarks.same_translations before.json      # after it

Some 500 sentences per model: sources of shipped suites, and human targets of minimal pairs for the opposite direction. A
search with beams gives all its hypotheses, with their scores. Models are the demo model and those of `MTPROBE_MODELS`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mtprobe.backends.device import Dtype
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.suites import load_suite

SUITES = Path(__file__).parents[1] / "suites"
COUNT = 520
DTYPES: tuple[Dtype, ...] = ("fp32", "int8")


def english() -> list[str]:
    texts: dict[str, None] = {}
    for name in ("gender/occupations", "wsd/everyday-words", "lexicon/ambiguous-words"):
        suite = load_suite(SUITES / f"{name}.mt.yaml").take(COUNT // 2)
        texts.update(dict.fromkeys(sample.source for sample in suite.samples))
    return list(texts)[:COUNT]


def french() -> list[str]:
    suite = load_suite(SUITES / "minimal_pairs" / "en-fr" / "errors.mt.yaml")
    return list(dict.fromkeys(text for sample in suite.samples for text in sample.targets_in("fr").correct))[
        :COUNT
    ]


def models() -> Iterator[tuple[str, str, str, list[str]]]:
    """Spec, source and target language, sentences."""
    yield from (("demo", "en", "pt", english()), ("demo?beams=4", "en", "pt", english()))
    folder = os.environ.get("MTPROBE_MODELS")
    if not folder:
        print("MTPROBE_MODELS does not name the folder of published models: only the demo model is compared")
        return
    for options in ("", "?beams=1"):
        yield f"hf:{folder}/opus-mt-en-fr{options}", "en", "fr", english()
    yield f"hf:{folder}/opus-mt-fr-en", "fr", "en", french()


def translated(spec: str, source: str, target: str, dtype: Dtype, texts: list[str]) -> list[Any]:
    request = OpenRequest(source=source, target=target, dtype=dtype, device="cpu")
    model: Any = open_backend(ModelSpec.parse(spec), request)
    if model.engine.beams == 1:
        return [[[text, 0.0]] for text in model.translate(texts)]
    return [[list(candidate) for candidate in best] for best in model.n_best(texts, model.engine.beams)]


def main(path: Path) -> None:
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    results: dict[str, list[Any]] = {}
    for spec, source, target, texts in models():
        for dtype in DTYPES:
            name = f"{spec} {dtype}"
            results[name] = translated(spec, source, target, dtype, texts)
            if before is None:
                print(f"{name}: {len(texts)} sentences")
                continue
            pairs = list(zip(before[name], results[name], strict=True))
            best = sum(one[0][0] != other[0][0] for one, other in pairs)
            texts_differ = sum(
                [text for text, _ in one] != [text for text, _ in other] for one, other in pairs
            )
            apart = max(abs(one[1] - other[1]) for pair in pairs for one, other in zip(*pair, strict=False))
            print(
                f"{name}: of {len(pairs)} sentences, {best} have another translation and {texts_differ} another list of "
                f"hypotheses; scores differ by at most {apart:.1e}",
                flush=True,
            )
    if before is None:
        path.write_text(json.dumps(results, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
