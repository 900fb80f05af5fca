-- Numbers of the reply for each key, and the one of a key that the fast path leaves over to the general path.
local FAST_WIDTH, LEFT_OVER = 1, -1
