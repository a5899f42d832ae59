"""Datasets: positions with the exact value of every move, and games as conversations for fine-tuning."""
