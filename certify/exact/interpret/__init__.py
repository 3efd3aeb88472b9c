"""Interpreters of straight-line programs: the same program on floats, rationals, balls, intervals, Taylor series, rounding errors."""
