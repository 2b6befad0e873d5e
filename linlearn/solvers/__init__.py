"""Solvers behind `methods`: faster or more robust than `textbook`, tested to give the same answers."""
