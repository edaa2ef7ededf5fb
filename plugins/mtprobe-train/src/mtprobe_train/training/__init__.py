"""Training: the order of examples, steps, validation, checkpoints, and the output folder."""
