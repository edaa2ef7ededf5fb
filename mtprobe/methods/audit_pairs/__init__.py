"""Can this evaluator distinguish the readings? Measured on translations whose reading is known."""
