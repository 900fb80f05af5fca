local function fast_window(at)
  local limit, slot, newest, covered, current, tick = fast_policy(at)
  local expires = ceil((newest + 2) * slot * tick / 1000)
  return { limit = limit, slot = slot, newest = newest, covered = covered, current = current, expires = expires }
end

-- The most units of a key that a call charges.
local MAX_UNITS = 96

-- Returns the counts in the slots of now as packed in slot 0, and how many units fit. Nothing for what is not a ring, for a
-- ring ahead of the clock and for a count that could outgrow its bits. The value is 0 where there is no key.
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
