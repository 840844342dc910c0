"""L3: the connected forge, read only: issues, pull requests, files, commits and CI logs of a question."""
