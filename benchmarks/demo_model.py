"""The demo model, greedy, on one thread: mtprobe (fp32) and fxtranslate (int8, with and without its shortlist).

Goal: at least twice as fast as fxtranslate. In turns in one process; ratios of medians and of the best rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from mtprobe.backends.protocols import OpenRequest
from mtprobe.engine.demo import demo_folder, open_demo
from mtprobe.suites import load_suite

from . import OCCUPATIONS
from .race import OURS, race

ROUNDS = 9
SENTENCES = 192


def contestants() -> dict[str, Callable[[list[str]], object]]:
    ours = open_demo("", OpenRequest(threads=1))
    found: dict[str, Callable[[list[str]], object]] = {OURS: ours.translate}
    try:
        from fxtranslate import Translator
    except ImportError:
        print("fxtranslate is not installed: pip install 'mtprobe[bench]'")
        return found
    folder = demo_folder()
    model, vocabulary = (next(folder.glob(name)).read_bytes() for name in ("model.*.bin", "vocab.*.spm"))
    shortlist = next(folder.glob("lex.*.bin")).read_bytes()
    for name, extra in (("fxtranslate", {}), ("fxtranslate with shortlist", {"shortlist": shortlist})):
        engine = Translator(model, vocabulary, vocabulary, **extra)
        found[name] = lambda sentences, engine=engine: [engine.translate(sentence) for sentence in sentences]
    return found


def main() -> list[str]:
    sentences = [sample.source for sample in load_suite(OCCUPATIONS).take(SENTENCES).samples]
    work = {name: partial(translate, sentences) for name, translate in contestants().items()}
    return [race("the demo model, greedy, one thread, sentences", work, len(sentences), ROUNDS).markdown()]


if __name__ == "__main__":
    print("\n\n".join(main()))
