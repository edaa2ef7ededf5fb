"""Opens `openai:MODEL?OPTIONS`: a chat model, which also answers questions, and scores if a template is given."""

from __future__ import annotations

from typing import Any

from mtprobe_http import HttpBackend, Key, open_service
from mtprobe_http.settings import Settings, is_here, price_from, read_options, read_settings

from mtprobe.backends import LanguagePair, ModelError, OpenRequest, SpecOptions, languages_from
from mtprobe_openai.api import KIND, Api
from mtprobe_openai.chat import Chat
from mtprobe_openai.completions import Completions, Form
from mtprobe_openai.prices import read_token_prices
from mtprobe_openai.prompt import Prompt, read_prompt
from mtprobe_openai.questions import ChatBackend, Questions, ScoringChatBackend
from mtprobe_openai.template import Template, read_template

VARIABLE = "OPENAI_API_KEY"
_ADDRESS = "https://api.openai.com/v1"
_OPTIONS = (
    *("prompt", "system", "temperature", "seed", "max_tokens", "variable", "price_in", "price_out"),
    *("template", "logprobs"),
)


def open_openai(rest: str, request: OpenRequest) -> HttpBackend:
    name, options = read_options(KIND, rest, _OPTIONS)
    if not name:
        raise ModelError("openai: needs a model, for example openai:gpt-4o-2024-08-06")
    languages = languages_from(request, f"openai:{name}")
    prompt = read_prompt(options.spec, options.given.get("system"), options.given.get("prompt"))
    template = read_template(options, prompt)
    chat, settings = _chat(name, prompt, languages, options, scores=template is not None)
    open_service(chat, settings, languages, request)  # for the options of the run
    questions = Questions(name, languages, _parameters(options))
    questions.token_prices = chat.token_prices
    _authorize(questions, settings, options, name)
    asked = HttpBackend(questions, settings, languages)
    if template is None:
        if "logprobs" in options.given:
            raise ModelError(f"{options.spec}: logprobs= is for scoring, which needs a template=")
        talking = ChatBackend(chat, settings, languages)
        talking.use_questions(questions, asked)
        return talking
    completions = _completions(name, template, languages, options)
    _authorize(completions, settings, options, name)
    scoring = read_settings(options, _ADDRESS, Completions.limits)
    backend = ScoringChatBackend((chat, completions), (settings, scoring), languages)
    backend.use_questions(questions, asked)
    return backend


def _chat(
    name: str, prompt: Prompt, languages: LanguagePair, options: SpecOptions, *, scores: bool
) -> tuple[Chat, Settings]:
    chat = Chat(name, prompt, languages, _parameters(options))
    chat.token_prices = read_token_prices(options)
    # The sizes of batches are those of scoring, if it scores: a chat takes one sentence per request.
    own = {key: value for key, value in options.given.items() if not (scores and key.startswith("batch"))}
    settings = read_settings(SpecOptions(options.spec, own), _ADDRESS, Chat.limits)
    _authorize(chat, settings, options, name)
    return chat, settings


def _completions(name: str, template: Template, languages: LanguagePair, options: SpecOptions) -> Completions:
    given = options.given.get("logprobs", "echo")
    forms: dict[str, Form] = {"echo": "echo", "prompt": "prompt"}
    if given not in forms:
        raise ModelError(f"{options.spec}: logprobs={given} is neither echo nor prompt")
    completions = Completions(name, template, languages, forms[given])
    completions.token_prices = read_token_prices(options)
    return completions


def _authorize(api: Api, settings: Settings, options: SpecOptions, name: str) -> None:
    variable = options.given.get("variable", VARIABLE)
    key = Key.optional(variable)
    if key is None and not is_here(settings.url):
        key = Key.required(variable, f"openai:{name}")
    api.use_key(key, variable)
    api.price = price_from(options, None if key is not None else 0.0)


def _parameters(options: SpecOptions) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    if options.given.get("temperature") != "none":
        parameters["temperature"] = options.real("temperature") or 0
    if "seed" in options.given:
        parameters["seed"] = options.positive("seed")
    if "max_tokens" in options.given:
        parameters["max_tokens"] = options.positive("max_tokens")
    return parameters
