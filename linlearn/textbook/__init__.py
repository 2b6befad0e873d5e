"""The algorithms as the lessons show them: short, with NumPy and SciPy alone, one file each."""
