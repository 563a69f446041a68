"""`python -m bench`: how fast the table is, each figure beside its aim."""
