-- Decides checks of one unit of one key each, all under one policy.
--
-- KEYS  the keys, each once.
-- ARGV  the policy; then, where a key repeats, for each key how many checks request it.
-- Returns the server's microseconds; then for each key the state found in FAST_WIDTH numbers, the first LEFT_OVER when the
--       key is left over; then for each check of each key that is left over what `consume` describes.
--
-- The fast path is statements, because a definition of a function takes Redis a twentieth of a check.
local units_at, fast_reply, is_complete = 2 + ARGV[2], { now_us }, true
