"""The search behind `methods.zero_one`: a hyperplane with the fewest mistakes, and the proof of it."""
