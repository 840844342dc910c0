"""The layers L0 to L5, asked in order until one answers: identity, memory, session, artifacts, playbooks."""
