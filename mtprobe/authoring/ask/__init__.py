"""Creates a suite from answers to a few questions: `mtprobe new suite --ask`."""
