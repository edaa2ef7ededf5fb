"""Side-by-side measurements, as ratios or differences inside one run: machines are noisy, ratios less so."""
