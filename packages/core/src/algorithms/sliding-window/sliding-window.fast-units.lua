-- Fast path for units: charges first, and takes back what does not fit. That is one command a key within a slot.
local limit, slot, newest, covered, current, tick = fast_policy(3)
local most, weight, slot_range, others = min(limit, UNIT_RANGE - 1), covered / UNIT_RANGE, UNIT_RANGE * UNIT_RANGE, nil
for index = 1, #KEYS do
  local key, units, value, state = KEYS[index], ARGV[units_at + index], nil, nil
  if units then value, units = pcall('INCRBY', key, units), units + 0 else value, units = pcall('INCR', key), 1 end
  if type(value) == 'number' then
    local stored = value - units
    local found, newer = stored - current, stored % UNIT_RANGE
    -- Usually the slot of now is there, and all units fit: older * covered <= (limit - newer - units) * slot.
    if stored > 0 and found >= 0 and found < slot_range and (found - newer) * weight <= (most - newer - units) * slot then
      state = found
    else
      call('DECRBY', key, units)
      others = others or {}
      others[index] = stored
    end
  end
  fast_reply[index + 1] = state or LEFT_OVER
  is_complete = is_complete and state
end
