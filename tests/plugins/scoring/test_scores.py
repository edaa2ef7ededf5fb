"""Targets scored by a service: the numbers, the prompt, the requests, and what is stored"""

from __future__ import annotations

import pytest

from mtprobe.backends import ScorePair, can_score
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure, ModelError
from mtprobe.progress import Silent
from mtprobe.store import Store
from tests.plugins.imitations import OPENAI
from tests.plugins.loopback import Reply
from tests.plugins.scoring.conftest import PAIRS
from tests.plugins.scoring.imitations import LLAMA, SERVERS, VLLM, expected, imitated

PLAIN = "template=<|im_start|>{source}%0A=%0A{target}"


def prompts(service) -> list[list[str]]:
    """Those of each request for scores."""
    bodies = [asked.json for asked in service.server.translations()]
    asked = [body["prompt"] for body in bodies if body.get("echo") or "prompt_logprobs" in body]
    return [[prompt] if isinstance(prompt, str) else prompt for prompt in asked]


def test_scores_are_those_of_the_targets_tokens_and_the_end_of_the_turn(served):
    backend = served.open()
    for pair, scores in zip(PAIRS, backend.score(PAIRS), strict=True):
        prompt = prompts(served)[0][0].partition("user\n")[0] + f"user\n{pair.source}<|im_end|>\n"
        assert scores == pytest.approx(expected(f"{prompt}<|im_start|>assistant\n", pair.target))


def test_a_target_without_text_has_the_end_of_the_turn(served):
    (scores,) = served.open().score([ScorePair("Yes.", "")])
    assert len(scores) == 1


def test_without_an_end_of_the_turn_it_is_not_counted_and_the_signature_says_so(start):
    service = start(imitated(LLAMA, PLAIN))
    backend = service.open()
    scores, empty = backend.score([PAIRS[0], ScorePair("Yes.", "")])
    assert scores == pytest.approx(expected("<|im_start|>The nurse is here.\n=\n", PAIRS[0].target, end=""))
    assert isinstance(empty, Failure)
    assert "without the end of the turn" in backend.decoding


def test_the_prompt_has_the_messages_of_the_chat(served):
    backend = served.open("system=Be brief.", "prompt=Into {target}: {text}", target="pt-BR")
    backend.score([ScorePair("Say {target} and {text}.", "Ok.")])
    assert prompts(served)[0] == [
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nInto Brazilian Portuguese: Say {target} and {text}."
        "<|im_end|>\n<|im_start|>assistant\nOk.<|im_end|>"
    ]


def test_a_template_from_a_file_with_examples(start, tmp_path):
    path = tmp_path / "template.txt"
    path.write_text(
        "<|im_start|>{source_language} to {target_language}:\nA cat.\nEine Katze.\n{source}\n{target}\n\n",
        "utf-8",
    )
    service = start(imitated(VLLM, f"template=@{path}"))
    service.open().score([ScorePair("A dog.", "Ein Hund.")])
    assert prompts(service)[0] == ["<|im_start|>English to German:\nA cat.\nEine Katze.\nA dog.\nEin Hund.\n"]


def test_another_template_or_message_is_another_fingerprint_and_another_temperature_is_not(start):
    service = start(imitated(VLLM, ""))
    chatml = ("template=chatml",)
    options = (
        *(chatml, ("template=llama3",), (PLAIN,), (*chatml, "system=x"), (*chatml, "prompt={text}!")),
        (*chatml, "logprobs=prompt"),
    )
    assert len({service.open(*given).scoring_fingerprint for given in options}) == len(options)
    warm, cold = service.open(*chatml, "temperature=1", "seed=2"), service.open(*chatml)
    assert warm.fingerprint != cold.fingerprint
    assert warm.scoring_fingerprint == cold.scoring_fingerprint
    assert cold.decoding in cold.scoring_fingerprint
    assert "template=chatml-" in cold.decoding


@pytest.mark.parametrize(
    "option, words",
    [
        ("template=chatm", 'no template “chatm”; did you mean "chatml"'),
        ("template={source}", "it needs {target} once"),
        ("template={target}{target}{source}", "it needs {target} once"),
        ("template=x{target}", "it needs {prompt} or {source}"),
        ("template={target}{source}", "may follow {target}"),
        ("template={sauce}{target}", 'no field {sauce}; did you mean "source"'),
        ("template=@nowhere.txt", "the file cannot be read"),
        ("template={source}{target}&system=Be brief.", "it has no {system}"),
        ("template=chatml&logprobs=maybe", "logprobs=maybe is neither echo nor prompt"),
        ("logprobs=echo", "needs a template="),
    ],
)
def test_wrong_options_are_named(start, option, words):
    with pytest.raises(ModelError, match=words):
        start(imitated(VLLM, "")).open(option)


def test_a_model_without_a_template_only_translates(start):
    assert not can_score(start(OPENAI).open())


def test_a_model_with_a_template_still_translates(served):
    assert served.open().translate(["One."]) == ["One. ✓"]


def test_prompts_are_sent_together_where_a_server_takes_lists(start):
    service = start(SERVERS["vLLM"])
    many = [ScorePair(f"Sentence {number}.", "Phrase.") for number in range(40)]
    service.open("concurrency=1").score(many)
    assert [len(sent) for sent in prompts(service)] == [1, 1, 16, 16, 7]  # the second confirms the first


def test_and_alone_where_it_does_not(start, notices):
    service = start(SERVERS["llama-cpp-python"])
    service.open().score(PAIRS)
    assert {len(sent) for sent in prompts(service)} == {1}
    assert "openai: it takes one prompt per request" in notices()


def test_smaller_batches_on_request(served):
    served.open("batch=2").score(PAIRS)
    assert max(map(len, prompts(served))) <= 2


def test_a_server_is_checked_once(served):
    backend = served.open()
    backend.score(PAIRS[:1])
    before = len(served.server.translations())
    backend.score(PAIRS[1:2])
    assert len(served.server.translations()) == before + 1


def test_scores_are_stored_and_not_asked_for_again(served, tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        first = score_all(served.open(), PAIRS, store, Silent())
        asked = len(served.server.translations())
        assert score_all(served.open("temperature=1"), PAIRS, store, Silent()) == first
    assert len(served.server.translations()) == asked


def test_nothing_is_asked_before_it_must(served):
    assert served.open().score([]) == []
    assert served.server.asked == []


def test_texts_that_cannot_be_sent_fail_alone(served):
    lone = "half \ud83d a character"
    good, *bad = served.open().score(
        [PAIRS[0], ScorePair(lone, "x"), ScorePair("x", lone), ScorePair("x " * 200_000, "x")]
    )
    assert not isinstance(good, Failure)
    assert [word in one.reason for word, one in zip(("source", "target", "takes"), bad, strict=True)] == [
        True
    ] * 3


# -- the boundary of prompt and target --


def test_a_target_whose_first_token_began_in_the_prompt_fails_and_says_so(start):
    """After “=>” comes a space, which is part of the token of a word."""
    service = start(imitated(VLLM, "template=<|im_start|>{source} => {target}<|im_end|>"))
    (failure,) = service.open().score([ScorePair("Yes.", "Oui.")])
    assert isinstance(failure, Failure)
    assert "no token starts where the target starts" in failure.reason
    assert "“ Oui”" in failure.reason


# -- what is not believed --


def test_a_server_that_gives_the_log_probabilities_of_the_next_tokens_is_recognized(start):
    service = start(imitated(LLAMA, "template={source}%0A{target}%0A"))
    with pytest.raises(
        ModelError, match=r"ends before the token that it generated.*start the template with it"
    ):
        service.open().score(PAIRS)


def test_numbers_that_are_not_the_servers_own_predictions_are_recognized(start):
    """All values one place off, in a list that is complete."""
    service = start(SERVERS["vLLM"])
    honest = service.server.imitation

    def shifted(asked) -> Reply:
        reply = honest(asked)
        if asked.method == "POST" and asked.json.get("echo"):
            for choice in reply.content["choices"]:
                values = choice["logprobs"]["token_logprobs"]
                values[1:] = [*values[2:], -0.5]
        return reply

    service.server.imitation = shifted
    with pytest.raises(ModelError, match=r"it predicts “\w+” after the prompt with -\d.*but says -\d"):
        service.open().score(PAIRS)


def changed(service, change) -> None:
    """From now on, the server's answers with log-probabilities of prompts are changed."""
    honest = service.server.imitation

    def imitation(asked) -> Reply:
        reply = honest(asked)
        if asked.method == "POST" and asked.json.get("echo"):
            for choice in reply.content["choices"]:
                change(choice, choice["logprobs"])
        return reply

    service.server.imitation = imitation


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), None])
def test_what_is_no_number_is_no_log_probability(start, value):
    service = start(SERVERS["vLLM"])
    changed(service, lambda _, logprobs: logprobs["token_logprobs"].__setitem__(-3, value))
    for failure in service.open().score(PAIRS):
        assert isinstance(failure, Failure)
        assert failure.reason == "a token of the target has no log-probability"


@pytest.mark.parametrize("in_text", [True, False])
def test_a_first_token_that_is_shown_changes_no_score(start, in_text):
    service = start(SERVERS["vLLM"])
    expected = service.open().score(PAIRS)

    def with_first(choice, logprobs) -> None:
        logprobs["tokens"].insert(0, "<s>")
        logprobs["token_logprobs"][:1] = [None, -3.0]
        choice["text"] = f"<s>{choice['text']}" if in_text else choice["text"]

    changed(service, with_first)
    assert service.open().score(PAIRS) == expected


def test_log_probabilities_in_another_form_are_named(start):
    service = start(SERVERS["vLLM"])

    def only_top(choice, logprobs) -> None:
        tops = [{token: -1.0} for token in logprobs["tokens"]]
        choice["logprobs"] = {"top_logprobs": tops, "text_offset": logprobs["text_offset"]}

    changed(service, only_top)
    with pytest.raises(ModelError, match=r"in another form \(text_offset, top_logprobs\), without those of"):
        service.open().score(PAIRS)


def test_no_score_is_handed_over_before_it_is_confirmed(start):
    service = start(SERVERS["vLLM"])
    honest = service.server.imitation
    service.server.imitation = lambda asked: (
        Reply(200, {"choices": [{"index": 0, "text": " ", "logprobs": None}]})
        if asked.method == "POST" and not asked.json.get("echo")
        else honest(asked)
    )
    with pytest.raises(ModelError, match=r"predicted no token .* that could be compared"):
        next(service.open().stream_scores(PAIRS))


# -- what it costs --


def test_the_cost_of_scores_is_that_of_their_prompts(start):
    service = start(imitated(VLLM, "template={source}%0A{target}"))
    backend = service.open("price_in=3", "price_out=12")
    estimate = backend.estimate_scores([ScorePair("x" * 1499, "y" * 1500)] * 2)
    assert estimate.dollars == pytest.approx((2 * 1000 * 3 + 2 * 12) / 1e6)


def test_scores_over_the_budget_are_not_sent(served):
    backend = served.open("price_in=1000", "price_out=1000")
    backend.hold_budget(0.2)
    backend.score(PAIRS[:1])
    asked = len(served.server.translations())
    with pytest.raises(
        ModelError, match=r"scoring 4 pairs would cost about .* left of the budget; they were not sent"
    ):
        backend.score(PAIRS[1:])
    assert len(served.server.translations()) == asked


def test_a_budget_cannot_be_held_at_an_unknown_price(served):
    backend = served.open()
    backend.hold_budget(5.0)
    with pytest.raises(ModelError, match=r"the price of scores is not known: .*price_in="):
        backend.score(PAIRS)
