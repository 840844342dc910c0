"""What any service needs: metrics, health, systemd, leases, order in channels, retries, job slots."""
