"""Rule systems. Each is found by its entry point; none knows another (I12)."""
