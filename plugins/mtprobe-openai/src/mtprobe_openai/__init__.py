"""`openai:MODEL`: models with an interface like OpenAI's, <https://platform.openai.com/docs/api-reference>."""

from mtprobe_openai.service import open_openai

__all__ = ["open_openai"]
