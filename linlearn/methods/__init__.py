"""The learning methods, one per file: what users call."""
