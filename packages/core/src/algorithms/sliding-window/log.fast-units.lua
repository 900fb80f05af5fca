-- Numbers of the reply for each key, and the first of a key that the fast path leaves over to the general path.
local FAST_WIDTH, LEFT_OVER = 3, -1

-- Fast path for units: reads all keys at once, then charges each key as many units as fit.
-- Applies to a log that is not ahead of the clock, and to a key without one. Any other key is left over, unchanged.
-- Replies for each key how many units counted, the oldest stamp that matters and the newest stamp.
local tick, limit, span = ARGV[3] + 0, ARGV[5] + 0, ARGV[6] * ARGV[7]
local now = floor(now_us / tick)
-- A text, because Redis 7.0 takes half a microsecond to pass a number.
local expires, stamp = ('%.0f'):format(ceil((now + span) * tick / 1000)), pack_stamp(now)
local texts = call('MGET', unpack(KEYS))
for index = 1, #KEYS do
  local key, text, place = KEYS[index], texts[index] or 'l', FAST_WIDTH * (index - 1) + 1
  local size, is_done, oldest, newest = log_size(text), false, 0, 0
  local age = size and size > 0 and age_of(text, size, now) or 0
  if size and age >= 0 then
    local first = 1
    if size > 0 then newest = now - age end
    while first <= size and age_of(text, first, now) >= span do first = first + 1 end
    local live = size - first + 1
    local units = min((ARGV[units_at + index] or 1) + 0, max(0, limit - live))
    if live > 0 then oldest = now - age_of(text, first + max(0, live - limit), now) else newest = 0 end
    if units == 0 then
      is_done = true
    else
      local kept = first == 1 and text or 'l' .. text:sub(2 + STAMP_BYTES * (first - 1))
      local charged = kept .. (units == 1 and stamp or stamp:rep(units))
      -- MGET reads a key of another type as none.
      is_done = texts[index] and call('SET', key, charged, 'PXAT', expires)
        or call('SET', key, charged, 'NX', 'PXAT', expires)
    end
    fast_reply[place + 1] = is_done and live or LEFT_OVER
  else
    fast_reply[place + 1] = LEFT_OVER
  end
  fast_reply[place + 2], fast_reply[place + 3] = oldest, newest
  is_complete = is_complete and is_done
end
