-- Decides groups of one unit of each of the same policies.
--
-- KEYS  the keys, each once.
-- ARGV  how many policies follow, negative to charge the groups before they are read; the policies; then, where a key
--       repeats, for each claim, group by group, the index of its key.
-- Returns the server's microseconds; then for each key the state found. Or what `consume` describes.
local size, width = math.abs(ARGV[1]), 2 + ARGV[3]
local fast_policies, position = {}, 2 + size * width
for place = 1, size do fast_policies[place] = fast_policy(4 + width * (place - 1)) end
local claims
if #ARGV >= position then
  claims = { unpack(ARGV, position) }
  for claim = 1, #claims do claims[claim] = claims[claim] + 0 end
end
local fast_reply
if ARGV[1] + 0 < 0 then fast_reply = charge_all(KEYS, claims, fast_policies) end
fast_reply = fast_reply or fast_groups(KEYS, claims, fast_policies)
-- The general path below is not even defined when it is not needed.
if fast_reply then return reply_of(fast_reply) end
