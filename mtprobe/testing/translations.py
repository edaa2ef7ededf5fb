"""Requirements for backends that translate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import pytest

from mtprobe.backends import Backend, Failure, Request, Streaming, inputs_for, takes_requests, uses_context
from mtprobe.testing.answers import alone, expect, fail, shown, translated, translating
from mtprobe.testing.sentences import AWKWARD, LONE_SURROGATE, SOURCES, VERY_LONG

_EVERY = 3  # one source in so many is also translated alone


class TranslationChecks:
    """A backend without `translate` skips all of them."""

    sources: ClassVar[Sequence[str]] = SOURCES
    fails_on: ClassVar[Sequence[str]] = ()

    def test_ordinary_sentences_are_translated(self, backend: object) -> None:
        answers = translated(translating(backend), self.sources)
        for source, answer in zip(self.sources, answers, strict=True):
            if isinstance(answer, Failure):
                fail(f"{shown(source)} is an ordinary sentence, but failed: {answer}")
        if len(set(answers)) <= 1:
            fail(f"{len(answers)} sources all have the same translation: {shown(str(answers[0]))}")

    def test_no_sources_have_no_translations(self, backend: object) -> None:
        expect(translated(translating(backend), []) == [], "no sources must give no translations")

    def test_translations_are_in_the_order_of_their_sources(self, backend: object) -> None:
        for source, here, by_itself, together in self._compared(translating(backend)):
            expect(
                here == by_itself or by_itself not in together,
                f"{shown(source)} alone is {shown(str(by_itself))}, which is at another position in a batch of "
                f"{len(together)}; its own position has {shown(str(here))}",
            )

    def test_a_translation_does_not_depend_on_its_batch(self, backend: object) -> None:
        for source, here, by_itself, together in self._compared(translating(backend)):
            expect(
                here == by_itself or by_itself in together,
                f"{shown(source)} alone is {shown(str(by_itself))}, but {shown(str(here))} "
                f"in a batch of {len(together)}",
            )

    def test_the_same_sources_have_the_same_translations_again(self, backend: object) -> None:
        model = translating(backend)
        first, second = translated(model, self.sources), translated(model, self.sources)
        for source, before, after in zip(self.sources, first, second, strict=True):
            if before != after:
                fail(f"{shown(source)} is {shown(str(before))} at first, then {shown(str(after))}")

    def test_duplicates_are_answered_alike(self, backend: object) -> None:
        one, two = self.sources[:2]
        first, other, second, third = translated(translating(backend), [one, two, one, one])
        expect(first == second == third, f"{shown(one)} has two translations in a batch: {first}, {second}")
        by_itself = alone(translating(backend), two)
        if other != by_itself:
            fail(
                f"{shown(two)} is {shown(str(by_itself))}, but {shown(str(other))} among duplicates of another"
            )

    def test_context_and_repeats_are_answered(self, backend: object) -> None:
        model = translating(backend)
        if not takes_requests(model):
            pytest.skip("it takes strings: `takes_requests` is not True")
        one, two = self.sources[:2]
        context = (one,) if uses_context(model) else ()
        requests = [Request(two, context), Request(two, repeat=1), Request(one)]
        *_, plain = translated(model, requests)
        by_itself = alone(model, one)
        if plain != by_itself:
            fail(
                f"{shown(one)} is {shown(str(by_itself))}, but {shown(str(plain))} beside requests with context"
            )

    @pytest.mark.parametrize("empty", ["", " \t "], ids=["nothing", "blanks"])
    def test_an_empty_source_is_answered(self, backend: object, empty: str) -> None:
        self._unharmed_beside(translating(backend), empty)

    @pytest.mark.parametrize("text", AWKWARD.values(), ids=[name.replace(" ", "-") for name in AWKWARD])
    def test_all_of_unicode_is_answered(self, backend: object, text: str) -> None:
        self._unharmed_beside(translating(backend), text)

    def test_a_lone_surrogate_harms_no_other_sentence(self, backend: object) -> None:
        self._unharmed_beside(translating(backend), LONE_SURROGATE)

    def test_a_very_long_source_harms_no_other_sentence(self, backend: object) -> None:
        self._unharmed_beside(translating(backend), VERY_LONG)

    def test_a_sentence_that_fails_loses_no_other(self, backend: object) -> None:
        model = translating(backend)
        if not self.fails_on:
            pytest.skip("no source is known to fail: list some in `fails_on`")
        for source in self.fails_on:
            answer = self._unharmed_beside(model, source)
            if not isinstance(answer, Failure):
                fail(f"{shown(source)} must fail, but was translated: {shown(str(answer))}")

    def test_a_stream_gives_each_translation_once(self, backend: object) -> None:
        model = translating(backend)
        if not isinstance(model, Streaming):
            pytest.skip("it returns all translations at once: it has no `stream`")
        streamed: dict[int, str | Failure] = {}
        for translations in model.stream(inputs_for(model, self.sources)):
            twice = streamed.keys() & translations.keys()
            expect(not twice, f"the stream yielded the indices {sorted(twice)} twice")
            streamed.update(translations)
        if sorted(streamed) != list(range(len(self.sources))):
            fail(f"the stream of {len(self.sources)} sources yielded the indices {sorted(streamed)}")
        answers = [streamed[index] for index in range(len(self.sources))]
        if answers != translated(model, self.sources):
            fail("the stream yields other translations than `translate` returns")

    def _compared(
        self, model: Backend
    ) -> Iterator[tuple[str, str | Failure, str | Failure, list[str | Failure]]]:
        """Some of the sources, each with its answer in a batch, its answer alone, and all answers of the batch."""
        batch = translated(model, self.sources)
        for source, answer in list(zip(self.sources, batch, strict=True))[::_EVERY]:
            yield source, answer, alone(model, source), batch

    def _unharmed_beside(self, model: Backend, text: str) -> str | Failure:
        """The answer to a text between two others, whose answers must be the same as without it."""
        one, two = self.sources[:2]
        before, answer, after = translated(model, [one, text, two])
        for source, beside, without in zip(
            (one, two), (before, after), translated(model, [one, two]), strict=True
        ):
            if beside != without:
                fail(
                    f"{shown(source)} is {shown(str(without))}, but {shown(str(beside))} beside {shown(text)}"
                )
        return answer
