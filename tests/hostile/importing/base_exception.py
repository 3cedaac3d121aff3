# status: error
# says: Beyond
# Raises what derives from no Exception.
class Beyond(BaseException):
    pass


raise Beyond("all handlers")
