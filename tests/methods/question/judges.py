"""Judges with known preferences, and a translator for them to judge."""

from __future__ import annotations

import math
import re

from mtprobe.backends.protocols import LanguagePair

NOUNS = {
    "doctor": ("médico", "médica"),
    "lawyer": ("advogado", "advogada"),
    "teacher": ("professor", "professora"),
    "engineer": ("engenheiro", "engenheira"),
    "writer": ("escritor", "escritora"),
    "dancer": ("dançarino", "dançarina"),
}
PLACES = ["harbour", "station", "market"]
SUITE = f"""\
mtprobe: 1
name: people
about: Is the gender kept?
languages: {{source: en, targets: any}}
method: question
categories: [male, female]
gates: {{accuracy: ">= 0.5"}}
generate:
  - source: "The <{{person}}> sold {{whose}} house near the {{place}}."
    slots:
      person: [{", ".join(NOUNS)}]
      whose: {{her: {{category: female}}, his: {{category: male}}}}
      place: [{", ".join(PLACES)}]
"""


class Fair:
    """Gives everybody the right gender."""

    fingerprint = "fair"
    languages = LanguagePair("en", "pt")

    def translate(self, sources):
        return list(map(self._translation, sources))

    def _translation(self, source):
        woman = " her " in source
        noun = next(forms[woman] for name, forms in NOUNS.items() if name in source)
        place = next(number for number, name in enumerate(PLACES) if name in source)
        return f"{'A' if woman else 'O'} {noun} vendeu a casa perto do porto número {place}."


def choices_in(prompt):
    """The texts of the choices, in the order of a question."""
    return re.findall(r"^[A-Z]\) (.*)$", prompt.messages[-1].content, re.MULTILINE)


def translation_in(prompt):
    return re.findall(r"“(.*?)”", prompt.messages[-1].content)[0]


def hears(translation, choice):
    """Log-odds of a judge that knows Portuguese."""
    return 2.0 if (choice == "feminine") == translation.startswith("A ") else 0.0


class Judge:
    """Adds what a choice is worth, by translation and text, to what its place is worth."""

    languages = LanguagePair("en", "pt")
    fingerprint = "judge"
    answering_fingerprint = "judge:answers"

    def __init__(self, worth=hears, position=0.0):
        self.worth, self.position = worth, position
        self.asked = []

    def answer_scores(self, questions):
        self.asked += questions
        return [self._scores(question) for question in questions]

    def _scores(self, question):
        translation = translation_in(question.prompt)
        logits = [
            self.worth(translation, text) + (self.position if place == 0 else 0.0)
            for place, text in enumerate(choices_in(question.prompt))
        ]
        assert len(logits) == len(question.choices)
        total = math.log(sum(map(math.exp, logits))) + 0.7  # something else may be answered, too
        return tuple((logit - total,) for logit in logits)


class InWords:
    """Answers in words only."""

    languages = LanguagePair("en", "pt")
    fingerprint = "talker"
    answering_fingerprint = "talker:answers"

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def complete(self, prompts, max_tokens=64):  # noqa: ARG002
        self.asked += prompts
        return [self.answer(translation_in(prompt), choices_in(prompt)) for prompt in prompts]


def named(translation, choices):
    """The letter that a judge of Portuguese names."""
    best = max(range(len(choices)), key=lambda place: hears(translation, choices[place]))
    return f"The answer is {'ABC'[best]}."
