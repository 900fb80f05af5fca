local function fast_window(at)
  local limit, low, high, wrapped, empty, expires = fast_policy(at)
  return { limit = limit, low = low, high = high, wrapped = wrapped, empty = empty, expires = expires }
end

-- Returns the value, and how many units fit; nothing for a window that is not current.
local function fast_read(value, window)
  if value == 0 or value >= window.low and value < window.high or value < window.wrapped then
    return value, window.limit - value % COUNT_RANGE
  end
end

local function fast_charge(key, value, _, units, window)
  -- Redis 7.0 takes half a microsecond to pass a number. INCR takes none.
  if value > 0 then return units == 1 and call('INCR', key) or call('INCRBY', key, units) end
  call('SET', key, window.empty + units, 'PXAT', window.expires)
end
