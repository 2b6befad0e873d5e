"""Exact arithmetic: floats are integers times powers of two, so decisions can be made without rounding."""

from linlearn.exact.column_space import independent_columns
from linlearn.exact.gordan import gordan_exact, margin_exact

__all__ = ["gordan_exact", "independent_columns", "margin_exact"]
