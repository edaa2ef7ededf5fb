"""Training material: examples from suites, counterfactual pairs, replayed text, and their splits."""
