"""Rules as awaited procedures, the log they leave, and the interpreter that drives them."""
