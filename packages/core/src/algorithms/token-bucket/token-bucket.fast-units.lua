-- Units of a bucket whose rate divides its window, key by key, as long as what is found is what is mostly there.
-- Tells of each key how far its time was ahead of now: what is not refilled.
-- Numbers: tick, capacity, limit, quotient (window div limit), remainder (window mod limit); of a leaky bucket one more.
local keys, arguments, tonumber = KEYS, ARGV, tonumber
local quotient, tolerance = arguments[6] + 0, arguments[4] * arguments[6]
local repeats = 2 + arguments[2]
-- A 64th of the window: a key outlives all times of a grain, by a refill.
local grain = ceil(quotient * arguments[5] / 64)
local latest = now_us + tolerance
-- As long from the start as it will be.
local reply, rest = { now_us, unpack(keys) }, nil
local texts = arguments[7] == '0' and call('MGET', unpack(keys))
for index = 1, #keys do
  local key, units, text = keys[index], arguments[repeats + index], texts and texts[index]
  -- What INCRBY takes for an integer decides what is one.
  local ticks = text and tonumber(text) or 0
  local known = texts and ticks >= 0 and ticks <= latest
  if known then
    local tat = ticks > now_us and ticks or now_us
    local after = tat + quotient * (units or 1)
    if after > latest then after = tat + floor((latest - tat) / quotient) * quotient end
    if after == tat then
      known = text:find('^[1-9]%d*$')
    elseif text then
      known = pcall('INCRBY', key, after - ticks) == after
      -- It is looked at how long it lives when a time enters another one; this also heals a TTL that is missing or short.
      local ends = after - after % grain + grain
      if known and ticks < ends - grain and call('PEXPIRETIME', key) * 1000 < ends then
        call('PEXPIREAT', key, ceil((ends + tolerance + 2) / 1000))
      end
    else
      -- A key of another type was read as none.
      known = call('SET', key, after, 'NX', 'PXAT', ceil((after - after % grain + grain + tolerance + 2) / 1000))
    end
  end
  if known then
    reply[index + 1] = ticks > now_us and ticks - now_us or 0
  else
    rest = rest or {}
    rest[index] = index + 1
  end
end
if not rest then return reply_of(reply) end
