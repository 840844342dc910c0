"""Postgres: pool, embedded server, migrations and the statements in `sql/`."""
