from mtprobe.pytest_plugin import *  # noqa: F403
