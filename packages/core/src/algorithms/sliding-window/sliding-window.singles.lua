-- Units of a sliding window of one slot, key by key, as long as what is found is what is mostly there. They are charged
-- first, and what is too many is taken back: one command a key within a slot.
-- Tells of each key older * 2^20 + newer, as they were in the slot of now.
-- Numbers: tick, capacity, limit, slot, slots, strict.
-- Kept as: ((newest mod 2^13) * 2^20 + older) * 2^20 + newer.
local PACKED = 1048576
local limit, slot, tick = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[3])
local simple = ARGV[7] == '1' and ARGV[8] == '0'
local repeats = 8
local now = floor(now_us / tick)
local newest = floor(now / slot)
local covered, bits = slot - (now - newest * slot), newest % 8192
local expires = ceil((newest + 2) * slot * tick / 1000)
local reply, replies, rest = { now_us }, 1, nil
for index = 1, #KEYS do
  local key, units, value = KEYS[index], ARGV[repeats + index], nil
  if simple and units then
    value, units = pcall('INCRBY', key, units), tonumber(units)
  elseif simple then
    value, units = pcall('INCR', key), 1
  end
  local found, told = nil, nil
  if type(value) == 'number' then
    found = value - units
    local newer = found % PACKED
    local older = (found - newer) / PACKED % PACKED
    local age = (bits - floor(found / 1099511627776)) % 8192
    if found < 0 or found > 9007199254740991 or newer + units >= PACKED or (age >= 4096 and found > 0) then
      call('DECRBY', key, units)
    else
      if age == 1 then
        older, newer = newer, 0
      elseif age > 1 then
        older, newer = 0, 0
      end
      told = older * PACKED + newer
      local used = min(newer, limit) + floor((min(older, limit) * covered + slot - 1) / slot)
      local fits = max(0, min(units, limit - used))
      if (age > 0 or found == 0) and fits > 0 then
        call('SET', key, (bits * PACKED + older) * PACKED + newer + fits, 'PXAT', expires)
      elseif fits < units then
        call('DECRBY', key, units - fits)
      end
    end
  end
  replies = replies + 1
  if told then
    reply[replies] = told
  else
    rest = rest or {}
    rest[index] = replies
  end
end
if not rest then return reply end
