"""One spec a rule book."""
