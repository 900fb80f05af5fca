-- Fast path for units: charges first, and takes back what does not fit. That is one command a key within a window.
-- Applies to a key with a current window or without one. Any other key is left over, unchanged.
-- `units_at` is the position in ARGV before the units of each key, which are one in batches without repeated keys.
-- Returns for each key the value found or LEFT_OVER, and whether no key is left over.
local function fast_units(keys, units_at, window)
  local limit, low, high, wrapped = window.limit, window.low, window.high, window.wrapped
  local reply, is_complete = { now_us, unpack(keys) }, true
  for index = 1, #keys do
    local key, units, value, state = keys[index], ARGV[units_at + index], nil, nil
    if units then value, units = pcall('INCRBY', key, units), units + 0 else value, units = pcall('INCR', key), 1 end
    if type(value) == 'number' then
      local found = value - units
      if found >= low and value < high or found > 0 and value < wrapped then
        local excess = found % COUNT_RANGE + units - limit
        if excess > 0 then call('DECRBY', key, min(units, excess)) end
        state = found
      elseif found == 0 and (wrapped == 0 or call('PEXPIRETIME', key) == -1) then
        -- There was no key, or nothing was charged in another window.
        call('SET', key, pack_window(min(units, limit), window.latest), 'PXAT', window.expires)
        state = 0
      else
        call('DECRBY', key, units)
      end
    end
    reply[index + 1] = state or LEFT_OVER
    is_complete = is_complete and state
  end
  return reply, is_complete
end
