"""See the package geni."""
