-- The steps of the fast paths, for windows of one slot that are not strict. `at` is where the numbers of a policy begin in
-- ARGV; a value is 0 where there is no key.

-- `current` is what an empty ring of now is stored as.
local function fast_policy(at)
  local tick, limit, slot = ARGV[at] + 0, ARGV[at + 2] + 0, ARGV[at + 3] + 0
  local now = floor(now_us / tick)
  local newest = floor(now / slot)
  local covered, expires = slot - (now - newest * slot), ceil((newest + 2) * slot * tick / 1000)
  return { limit = limit, slot = slot, newest = newest, covered = covered, current = pack_slots(newest, 0, 0), expires = expires }
end

-- The most units of a key that a call charges.
local MAX_UNITS = 96

-- Returns the counts in the slots of now as packed in slot 0, and how many units fit. Nothing for what is not a ring, for a
-- ring ahead of the clock and for a count that could outgrow its bits.
local function fast_read(value, window)
  local newest, older, newer = unpack_slots(value)
  local age = (window.newest - newest) % SLOT_RANGE
  if value < 0 or value >= 2 ^ 53 or newer + MAX_UNITS >= UNIT_RANGE or (age >= SLOT_RANGE / 2 and value > 0) then return end
  if age == 1 then older, newer = newer, 0 elseif age > 1 then older, newer = 0, 0 end
  local limit, slot = window.limit, window.slot
  local used = min(newer, limit) + floor((min(older, limit) * window.covered + slot - 1) / slot)
  return older * UNIT_RANGE + newer, limit - used
end

local function fast_charge(key, value, found, units, window)
  local stands = window.current + found
  -- Redis 7.0 takes half a microsecond to pass a number. INCR takes none.
  if value == stands and value > 0 then return units == 1 and call('INCR', key) or call('INCRBY', key, units) end
  call('SET', key, stands + units, 'PXAT', window.expires)
end
