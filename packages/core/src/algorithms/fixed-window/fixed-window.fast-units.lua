-- Fast path for units: charges first, and takes back what does not fit. That is one command a key within a window.
-- Applies to a key with a current window or without one. Any other key is left over, unchanged.
local limit, low, high, wrapped, empty, expires = fast_policy(3)
for index = 1, #KEYS do
  local key, units, value, state = KEYS[index], ARGV[units_at + index], nil, nil
  if units then value, units = pcall('INCRBY', key, units), units + 0 else value, units = pcall('INCR', key), 1 end
  if type(value) == 'number' then
    local found = value - units
    if found >= low and value < high or found > 0 and value < wrapped then
      local excess = found % COUNT_RANGE + units - limit
      if excess > 0 then call('DECRBY', key, min(units, excess)) end
      state = found
    elseif found == 0 and (wrapped == 0 or call('PEXPIRETIME', key) == -1) then
      -- There was no key, or nothing was charged in another window.
      call('SET', key, empty + min(units, limit), 'PXAT', expires)
      state = 0
    else
      call('DECRBY', key, units)
    end
  end
  fast_reply[index + 1] = state or LEFT_OVER
  is_complete = is_complete and state
end
