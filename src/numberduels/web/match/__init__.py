"""Games played through the server: their model, their service and their event subscriptions."""
