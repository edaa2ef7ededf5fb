"""Chat models: prompts, refusals, chatter"""

from __future__ import annotations

import gzip
import random
from collections import Counter
from itertools import chain

import pytest

import mtprobe
from mtprobe.backends import ChatPrompt, can_answer, can_complete, chatter
from mtprobe.backends.protocols import OpenRequest, Request, inputs_for
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.errors import Failure, ModelError
from mtprobe.suites import load_suite
from tests.methods.question.judges import SUITE as QUESTIONS
from tests.methods.question.judges import Fair
from tests.plugins.imitations import OPENAI, made, said
from tests.plugins.loopback import Reply, status

SOURCE = "The doctor has finished her shift."
GOOD = "Die Ärztin hat ihre Schicht beendet."


def asked_of(service) -> dict:
    return service.server.translations()[0].json


def answers(service, reply: Reply):
    service.server.always = lambda handler, _: handler.send(reply)
    (given,) = service.open(target="de").translate([SOURCE])
    return given


def test_a_model_is_reported_the_languages_and_nothing_by_chance(start):
    service = start(OPENAI)
    backend = service.open(target="pt-BR")
    assert backend.translate([SOURCE]) == [made(SOURCE)]
    body = asked_of(service)
    system, user = body["messages"]
    assert "from English into Brazilian Portuguese" in system["content"]
    assert user == {"role": "user", "content": SOURCE}
    assert (body["model"], body["temperature"]) == ("chatty-1", 0)
    assert backend.provider == "chatty-1-2025-02-03 fp_44709d6fcb"


def test_the_date_of_the_model_is_in_the_fingerprint(start):
    assert ":created 2024-05-10:" in start(OPENAI).open().fingerprint


def test_a_server_that_tells_no_dates_will_do(start):
    service = start(OPENAI)
    truth = service.server.imitation
    service.server.imitation = lambda asked: Reply(404, b"") if asked.method == "GET" else truth(asked)
    assert "created" not in service.open().fingerprint


def test_a_prompt_of_ones_own(start):
    service = start(OPENAI)
    service.open("prompt=Into%20{target},%20please:%20{text}").translate(["Say {target} twice."])
    assert asked_of(service)["messages"] == [
        {"role": "user", "content": "Into German, please: Say {target} twice."}
    ]


def test_a_prompt_from_a_file(start, tmp_path):
    path = tmp_path / "prompt.txt"
    path.write_text("Übersetze ins {target}.\n", encoding="utf-8")
    service = start(OPENAI)
    service.open(f"system=@{path}").translate([SOURCE])
    assert [one["content"] for one in asked_of(service)["messages"]] == ["Übersetze ins German.", SOURCE]


def test_another_prompt_is_another_fingerprint(start):
    service = start(OPENAI)
    options = ((), ("system=x",), ("prompt={text}!",), ("temperature=0.5",), ("seed=3",))
    assert len({service.open(*one).fingerprint for one in options}) == len(options)


@pytest.mark.parametrize(
    "option, words",
    [
        ("prompt=Translate!", "it needs {text}"),
        ("prompt={text}{tekst}", 'no field {tekst}; did you mean "text"'),
        ("prompt=@nowhere.txt", "the file cannot be read"),
        ("price_in=2", "price_in= and price_out= belong together"),
        ("temperature=hot", "temperature=hot is not a number"),
    ],
)
def test_wrong_options_are_named(start, option, words):
    with pytest.raises(ModelError, match=words):
        start(OPENAI).open(option)


def test_temperature_may_be_left_out(start):
    service = start(OPENAI)
    service.open("temperature=none", "max_tokens=99").translate([SOURCE])
    assert "temperature" not in asked_of(service)
    assert asked_of(service)["max_tokens"] == 99


def test_a_model_that_refuses_a_temperature_is_reported_how_to_leave_it_out(start):
    service = start(OPENAI)
    message = "Unsupported value: 'temperature' does not support 0 with this model."
    service.server.always = status(400, {"error": {"message": message, "code": "unsupported_value"}})
    with pytest.raises(ModelError, match="temperature=none omits it"):
        service.translate(SOURCE)


def test_a_quota_that_is_used_up_is_not_waited_for(start):
    service = start(OPENAI)
    error = {
        "message": "You exceeded your current quota",
        "type": "insufficient_quota",
        "code": "insufficient_quota",
    }
    service.server.always = status(429, {"error": error})
    with pytest.raises(ModelError, match="the quota of the key in OPENAI_API_KEY is used up"):
        service.translate(SOURCE)
    assert service.clock.waits == []


def test_a_model_that_does_not_exist_is_reported_as_such(start):
    service = start(OPENAI)
    backend = open_backend(
        ModelSpec.parse(f"openai:nobody-9?url={service.server.address}/v1"), OpenRequest(target="de")
    )
    with pytest.raises(ModelError, match="The model `nobody-9` does not exist"):
        backend.translate([SOURCE])


def test_a_server_on_this_machine_needs_no_key(start, monkeypatch):
    service = start(OPENAI)
    monkeypatch.delenv("OPENAI_API_KEY")
    backend = service.open()
    assert backend.estimate([SOURCE]) is None
    with pytest.raises(ModelError, match="it requires a key; set OPENAI_API_KEY"):
        backend.translate([SOURCE])


def test_elsewhere_a_key_is_needed_and_may_have_another_name(monkeypatch):
    for name in ("OPENAI_API_KEY", "MY_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ModelError, match="set the environment variable MY_KEY"):
        open_backend(
            ModelSpec.parse("openai:x?url=https://api.example.com&variable=MY_KEY"), OpenRequest(target="de")
        )


def test_the_cost_is_known_only_where_prices_are(start):
    service = start(OPENAI)
    unknown = service.open().estimate([SOURCE])
    assert (unknown.dollars, "price_in=" in unknown.basis) == (None, True)
    known = service.open("price_in=3", "price_out=12", "prompt={text}").estimate(["x" * 3000])
    assert known.dollars == pytest.approx((1000 * 3 + 1500 * 12) / 1e6)
    assert service.open("price=20").estimate(["x" * 500]).dollars == pytest.approx(0.01)


# -- what is no translation --


def test_a_refusal_in_its_own_field(start):
    given = answers(start(OPENAI), said(None, refusal="I can't help with that."))
    assert given == Failure("openai: it refused: “I can't help with that.”")


@pytest.mark.parametrize(
    "reply, reason",
    [
        (said("Die Ärztin hat", "length"), "cut off"),
        (said("", "content_filter"), "content filter"),
        (said(None, "tool_calls", tool_calls=[{"id": "1"}]), "called a tool"),
    ],
)
def test_an_answer_that_did_not_end_by_itself(start, reply, reason):
    given = answers(start(OPENAI), reply)
    assert isinstance(given, Failure)
    assert reason in given.reason


@pytest.mark.parametrize(
    "answer, reason",
    [
        ("I'm sorry, but I can't assist with that request.", "refusal: “I'm sorry, but I can't”"),
        ("I’m sorry, but I cannot translate this text.", "refusal: “I'm sorry, but I can"),
        ("As an AI language model, I do not translate gender.", "refusal: “As an AI”"),
        (f"Sure! {GOOD}", "chatter: “"),
        (f"Certainly, here is the translation: {GOOD}", "chatter: “"),
        (f"Here's the German translation:\n\n{GOOD}", "chatter: “"),
        (f"The translation is: {GOOD}", "chatter: “"),
        (f"Translation: {GOOD}", "label: “"),
        (f"Übersetzung: {GOOD}", "label: “"),
        (f"“{GOOD}”", "quotation marks: “"),
        (f'"{GOOD}"', "quotation marks: “"),
        (f"```\n{GOOD}\n```", "code block: “```”"),
        (f"{GOOD}\n\nNote: “shift” could also be “Verschiebung”.", "chatter: “Note:”"),
        ("I cannot help with it.", "refusal: “I cannot help”"),
        (f"{GOOD} (Hinweis: förmlich.)", "note: “(Hinweis:”"),
        (f"{GOOD} (Note: formal register.)", "chatter: “(Note:”"),
        (f"{GOOD}\nDer Arzt hat seine Schicht beendet.", "2 lines for 1"),
    ],
)
def test_chatter_fails_for_its_sentence_and_says_what_it_was(start, answer, reason):
    given = answers(start(OPENAI), said(answer))
    assert isinstance(given, Failure)
    assert reason in given.reason


@pytest.mark.parametrize("answer", [GOOD, f"  {GOOD}\n", "„Nein“, sagte er, „nie“.", ""])
def test_a_translation_is_handed_over(start, answer):
    assert answers(start(OPENAI), said(answer)) == answer.strip()


@pytest.mark.parametrize(
    "source, translation, target",
    [
        ("Es tut mir leid, ich kann Ihnen nicht helfen.", "I'm sorry, I can't help you.", "en"),
        ("Natürlich, ich komme.", "Of course, I'm coming.", "en"),
        ("“No,” she said, “never.”", "„Nein“, sagte sie, „nie.“", "de"),
        ("Note: closed on Monday.\nSorry!", "Hinweis: montags geschlossen.\nTut uns leid!", "de"),
        ("“Never!”", "„Niemals!“", "de"),
        ("I'm sorry, but I can't translate this.", "Sorry, ich kann das nicht übersetzen.", "de"),
    ],
)
def test_what_the_source_has_itself_is_no_chatter(source, translation, target):
    assert chatter(source, translation, target, by_chat=True) is None


def test_chatter_into_english_is_found_where_it_speaks_of_translating():
    for answer in (
        "I'm sorry, but I can't assist with that request.",
        "As an AI language model I cannot say.",
        "Sure, here is the translation: The doctor came.",
        "The English translation is: The doctor came.",
        "Translation: The doctor came.",
    ):
        assert chatter("Die Ärztin kam.", answer, "en", by_chat=True), answer


@pytest.mark.slow
def test_no_translation_of_known_reading_is_taken_for_chatter(shipped_suites):
    pairs = 0
    for path in shipped_suites:
        if path.parent.name == "public":
            continue
        for target, known in load_suite(path).audit.items():
            for pair in known:
                for text in chain.from_iterable(pair.targets.values()):
                    pairs += 1
                    assert chatter(pair.sample.source, text, target, by_chat=True) is None
    assert pairs > 500


@pytest.mark.parametrize("pair", ["en-de.eng.deu", "en-pt.eng.por"])
def test_no_sentence_of_a_parallel_corpus_is_taken_for_chatter(shared_data, pair):
    name, *languages = pair.split(".")
    files = [shared_data / "tatoeba" / f"{name}.{one}.gz" for one in languages]
    sides = [gzip.decompress(file.read_bytes()).decode().splitlines() for file in files]
    target = name.partition("-")[2]
    found = [
        (one, other) for one, other in zip(*sides, strict=True) if chatter(one, other, target, by_chat=True)
    ]
    back = [
        (other, one) for one, other in zip(*sides, strict=True) if chatter(other, one, "en", by_chat=True)
    ]
    assert len(sides[0]) > 10_000
    assert (found, back) == ([], [])


def test_each_repeat_has_a_seed_of_its_own_and_the_same_one_next_time(start):
    service = start(OPENAI)
    backend = service.open("temperature=0.7", "seed=40", "concurrency=1")
    again = [Request(SOURCE, repeat=number) for number in range(3)]
    assert backend.translate(again) == [made(SOURCE)] * 3
    assert backend.translate(again[2:]) == [made(SOURCE)]
    assert [asked.json["seed"] for asked in service.server.translations()] == [40, 41, 42, 42]


@pytest.mark.parametrize("options", [("seed=40",), ("temperature=0.7",)], ids=["greedy", "no seed"])
def test_a_seed_changes_only_where_one_is_given_and_the_model_samples(start, options):
    service = start(OPENAI)
    service.open(*options).translate([Request(SOURCE), Request(SOURCE, repeat=1)])
    first, second = (asked.json for asked in service.server.translations())
    assert first == second


def test_a_chat_model_cannot_be_given_context(start):
    with pytest.raises(ModelError, match="cannot translate in context"):
        inputs_for(start(OPENAI).open(), [Request(SOURCE, ("She is a doctor.",))])


def test_it_answers_questions_in_words(start):
    service = start(OPENAI)
    service.server.always = lambda handler, _: handler.send(said(" B) feminine\n"))
    backend = service.open("max_tokens=20", target="de")
    prompts = [ChatPrompt.of("Which?\nA) masculine\nB) feminine", system="Answer."), ChatPrompt.of("Now?")]
    assert can_complete(backend)
    assert not can_answer(backend)
    assert backend.complete(prompts) == ["B) feminine", "B) feminine"]
    bodies = [asked.json for asked in service.server.translations()]
    assert {"role": "system", "content": "Answer."} in [
        message for body in bodies for message in body["messages"]
    ]
    assert {body["max_tokens"] for body in bodies} == {20}
    assert backend.answering_fingerprint != backend.fingerprint


def test_questions_are_paid_from_the_budget(start):
    backend = start(OPENAI).open("price=1000", target="de")
    backend.hold_budget(0.0001)
    with pytest.raises(ModelError, match=r"asking 1 questions would cost about .* they were not sent"):
        backend.complete([ChatPrompt.of("Which one is right, and why is the other one not?")])


def test_it_judges_translations_by_questions(start, tmp_path):
    service = start(OPENAI)

    truth = service.server.imitation

    def answer(asked):
        if asked.method == "GET":
            return truth(asked)
        text = asked.json["messages"][-1]["content"]
        heard = "feminine" if "“A " in text else "masculine"
        return said(next(line[:2] for line in text.splitlines() if line.endswith(heard)))

    service.server.imitation = answer
    path = tmp_path / "people.mt.yaml"
    path.write_text(QUESTIONS, encoding="utf-8")
    (run,) = mtprobe.run(path, Fair(), evaluator=service.open(target="pt"), take=6, counterfactuals=0).suites
    assert [result.verdict.outcome.value for result in run.results] == ["correct"] * 6
    assert run.procedure.endswith("answers in words")


@pytest.fixture
def drawn(start, tmp_path):
    """A chat model that hears the right gender in most translations, by its seed."""
    service = start(OPENAI)
    truth = service.server.imitation

    def answer(asked):
        if asked.method == "GET":
            return truth(asked)
        text = asked.json["messages"][-1]["content"]
        luck = random.Random(f"{asked.json.get('seed')} {text}").random()
        heard = "feminine" if ("“A " in text) == (luck < 0.8) else "masculine"
        return said(next(line[:2] for line in text.splitlines() if line.endswith(heard)))

    service.server.imitation = answer
    path = tmp_path / "people.mt.yaml"
    path.write_text(QUESTIONS, encoding="utf-8")

    def run(*options, budget=None, **settings):
        judge = service.open(*options, target="pt")
        if budget is not None:
            judge.hold_budget(budget)
        settings = {"take": 6, "counterfactuals": 0, "store": tmp_path / "store.db", **settings}
        return mtprobe.run(path, Fair(), evaluator=judge, **settings).suites[0]

    return service, run


def test_a_judge_that_samples_is_asked_repeatedly_with_the_next_seeds(drawn):
    service, run = drawn
    first = run("temperature=0.7", "seed=5", judge_repeat=4)
    assert Counter(asked.json["seed"] for asked in service.server.translations()) == dict.fromkeys(
        (5, 6, 7, 8), 12
    )
    assert any(note.startswith("unstable judge: it was asked 4 times") for note in first.notes)
    second = run("temperature=0.7", "seed=5", judge_repeat=4)
    assert len(service.server.translations()) == 4 * 12
    assert [result.verdict for result in first.results] == [result.verdict for result in second.results]
    run("temperature=0.7", "seed=5", judge_repeat=5)
    assert len(service.server.translations()) == 5 * 12


@pytest.mark.parametrize(
    ("options", "times"),
    [((), 1), (("temperature=0",), 1), (("temperature=none",), 3), (("temperature=1",), 3)],
)
def test_a_judge_without_temperature_is_asked_once(drawn, options, times):
    service, run = drawn
    notes = run(*options, judge_repeat=3).notes
    assert len(service.server.translations()) == times * 12
    assert any("always gives the same answer, so it is called only once" in note for note in notes) == (
        times == 1
    )


def test_repeats_of_questions_are_paid_from_the_budget(drawn):
    service, run = drawn
    run("price=1000", "temperature=0.7", budget=5.0)
    sent = len(service.server.translations())
    with pytest.raises(ModelError, match=r"asking 24 questions would cost about .* they were not sent"):
        run("price=1000", "temperature=0.7", budget=5.0, judge_repeat=3)
    assert len(service.server.translations()) == sent


def test_scores_without_a_template_are_an_error_that_names_it(monkeypatch, capsys):
    from mtprobe.cli import main

    monkeypatch.setenv("OPENAI_API_KEY", "sk-1234567890abcdef")
    spec = "openai:x?url=http://127.0.0.1:9/v1"
    assert main(["score", spec, "--target=pt"]) == 2
    assert "openai-x cannot score without template=" in capsys.readouterr().err
