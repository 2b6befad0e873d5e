"""The course in other forms, made from the finished build: one module an edition."""


class Missing(Exception):
    """What an edition needs is not on this machine; the message says how to install it."""
