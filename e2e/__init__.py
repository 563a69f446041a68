"""The whole of Linstock in a real browser: `make e2e`."""
