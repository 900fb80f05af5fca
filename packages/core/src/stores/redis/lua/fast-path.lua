-- What a fast path replies with for a key that it leaves over to the general path.
local LEFT_OVER = -1
