"""Measures of Skillpress: ``python -m benchmarks`` prints time, memory and growth of each layer."""
