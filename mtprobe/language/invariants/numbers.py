"""Numbers: the same values, however each language writes them."""

from __future__ import annotations

from collections.abc import Sequence

from mtprobe.language.invariants.dates import times
from mtprobe.language.invariants.kind import Change, Item, Kind, Text, unmatched
from mtprobe.language.invariants.numerals import numerals
from mtprobe.language.invariants.spelled import is_spelled


class Numbers(Kind):
    name = "numbers"
    about = "numbers in digits, by their value: `2,200,112` is `2.200.112` in Portuguese; number words count where they are clear. Times of day belong to `dates`."
    needs_locale = True

    def items(self, text: Text) -> Sequence[Item]:
        taken = [(time.start, time.end) for time in times(text)]
        return [
            Item(number.text, number.start, frozenset(number.values))
            for number in numerals(text.text, text.language)
            if not any(start <= number.start < end for start, end in taken)
        ]

    def changes(self, source: Text, target: Text) -> list[Change]:
        lost, added = unmatched(self.items(source), self.items(target))
        return self.described(_not_spelled(lost, target), _not_spelled(added, source))

    def note(self, before: Item, after: Item) -> str:
        if before.text != after.text:
            return ""
        worth = " or ".join(sorted(str(value) for value in after.values))
        return f"which readers of the translation take for {worth}"


def _not_spelled(items: Sequence[Item], other: Text) -> list[Item]:
    return [
        item
        for item in items
        if not any(is_spelled(value, other.text, other.language) for value in item.values)  # type: ignore[arg-type]
    ]
