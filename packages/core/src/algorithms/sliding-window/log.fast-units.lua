-- What the fast path knows of a policy, whose numbers begin at `at` in ARGV.
local function fast_policy(at)
  local tick, limit, span = ARGV[at] + 0, ARGV[at + 2] + 0, ARGV[at + 3] * ARGV[at + 4]
  local now = floor(now_us / tick)
  -- A text, because Redis 7.0 takes half a microsecond to pass a number.
  return { limit = limit, span = span, now = now, expires = ('%.0f'):format(ceil((now + span) * tick / 1000)) }
end

-- Numbers of the reply for each key, and the first of a key that the fast path leaves over to the general path.
local FAST_WIDTH, LEFT_OVER = 3, -1

-- Fast path for units: reads all keys at once, then charges each key as many units as fit.
-- Applies to a log that is not ahead of the clock, and to a key without one. Any other key is left over, unchanged.
-- `units_at` is the position in ARGV before the units of each key, which are one in batches without repeated keys.
-- Returns for each key how many units counted, the oldest stamp that matters and the newest stamp, or LEFT_OVER; and
-- whether no key is left over.
local function fast_units(keys, units_at, log)
  local now, limit, span = log.now, log.limit, log.span
  local texts, reply, is_complete, stamp = call('MGET', unpack(keys)), { now_us }, true, pack_stamp(now)
  for index = 1, #keys do
    local key, text, place = keys[index], texts[index] or 'l', FAST_WIDTH * (index - 1) + 1
    local size, is_done = log_size(text), false
    if size and (size == 0 or age_of(text, size, now) >= 0) then
      local first = 1
      while first <= size and age_of(text, first, now) >= span do first = first + 1 end
      local live = size - first + 1
      local units = min((ARGV[units_at + index] or 1) + 0, max(0, limit - live))
      if units == 0 then
        is_done = true
      else
        local charged = 'l' .. text:sub(2 + STAMP_BYTES * (first - 1)) .. stamp:rep(units)
        -- MGET reads a key of another type as none.
        is_done = texts[index] and call('SET', key, charged, 'PXAT', log.expires)
          or call('SET', key, charged, 'NX', 'PXAT', log.expires)
      end
      if live > 0 then
        reply[place + 2] = now - age_of(text, first + max(0, live - limit), now)
        reply[place + 3] = now - age_of(text, size, now)
      else
        reply[place + 2], reply[place + 3] = 0, 0
      end
      reply[place + 1] = is_done and live or LEFT_OVER
    else
      reply[place + 1], reply[place + 2], reply[place + 3] = LEFT_OVER, 0, 0
    end
    is_complete = is_complete and is_done
  end
  return reply, is_complete
end
