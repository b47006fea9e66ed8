"""Search that needs no service: one index written at build time, read by Python, edges and browsers alike."""
