"""What each host's YAML library, repair step and fallback reader make of one front matter text."""
