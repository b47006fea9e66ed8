"""Scripts that run inside a host's own Python: they import the host, never anything of this project."""
