-- Fast path for units: charges first, and takes back what does not fit. That is one command a key within a slot.
-- Applies to a key that `fast_read` can read. Any other key is left over, unchanged.
-- `units_at` is the position in ARGV before the units of each key, which are one in batches without repeated keys.
-- Returns for each key the state found or LEFT_OVER, and whether no key is left over.
local function fast_units(keys, units_at, window)
  local current, slot, most = window.current, window.slot, min(window.limit, UNIT_RANGE - 1)
  local weight, slot_range = window.covered / UNIT_RANGE, UNIT_RANGE * UNIT_RANGE
  local reply, is_complete = { now_us, unpack(keys) }, true
  for index = 1, #keys do
    local key, units, value, state, room = keys[index], ARGV[units_at + index], nil, nil, nil
    if units then value, units = pcall('INCRBY', key, units), units + 0 else value, units = pcall('INCR', key), 1 end
    if type(value) == 'number' then
      local stored = value - units
      local found, newer = stored - current, stored % UNIT_RANGE
      -- Usually the slot of now is there, and all units fit: older * covered <= (limit - newer - units) * slot.
      if stored > 0 and found >= 0 and found < slot_range and (found - newer) * weight <= (most - newer - units) * slot then
        state = found
      else
        call('DECRBY', key, units)
        state, room = fast_read(stored, window)
        if state and room > 0 then fast_charge(key, stored, state, min(units, room), window) end
      end
    end
    reply[index + 1] = state or LEFT_OVER
    is_complete = is_complete and state
  end
  return reply, is_complete
end
