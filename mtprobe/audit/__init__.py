"""Can a run's verdicts be believed? Measured on the suite's own sentences and the model's own translations."""
