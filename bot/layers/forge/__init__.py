"""The connected forge, read only: issues, pull requests, files, commits and CI logs that a question is about."""
