"""Can this evaluator tell the readings apart? Measured on translations whose reading is known."""
