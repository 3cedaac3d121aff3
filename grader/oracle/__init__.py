"""The trusted side: what the reference says of the cases, how far right answers may lie apart, what mistakes give."""
