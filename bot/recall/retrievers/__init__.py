"""What memory may be asked for by name, by settings, by a step of a workflow, by a model or by a person."""
