"""Decisions without rounding: floats are whole numbers times powers of two, so compute with those."""

from linlearn.exact.column_space import independent_columns
from linlearn.exact.gordan import gordan_exact, margin_exact

__all__ = ["gordan_exact", "independent_columns", "margin_exact"]
