"""Matches: the pure model, the service that stores and publishes events, and subscriptions."""
