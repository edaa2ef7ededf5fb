"""Shared by the plugins for translation services; a plugin implements `Service`."""

from mtprobe_http.backend import HttpBackend, open_service
from mtprobe_http.keys import Key
from mtprobe_http.problems import Broken, Busy, Problem, Refused
from mtprobe_http.service import Answer, Call, Limits, Service
from mtprobe_http.settings import COMMON, Settings

__all__ = [
    "COMMON",
    "Answer",
    "Broken",
    "Busy",
    "Call",
    "HttpBackend",
    "Key",
    "Limits",
    "Problem",
    "Refused",
    "Service",
    "Settings",
    "open_service",
]
