"""The engine: tasks that run in worker processes, the pool of workers, and a cache of answers."""
