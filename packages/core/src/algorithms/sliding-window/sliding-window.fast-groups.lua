-- Groups of a unit each of the same sliding windows of one slot, as long as what is found is what is mostly there. All are
-- read by one MGET. Tells of each key older * 2^20 + newer, as they were in the slot of now.
-- Kept as: ((newest mod 2^13) * 2^20 + older) * 2^20 + newer.
local keys, arguments, tonumber = KEYS, ARGV, tonumber
local PACKED, PAIR = 1048576, 1099511627776
local limits, slots, covered, bits, expires, usual = {}, {}, {}, {}, {}, true
for place = 1, size do
  local tick, slot = arguments[8 * place - 4] + 0, arguments[8 * place - 1] + 0
  local now = floor(now_us / tick)
  local newest = floor(now / slot)
  limits[place], slots[place], covered[place] = arguments[8 * place - 2] + 0, slot, slot - (now - newest * slot)
  bits[place], expires[place] = newest % 8192, ceil((newest + 2) * slot * tick / 1000)
  usual = usual and arguments[8 * place] == '1' and arguments[8 * place + 1] == '0'
end

-- Of each key the place of its claims, how many slots of now are newer than it was kept in, its units of the slot before,
-- and those of the slot of now: as they were found, and as they stand.
local texts, places, ages, olders, found, newers = usual and call('MGET', unpack(keys)), {}, {}, {}, {}, {}
for first = 0, usual and claims - 1 or -1, size do
  local admit = true
  for place = 1, size do
    local number = numbers and numbers[first + place] or first + place
    local newer, limit, slot = newers[number], limits[place], slots[place]
    if not newer then
      local text, older, age = texts[number], 0, 2
      newer = 0
      if text then
        -- What INCRBY takes for an integer.
        local value = text:find('^[1-9]%d*$') and tonumber(text) or -1
        newer = value % PACKED
        older = (value - newer) / PACKED % PACKED
        age = (bits[place] - floor(value / PAIR)) % 8192
        usual = usual and value >= 0 and value <= 9007199254740991 and age < 4096
        if age == 1 then
          older, newer = newer, 0
        elseif age > 1 then
          older, newer = 0, 0
        end
      else
        -- A key of another type was read as none.
        usual = usual and call('PEXPIRETIME', keys[number]) == -2
      end
      places[number], ages[number], olders[number], found[number], newers[number] = place, age, older, newer, newer
    end
    local full = floor((min(olders[number], limit) * covered[place] + slot - 1) / slot)
    if min(newer, limit) + full >= limit then admit = false end
  end
  for place = 1, admit and size or 0 do
    local number = numbers and numbers[first + place] or first + place
    newers[number] = newers[number] + 1
    usual = usual and newers[number] < PACKED
  end
end

if usual then
  -- As long from the start as it will be.
  local told = { now_us, unpack(keys) }
  for number = 1, #keys do
    local key, place, older, before, newer = keys[number], places[number], olders[number], found[number], newers[number]
    told[number + 1] = older * PACKED + before
    if newer > before and ages[number] == 0 then
      call('INCRBY', key, newer - before)
    elseif newer > before then
      call('SET', key, (bits[place] * PACKED + older) * PACKED + newer, 'PXAT', expires[place])
    end
  end
  return reply_of(told)
end
