"""Prompt files: what they say is what the model reads, and what is wrong in them is named with its place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.backends.protocols import LanguagePair
from mtprobe.engine.lm.cleaning import Removal, cleaned
from mtprobe.engine.lm.prompt import BUILT_IN, read_prompt
from mtprobe.errors import ModelError
from mtprobe.language.names import language_name

EN_FR, EN_DE = LanguagePair("en", "fr"), LanguagePair("en", "de")
EXAMPLES = """\
style: plain
instruction: "{source_language}: {source}\\n{target_language}:"
answer: " {target}"
ends: ["\\n"]
examples:
  - {source: Good morning., target: Bonjour., languages: en-fr}
  - {source: Good morning., target: Guten Morgen., languages: en-de}
"""


def read(tmp_path, text: str):
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    return read_prompt("lm:x", str(tmp_path / "mine.yaml"))


def test_examples_of_the_pair_come_before_the_text(tmp_path):
    prompt = read(tmp_path, EXAMPLES)
    begins = "English: Good morning.\n"
    assert prompt.plain("Thanks.", EN_FR) == f"{begins}French: Bonjour.\nEnglish: Thanks.\nFrench:"
    assert prompt.plain("Thanks.", EN_DE) == f"{begins}German: Guten Morgen.\nEnglish: Thanks.\nGerman:"


def test_examples_of_a_chat_are_turns(tmp_path):
    prompt = read(
        tmp_path,
        "system: Translate into {target_language}.\ninstruction: '{source}'\n"
        "examples:\n  - {source: Yes., target: Oui.}\n",
    )
    assert [tuple(message.values()) for message in prompt.messages("No.", EN_FR)] == [
        ("system", "Translate into French."),
        ("user", "Yes."),
        ("assistant", "Oui."),
        ("user", "No."),
    ]


@pytest.mark.parametrize("name", BUILT_IN)
def test_braces_in_a_source_are_not_fields(name):
    prompt = read_prompt("lm:x", name)
    assert "{target_language} {x}" in prompt.instruction("{target_language} {x}", EN_FR)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("instrction: '{source}'\n", r"mine\.yaml:1:1: instrction: unknown key; did you mean .instruction."),
        (
            "style: plain\ninstruction: 'Say {sorce}'\n",
            r"mine\.yaml:2:1: instruction: there is no field \{sorce\}; did you mean .source.",
        ),
        ("instruction: Translate.\n", r"mine\.yaml:1:1: instruction: has no \{source\}"),
        ("instruction: '{source}'\nstyle: chatty\n", r"mine\.yaml:2:1: style: must be 'chat' or 'plain'"),
        (
            "instruction: '{source}'\nclean: [quote]\n",
            r"mine\.yaml:2:9: clean\[0\]: must be 'thinking', 'introduction'",
        ),
        (
            "instruction: '{source}'\nclean:\n  - remove: '('\n",
            r"mine\.yaml:3:5: clean\[0\]\.remove: is not a regular expression",
        ),
        (
            "instruction: '{source}'\nexamples:\n  - {source: a, target: b, languages: enfr}\n",
            r'mine\.yaml:3:28: "enfr" is not a pair',
        ),
        (
            "instruction: '{source}'\ntemplate_options: {add_generation_prompt: false}\n",
            r"mine\.yaml:2:1: template_options: add_generation_prompt is given by mtprobe",
        ),
        (
            "style: plain\nsystem: x\ninstruction: '{source}'\n",
            r"mine\.yaml:2:1: a plain prompt has no system",
        ),
        ("instruction: [", r"mine\.yaml:2:1: not valid YAML"),
        ("- a\n", r"mine\.yaml:1:1"),
        ("", r"mine\.yaml:1:1"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path, text, message):
    with pytest.raises(ModelError, match=message):
        read(tmp_path, text)


def test_about_does_not_change_the_digest(tmp_path):
    plain = "instruction: '{source}'\n"
    assert read(tmp_path, plain).digest == read(tmp_path, f"about: Mine.\n{plain}").digest
    assert read(tmp_path, plain).digest != read(tmp_path, f"{plain}clean: [quotes]\n").digest


def test_languages_have_names():
    assert [language_name(tag) for tag in ("fr", "pt-BR", "por_Latn", "de-CH", "xx")] == [
        "French", "Brazilian Portuguese", "Portuguese", "German", "xx",
    ]  # fmt: skip


# -- cleaning --

ALL = ["thinking", "introduction", "label", "quotes"]


@pytest.mark.parametrize(
    "answer",
    [
        "Bonjour.",
        " Bonjour.\n",
        '"Bonjour."',
        "« Bonjour. »".replace(" ", ""),
        "Sure, here is the translation: Bonjour.",
        'Sure! Here\'s the translation into French:\n\n"Bonjour."',
        "Here is the French translation: “Bonjour.”",
        "Certainly:\nBonjour.",
        "Certainly! In French: Bonjour.",
        "Here is the text in French:\n\nBonjour.",
        'The French translation of "Hello." is: Bonjour.',
        "Bien sûr ! Voici la traduction :\nBonjour.",
        "Die Übersetzung lautet: „Bonjour.“",
        "Claro, aquí tienes la traducción: Bonjour.",
        "好的，翻译如下：Bonjour.",
        "翻訳：「Bonjour.」",
        "```text\nBonjour.\n```",
        "The translation of the text into French is: Bonjour.",
        "Translation: Bonjour.",
        "**Translation:** Bonjour.",
        "Traduction : Bonjour.",
        "<think>\nA greeting: hello.\n</think>\n\nBonjour.",
    ],
)
def test_what_is_not_part_of_the_translation_is_removed(answer):
    assert cleaned(answer, ALL, "Hello.") == "Bonjour."


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("Sure, here is the plan: run!", "Sure, here is the plan: courez !"),
        ('"Hello," he said, "you there."', '"Bonjour", dit-il, "vous là."'),
        ('"Hello."', '"Bonjour."'),
        ("Translation: an art.", "Traduction : un art."),
        ("He said: go.", "Il a dit : allez."),
        ("Here is the translation:", "Here is the translation:"),
        # The source says the same in its own language.
        ("Das ist mein Motto: Lebe frei.", "This is my motto: Live free."),
        ("Hier ist das Problem – wir haben kein Geld.", "Here's the problem: we have no money."),
        ("Natürlich, das ist einfach.", "Of course: that's easy."),
        ("Voici ma traduction, « Bonjour ».", "Here is my translation: “Hello”."),
        ("Im Folgenden die Übersetzung des Briefes …", "Below is the translation of the letter: …"),
        ("Réponse : quarante-deux.", "Answer: forty-two."),
        ("翻译：你好", "Translation: hello"),
        ("— Bonjour", "“Hello”"),
        ("Dein erster Halt ist Geary.“", "“Your first stop is Geary.”"),
    ],
)
def test_what_the_source_contains_stays(source, answer):
    assert cleaned(answer, ALL, source) == answer


def test_a_rule_of_ones_own_removes_what_it_matches():
    rules = ["first-line", Removal(remove=r"\[\w+\]")]
    assert cleaned("Bonjour [fr]\nNote: a greeting", rules, "Hello") == "Bonjour"


@given(st.text(), st.text())
def test_cleaning_twice_removes_no_more_quotes_than_a_source_has(answer, source):
    once = cleaned(answer, ["introduction", "label"], source)
    assert once in answer or once == answer.strip()
