"""`openai:MODEL`: models with an OpenAI-compatible API, <https://platform.openai.com/docs/api-reference>."""

from mtprobe_openai.service import open_openai

__all__ = ["open_openai"]
