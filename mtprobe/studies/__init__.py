"""Studies of finished runs: agreement with people, regressions over models, model errors and search errors."""
