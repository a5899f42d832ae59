"""One room a rule book."""
