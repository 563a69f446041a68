"""Every message between page and server, one schema each."""
