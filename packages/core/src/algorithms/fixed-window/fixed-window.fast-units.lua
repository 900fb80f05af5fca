-- Units of a fixed window, key by key, as long as what is found is what is mostly there. They are charged first, and what
-- is too many is taken back: one command a key within a window.
-- Tells of each key the value, or 0 where a first request begins the window.
-- Numbers: tick, capacity, limit, reach, grain.
local keys, arguments, type = KEYS, ARGV, type
local PACKED, PARTS = 4294967296, 2097152
local limit, reach, grain = arguments[5] + 0, arguments[6] + 0, arguments[7] + 0
-- A value of a part that a window of now can end with is one from `low` on and below `high`; and one above 0 and below
-- `turned`, where the lower bits of parts begin again in between.
local latest = ceil((now_us + reach) / grain)
local low, high, turned = (floor(now_us / grain) % PARTS + 1) * PACKED, (latest % PARTS + 1) * PACKED, 0
if high <= low then high, turned = PARTS * PACKED, high end
-- A client may read the last integers below 2^53 as 2^53.
high = min(high, PARTS * PACKED - 64)
local repeats = 7
-- As long from the start as it will be.
local reply, rest = { now_us, unpack(keys) }, nil
for index = 1, #keys do
  local key, units, value, told = keys[index], arguments[repeats + index], nil, nil
  if units then
    value, units = pcall('INCRBY', key, units), tonumber(units)
  else
    value, units = pcall('INCR', key), 1
  end
  if type(value) == 'number' then
    local found = value - units
    if found >= low and value < high or found > 0 and value < turned then
      local over = found % PACKED + units - limit
      if over > 0 then call('DECRBY', key, min(units, over)) end
      told = found
    elseif found == 0 and (turned == 0 or call('PEXPIRETIME', key) == -1) then
      -- Nothing was there, or nothing was charged in another window.
      call('SET', key, latest % PARTS * PACKED + min(units, limit), 'PXAT', ceil(latest * grain / 1000))
      told = 0
    else
      call('DECRBY', key, units)
    end
  end
  if told then
    reply[index + 1] = told
  else
    rest = rest or {}
    rest[index] = index + 1
  end
end
if not rest then return reply_of(reply) end
