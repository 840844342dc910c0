"""Postgres: the connection pool, the migrations, and the loader of the statements in `sql/`."""
