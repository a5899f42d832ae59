"""Tools for developers; they are not installed with the package."""
