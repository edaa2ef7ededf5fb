"""`openai:MODEL`: chat models behind an interface like OpenAI's, <https://platform.openai.com/docs/api-reference/chat>."""

from mtprobe_openai.service import open_openai

__all__ = ["open_openai"]
