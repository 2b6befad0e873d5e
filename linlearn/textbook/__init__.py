"""The algorithms as the lessons show them: short, on NumPy arrays, one file each."""
