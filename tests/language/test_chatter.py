"""Answers that are not translations; and translations that look like such answers, because their sources say the same."""

from __future__ import annotations

import pytest

from mtprobe.language.chatter import chatter


@pytest.mark.parametrize(
    ("target", "source", "answer", "reason"),
    [
        ("fr", "Good morning.", "I'm sorry, but I can't assist with that.", "refusal"),
        ("fr", "Good morning.", "Je suis désolé, mais je ne peux pas traduire ce texte.", "refusal"),
        ("de", "Good morning.", "Ich kann diesen Satz leider nicht übersetzen.", "refusal"),
        ("es", "Good morning.", "Como modelo de lenguaje, no puedo traducirlo.", "refusal"),
        ("zh", "Good morning.", "我无法翻译这句话。", "refusal"),
        ("en", "Bonjour.", "I cannot translate this text.", "refusal"),
        ("en", "Bonjour.", "As an AI language model, I have no opinion.", "refusal"),
        ("fr", "Good morning.", "<think>\nThe user wants me to", "reasoning"),
        ("fr", "Good morning.", "Good morning translates to Bonjour.", "chatter"),
        ("en", "Bonjour.", "Here is the English translation: Hello.", "chatter"),
        ("en", "Bonjour.", "Hello. (Note: this is formal)", "note"),
    ],
)
def test_what_is_no_translation_has_a_reason(target, source, answer, reason):
    assert (chatter(source, answer, target) or "").startswith(f"{reason}: ")


@pytest.mark.parametrize(
    ("target", "source", "translation"),
    [
        ("en", "Je suis désolé, mais je ne peux pas venir ce soir.", "I'm sorry, but I can't come tonight."),
        ("fr", "I'm sorry, but I can't come tonight.", "Je suis désolé, mais je ne peux pas venir ce soir."),
        ("en", "Je ne peux pas traduire ce texte.", "I can't translate this text."),
        ("fr", "I can't translate this text.", "Je ne peux pas traduire ce texte."),
        ("de", "I cannot translate it.", "Ich kann es nicht übersetzen."),
        ("en", "Ich kann diese Anfrage nicht bearbeiten.", "I cannot process this request."),
        ("en", "No puedo ayudarte con tu tarea.", "I can't assist you with your homework."),
        ("en", "Como modelo de IA, no tengo sentimientos.", "As an AI model, I have no feelings."),
        ("en", "次の文の訳です。", "The following is a translation of the sentence:"),
        ("en", "Bonjour (remarque : il est tard).", "Hello (note: it is late)."),
        ("de", "La chanson « Here's the thing » est belle.", "Here's the Thing ist ein schönes Lied."),
    ],
)
def test_a_translation_may_say_what_its_source_says(target, source, translation):
    assert chatter(source, translation, target) is None


@pytest.mark.parametrize(
    ("target", "source", "translation"),
    [
        ("en", "Réponse : quarante-deux.", "Answer: forty-two."),
        ("en", "Guten Morgen (Anmerkung: es ist spät).", "Good morning (note: it is late)."),
        ("en", "— Bonjour", "“Hello”"),
        ("en", "Er war makellos“, sagte sie.“", '"He was immaculate," she said."'),
        ("de", "All right, line up behind us.", "Ok, alle hinter uns aufstellen."),
        ("de", "Un grand modèle de langue.", "Ein Large Language Model."),
    ],
)
def test_so_may_the_answer_of_a_chat_model(target, source, translation):
    assert chatter(source, translation, target, by_chat=True) is None
