"""Round-trip: a second model translates back, and numbers, names and negation survive.

What the translation itself still has was lost on the way back: then the second model is to blame, and nothing is decided.
"""

from __future__ import annotations

from collections.abc import Iterator

from mtprobe.language.invariants import KINDS, Kind, Text
from mtprobe.language.invariants.locales import known, missing
from mtprobe.language.invariants.names import Names
from mtprobe.methods.relations.relation import Case, Finding, Relation
from mtprobe.methods.verdict import Outcome


class RoundTrip(Relation):
    name = "round-trip"
    about = "after back-translation by a second model, numbers, `names` (or a capitalized focus) and negation of the source are preserved"
    needs_back = True

    def judge(self, case: Case) -> Finding:
        source = Text(case.sample.source, case.languages.source)
        target = Text(case.first.text, case.languages.target)
        back = Text(case.other, case.languages.source)
        blame: list[str] = []
        for kind in _kinds(case):
            if changes := kind.changes(source, back):
                if kind.changes(source, target):
                    spans = tuple((change.before, change.after) for change in changes)
                    return Finding(Outcome.INCORRECT, str(changes[0]), spans)
                blame.append(str(changes[0]))
        polarity = self._polarity(case)
        if polarity.outcome is Outcome.INCORRECT or not blame:
            return polarity
        return Finding(Outcome.UNDECIDED, f"lost on the way back, by the second model: {blame[0]}")

    def _polarity(self, case: Case) -> Finding:
        lexicon = case.source
        if not lexicon.negation:
            return Finding.holds()
        before, after = (lexicon.negations(words) for words in case.words)
        vague = [lexicon.nearly_negations(words) for words in case.words]
        if bool(before) == bool(after) or (all(vague) or (before and vague[1]) or (after and vague[0])):
            return Finding.holds()
        if any(vague):
            words = ", ".join(vague[0] or vague[1])
            return Finding(Outcome.UNDECIDED, f"the negation may be in other words: {words}")
        spans = ((" ".join(before), " ".join(after)),)
        reason = f"the negation “{before[0]}” was lost" if before else f"a negation was added: “{after[0]}”"
        if not case.reader.lexicon.negation:
            return Finding(Outcome.INCORRECT, reason, spans)
        if bool(case.first.negations) == bool(before):
            return Finding(Outcome.UNDECIDED, f"lost on the way back, by the second model: {reason}")
        if case.first.nearly:
            return Finding(Outcome.UNDECIDED, f"the negation may be in other words: {case.first.nearly[0]}")
        return Finding(Outcome.INCORRECT, reason, spans)


def _kinds(case: Case) -> Iterator[Kind]:
    languages = (case.languages.source, case.languages.target)
    if missing() is None and all(map(known, languages)):
        yield KINDS["numbers"]
    sample = case.sample
    focus = sample.source[slice(*sample.focus)] if sample.focus else ""
    names = sample.names or ((focus,) if focus[:1].isupper() and not focus.isupper() else ())
    if names:
        yield Names(names)
