# status: error
# says: SyntaxError
# A byte order mark where there should be none.
﻿def sinusoidal_pos(seed, T, d_model):
    return None
