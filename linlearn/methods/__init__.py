"""How a plane is learned: one file, one method."""
