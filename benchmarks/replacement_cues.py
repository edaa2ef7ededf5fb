"""What cues in place of a word are worth: those that `mtprobe cues` finds, and those of suites/wsd, on labelled translations.

    python -m benchmarks.replacement_cues             # the demo model; opus-mt-en-fr, if MTPROBE_MODELS has it
    python -m benchmarks.replacement_cues --tuning    # on the words on which the selection was developed

Right translations are judged with cues that the other half of a word's sentences selected; wrong ones with cues that all
right translations selected. Labels of the reporting half, which `mtprobe cues` does not read, are read here.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import mtprobe
from mtprobe.authoring.cues.contrast import select_replacements
from mtprobe.authoring.cues.material import AmbiguousWord, read_material
from mtprobe.authoring.cues.propose import Limits
from mtprobe.authoring.cues.replacements import Sources, find_candidates
from mtprobe.authoring.cues.select import Evaluator, Judged
from mtprobe.backends.scorer import ScorePair, mean
from mtprobe.backends.stored import score_all
from mtprobe.language.wordnet import find_wordnet
from mtprobe.progress import Silent
from mtprobe.statistics.clustered import cluster_ratio
from mtprobe.suite.labels import half_of
from mtprobe.suite.sample import Suite
from mtprobe.suite.samples.focus import insert_cue
from mtprobe.suites import load_suite

SUITE = Path(__file__).parent.parent / "suites" / "wsd" / "everyday-words.mt.yaml"


def main() -> None:
    half = "tuning" if "--tuning" in sys.argv else "reporting"
    wordnet = find_wordnet()
    if wordnet is None:
        sys.exit("WordNet is not installed: apt-get install wordnet-base")
    suite = load_suite(SUITE)
    seen = {
        language: tuple(replace(label, half="") for label in labels)
        for language, labels in suite.labels.items()
    }
    suite = replace(suite, labels=seen)
    models = [mtprobe.open_model("demo")]
    opus = Path(os.environ.get("MTPROBE_MODELS", "")) / "opus-mt-en-fr"
    if opus.is_dir():
        models.append(mtprobe.open_model(f"hf:{opus}", source="en", target="fr"))
    for model in models:
        evaluator = Evaluator(model.backend, None, "en")
        material = read_material(suite, ("word", "sense"), model.languages.target)
        words = [word for word in material.words if half_of(word.name) == half]
        found = [
            select_replacements(
                word, find_candidates(word, Sources(wordnet, None, "en"), Limits()), evaluator, Limits()
            )
            for word in words
        ]
        senses = [sense for of_word in found for sense in of_word]
        print(
            f"{model.name}, {half} half: {len(words)} words, {len(senses)} senses, {sum(bool(s.correct) for s in senses)} with cues"
        )
        show("by machine, right", [sum((s.held_out for s in of_word), Judged()) for of_word in found])
        show("by machine, wrong", [sum((s.wrong for s in of_word), Judged()) for of_word in found])
        by_hand = [written_by_hand(word, suite, evaluator) for word in words]
        show("by hand, right", [right for right, _ in by_hand])
        show("by hand, wrong", [wrong for _, wrong in by_hand])


def written_by_hand(word: AmbiguousWord, suite: Suite, evaluator: Evaluator) -> tuple[Judged, Judged]:
    """With the cues of the suite that replace the word."""
    cues = {sample.id: sample.cues.sides for sample in suite.samples if sample.cues}
    right, wrong = Judged(), Judged()
    for context in word.contexts:
        sides = {
            side: [
                insert_cue(context.source, context.focus, cue, "en") for cue in texts if cue.startswith("<")
            ]
            for side, texts in cues[context.id].items()
        }
        for target in (*context.right, *context.wrong):
            pairs = [ScorePair(source, target) for sources in sides.values() for source in sources]
            scores = score_all(evaluator.scorer, pairs, evaluator.store, Silent())
            best = {
                side: max(mean(scores[ScorePair(one, target)]) for one in sources)
                for side, sources in sides.items()
            }
            margin = best["correct"] - best["incorrect"]
            if target in context.right:
                right += Judged(int(margin > 0), 1)
            else:
                wrong += Judged(int(margin < 0), 1)
    return right, wrong


def show(what: str, by_word: list[Judged]) -> None:
    right, n = (np.array([getattr(one, name) for one in by_word], float) for name in ("right", "n"))
    low, high = cluster_ratio(right, n)
    print(f"  {what:<18} {right.sum() / n.sum():.3f} ({low:.3f}–{high:.3f}, n = {int(n.sum())})")


if __name__ == "__main__":
    main()
