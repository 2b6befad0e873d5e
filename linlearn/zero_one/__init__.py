"""The search for the plane with the fewest mistakes, and its witnesses."""
