-- From here on it is a key of `unit-checks.lua` that the fast path has left over.
local units_at, fast_reply, is_complete = 2 + ARGV[2], { now_us, LEFT_OVER }, false
