"""The use cases behind the commands: each takes a caller and returns a `Reply`; cogs and terminal only translate."""
