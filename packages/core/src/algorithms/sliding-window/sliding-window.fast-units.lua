-- Units of a sliding window of one slot, key by key, as long as what is found is what is mostly there. They are charged
-- first, and what is too many is taken back: one command a key within a slot.
-- Tells of each key older * 2^20 + newer, as they were in the slot of now.
-- Numbers: tick, capacity, limit, slot, slots, strict.
-- Kept as: ((newest mod 2^13) * 2^20 + older) * 2^20 + newer.
local keys, arguments, type = KEYS, ARGV, type
local PACKED, PAIR = 1048576, 1099511627776
local limit, slot, tick = arguments[5] + 0, arguments[6] + 0, arguments[3] + 0
local simple = arguments[7] == '1' and arguments[8] == '0'
local repeats = 8
local now = floor(now_us / tick)
local newest = floor(now / slot)
local covered, bits = slot - (now - newest * slot), newest % 8192
local base, weight, most = bits * PAIR, covered / PACKED, min(limit, PACKED - 1)
local expires = ceil((newest + 2) * slot * tick / 1000)
-- As long from the start as it will be.
local reply, rest = { now_us, unpack(keys) }, nil
for index = 1, #keys do
  local key, units, value, told = keys[index], arguments[repeats + index], nil, nil
  if simple and units then
    value, units = pcall('INCRBY', key, units), tonumber(units)
  elseif simple then
    value, units = pcall('INCR', key), 1
  end
  if type(value) == 'number' then
    local found = value - units
    told = found - base
    local newer = found % PACKED
    -- Mostly there is a slot of now, and all of the units fit it.
    if found <= 0 or told < 0 or told >= PAIR or (told - newer) * weight > (most - newer - units) * slot then
      local older = (found - newer) / PACKED % PACKED
      local age = (bits - floor(found / PAIR)) % 8192
      if found < 0 or found > 9007199254740991 or newer + units >= PACKED or (age >= 4096 and found > 0) then
        call('DECRBY', key, units)
        told = nil
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
  end
  if told then
    reply[index + 1] = told
  else
    rest = rest or {}
    rest[index] = index + 1
  end
end
if not rest then return reply_of(reply) end
