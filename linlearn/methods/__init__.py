"""The learning methods that users call, one file for each or for two that are closely related."""
