"""Between browser and play: pages, HTTP, the socket and the gate before it."""
