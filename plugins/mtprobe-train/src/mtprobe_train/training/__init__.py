"""The training itself: the order of examples, steps, validation, checkpoints, and the folder that all of it is written to."""
