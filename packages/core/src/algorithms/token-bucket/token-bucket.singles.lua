-- Units of a bucket whose rate divides its window, key by key, as long as what is found is what is mostly there.
-- Tells of each key how far its time was ahead of now: what is not refilled.
-- Numbers: tick, capacity, limit, quotient (window div limit), remainder (window mod limit); of a leaky bucket one more.
local quotient, tolerance = tonumber(ARGV[6]), tonumber(ARGV[4]) * tonumber(ARGV[6])
local repeats = 2 + ARGV[2]
local latest = now_us + tolerance
local reply, replies, rest = { now_us }, 1, nil
local texts = ARGV[7] == '0' and call('MGET', unpack(KEYS))
for index = 1, #KEYS do
  local key, units, text = KEYS[index], tonumber(ARGV[repeats + index] or 1), texts and texts[index]
  -- What INCRBY takes for an integer decides what is one.
  local ticks = text and tonumber(text) or 0
  local known = texts and ticks >= 0 and ticks <= latest
  if known then
    local tat = max(ticks, now_us)
    local fits = min(units, floor((latest - tat) / quotient))
    tat = tat + fits * quotient
    if fits == 0 then
      known = text:find('^[1-9]%d*$')
    elseif text then
      known = pcall('INCRBY', key, tat - ticks) == tat
      -- The TTL is two refills long and so is renewed once a refill; this also heals one that is missing or too short.
      if known and call('PEXPIRETIME', key) * 1000 < tat then
        call('PEXPIREAT', key, ceil((tat + tolerance + 2) / 1000))
      end
    else
      -- A key of another type was read as none.
      known = call('SET', key, tat, 'NX', 'PXAT', ceil((tat + tolerance + 2) / 1000))
    end
  end
  replies = replies + 1
  if known then
    reply[replies] = max(0, ticks - now_us)
  else
    rest = rest or {}
    rest[index] = replies
  end
end
if not rest then return reply end
