"""The real released hosts, run over the probes; not part of the default test run."""
