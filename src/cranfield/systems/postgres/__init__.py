"""Systems that are PostgreSQL databases, searched by SQL."""

from cranfield.systems.postgres.sql_presets import SQL_PRESETS

__all__ = ["SQL_PRESETS"]
