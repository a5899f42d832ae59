"""Heavy work in processes that can be killed: the pool, what runs in a worker, and the tasks.

It imports `game`, `solvers`, `players`, `analysis` and `play`. Start with `pool.py`: `EnginePool` runs a task
in a worker process, from an event loop (the server, the table) or from a thread (the arena). `worker.py` is
the other end of the pipe, `tasks.py` the list of tasks.
"""
