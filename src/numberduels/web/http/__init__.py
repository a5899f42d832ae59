"""The HTTP side of the server: pages, API, forms, middleware, event streams and translations."""
