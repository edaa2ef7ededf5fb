"""Addresses, placeholders, tags, names, emoji and marks."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.language.invariants import KINDS, Text
from mtprobe.language.invariants.names import Names

LITERALS = ["urls", "emails", "placeholders", "tags", "emoji"]


def changes(kind, source, target, language="pt"):
    kind = KINDS[kind] if isinstance(kind, str) else kind
    return [str(change) for change in kind.changes(Text(source, "en"), Text(target, language))]


@pytest.mark.parametrize(
    ("kind", "source", "target"),
    [
        ("urls", "See https://example.org/a?b=1.", "Veja https://example.org/a?b=1."),
        ("emails", "Write to a.b@example.org!", "Escreva a a.b@example.org!"),
        ("emails", "Is a.b@example.org right?", "A.b@example.org está certo?"),
        ("placeholders", "{count} of {total} files, 100% sure", "{count} de {total} arquivos, 100% certo"),
        ("placeholders", "Hi %s, ${x} and %(name)s, {{y}}", "%(name)s, {{y}}: oi %s e ${x}"),
        (
            "placeholders",
            "{n, plural, one {# file} other {# files}}",
            "{n, plural, one {# a} few {# b} other {# c}}",
        ),
        ("tags", 'Click <a href="x">here</a>.', 'Clique <a href="x">aqui</a>.'),
        ("emoji", "Good 👍🏽 👨‍👩‍👧 🇧🇷!", "Bom 👍🏽 👨‍👩‍👧 🇧🇷!"),
        ("quotes", 'He said "no".', "Ele disse “não”."),
        ("quotes", "It's Bob's “book”.", "É o «livro» de Bob."),
        ("quotes", '"Promise?" "Yes."', "— Promessa? — Sim."),
        ("quotes", '"Is it?" he asked: ”No."', "“É?”, perguntou. Não."),
        ("quotes", 'He said "no".', 'Er sagte „nein".'),
        ("quotes", '"Look," they say, "it is new!"', "« Regardez, disent-ils, c'est nouveau ! »"),
        ("casing", "WHAT IS THAT?", "O QUE É ISSO?"),
        ("casing", "NATO met.", "A OTAN se reuniu."),
        ("punctuation", "Why?", "Por quê?"),
        ("punctuation", 'He said "no."', "Ele disse “não”."),
        ("punctuation", "Wait...", "Espere…"),
        ("length", "A short sentence.", "Uma frase curta."),
    ],
)
def test_what_survives_is_no_change(kind, source, target):
    assert changes(kind, source, target) == []


@pytest.mark.parametrize(
    ("kind", "source", "target", "change"),
    [
        (
            "urls",
            "See https://example.org/a.",
            "Veja https://example.org/um.",
            "“https://example.org/a” became “https://example.org/um”",
        ),
        ("placeholders", "Hello {name}!", "Olá!", "“{name}” was lost"),
        ("placeholders", "Hello {name}!", "Olá {nome}!", "“{name}” became “{nome}”"),
        ("placeholders", "{n, plural, one {#} other {#}}", "{n, select, other {#}}", "became"),
        ("tags", "Click <b>here</b>.", "Clique <b>aqui.", "“</b>” was lost"),
        ("tags", "<b><i>x</i></b>", "<b><i>x</b></i>", "“</i>” became “</b>”"),
        ("emoji", "Good 👍🏽", "Bom 👍", "“👍🏽” became “👍”"),
        ("quotes", 'He said "no".', "Ele disse não.", "was lost"),
        ("casing", "WHAT IS THAT?", "O que é isso?", "was lost"),
        ("casing", "What is that?", "O QUE É ISSO?", "was added"),
        ("punctuation", "Why?", "Por quê.", "“?” became “.”"),
        ("punctuation", "Save", "Salvar.", "“.” was added"),
        ("length", "A sentence of some length.", "Não.", "26 characters"),
    ],
)
def test_what_was_lost_added_or_changed_is_named(kind, source, target, change):
    assert change in "; ".join(changes(kind, source, target))


@pytest.mark.parametrize(
    ("target", "change"),
    [
        ("Lindsey Galloway (em inglês) escreve.", "became “Lindsey Galloway (em inglês)”"),
        ("Lindsay Galloway escreve.", "“Lindsey Galloway” was lost"),
        ("Lindsey Galloways Text.", "“Lindsey Galloway” was lost"),
    ],
)
def test_a_name_stays_as_it_is_with_nothing_beside_it(target, change):
    (found,) = changes(Names(["Lindsey Galloway"]), "Lindsey Galloway writes.", target)
    assert change in found


@pytest.mark.parametrize("target", ["O’Brien  Lee ri.", "O'Brien\u00a0Lee ri."])
def test_apostrophes_and_spaces_of_a_name_may_be_others(target):
    assert changes(Names(["O'Brien Lee"]), "O'Brien Lee laughs.", target) == []


def test_a_name_that_is_explained_in_the_source_may_be_explained():
    source, target = "Ana Lima (Brazil) won.", "Ana Lima (Brasil) venceu."
    assert changes(Names(["Ana Lima"]), source, target) == []


@given(st.sampled_from(sorted(KINDS)), st.text(max_size=60))
def test_a_text_keeps_all_that_it_has(kind, text):
    assert KINDS[kind].changes(Text(text, "en"), Text(text, "en")) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize(
    "text",
    ["{" * 20_000, "{a, b" * 5_000, "<a " * 10_000, "1," * 10_000, "1 " * 10_000, "%" * 20_000, "@." * 10_000, "a@b" * 5_000, "“" * 20_000, "'" * 20_001, "🇧" * 10_001, "1:11" * 5_000, "5 de " * 4_000, "www." * 5_000, "½" * 20_000, "{a,plural,one{" * 4_000, "%a%" * 9_000, "a.com" * 8_000, "1万" * 10_000, "$5-" * 8_000, "12時30分" * 5_000, "<1/>" * 6_000, "`" * 20_001, "4 a 11 de maio " * 1_500, "at noon " * 4_000, "twenty " * 4_000, "half past two " * 2_000, "$5 and 5 cents " * 2_000, "in July " * 4_000],
    ids=lambda text: repr(text[:5]),
)  # fmt: skip
def test_hostile_text_is_read_within_a_second_or_so(kind, text):
    start = time.process_time()
    KINDS[kind].changes(Text(text, "en"), Text(text, "pt"))
    assert time.process_time() - start < 5
