"""Several runs side by side: two compared, or many over time."""
