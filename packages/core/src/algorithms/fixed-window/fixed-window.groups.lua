-- Groups of a unit each of the same fixed windows, as long as what is found is what is mostly there. All are read by one
-- MGET. Tells of each key the value, or 0 where a first request begins the window. What is usual is what it is for single
-- units.
local keys, arguments = KEYS, ARGV
local PACKED, PARTS = 4294967296, 2097152
local size = arguments[1] + 0
local numbers_from = 1 + 7 * size
local limits, grains, latest, lows, highs, turned = {}, {}, {}, {}, {}, {}
for place = 1, size do
  local limit, reach, grain = arguments[7 * place - 1] + 0, arguments[7 * place] + 0, arguments[7 * place + 1] + 0
  local last = ceil((now_us + reach) / grain)
  local low, high = (floor(now_us / grain) % PARTS + 1) * PACKED, (last % PARTS + 1) * PACKED
  limits[place], grains[place], latest[place], lows[place], turned[place] = limit, grain, last, low, 0
  if high <= low then high, turned[place] = PARTS * PACKED, high end
  highs[place] = min(high, PARTS * PACKED - 64)
end
-- Where keys repeat, each claim says which is its own.
local claims, numbers = #arguments - numbers_from, nil
if claims == 0 then claims = #keys else numbers = {} end
for claim = 1, numbers and claims or 0 do numbers[claim] = tonumber(arguments[numbers_from + claim]) end

local found, charged, texts, usual = call('MGET', unpack(keys)), {}, {}, true
for first = 0, claims - 1, size do
  local admit = true
  for place = 1, size do
    local number = numbers and numbers[first + place] or first + place
    local value, units = found[number], charged[number]
    if not units then
      texts[place], units, charged[number] = value, 0, 0
      if value then
        value = tonumber(value) or 0
        usual = usual and (value >= lows[place] and value < highs[place] or value > 0 and value < turned[place])
      end
      value = value or 0
      found[number] = value
    end
    if value % PACKED + units >= limits[place] then admit = false end
  end
  for place = 1, size do
    local number = numbers and numbers[first + place] or first + place
    if admit then
      charged[number] = charged[number] + 1
    elseif texts[place] then
      usual = usual and texts[place]:find('^[1-9]%d*$')
    else
      -- A key of another type was read as none.
      usual = usual and call('PEXPIRETIME', keys[number]) == -2
    end
  end
end

-- Of what is charged, the reply of its command says whether it was an integer, or none. What was written is below 0.
for claim = 1, usual and claims or 0 do
  local number = numbers and numbers[claim] or claim
  local key, units, value = keys[number], charged[number], found[number]
  if usual and units > 0 then
    if value == 0 then
      local place = (claim - 1) % size + 1
      local new, ends = latest[place] % PARTS * PACKED + units, latest[place] * grains[place]
      usual = call('SET', key, new, 'NX', 'PXAT', ceil(ends / 1000))
    elseif units == 1 then
      usual = pcall('INCR', key) == value + 1
    else
      usual = pcall('INCRBY', key, units) == value + units
    end
    if usual then charged[number] = -units end
  end
end
if usual then return reply_of({ now_us, unpack(found) }) end

-- All is as it was before the long way, which is told the same as it is asked: of each claim which key it is of.
for number, units in ipairs(charged) do
  if units < 0 and found[number] == 0 then
    call('UNLINK', keys[number])
  elseif units < 0 then
    call('DECRBY', keys[number], -units)
  end
end
local codes = {}
for index = 1, numbers_from do codes[index] = ARGV[index] end
for claim = 1, claims do
  local place, number = (claim - 1) % size, numbers and numbers[claim] or claim
  codes[numbers_from + claim] = ((128 + place) * 128 + number - 1) * 32 + (place == size - 1 and 1 or 0)
end
local ARGV = codes
