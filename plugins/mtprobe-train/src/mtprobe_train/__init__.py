"""Fine-tunes models on what suites find, and measures the cost: `mtprobe tune` and `mtprobe distil`.

Nothing here imports torch before a model is trained, so that listing verbs stays fast.
"""
