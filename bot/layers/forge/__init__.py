"""L3: reads issues, pull requests, files, commits and CI logs from the connected forge (GitHub or Gitea)."""
