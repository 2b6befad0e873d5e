"""Decisions without rounding: floats are whole numbers times powers of two, so compute with those."""

from linlearn.exact.columns import independent_columns

__all__ = ["independent_columns"]
