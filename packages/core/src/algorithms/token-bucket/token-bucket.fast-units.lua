-- Fast path for units: reads all keys at once, then charges each key as many units as fit.
-- Applies to a key without a time and to one whose time is not ahead. Any other key is left over, unchanged.
-- `units_at` is the position in ARGV before the units of each key, which are one in batches without repeated keys.
-- Returns for each key how far its time was ahead of now or LEFT_OVER, and whether no key is left over.
local function fast_units(keys, units_at, bucket)
  local quotient, latest = bucket.quotient, now_us + bucket.tolerance
  local texts, reply, is_complete = call('MGET', unpack(keys)), { now_us, unpack(keys) }, true
  for index = 1, #keys do
    local key, units, text = keys[index], (ARGV[units_at + index] or 1) + 0, texts[index]
    local time, is_done = text and tonumber(text) or 0, false
    local from = time > now_us and time or now_us
    if time >= 0 and time <= latest then
      local after = from + quotient * units
      if after > latest then after = from + floor((latest - from) / quotient) * quotient end
      if after == from then
        is_done = text:find('^[1-9]%d*$')
      elseif text then
        -- INCRBY decides whether the text is an integer.
        is_done = pcall('INCRBY', key, after - time) == after
        if is_done then extend_life(key, time, after, bucket) end
      else
        -- MGET reads a key of another type as none.
        is_done = call('SET', key, after, 'NX', 'PXAT', expiry_of(after, bucket))
      end
    end
    reply[index + 1] = is_done and from - now_us or LEFT_OVER
    is_complete = is_complete and is_done
  end
  return reply, is_complete
end
