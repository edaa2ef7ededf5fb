"""A word of a translation, exchanged for a word of another sense in the same form"""

from __future__ import annotations

import pytest

from mtprobe.language.gender.agreeing import Unclear
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.language.word_exchange.exchange import Matched, exchange_word
from mtprobe.language.word_exchange.inflect import inflected_languages


def exchanged(language: str, text: str, word: str, lemma: str, *others: str) -> str | Unclear:
    lemmatizer = open_lemmatizer("simplemma", language)
    start = text.index(word)
    matched = Matched(text, start, start + len(word), lemma)
    return exchange_word(
        language, matched, others, lambda form: lemmatizer.lemmatize([form])[0][0].lemma.casefold()
    )


@pytest.mark.parametrize(
    ("language", "text", "words", "expected"),
    [
        # the same gender: only the word
        ("pt", "O selo estava no gelo.", ("selo", "selo", "carimbo"), "O carimbo estava no gelo."),
        ("pt", "Ele dobrava os braços.", ("braços", "braço", "armamento"), "Ele dobrava os armamentos."),
        # another gender: articles, adjectives and participles follow
        ("pt", "Ele quebrou o selo vermelho.", ("selo", "selo", "foca"), "Ele quebrou a foca vermelha."),
        ("pt", "Age contra a sua vontade.", ("vontade", "vontade", "testamento"), "Age contra o seu testamento."),
        ("fr", "La poignée tombe, car l'écrou était tombé.", ("écrou", "écrou", "noix"), "La poignée tombe, car la noix était tombée."),
        ("fr", "Une énorme vague s'est brisée.", ("vague", "vague", "signe"), "Un énorme signe s'est brisé."),
        ("fr", "L'écorce de ce vieux chêne est rugueuse et épaisse.", ("écorce", "écorce", "aboiement"), "L'aboiement de ce vieux chêne est rugueux et épais."),
        ("fr", "Un nouvel élève arrive.", ("élève", "élève", "pupille"), "Une nouvelle pupille arrive."),
        # elision, also where the gender stays
        ("fr", "Il parle du poste au-dessus de l'évier.", ("évier", "évier", "banc"), "Il parle du poste au-dessus du banc."),
        ("fr", "La douche est froide.", ("douche", "douche", "averse"), "L'averse est froide."),
        ("fr", "Mon père parle de boucles.", ("boucles", "boucle", "cloche"), "Mon père parle de cloches."),
        # a lemma of the same gender first
        ("pt", "O selo caiu.", ("selo", "selo", "foca", "carimbo"), "O carimbo caiu."),
        # verbs that are inflected alike
        ("pt", "O juiz ordenou que saísse.", ("ordenou", "ordenar", "comprar"), "O juiz comprou que saísse."),
        ("fr", "Ils gardaient des poules.", ("gardaient", "garder", "conserver"), "Ils conservaient des poules."),
        ("fr", "Je garde des poules.", ("garde", "garder", "adorer"), "J'adore des poules."),
        ("pt", "Não consigo suportar o cheiro.", ("suportar", "suportar", "pôr", "colocar"), "Não consigo colocar o cheiro."),
    ],
)  # fmt: skip
def test_the_sentence_stays_grammatical(
    language: str, text: str, words: tuple[str, ...], expected: str
) -> None:
    assert exchanged(language, text, *words) == expected


@pytest.mark.parametrize(
    ("language", "text", "words", "reason"),
    [
        ("pt", "Compraram armas.", ("armas", "arma", "braço"), "another gender or number"),
        ("pt", "Leu o projeto de lei.", ("projeto de lei", "projeto de lei", "conta"), "are not both one word"),
        ("pt", "A fábrica demitiu dez.", ("demitiu", "demitir", "descartar"), "the form of “descartar”"),
        ("fr", "Chaque élève arrive.", ("élève", "élève", "pupille"), "“élève” is not known"),
        ("fr", "Elle dirigea la chorale.", ("dirigea", "diriger", "mener"), "“menea” is not a form of “mener”"),
        ("fr", "Elle est tombée.", ("tombée", "tomber", "déposer"), "another auxiliary"),
        ("nl", "Het zegel brak.", ("zegel", "zegel", "zeehond"), "no tables of words for nl"),
    ],
)  # fmt: skip
def test_without_a_rule_there_is_no_exchange(
    language: str, text: str, words: tuple[str, ...], reason: str
) -> None:
    answer = exchanged(language, text, *words)
    assert isinstance(answer, Unclear), answer
    assert reason in str(answer)


def test_languages_are_those_whose_suites_have_senses() -> None:
    assert inflected_languages() == ("fr", "pt")
