"""Chat templates of the kinds that models bring: the text that transformers renders."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mtprobe.engine.checkpoints.huggingface.files import ModelFolder
from mtprobe.engine.tokenizers.chat import TODAY, ChatTemplate, read_chat_template
from mtprobe.errors import ModelError
from tests.engine.lm.models import put_tokenizer

TEMPLATES = {
    "ChatML with a default system message": (
        "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
        "{{ '<|im_start|>system\\nYou are helpful.<|im_end|>\\n' }}{% endif %}"
        "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
    ),
    "headers, and texts without spaces around them": (
        "{{- bos_token }}\n{%- set system_message = '' %}\n{%- if messages[0]['role'] == 'system' %}\n"
        "    {%- set system_message = messages[0]['content']|trim %}\n    {%- set messages = messages[1:] %}\n{%- endif %}\n"
        "{{- '<|start|>system<|end|>\\n\\n' + system_message }}\n{%- for message in messages %}\n"
        "    {{- '<|start|>' + message['role'] + '<|end|>\\n\\n' + message['content'] | trim + eos_token }}\n{%- endfor %}\n"
        "{%- if add_generation_prompt %}\n    {{- '<|start|>assistant<|end|>\\n\\n' }}\n{%- endif %}\n"
    ),
    "instructions in brackets": (
        "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
        "{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token }}"
        "{% else %}{{ '<<SYS>>' ~ message.content ~ '<</SYS>>' }}{% endif %}{% endfor %}"
    ),
    "other names for roles": (
        "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'assistant' %}{% set role = 'model' %}{% else %}"
        "{% set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}"
    ),
    "thinking that can be switched off": (
        "{%- for message in messages %}\n    {%- set ns = namespace(text=message.content) %}\n"
        "    {%- if message.role == 'assistant' and '</think>' in ns.text %}\n"
        "        {%- set ns.text = ns.text.split('</think>')[-1].lstrip('\\n') %}\n    {%- endif %}\n"
        "    {{- '<|im_start|>' ~ message.role ~ '\\n' ~ ns.text ~ '<|im_end|>\\n' }}\n{%- endfor %}\n"
        "{%- if add_generation_prompt %}\n    {{- '<|im_start|>assistant\\n' }}\n"
        "    {%- if enable_thinking is defined and enable_thinking is false %}\n        {{- '<think>\\n\\n</think>\\n\\n' }}\n"
        "    {%- endif %}\n{%- endif %}"
    ),
    "answers marked for training": (
        "{% for message in messages %}{% if message.role == 'assistant' %}<|assistant|>{% generation %}{{ message.content }}<|end|>"
        "{% endgeneration %}\n{% else %}<|{{ message.role }}|>{{ message.content }}<|end|>\n{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<|assistant|>{% endif %}"
    ),
}
CHATS = [
    [("user", "Translate:\n\n  He can't! ")],
    [("system", " Be brief. "), ("user", "A {{ x }} {% y %} <b>"), ("assistant", "Un «x» "), ("user", "日本 \"語\"")],
]  # fmt: skip


def folder_with(path: Path, template: str) -> ModelFolder:
    put_tokenizer(path, template=template)
    (path / "config.json").write_text(json.dumps({"model_type": "llama"}), encoding="utf-8")
    return ModelFolder("model", path, (path / "config.json",))


@pytest.mark.parametrize("kind", TEMPLATES)
def test_texts_are_those_of_transformers(tmp_path, kind):
    transformers = pytest.importorskip("transformers")
    folder = folder_with(tmp_path, TEMPLATES[kind])
    template = read_chat_template(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    for chat in CHATS:
        messages = [{"role": role, "content": content} for role, content in chat]
        for options in ({}, {"enable_thinking": False}):
            expected = tokenizer.apply_chat_template(
                messages, tokenize=False, add_generation_prompt=True, **options
            )
            assert template.render(messages, answered=False, options=options) == expected


@pytest.mark.parametrize("kind", TEMPLATES)
def test_an_answer_is_followed_by_what_the_template_puts_there(tmp_path, kind):
    template = read_chat_template(folder_with(tmp_path, TEMPLATES[kind]))
    messages = [{"role": "user", "content": "He can't!"}]
    asked = template.render(messages, answered=False)
    before, after = template.around_answer(messages)
    answered = template.render([*messages, {"role": "assistant", "content": "Si !"}], answered=True)
    assert answered == f"{asked}{before}Si !{after}"
    assert after


def test_today_is_always_the_same_day():
    template = ChatTemplate("model", "{{ strftime_now('%d %B %Y') }}", {})
    assert template.render([], answered=False) == TODAY.strftime("%d %B %Y")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{% if %}", "model: its chat template is not valid"),
        ("{{ raise_exception('no system messages') }}", "refuses the prompt: no system messages"),
        ("{{ messages.append(1) }}", "refuses the prompt"),
        ("{{ ''.__class__.__mro__ }}", "refuses the prompt"),
    ],
)
def test_what_a_template_cannot_do_is_an_error(text, message):
    with pytest.raises(ModelError, match=message):
        ChatTemplate("model", text, {}).render([], answered=False)
