"""What every backend that translates must do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import pytest

from mtprobe.backends.protocols import Backend, Streaming
from mtprobe.errors import Failure
from mtprobe.testing.asking import alone, expect, shown, translated, translating
from mtprobe.testing.sentences import AWKWARD, HALF_A_CHARACTER, SOURCES, VERY_LONG

_EVERY = 3  # of the sources, one in so many is also translated alone


class TranslationChecks:
    """A backend without `translate` skips all of them."""

    sources: ClassVar[Sequence[str]] = SOURCES
    fails_on: ClassVar[Sequence[str]] = ()

    def test_ordinary_sentences_are_translated(self, backend: object) -> None:
        answers = translated(translating(backend), self.sources)
        for source, answer in zip(self.sources, answers, strict=True):
            expect(
                not isinstance(answer, Failure),
                f"{shown(source)} is an ordinary sentence, and failed: {answer}",
            )
        expect(
            len(set(answers)) > 1,
            f"{len(answers)} sources have one and the same translation: {shown(str(answers[0]))}",
        )

    def test_nothing_is_made_of_nothing(self, backend: object) -> None:
        expect(translated(translating(backend), []) == [], "no sources must give no translations")

    def test_translations_stand_in_the_order_of_their_sources(self, backend: object) -> None:
        for source, here, by_itself, together in self._both_ways(translating(backend)):
            expect(
                here == by_itself or by_itself not in together,
                f"{shown(source)} alone is {shown(str(by_itself))}, which stands elsewhere in a batch of "
                f"{len(together)}; in its own place stands {shown(str(here))}",
            )

    def test_a_translation_does_not_depend_on_its_batch(self, backend: object) -> None:
        for source, here, by_itself, together in self._both_ways(translating(backend)):
            expect(
                here == by_itself or by_itself in together,
                f"{shown(source)} alone is {shown(str(by_itself))}, and {shown(str(here))} in a batch of {len(together)}",
            )

    def test_the_same_sources_have_the_same_translations_again(self, backend: object) -> None:
        model = translating(backend)
        first, second = translated(model, self.sources), translated(model, self.sources)
        for source, one, other in zip(self.sources, first, second, strict=True):
            expect(one == other, f"{shown(source)} is {shown(str(one))} at first, then {shown(str(other))}")

    def test_duplicates_are_answered_alike(self, backend: object) -> None:
        one, two = self.sources[:2]
        first, other, second, third = translated(translating(backend), [one, two, one, one])
        expect(first == second == third, f"{shown(one)} has two translations in a batch: {first}, {second}")
        by_itself = alone(translating(backend), two)
        expect(
            other == by_itself,
            f"{shown(two)} is {shown(str(by_itself))}, but {shown(str(other))} among duplicates of another",
        )

    @pytest.mark.parametrize("empty", ["", " \t "], ids=["nothing", "blanks"])
    def test_an_empty_source_is_answered(self, backend: object, empty: str) -> None:
        self._unharmed_beside(translating(backend), empty)

    @pytest.mark.parametrize("text", AWKWARD.values(), ids=[name.replace(" ", "-") for name in AWKWARD])
    def test_all_of_unicode_is_answered(self, backend: object, text: str) -> None:
        self._unharmed_beside(translating(backend), text)

    def test_half_a_character_harms_no_other_sentence(self, backend: object) -> None:
        self._unharmed_beside(translating(backend), HALF_A_CHARACTER)

    def test_a_very_long_source_harms_no_other_sentence(self, backend: object) -> None:
        self._unharmed_beside(translating(backend), VERY_LONG)

    def test_a_sentence_that_fails_loses_no_other(self, backend: object) -> None:
        model = translating(backend)
        if not self.fails_on:
            pytest.skip("no source is known on which it fails: name some in `fails_on`")
        for source in self.fails_on:
            answer = self._unharmed_beside(model, source)
            expect(
                isinstance(answer, Failure),
                f"{shown(source)} must fail, and was translated: {shown(str(answer))}",
            )

    def test_a_stream_gives_each_translation_once(self, backend: object) -> None:
        model = translating(backend)
        if not isinstance(model, Streaming):
            pytest.skip("it hands over all translations at once: it has no `stream`")
        streamed: dict[int, str | Failure] = {}
        for some in model.stream(list(self.sources)):
            twice = streamed.keys() & some.keys()
            expect(not twice, f"the stream gave the places {sorted(twice)} twice")
            streamed.update(some)
        expect(
            sorted(streamed) == list(range(len(self.sources))),
            f"the stream of {len(self.sources)} sources gave the places {sorted(streamed)}",
        )
        answers = [streamed[place] for place in range(len(self.sources))]
        expect(
            answers == translated(model, self.sources), "the stream gives other translations than `translate`"
        )

    def _both_ways(
        self, model: Backend
    ) -> list[tuple[str, str | Failure, str | Failure, list[str | Failure]]]:
        """Of some sources: the answer in a batch, the answer alone, and all answers of the batch."""
        together = translated(model, self.sources)
        some = range(0, len(self.sources), _EVERY)
        return [
            (self.sources[place], together[place], alone(model, self.sources[place]), together)
            for place in some
        ]

    def _unharmed_beside(self, model: Backend, text: str) -> str | Failure:
        """The answer to a text between two others, whose answers are what they are without it."""
        one, two = self.sources[:2]
        before, answer, behind = translated(model, [one, text, two])
        for source, beside, without in zip(
            (one, two), (before, behind), translated(model, [one, two]), strict=True
        ):
            expect(
                beside == without,
                f"{shown(source)} is {shown(str(without))}, but {shown(str(beside))} beside {shown(text)}",
            )
        return answer
