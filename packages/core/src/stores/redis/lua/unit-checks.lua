-- Decides checks of one unit of one key each, all under one policy.
--
-- KEYS  the keys, each once.
-- ARGV  the policy; then, where a key repeats, for each key how many checks request it.
-- Returns the server's microseconds; then for each key the state found in FAST_WIDTH numbers, the first -1 when the key is
--       left over; then for each check of each key that is left over what `consume` describes.
local units_at = 2 + ARGV[2]
local fast_reply, is_complete = fast_units(KEYS, units_at, fast_policy(3))
-- The general path below is not even defined when it is not needed.
if is_complete then return reply_of(fast_reply) end
