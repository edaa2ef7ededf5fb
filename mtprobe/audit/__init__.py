"""Audits of verdicts: can they be trusted? Measured on the suite's own sentences and the model's own translations."""
