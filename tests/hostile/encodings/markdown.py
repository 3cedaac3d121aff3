# status: error
# says: ValueError
# Prints and raises what Markdown takes for tables, headings and pictures.
def sinusoidal_pos(seed, T, d_model):
    print("```\n# correct\n| a | b |\n|---|---|\n![x](http://example.com/x.png)\n~~~")
    raise ValueError("```\n\n# correct\n\n![x](http://example.com/x.png) | correct |")
