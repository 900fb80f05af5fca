-- What the fast paths know of a policy of one slot that is not strict, whose numbers begin at `at` in ARGV. `current` is what
-- an empty ring of now is stored as, and `covered` how many ticks of the older slot still count.
local function fast_policy(at)
  local tick, limit, slot = ARGV[at] + 0, ARGV[at + 2] + 0, ARGV[at + 3] + 0
  local now = floor(now_us / tick)
  local newest = floor(now / slot)
  return limit, slot, newest, slot - (now - newest * slot), newest % SLOT_RANGE * UNIT_RANGE * UNIT_RANGE, tick
end
