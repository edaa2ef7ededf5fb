"""Repairs what suites find, and measures the price: `mtprobe tune` and `mtprobe distil`.

Nothing here imports torch before a model is trained, so that listing verbs stays fast.
"""
