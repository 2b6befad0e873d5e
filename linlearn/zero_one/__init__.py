"""The search behind `methods.zero_one` for the hyperplane with the fewest mistakes, and the proof of it."""
