"""Relations between translations: what holds, what raises an alarm, and what is left undecided"""

from __future__ import annotations

from pathlib import Path

import pytest

from mtprobe.methods.relations import RELATIONS

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "relations.md"
NAMES = "    names: [{}, {}]\n"


def test_the_same_content_in_other_forms_is_the_same(verdict):
    found = verdict(
        "same",
        {
            "Diego is our new teacher.": "Diego é o nosso novo professor.",
            "Priya is our new teacher.": "Priya é nossa nova professora.",
        },
    )
    assert found.outcome == "correct"
    (item,) = found.evidence
    assert (item.side, item.text) == ("against", "Priya é nossa nova professora.")
    assert item.attributes == {"source": "Priya is our new teacher."}


@pytest.mark.parametrize(
    ("pair", "target", "reason"),
    [
        (
            {
                "My father's dog is very old.": "Le chien de mon père est très vieux.",
                "My father’s dog is very old.": "Mon père est très vieux.",
            },
            "fr",
            "only the first translation has “chien”",
        ),
        (
            {
                "We could not find the parcel.": "Não conseguimos encontrar o pacote.",
                "WE COULD NOT FIND THE PARCEL.": "Nós não temos certeza do PARCEL.",
            },
            "pt",
            "“PARCEL” is left untranslated in the second translation",
        ),
        (
            {
                "They forgot to buy bread.": "Ils ont oublié d'acheter du pain.",
                "they forgot to buy bread.": "Ils n'ont pas oublié d'acheter du pain.",
            },
            "fr",
            "only the second translation is negated (“pas”)",
        ),
        (
            {
                "Nobody told Stefan the truth.": "Personne n'a dit la vérité à Stefan.",
                "nobody told stefan the truth.": "Personne n'a dit la vérité à Steve.",
            },
            "fr",
            "the name “stefan” is missing from the second translation",
        ),
        (
            {
                "It costs 45 euros today.": "Custa 45 euros hoje.",
                "it costs 45 euros today.": "custa 54 euros hoje.",
            },
            "pt",
            "the numbers differ: 45 and 54",
        ),
        (
            {
                "Hannah is tired today.": "Hannah está cansada hoje.",
                "Ingrid is tired today.": "Ingrid está cansado hoje.",
            },
            "pt",
            "“cansada” and “cansado” differ in gender, although all names are female",
        ),
    ],
)
def test_what_no_rewording_explains_is_an_alarm(verdict, pair, target, reason):
    found = verdict("same", pair, target)
    assert (found.outcome, found.reason) == ("incorrect", reason)
    assert [item.side for item in found.evidence] == ["against", "incorrect"]
    assert {"first", "second"} == set(found.evidence[1].attributes)


def test_other_words_for_perhaps_the_same_are_undecided(verdict):
    pair = {
        "My brother dropped the contract.": "Meu irmão deixou o contrato.",
        "my brother dropped the contract.": "meu irmão abandonou o contrato.",
    }
    found = verdict("same", pair)
    assert found.outcome == "undecided"
    assert found.reason == "other words: “deixou” / “abandonou”; perhaps they mean the same"


def test_one_word_more_is_no_loss_if_the_other_translation_is_complete(verdict):
    pair = {
        "Leila apologised to Nadia.": "Leila s'est excusée très poliment à Nadia.",
        "leila apologised to nadia.": "leila s'est excusée à Nadia.",
    }
    assert verdict("same", pair, "fr").outcome == "undecided"


def test_a_typo_may_change_the_word_that_has_it_and_no_other(verdict):
    source, typo = (
        "We could not find the keys behind the school.",
        "We could not find the keys bhind the school.",
    )
    fine = {
        source: "Não encontramos as chaves atrás da escola.",
        typo: "Não encontramos as chaves bhind a escola.",
    }
    assert verdict("same", fine).outcome == "correct"
    broken = fine | {typo: "Não encontramos as keys bhind a escola."}
    assert verdict("same", broken).outcome == "incorrect"


def test_the_gender_of_somebody_else_may_change(verdict):
    pair = {
        "The teacher asked Hannah to come.": "O professor pediu a Hannah para vir.",
        "The teacher asked Nadia to come.": "A professora pediu a Nadia para vir.",
    }
    assert verdict("same", pair).outcome == "correct"


@pytest.mark.parametrize(
    ("second", "outcome"),
    [
        ("A garagem é muito tranquila à noite.", "incorrect"),
        ("A garagem é muito tranquila.", "correct"),
        ("O quarto é muito tranquilo.", "undecided"),  # nothing differs, although the sources do
    ],
)
def test_only_the_replaced_word_and_what_agrees_with_it_may_differ(verdict, second, outcome):
    pair = {
        "The <bedroom> is very quiet at night.": "O quarto é muito tranquilo.",
        "The <garage> is very quiet at night.": second,
    }
    bare = {source.replace("<", "").replace(">", ""): text for source, text in pair.items()}
    assert verdict("differs-in", bare).outcome == outcome


@pytest.mark.parametrize(
    ("sentence", "outcome"),
    [
        ("Ele olhava para o carro vermelho.", "correct"),
        ("Ele falou do vermelho carro.", "correct"),
        ("Ele olhava para o red car.", "incorrect"),
        ("Ele olhava para a janela verde.", "incorrect"),  # nothing of the phrase
        ("Ele olhava para o automóvel encarnado do carro.", "undecided"),
    ],
)
def test_a_phrase_is_translated_in_a_sentence_as_it_is_alone(verdict, sentence, outcome):
    pair = {"He was looking at the red car.": sentence, "The red car": "O carro vermelho"}
    assert verdict("contains", pair).outcome == outcome


def test_an_adjective_that_agrees_with_another_noun(verdict):
    pair = {
        "I see the dirty kitchen floor.": "Vejo o chão sujo da cozinha.",
        "The dirty kitchen floor": "O chão da cozinha suja",
    }
    found = verdict("contains", pair)
    assert found.reason == "“suja” alone, “sujo” in the sentence: it agrees with another word"


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("Concordo com você.", "Não concordo com você.", "correct"),
        ("Concordo com você.", "Discordo de você.", "correct"),
        ("Concordo com você.", "Concordo com você.", "incorrect"),
        ("Não concordo com você.", "Não concordo com você.", "incorrect"),
        ("Não concordo com você.", "Concordo com você.", "incorrect"),
        ("Concordo com você.", "Duvido de você.", "undecided"),
    ],
)
def test_the_polarity_must_flip(verdict, first, second, outcome):
    assert verdict("negated", {"I agree with you.": first, "I disagree with you.": second}).outcome == outcome


def test_the_first_source_may_be_the_one_that_denies(verdict):
    pair = {"He is not here.": "Ele não está aqui.", "He is here.": "Ele está aqui."}
    assert verdict("negated", pair).outcome == "correct"


def test_negation_is_undecided_in_a_language_without_a_list(verdict):
    pair = {"He is here.": "Hän on täällä.", "He is not here.": "Hän ei ole täällä."}
    found = verdict("negated", pair, "fi", lemmatizer="surface")
    assert (found.outcome, found.reason) == ("undecided", "no words of negation are known for fi")


@pytest.mark.parametrize(
    ("second", "outcome"),
    [
        ("Nadia emprestou o livro a Leila.", "correct"),
        ("Leila emprestou o livro a Nadia.", "incorrect"),
        ("Nadia emprestou o livro.", "incorrect"),
        ("Nádia emprestou o livro a Leila.", "correct"),  # an accent does not make another name
        ("Nadia deu o livro a Leila.", "undecided"),
    ],
)
def test_exchanged_names_are_exchanged_in_the_translation(verdict, second, outcome):
    pair = {
        "Leila lent Nadia the book.": "Leila emprestou o livro a Nadia.",
        "Nadia lent Leila the book.": second,
    }
    found = verdict("symmetric", pair, more=NAMES.format("Leila", "Nadia"))
    assert found.outcome == outcome


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("Londres é maior que Roma.", "Roma é maior que Londres.", "correct"),
        ("Londres é maior que Roma.", "Londres é maior que Roma.", "incorrect"),
        ("Londres é maior que Roma.", "Roma é menor que Londres.", "undecided"),
        ("Londres é maior que Roma.", "Roma não é maior que Londres.", "undecided"),
        ("A capital é maior que Roma.", "Roma é maior que a capital.", "undecided"),
    ],
)
def test_names_that_the_language_has_another_form_for_are_exchanged_too(verdict, first, second, outcome):
    pair = {"London is larger than Rome.": first, "Rome is larger than London.": second}
    assert verdict("symmetric", pair, more=NAMES.format("London", "Rome")).outcome == outcome


def test_a_name_in_small_letters_was_not_left_in_the_source_language(verdict):
    pair = {"Peter is happy.": "Pedro está feliz.", "peter is happy.": "peter está feliz."}
    assert verdict("same", pair).outcome == "undecided"


@pytest.mark.parametrize(("name", "other"), [("Maria", "Priya"), ("Olivia", "Leila"), ("Emma", "Laura")])
def test_names_of_one_gender_leave_what_agrees_with_them_as_it_is(verdict, name, other):
    pair = {f"{name} is ready.": f"{name} está pronta.", f"{other} is ready.": f"{other} está pronto."}
    assert verdict("same", pair).reason.endswith("although all names are female")


@pytest.mark.parametrize(("first", "second"), [("née", "né"), ("vue", "vu"), ("divorcée", "divorcé")])
def test_a_short_participle_has_a_gender_too(verdict, first, second):
    pair = {"Julia is.": f"Julia est {first}.", "Zoe is.": f"Zoe est {second}."}
    assert verdict("same", pair, "fr").reason.endswith("although all names are female")


def test_the_worst_of_several_further_sources_decides(run):
    samples = (
        "samples:\n  - source: He is here.\n    against: [he is here., HE IS HERE.]\n    relation: same\n"
    )
    texts = {
        "He is here.": "Ele está aqui perto.",
        "he is here.": "ele está aqui perto.",
        "HE IS HERE.": "NÃO ESTÁ AQUI PERTO.",
    }
    (result,) = run(samples, texts).results
    assert result.verdict.outcome == "incorrect"
    assert [item.text for item in result.verdict.evidence if item.side == "against"] == [
        "ele está aqui perto.",
        "NÃO ESTÁ AQUI PERTO.",
    ]


def test_a_degenerate_translation_of_a_further_source_is_degenerate(run):
    source = "My brother dropped the keys last night."
    texts = {source: "Meu irmão deixou cair as chaves.", source.upper(): source.upper()}
    (result,) = run(
        f"samples:\n  - source: {source}\n    perturb: upper-case\n    relation: same\n", texts
    ).results
    assert result.verdict.outcome == "degenerate"
    assert result.verdict.reason == f"wrong language: en, not pt, in the translation of “{source.upper()}”"
    assert result.verdict.evidence[0].text == source.upper()


def test_a_further_source_without_a_translation_is_an_error(run):
    samples = "samples:\n  - source: He is here.\n    perturb: upper-case\n    relation: same\n"
    (result,) = run(samples, {"He is here.": "Ele está aqui."}).results
    assert result.verdict.outcome == "error"


@pytest.mark.parametrize("relation", ["same", "differs-in", "negated"])
def test_long_texts_are_not_compared(verdict, relation):
    words = [f"palavra{number}" for number in range(400)]
    sources = ["One long text follows here.", "Another long text follows here."]
    pair = dict(zip(sources, (" ".join(words), " ".join(reversed(words))), strict=True))
    found = verdict(relation, pair, gates='degenerate: ignore\ngates: {accuracy: ">= 0.9"}\n')
    assert (found.outcome, found.reason) == ("undecided", "longer than 300 words of content")


def test_the_documentation_lists_every_relation_in_its_own_words():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    for relation in RELATIONS.values():
        assert f"| `{relation.name}` | {relation.about} |" in rows


def test_a_name_may_have_an_ending_of_the_target_language(verdict):
    pair = {
        "They live in the Amazon.": "Ils vivent en Amazonie.",
        "they live in the amazon.": "ils vivent dans l'amazon.",
    }
    assert verdict("same", pair, "fr").outcome != "incorrect"


def test_a_word_of_both_languages_was_translated(verdict):
    pair = {
        "He stopped at the last station.": "Il s'est arrêté à la dernière gare.",
        "The last station": "La dernière station",
    }
    assert verdict("contains", pair, "fr").outcome == "undecided"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Le film était si long qu'il s'endormit.", "Le film était tellement long qu'il s'endormit."),
        ("Nous ne pourrons pas livrer la table.", "Nous ne serons pas en mesure de livrer la table."),
    ],
)
def test_so_and_able_may_be_said_in_other_words(verdict, first, second):
    assert verdict("same", {"It is so.": first, "it is so.": second}, "fr").outcome == "correct"
