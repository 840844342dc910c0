"""General parts of a service: metrics, health, systemd, leases, order in channels, retries, job slots."""
