"""The course in other forms, made from the finished build: one module an edition."""
