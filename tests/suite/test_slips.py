"""Slips of the keyboard, and what word processors do to a suite: each gets the sentence that helps, at its own place."""

from __future__ import annotations

import pytest

NBSP = "\u00a0"


def changed(good: str, right: str, wrong: str) -> str:
    assert right in good
    return good.replace(right, wrong, 1)


@pytest.mark.parametrize(
    ("right", "wrong", "place", "text"),
    [
        ("name: doctors", "name: “doctors”", (2, 7), "doctors"),
        ("contrastive-conditioning", "‘contrastive-conditioning’", (5, 9), "contrastive-conditioning"),
        ("[male, female]", "[male, „female“]", (6, 20), "female"),
        ("correct: man", "correct: “man”", (8, 19), "man"),
        ('">= 0.60"', "“>= 0.60”", (11, 21), ">= 0.60"),
        ("category: female", "category: »female«", (14, 15), "female"),
        ("    category", "    “category”", (14, 5), "category"),
        ("- source", "- id: ’a1’\n    source", (13, 9), "a1"),
    ],
)
def test_typographic_quotes_name_the_plain_ones(good, problem, right, wrong, place, text):
    found = problem(changed(good, right, wrong))
    assert (found.place.line, found.place.column) == place
    assert f'are not quotes in YAML; write "{text}", or "' in found.message


def test_typographic_quotes_around_a_text_with_a_colon(good, problem):
    found = problem(changed(good, "The <doctor>", "“She said: the <doctor>"))
    assert (found.place.line, found.place.column) == (13, 13)
    assert found.message == "not valid YAML: “ is not a quote in YAML; put the text between \"…\" or '…'"


@pytest.mark.parametrize("text", ["her sister’s <keys>", "“The <keys>”, she said.", "‘Tis the <season>."])
def test_typographic_quotes_inside_a_sentence_are_fine(good, load, text):
    assert load(changed(good, "The <doctor> lost her keys.", text)).samples[0].focus


def test_typographic_quotes_in_plain_quotes_belong_to_the_text(good, load):
    cues = load(changed(good, "correct: man", 'correct: "“man”"')).cues["male"]
    assert cues.correct == ("“man”",)


@pytest.mark.parametrize(
    ("right", "wrong", "place", "where"),
    [
        ("    category", NBSP * 4 + "category", (14, 1), "in the indentation"),
        ("    category", f"  {NBSP * 2}category", (14, 3), "in the indentation"),
        ("  - source", f"{NBSP * 2}- source", (13, 1), "in the indentation"),
        ("  - source", f"  -{NBSP}source", (13, 4), "after the dash"),
        ("category: female", f"category:{NBSP}female", (14, 14), "after the colon"),
        ("name: doctors", f"name:{NBSP}doctors", (2, 6), "after the colon"),
        ("samples:\n", f"samples:{NBSP}\n", (12, 9), "after the colon"),
    ],
)
def test_a_non_breaking_space_is_named_where_it_is(good, problem, right, wrong, place, where):
    found = problem(changed(good, right, wrong))
    assert (found.place.line, found.place.column) == place
    assert found.message.startswith(f"not valid YAML: a non-breaking space (U+00A0) {where}; YAML needs")


@pytest.mark.parametrize(
    ("right", "wrong", "place", "message"),
    [
        ("category: female", f"category: female{NBSP}", (14, 15), '"female" ends with a non-breaking space (U+00A0)'),
        ("category: female", f"category: {NBSP}female", (14, 15), '"female" begins with a non-breaking space'),
        ("mtprobe: 1", f"mtprobe{NBSP}: 1", (1, 1), '"mtprobe" ends with a non-breaking space'),
        ("    category", "    \u200bcategory", (14, 5), '"category" begins with a zero width space (U+200B)'),
        ("[male, female]", "[male, female\u3000]", (6, 20), '"female" ends with an ideographic space (U+3000)'),
    ],
)  # fmt: skip
def test_an_invisible_character_at_the_edge_of_a_word_is_named(good, problem, right, wrong, place, message):
    found = problem(changed(good, right, wrong))
    assert (found.place.line, found.place.column) == place
    assert found.message.startswith(message)


def test_a_non_breaking_space_inside_a_sentence_is_fine(good, load):
    assert NBSP in load(changed(good, "lost her", f"lost{NBSP}her")).samples[0].source


def test_a_tab_in_the_indentation(good, problem):
    found = problem(changed(good, "    category", "\tcategory"))
    assert found.place.line == 14
    assert found.message.endswith("YAML is indented with spaces, not with tabs")


def test_a_tab_after_a_dash(good, problem):
    found = problem(changed(good, "- source", "-\tsource"))
    assert (found.place.line, found.place.column) == (13, 4)
    assert found.message == "not valid YAML: a tab after the dash; YAML needs a plain space"


@pytest.mark.parametrize(
    ("right", "wrong", "place", "meant"),
    [
        ("category: female", "category:female", (14, 14), "category: female"),
        ("mtprobe: 1", "mtprobe:1", (1, 9), "mtprobe: 1"),
        ("name: doctors", "name:doctors", (2, 6), "name: doctors"),
        ("- source: The", "- source:The", (13, 12), "source: The <doctor> lost her keys."),
        ("rank: 1}", "rank:1}", (15, 29), "rank: 1"),
        ("{correct: man,", "{correct:man,", (8, 10), "correct: man"),
        ("{correct: man,", f"{{correct:{NBSP}man,", (8, 10), "correct: man"),
    ],
)
def test_a_missing_space_after_a_colon_is_named_with_what_would_be_right(
    good, problem, right, wrong, place, meant
):
    found = problem(changed(good, right, wrong))
    assert (found.place.line, found.place.column) == place
    assert found.message.endswith(f'a space is missing after the colon: "{meant}"')


def test_a_colon_in_a_value_needs_no_space(good, load):
    suite = load(changed(good, "{pos: noun, rank: 1}", "{at: 12:30, page: https://example.org/a:b}"))
    assert suite.samples[0].attributes == {"at": "12:30", "page": "https://example.org/a:b"}


def test_a_missing_space_after_a_dash(good, problem):
    found = problem(changed(good, "- source", "-source"))
    assert (found.place.line, found.place.column) == (13, 4)
    assert found.message.endswith(
        'a space is missing after the dash: "- source: The <doctor> lost her keys."'
    )


@pytest.mark.parametrize("key", ["samples", "generate"])
def test_a_list_without_dashes(good, problem, key):
    found = problem(changed(good, "samples:\n  - source", f"{key}:\n    source"))
    assert (found.place.line, found.message) == (12, f'{key}: must be a list; begin each item with "- "')


def test_the_second_item_of_a_list_without_its_dash(good, load):
    from mtprobe.errors import SuiteError

    with pytest.raises(SuiteError) as raised:
        load(good + "    source: The <doctor> lost his hat.\n    category: male\n")
    (found,) = raised.value.problems
    assert found.place.line == 16
    assert found.message == (
        'duplicate key "source" (first on line 13); is the "- " missing that begins the next item?'
    )


def test_a_key_where_a_dash_should_be(good, problem):
    found = problem(good + "  source: The <doctor> lost his hat.\n")
    assert found.place.line == 16
    assert found.message.endswith('a "- " is missing before it, or it is not indented like the lines above')


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("utf-32-be", "UTF-32"),
    ],
)
def test_a_file_in_another_unicode_encoding(good, problem, encoding, name):
    found = problem(good.encode(encoding))
    assert (found.place.line, found.place.column) == (1, 1)
    assert found.message.startswith(f"the file is in {name}, not in UTF-8; save it as UTF-8")


@pytest.mark.parametrize(
    ("text", "encoding", "sign", "column"),
    [("The <médecin>", "latin-1", "é", 19), ("The sister’s <doctor>", "cp1252", "’", 23)],
)
def test_a_file_in_an_old_encoding_names_the_character(good, problem, text, encoding, sign, column):
    found = problem(changed(good, "The <doctor>", text).encode(encoding))
    assert (found.place.line, found.place.column) == (13, column)
    assert f'which in Windows-1252 and Latin-1 is "{sign}"; save it as UTF-8' in found.message


def test_a_byte_order_mark_of_utf_8_is_fine(good, load):
    assert load(good.encode("utf-8-sig")).name == "doctors"


def test_a_missing_version(good, problem):
    found = problem(changed(good, "mtprobe: 1\n", ""))
    assert (found.place.line, found.place.column) == (1, 1)
    assert found.message == "mtprobe: is missing; a suite begins with the line `mtprobe: 1`"


def test_a_key_in_capitals_is_recognized(good, problem):
    found = problem(changed(good, "mtprobe: 1", "MTPROBE: 1"))
    assert found.message == 'MTPROBE: unknown key; did you mean "mtprobe"?'


@pytest.mark.parametrize(
    "written", ["‹doctor›", "«doctor»", "⟨doctor⟩", "＜doctor＞", "&lt;doctor&gt;", "〈 doctor 〉"]
)
def test_a_focus_in_other_brackets_where_one_is_needed(good, problem, written):
    found = problem(changed(good, "<doctor>", written))
    assert found.place.line == 13
    assert found.message.endswith(f"the focus is marked with < and >: write <doctor>, not {written}")


def test_a_focus_that_another_bracket_closes(good, problem):
    found = problem(changed(good, "<doctor>", "<doctor›"))
    assert found.place.line == 13
    assert "write <doctor>, not <doctor›" in found.message


def test_cues_of_a_sample_whose_focus_is_in_other_brackets(good, problem):
    found = problem(changed(good, "<doctor>", "‹doctor›") + "    cues: {correct: woman, incorrect: man}\n")
    assert (found.place.line, found.place.column) == (13, 5)
    assert found.message == (
        "source: cues need a focus; the focus is marked with < and >: write <doctor>, not ‹doctor›"
    )


@pytest.mark.parametrize("written", ["*doctor*", "**doctor**", "_doctor_", "[doctor]"])
def test_cues_of_a_sample_whose_focus_is_emphasized(good, problem, written):
    found = problem(changed(good, "<doctor>", written) + "    cues: {correct: woman, incorrect: man}\n")
    assert (found.place.line, found.place.column) == (13, 5)
    assert found.message == f"source: cues need a focus; write <doctor>, not {written}"


@pytest.mark.parametrize(
    ("right", "wrong", "place", "meant"),
    [
        ("mtprobe: 1", "mtprobe 1", (1, 8), "mtprobe: 1"),
        ("name: doctors", "name doctors", (2, 5), "name: doctors"),
        ("category: female", "category female", (14, 13), "category: female"),
        ("- source: The <doctor> lost", "- source The <doctor> lost", (13, 11), "source: The <doctor> lost her keys."),
    ],
)  # fmt: skip
def test_a_missing_colon_is_named_where_it_is_missing(good, problem, right, wrong, place, meant):
    found = problem(changed(good, right, wrong))
    assert (found.place.line, found.place.column) == place
    assert (
        found.message
        == f'not valid YAML: a colon is missing after "{meant.partition(":")[0]}"; write "{meant}"'
    )


@pytest.mark.parametrize("indentation", ["", "  ", "    "])
def test_the_first_item_of_a_list_without_its_dash(good, problem, indentation):
    second = f"{indentation}- source: The <doctor> lost his hat.\n"
    found = problem(changed(good, "  - source", "    source") + second)
    assert (found.place.line, found.place.column) == (13, 5)
    assert found.message == 'not valid YAML: a "- " is missing before the first item of the list'


def test_an_en_dash_is_not_a_list_marker(good, problem):
    found = problem(good.replace("  - source", "  – source", 1))
    assert "an en dash (U+2013) is not a dash in YAML; begin items of a list with" in found.message


def test_a_missing_comma_inside_braces(good, problem):
    found = problem(good + "  - {source: The <cook> slept. category: male}\n")
    assert "is one missing before this place?" in found.message


def test_a_quote_that_is_not_closed_names_its_line(good, problem):
    found = problem(changed(good, '">= 0.60"', '">= 0.60') + 'about: "x"\n')
    assert found.message.endswith("; check that the quote opened on line 11 is closed")


def test_a_sentence_in_brackets_is_a_list_and_the_message_says_so(good, problem):
    found = problem(changed(good, "The <doctor> lost her keys.", "[The <doctor> sat down, and left.]"))
    assert found.message.endswith(
        "source: must be text, not a list; remove the brackets, or the dashes, around it"
    )


def test_categories_without_brackets_get_them_in_the_message(good, problem):
    assert problem(changed(good, "[male, female]", "male, female")).message == (
        "categories: must be a list: [male, female]"
    )


@pytest.mark.parametrize("cue", ["<man", "man>", "<man> or <boy"])
def test_a_cue_with_half_of_its_brackets_is_an_error(good, problem, cue):
    found = problem(changed(good, "correct: man", f"correct: {cue}"))
    assert found.message == (f'cues.male: "{cue}": write a cue that replaces the focus as <cue>')


def test_an_unknown_metric_that_resembles_none_lists_those_that_there_are(good, problem):
    message = problem(changed(good, "gates:\n", "gates:\n  bleu: '>= 0.3'\n")).message
    assert message.startswith('gates.bleu: unknown metric "bleu"; available: accuracy, ')


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_labels_in_another_encoding_say_which(good, problem, tmp_path, encoding):
    labels = "id\tsource\ttranslation\tlabel\nx\té\té\tcorrect\n".encode(encoding)
    (tmp_path / "l.tsv").write_bytes(labels)
    found = problem(good + "labels: {pt: l.tsv}\n")
    assert "UTF-16" in found.message if encoding == "utf-16" else 'is "é"' in found.message
    assert found.message.endswith("save it as UTF-8 (in an editor: Save as … with the encoding UTF-8)")


@pytest.mark.parametrize(
    ("right", "wrong", "place", "said"),
    [
        ("The <doctor>", "*The <doctor>", (13, 18), "put text that starts with * or & in quotes"),
        ("The <doctor>", "& the <doctor>", (13, 14), "put text that starts with * or & in quotes"),
        ("The <doctor>", "- The <doctor>", (13, 13), "put text that starts with a dash in quotes"),
        ("The <doctor>", "? The <doctor>", (13, 13), "put text that starts with ? in quotes"),
        ("her keys.", "her keys:", (13, 39), "put text that contains a colon in quotes"),
        ("    category", "   category", (14, 4), 'a "- " is missing before it, or it is not indented like'),
        ("    category", "      category", (14, 15), "check the indentation of this line"),
        (
            "[male, female]",
            "[male, female",
            (7, 5),
            "check that the quote or bracket opened on line 6 is closed",
        ),
    ],
)
def test_the_parsers_terms_are_put_in_plain_words(good, problem, right, wrong, place, said):
    found = problem(changed(good, right, wrong))
    assert (found.place.line, found.place.column) == place
    assert said in found.message
    for jargon in ("mapping", "sequence", "indicator", "scalar", "token", "did not find"):
        assert jargon not in found.message


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (
            b"PK\x03\x04\x14\x00\x06\x00" + bytes(100),
            "a document of a word processor or a spreadsheet, or an archive",
        ),
        (b"\xd0\xcf\x11\xe0" + bytes(100), "a document of a word processor or a spreadsheet"),
        (b"{\\rtf1\\ansi mtprobe: 1}", "a document of a word processor (RTF)"),
        (b"%PDF-1.7", "a PDF document"),
    ],
)
def test_a_document_is_not_plain_text(problem, raw, kind):
    found = problem(raw)
    assert (found.place.line, found.place.column) == (1, 1)
    assert found.message == f"the file is {kind}, not plain text; save it as plain text in UTF-8"
