"""The periodic jobs: what each of them does and when it runs, in one module."""
