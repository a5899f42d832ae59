"""The arena: players meet in many games, every move is judged by a proof, and everything is kept."""
