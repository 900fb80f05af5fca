-- Returns the value, and how many units fit; nothing for a window that is not current.
local function fast_read(value, window)
  if value == 0 or value >= window.low and value < window.high or value < window.wrapped then
    return value, window.limit - value % COUNT_RANGE
  end
end

local function fast_charge(key, value, _, units, window)
  -- Redis 7.0 takes half a microsecond to pass a number. INCR takes none.
  if value > 0 then return units == 1 and call('INCR', key) or call('INCRBY', key, units) end
  call('SET', key, pack_window(units, window.latest), 'PXAT', window.expires)
end

-- Charges all groups before they are read, and takes all back unless all of them fit. That is one command a key.
-- Returns for each key the value found; nothing, with nothing changed, when a group does not fit or a window is not current.
local function charge_all(keys, claims, windows)
  local reply, size, units, window_of, begun = { now_us, unpack(keys) }, #windows, {}, {}, {}
  for claim, index in ipairs(claims or {}) do
    units[index], window_of[index] = (units[index] or 0) + 1, windows[(claim - 1) % size + 1]
  end

  local function undo(last)
    for index = 1, last do
      if begun[index] then call('UNLINK', keys[index]) else call('DECRBY', keys[index], units[index] or 1) end
    end
  end

  for index = 1, #keys do
    local key, count, window = keys[index], units[index] or 1, window_of[index] or windows[(index - 1) % size + 1]
    local value = count == 1 and pcall('INCR', key) or pcall('INCRBY', key, count)
    if type(value) ~= 'number' then return undo(index - 1) end
    local found = value - count
    if not (found >= window.low and found < window.high or found > 0 and found < window.wrapped) then
      -- There was no key, or nothing was charged in another window.
      begun[index] = found == 0 and (window.wrapped == 0 or call('PEXPIRETIME', key) == -1)
      if not begun[index] then return undo(index) end
      call('SET', key, pack_window(count, window.latest), 'PXAT', window.expires)
    end
    if found % COUNT_RANGE + count > window.limit then return undo(index) end
    reply[index + 1] = found
  end
  return reply
end
