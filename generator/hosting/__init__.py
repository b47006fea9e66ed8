"""Where a hub can live: facts about hosts, their limits, and the configuration each needs."""
