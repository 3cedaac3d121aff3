# status: memory timeout
# says: (more|still running)
# Has a very long text compiled while it is imported.
exec("x = [" + "y, " * 20000000 + "]")
