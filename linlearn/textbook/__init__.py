"""The algorithms as the lessons show them: short, and to be read from top to bottom."""
