"""What a model is trained on: examples from suites, counterfactual pairs, replayed text, and how they are split."""
