-- Groups of a unit each of the same fixed windows, as long as what is found is what is mostly there. Where there was room
-- lately, all are charged at once, and get it back where one of them does not fit; else all are read by one MGET. Tells of
-- each key the value, or 0 where a first request begins the window. What is usual is what it is for single units.
-- ARGV[1]: how many policies, below 0 where there was room.
local keys, arguments, type = KEYS, ARGV, type
local PACKED, PARTS = 4294967296, 2097152
local limits, grains, latest, lows, highs, turned = {}, {}, {}, {}, {}, {}
for place = 1, size do
  local limit, reach, grain = arguments[7 * place - 1] + 0, arguments[7 * place] + 0, arguments[7 * place + 1] + 0
  local last = ceil((now_us + reach) / grain)
  local low, high = (floor(now_us / grain) % PARTS + 1) * PACKED, (last % PARTS + 1) * PACKED
  limits[place], grains[place], latest[place], lows[place], turned[place] = limit, grain, last, low, 0
  if high <= low then high, turned[place] = PARTS * PACKED, high end
  highs[place] = min(high, PARTS * PACKED - 64)
end

-- Charges all groups. Tells what was found where all of them fit; else all is as it was.
local function charge_all()
  -- As long from the start as it will be.
  local found, begun, units, places, place, fits, last = { now_us, unpack(keys) }, {}, nil, nil, 0, true, #keys
  if numbers then
    units, places = {}, {}
    for claim = 1, claims do
      local number = numbers[claim]
      units[number], places[number] = (units[number] or 0) + 1, (claim - 1) % size + 1
    end
  end
  for number = 1, #keys do
    local key, count, value = keys[number], 1, nil
    if units then
      count, place = units[number], places[number]
      value = pcall('INCRBY', key, count)
    else
      place = place % size + 1
      value = pcall('INCR', key)
    end
    if type(value) ~= 'number' then
      fits, last = false, number - 1
      break
    end
    local before = value - count
    found[number + 1] = before
    fits = before % PACKED + count <= limits[place]
    if before ~= 0 then
      fits = fits and (before >= lows[place] and before < highs[place] or before > 0 and before < turned[place])
    elseif fits and (turned[place] == 0 or call('PEXPIRETIME', key) == -1) then
      begun[number] = true
      call('SET', key, latest[place] % PARTS * PACKED + count, 'PXAT', ceil(latest[place] * grains[place] / 1000))
    else
      fits = false
    end
    if not fits then
      last = number
      break
    end
  end
  if fits then return found end
  for number = 1, last do
    local key = keys[number]
    -- What was 0 was not there, or nothing was charged in another window.
    if begun[number] or (found[number + 1] == 0 and call('PEXPIRETIME', key) == -1) then
      call('UNLINK', key)
    else
      call('DECRBY', key, units and units[number] or 1)
    end
  end
end
local told = arguments[1] + 0 < 0 and charge_all()
if told then return reply_of(told) end

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

-- All is as it was before the long way.
for number, units in ipairs(charged) do
  if units < 0 and found[number] == 0 then
    call('UNLINK', keys[number])
  elseif units < 0 then
    call('DECRBY', keys[number], -units)
  end
end
