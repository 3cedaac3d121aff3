# status: error
# says: script
# Prints and raises what a browser takes for a program.
def sinusoidal_pos(seed, T, d_model):
    print('</td></pre><script>alert("correct")</script><img src=x onerror=alert(1)>')
    raise type("<script>alert(1)</script>", (Exception,), {})('"><script>alert(1)</script>&lt;&#60;')
