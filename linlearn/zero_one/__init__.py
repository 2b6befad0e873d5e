"""The exact search for the hyperplane with the fewest mistakes, and its witnesses."""
